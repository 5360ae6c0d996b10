export { type Document, readDocuments, splitFrontMatter } from './read-documents.js';
export { promptPath, readPrompt } from './read-prompts.js';
