export { type Document, readDocuments } from './read-documents.js';
export { promptPath, readPrompt } from './read-prompts.js';
