export { questionTerm, readQuestion, type SearchTerm } from './question.js';
export { nameParts } from './search-synonyms.js';
export { directionOf, type QueryTerm, readDescription, splitWords, termOf } from './terms.js';
