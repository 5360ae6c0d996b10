import {
  type BarFile,
  type CorpusColumn,
  type CorpusQuery,
  type CorpusReader,
  corpusSchemas,
  type Filter,
  type Page,
  type PartFile,
  type QueryEngine,
  QueryGivenUp,
  type TextWidths,
  type Turn,
} from '../../data/corpus/index.js';
import { quote } from '../../engine/errors.js';
import { isoTime } from '../../engine/series/index.js';
import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import {
  bytesBilled,
  type CorpusQueryRequest,
  columnsNamed,
  completeOrder,
  costUsd,
  type ReadQuery,
  readQuery,
  refuseAbove,
} from './request.js';
import { type ListResultsRequest, PageTokens, readListing } from './results.js';
import { arrowPieces, type QueryPiece, toRows } from './values.js';

export interface CorpusDeps {
  /**
   * Committed result files of an organization, as of now.
   * @param experimentIds null for all; ids of another organization yield no files
   */
  readonly listParts: (orgId: string, experimentIds: readonly string[] | null) => Promise<readonly PartFile[]>;
  readonly hasExperiment: (orgId: string, experimentId: string) => Promise<boolean>;
  /** Files of bars, which all organizations share. */
  readonly listBars: () => Promise<readonly BarFile[]>;
  readonly engine: QueryEngine;
  readonly reader: CorpusReader;
  readonly widths: TextWidths;
  /** Signs page tokens; the same in all processes. */
  readonly secret: string;
  /** Most bytes that one query may read. */
  readonly bytesMax: number;
}

/** What an answer carries besides its rows. */
interface QueryBill {
  readonly row_count: number;
  readonly total_bytes_billed: number;
  readonly cost_estimate_usd: number;
  readonly next_page_token: string | null;
}

interface Answered extends QueryBill {
  readonly query: ReadQuery;
  readonly page: Page;
}

const RETRY_SECONDS = 5;

/** Queries over the result rows of the caller's organization and over the shared bars. */
export class Corpus {
  readonly #deps: CorpusDeps;
  readonly #tokens: PageTokens;

  constructor(deps: CorpusDeps) {
    this.#deps = deps;
    this.#tokens = new PageTokens(deps.secret);
  }

  /**
   * A page of rows with exactly the selected columns.
   * @throws ApiError MISSING_FIELD, INVALID_FIELD, BYTES_LIMIT_EXCEEDED; ENGINE_BUSY when it takes
   *   too long
   */
  async query(caller: Caller, request: CorpusQueryRequest, signal?: AbortSignal) {
    const { query, page, ...bill } = await this.#answer(caller, request, signal);
    const isEmpty = page.rowCount === 0 && request.page_token === undefined && query.table === 'ohlcv';
    return { rows: toRows(query.select, page), ...bill, held: isEmpty ? await this.#heldFor(query) : [] };
  }

  /**
   * The same as an Arrow IPC stream in pieces. The first piece also carries the bill and the next
   * page token.
   */
  async *queryColumns(
    caller: Caller,
    request: CorpusQueryRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<QueryPiece | (QueryPiece & QueryBill)> {
    const { query, page, ...bill } = await this.#answer(caller, request, signal);
    let isFirst = true;
    for await (const piece of arrowPieces(query.select, page)) {
      yield isFirst ? { ...piece, ...bill } : piece;
      isFirst = false;
    }
  }

  /**
   * Result rows with all of their columns, best first.
   * @throws ApiError INVALID_FIELD for an unknown sort or filter and for a value out of bounds;
   *   ENGINE_BUSY
   */
  async listResults(caller: Caller, request: ListResultsRequest, signal?: AbortSignal) {
    const { experimentId, filters, sort, limit, offset } = readListing(request);
    const select = [...corpusSchemas.results.columns.values()];
    const order = completeOrder([sort], corpusSchemas.results);
    const { reader, listParts } = this.#deps;
    const { page, total } = await this.#overFiles(
      caller,
      () => listParts(caller.orgId, experimentId === null ? null : [experimentId]),
      async (turn, parts) => ({
        page: await reader.results(turn, parts, { select, filters, order, limit, offset }),
        total: await reader.countResults(turn, parts, filters),
      }),
      signal,
    );
    const results = toRows(select, page).map(
      (row): Record<string, unknown> => ({
        id: `${row.experiment_id}:${row.run_index}`,
        ...withoutUnused(row),
      }),
    );
    const isUnknown =
      total === 0 && experimentId !== null && !(await this.#deps.hasExperiment(caller.orgId, experimentId));
    const warning = `experiment_id: there is no experiment ${quote(experimentId)}, so it has no rows`;
    return { total, offset, limit, results, warnings: isUnknown ? [warning] : [] };
  }

  async #answer(caller: Caller, request: CorpusQueryRequest, signal: AbortSignal | undefined): Promise<Answered> {
    const query = readQuery(request);
    const token = request.page_token;
    const after = token === undefined ? null : this.#tokens.read(token, caller.orgId, query);
    const { select, filters, limit } = query;
    const order = completeOrder(query.orderBy, corpusSchemas[query.table]);
    const whole: CorpusQuery = { select, filters, order, limit, after };
    const { page, bytes } =
      query.table === 'ohlcv'
        ? await this.#bars(caller, query, whole, signal)
        : await this.#results(caller, query, whole, signal);
    return {
      query,
      page,
      row_count: page.rowCount,
      total_bytes_billed: bytes,
      cost_estimate_usd: costUsd(bytes),
      next_page_token: page.next === null ? null : this.#tokens.issue(caller.orgId, query, page.next),
    };
  }

  #results(caller: Caller, query: ReadQuery, whole: CorpusQuery, signal: AbortSignal | undefined) {
    const { reader, widths, listParts } = this.#deps;
    const experimentIds = namedIn(query.filters, 'experiment_id');
    const columns = columnsNamed(query);
    const texts = columns.filter(({ type }) => type === 'text').map(({ name }) => name);
    return this.#overFiles(
      caller,
      () => listParts(caller.orgId, experimentIds),
      async (turn, parts) => {
        const rows = parts.reduce((sum, part) => sum + part.rows, 0);
        const bytes = this.#bill(columns, rows, await widths.of(turn, parts, texts));
        return { bytes, page: await reader.results(turn, parts, whole) };
      },
      signal,
    );
  }

  #bars(caller: Caller, query: ReadQuery, whole: CorpusQuery, signal: AbortSignal | undefined) {
    const { reader, listBars } = this.#deps;
    return this.#overFiles(
      caller,
      async () => (await listBars()).filter(isNamedBy(query.filters)),
      async (turn, files) => {
        const rows = files.reduce((sum, { bars }) => sum + bars, 0);
        const averageOf = (text: (file: BarFile) => string): number =>
          rows === 0 ? 0 : files.reduce((sum, file) => sum + file.bars * Buffer.byteLength(text(file)), 0) / rows;
        const widths = new Map([
          ['asset', averageOf(({ asset }) => asset)],
          ['timeframe', averageOf(({ interval }) => interval)],
          ['file', averageOf(({ file }) => file)],
        ]);
        const bytes = this.#bill(columnsNamed(query), rows, widths);
        return { bytes, page: await reader.bars(turn, files, whole) };
      },
      signal,
    );
  }

  /** The bars held of what a query names; of everything where nothing is held of that. */
  async #heldFor({ filters }: ReadQuery) {
    const files = await this.#deps.listBars();
    const named = files.filter(isNamedBy(filters));
    return (named.length > 0 ? named : files).map(({ asset, interval, firstMs, lastMs, intervalMs }) => ({
      ...{ asset, timeframe: interval },
      ...{ start: isoTime(firstMs), end: isoTime(lastMs + intervalMs) },
    }));
  }

  #bill(columns: readonly CorpusColumn[], rows: number, widths: ReadonlyMap<string, number>): number {
    const bytes = bytesBilled(columns, rows, widths);
    refuseAbove(this.#deps.bytesMax, bytes);
    return bytes;
  }

  /**
   * Reads files in one turn of the engine. Files are joined and replaced while they are read: if
   * one is gone, the read runs once more over the files that hold its rows now.
   */
  async #overFiles<File extends { readonly path: string }, T>(
    { orgId }: Caller,
    list: () => Promise<readonly File[]>,
    read: (turn: Turn, files: readonly File[]) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const work = async (turn: Turn): Promise<T> => {
      const files = await list();
      try {
        return await read(turn, files);
      } catch (error) {
        if (error instanceof ApiError) throw error;
        const now = await list();
        if (files.every(({ path }) => now.some((file) => file.path === path))) throw error;
        return read(turn, now);
      }
    };
    try {
      return await this.#deps.engine.turn(orgId, work, signal);
    } catch (error) {
      if (!(error instanceof QueryGivenUp)) throw error;
      const message = `${error.message}; narrow it, or try again later`;
      throw new ApiError('ENGINE_BUSY', message, { retry_after: RETRY_SECONDS });
    }
  }
}

function isNamedBy(filters: readonly Filter[]): (file: BarFile) => boolean {
  const [assets, timeframes] = [namedIn(filters, 'asset'), namedIn(filters, 'timeframe')];
  return ({ asset, interval }) => assets?.includes(asset) !== false && timeframes?.includes(interval) !== false;
}

/** Values that the `=` and `in` filters allow for a column; null if they allow any. */
function namedIn(filters: readonly Filter[], column: string): readonly string[] | null {
  const lists = filters
    .filter(
      ({ column: { name }, operator, values }) =>
        name === column && ['=', 'in'].includes(operator) && values[0] !== null,
    )
    .map(({ values }) => values as readonly string[]);
  if (lists.length === 0) return null;
  return [...new Set(lists[0])].filter((value) => lists.every((list) => list.includes(value)));
}

/** A row without the columns that only some sweeps have, where this one does not use them. */
const withoutUnused = <Row extends object>(row: Row): Partial<Row> =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => value !== null || corpusSchemas.results.columns.get(name)?.isLeftOut !== true,
    ),
  ) as Partial<Row>;
