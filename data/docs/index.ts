export { type Document, readDocuments } from './read-documents.js';
