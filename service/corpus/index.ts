export { Corpus, type CorpusDeps } from './corpus.js';
export type { CorpusQueryRequest } from './request.js';
export type { ListResultsRequest } from './results.js';
