export { type Document, readDocuments, splitQuestions } from './read-documents.js';
export { promptPath, readPrompt } from './read-prompts.js';
