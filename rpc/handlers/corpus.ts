import type { Corpus, CorpusQueryRequest, ListResultsRequest } from '../../service/corpus/index.js';
import type { Handlers } from '../calls.js';

export const corpusHandlers = (corpus: Corpus): Handlers => ({
  'Corpus.Query': (request: CorpusQueryRequest, { caller, signal }) => corpus.query(caller, request, signal),
  'Corpus.QueryColumns': (request: CorpusQueryRequest, { caller, signal }) =>
    corpus.queryColumns(caller, request, signal),
  'Corpus.ListResults': (request: ListResultsRequest, { caller, signal }) =>
    corpus.listResults(caller, request, signal),
});
