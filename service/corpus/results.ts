import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import {
  type Cell,
  type CorpusColumn,
  corpusSchemas,
  type Filter,
  type Operator,
  type Ordering,
} from '../../data/corpus/index.js';
import { isRecord, quote } from '../../engine/errors.js';
import { clip } from '../../engine/text.js';
import { type ReadQuery, readColumn } from './request.js';
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

/**
 * Tokens that say where a query continues. They are signed, so a holder can only continue the same
 * query.
 */
export class PageTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** @param position values of the last row of the page in the columns of the query's order */
  issue(orgId: string, query: ReadQuery, position: readonly Cell[]): string {
    const content = Buffer.from(JSON.stringify([queryDigest(orgId, query), position.map(packed)])).toString(
      'base64url',
    );
    return `${content}.${this.#sign(content).toString('base64url')}`;
  }

  /**
   * @throws INVALID_FIELD for a token that is damaged, forged, or of another query or organization
   */
  read(token: string, orgId: string, query: ReadQuery): readonly Cell[] {
    const [content = '', signature = '', ...rest] = token.split('.');
    const given = Buffer.from(signature, 'base64url');
    const expected = this.#sign(content);
    const isOurs = rest.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
    // Several base64 texts decode to the same bytes; only the issued text is accepted.
    if (!isOurs || given.toString('base64url') !== signature) {
      throw invalid('page_token', 'page_token was not issued by this server, or is damaged');
    }
    const [digest, position] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [string, unknown[]];
    if (digest !== queryDigest(orgId, query)) {
      throw invalid('page_token', 'page_token belongs to another query: send it with the query that returned it');
    }
    return position.map(unpacked);
  }

  #sign(content: string): Buffer {
    return createHmac('sha256', this.#secret).update(content).digest();
  }
}

/** JSON cannot write infinite numbers and NaN. */
const packed = (cell: Cell): unknown =>
  typeof cell === 'number' && !Number.isFinite(cell) ? { number: String(cell) } : cell;
const unpacked = (cell: unknown): Cell =>
  typeof cell === 'object' && cell !== null ? Number((cell as { number: string }).number) : (cell as Cell);

function queryDigest(orgId: string, { table, select, filters, orderBy, limit }: ReadQuery): string {
  const parts = [
    orgId,
    table,
    select.map(({ name }) => name),
    filters.map(({ column, operator, values }) => [column.name, operator, values]),
    orderBy.map(({ column, isDescending }) => [column.name, isDescending]),
    limit,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
