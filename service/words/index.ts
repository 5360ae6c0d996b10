export { nameParts } from './search-synonyms.js';
export {
  type QueryTerm,
  queryDirection,
  questionTerm,
  readDescription,
  readQuestion,
  type SearchTerm,
  splitWords,
  wordTerm,
} from './terms.js';
