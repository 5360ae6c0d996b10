export { type CorpusColumn, type CorpusTable, corpusSchemas, corpusTables, type TableSchema } from './columns.js';
export { QueryEngine, QueryGivenUp, type Turn } from './engine.js';
export type { BarFile, PartFile } from './files.js';
export {
  type Cell,
  type CorpusQuery,
  type Filter,
  type Operator,
  type Ordering,
  operators,
  type Page,
  type Value,
} from './query.js';
export { CorpusReader, type CorpusReaderOptions } from './reader.js';
export { TextWidths } from './widths.js';
