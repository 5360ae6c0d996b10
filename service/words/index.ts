export { questionTerm, readQuestion, type SearchTerm } from './question.js';
export { nameParts } from './search-synonyms.js';
export { type QueryTerm, queryDirection, readDescription, splitWords, wordTerm } from './terms.js';
