export { type Document, readDocuments } from './read-documents.js';
export { promptPath, readPrompts } from './read-prompts.js';
