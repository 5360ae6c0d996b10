import type { Corpus } from '../../service/corpus/index.js';
import type { HandlersOf } from '../calls.js';

export const corpusHandlers = (corpus: Corpus): HandlersOf<'Corpus'> => ({
  'Corpus.Query': (request, { caller, signal }) => corpus.query(caller, request, signal),
  'Corpus.QueryColumns': (request, { caller, signal }) => corpus.queryColumns(caller, request, signal),
  'Corpus.ListResults': (request, { caller, signal }) => corpus.listResults(caller, request, signal),
});
