import type { UseCasesOf } from '../use-cases.js';
import type { Corpus } from './corpus.js';

export const corpusMethods = (corpus: Corpus): UseCasesOf<'Corpus'> => ({
  'Corpus.Query': (request, { caller, signal }) => corpus.query(caller, request, signal),
  'Corpus.QueryColumns': (request, { caller, signal }) => corpus.queryColumns(caller, request, signal),
  'Corpus.ListResults': (request, { caller, signal }) => corpus.listResults(caller, request, signal),
});
