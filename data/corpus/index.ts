export { type CorpusColumn, type CorpusTable, corpusSchemas, corpusTables, type TableSchema } from './columns.js';
export { QueryEngine, QueryGivenUp, type Turn } from './engine.js';
export { TextWidths } from './parts-source.js';
export {
  type BarFile,
  type Cell,
  type CorpusQuery,
  type Filter,
  type Operator,
  type Ordering,
  operators,
  type Page,
  type PartFile,
  type Value,
} from './query.js';
export { CorpusReader, type CorpusReaderOptions } from './reader.js';
