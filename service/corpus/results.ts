import {
  type CorpusColumn,
  corpusSchemas,
  type Filter,
  type Operator,
  type Ordering,
} from '../../data/corpus/index.js';
import { isRecord, quote } from '../../engine/errors.js';
import { clip } from '../../engine/text.js';
import { readColumn } from './request.js';
import { asStored, invalid, readText } from './values.js';

export interface ListResultsRequest {
  readonly experiment_id?: string;
  readonly asset?: string;
  readonly timeframe?: string;
  readonly trigger_name?: string;
  readonly status?: string;
  readonly min_trades?: number;
  readonly min_sharpe?: number;
  /** Percent, like the column. */
  readonly min_win_rate?: number;
  /** Settings and the values that rows must have. */
  readonly filters?: unknown;
  readonly sort?: string;
  readonly order?: string;
  readonly limit?: number;
  readonly offset?: number;
}

interface Listing {
  /** Null for all. */
  readonly experimentId: string | null;
  readonly filters: readonly Filter[];
  readonly sort: Ordering;
  readonly limit: number;
  readonly offset: number;
}

const LIMIT = 100;
const LIMIT_MAX = 500;

const named = {
  asset: ['asset', '='],
  timeframe: ['timeframe', '='],
  trigger_name: ['trigger_name', '='],
  status: ['status', '='],
  min_trades: ['total_trades', '>='],
  min_sharpe: ['sharpe_ratio', '>='],
  min_win_rate: ['win_rate', '>='],
} as const satisfies Partial<Record<keyof ListResultsRequest, readonly [string, Operator]>>;

/** @throws INVALID_FIELD for an unknown sort or filter and for a value out of bounds */
export function readListing(request: ListResultsRequest): Listing {
  const {
    experiment_id: experimentId = null,
    sort = 'sharpe_ratio',
    order = 'desc',
    limit = LIMIT,
    offset = 0,
  } = request;
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw invalid('limit', `limit must be a whole number 1..${LIMIT_MAX}, was ${quote(limit)}`);
  }
  if (!Number.isSafeInteger(offset) || offset < 0) {
    throw invalid('offset', `offset must be a whole number >= 0, was ${quote(offset)}`);
  }
  if (order !== 'asc' && order !== 'desc') throw invalid('order', `order must be asc or desc, was ${quote(order)}`);
  return {
    experimentId,
    filters: [...namedFilters(request), ...settingFilters(request.filters ?? {})],
    sort: { column: readColumn(sort, corpusSchemas.results, 'sort'), isDescending: order === 'desc' },
    limit,
    offset,
  };
}

function namedFilters(request: ListResultsRequest): Filter[] {
  return (Object.keys(named) as (keyof typeof named)[]).flatMap((field) => {
    const value = request[field];
    if (value === undefined) return [];
    const [name, operator] = named[field];
    // biome-ignore lint/style/noNonNullAssertion: the name was found among these columns
    return [readFilter(corpusSchemas.results.columns.get(name)!, operator, value, field)];
  });
}

function settingFilters(filters: unknown): Filter[] {
  if (!isRecord(filters)) {
    throw invalid('filters', `filters must be an object of values by setting, was ${quote(filters)}`);
  }
  return Object.entries(filters).map(([name, value]) => {
    const column = corpusSchemas.results.columns.get(name);
    if (column?.isSetting !== true)
      throw invalid(clip(name, 60), `${quote(name)} is not a setting that results can be filtered by`);
    return readFilter(column, '=', value, name);
  });
}

const readFilter = (column: CorpusColumn, operator: Operator, value: unknown, field: string): Filter =>
  asStored({ column, operator, values: [readText(column, value, field)] });
