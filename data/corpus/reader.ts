import { literalPath } from '../duckdb.js';
import type { CorpusColumn } from './columns.js';
import type { Turn } from './engine.js';
import { selectFromParts } from './parts-source.js';
import type { BarFile, Cell, CorpusQuery, Filter, Page, PartFile, Value } from './query.js';
import { cellSql, orderSql, StatementBuilder, whereSql } from './statement.js';
import { nearestFiles, reachedBy, Zones } from './zones.js';

export interface CorpusReaderOptions {
  /** From this many rows on, the reader first works out which files hold the wanted rows. */
  readonly largeRowsMin?: number;
  /** From this many rows on, reading the statistics of a file pays. */
  readonly zonedRowsMin?: number;
}

type Columns = readonly (readonly Cell[])[];

/** What a top query returns for each row. */
interface Wanted {
  readonly expressions: readonly string[];
  /** Index in `expressions` of the first ordering value. */
  readonly orderFrom: number;
}

/**
 * Share of the rows that the first probe reads, its growth, and the share at which probing stops.
 */
const PROBE_SHARE = 0.02;
const PROBE_GROWTH = 5;
const PROBE_SHARE_MAX = 0.25;
const PROBED_LIMIT_MAX = 10_000;
/**
 * With at least this many columns outside the filters and the order, a query first finds the rows
 * and then reads them, from at most `LATE_FILES_MAX` files at a time.
 */
const LATE_COLUMNS_MIN = 8;
const LATE_FILES_MAX = 64;
const LARGE_ROWS_MIN = 100_000;
const ZONED_ROWS_MIN = 16_384;

/** Answers queries over the files that the caller chose; it sees no others. */
export class CorpusReader {
  readonly #zones: Zones;
  readonly #largeRowsMin: number;

  constructor({ largeRowsMin = LARGE_ROWS_MIN, zonedRowsMin = ZONED_ROWS_MIN }: CorpusReaderOptions = {}) {
    this.#zones = new Zones(zonedRowsMin);
    this.#largeRowsMin = largeRowsMin;
  }

  /** The result rows of these files. */
  async results(turn: Turn, files: readonly PartFile[], query: CorpusQuery): Promise<Page> {
    if (files.length === 0) return emptyPage(query);
    const isLate = countRows(files) >= this.#largeRowsMin && lateColumns(query).length >= LATE_COLUMNS_MIN;
    const order = query.order.map(({ column }) => cellSql(column));
    if (!isLate) {
      const expressions = [...query.select.map(cellSql), ...order];
      const columns = await this.#best(turn, files, query, { expressions, orderFrom: query.select.length });
      return page(query, columns.slice(0, query.select.length), columns.slice(query.select.length));
    }
    const wanted = { expressions: ['filename', 'file_row_number::DOUBLE', ...order], orderFrom: 2 };
    const [names = [], rows = [], ...positions] = await this.#best(turn, files, query, wanted);
    const shown = names.slice(0, query.limit).map((name, i) => ({ path: String(name), row: Number(rows[i]) }));
    return page(query, await this.#cells(turn, shown, query.select), positions);
  }

  async countResults(turn: Turn, files: readonly PartFile[], filters: readonly Filter[]): Promise<number> {
    if (filters.length === 0 || files.length === 0) return countRows(files);
    const columns = filters.map(({ column }) => column);
    const [[count] = []] = await selectFromParts(turn, files, columns, (source, builder) => {
      return builder.done(`SELECT count(*)::DOUBLE FROM ${source(files)} ${whereSql({ filters, order: [] }, builder)}`);
    });
    return Number(count);
  }

  /** The bars of these files. */
  async bars(turn: Turn, files: readonly BarFile[], query: CorpusQuery): Promise<Page> {
    if (files.length === 0) return emptyPage(query);
    const builder = new StatementBuilder();
    const text = (value: string): string => builder.bind({ type: 'text', value });
    const each = files.map(
      ({ path, asset, interval, file }) =>
        `SELECT ${text(asset)} AS asset, ${text(interval)} AS timeframe, "timestamp", open, high, low, close, volume, ${text(file)} AS file ` +
        `FROM read_parquet(${text(literalPath(path))}, hive_partitioning = false)`,
    );
    const expressions = [...query.select.map(cellSql), ...query.order.map(({ column }) => cellSql(column))];
    const sql = top(query, expressions, `(${each.join(' UNION ALL ')})`, whereSql(query, builder));
    const columns = (await turn.select(builder.done(sql))) as Cell[][];
    return page(query, columns.slice(0, query.select.length), columns.slice(query.select.length));
  }

  /**
   * The first rows of a query in its order. Where many rows are to be searched, it first reads the
   * files nearest to the start of the order. The worst row found there bounds what the other files
   * can add, so DuckDB skips most of them by their statistics.
   */
  async #best(turn: Turn, files: readonly PartFile[], query: CorpusQuery, wanted: Wanted): Promise<Columns> {
    // biome-ignore lint/style/noNonNullAssertion: a query is ordered by at least one column
    const first = query.order[0]!;
    const after = query.after?.[0];
    const total = countRows(files);
    const needed = (query.offset ?? 0) + query.limit + 1;
    const { name, type } = first.column;
    const hasZones = type === 'number' || type === 'integer' || name === 'experiment_id';
    if (total < this.#largeRowsMin || !hasZones || after === null || needed > PROBED_LIMIT_MAX) {
      return this.#top(turn, files, query, wanted, null);
    }
    const zones = await this.#zones.of(turn, files, name);
    const nearest = nearestFiles(zones, files, first, after);
    for (let share = PROBE_SHARE; share <= PROBE_SHARE_MAX; share *= PROBE_GROWTH) {
      const chosen = upToRows(nearest, share * total);
      if (chosen.length === 0) break;
      const whole = { ...query, limit: needed - 1, offset: 0 };
      const found = await this.#top(turn, chosen, whole, wanted, null);
      const worst = found[wanted.orderFrom]?.[needed - 1];
      if (worst === undefined) continue;
      if (worst === null) break;
      const rest = files.filter((file) => reachedBy(zones, file, first, worst, after));
      if (rest.every((file) => chosen.includes(file))) return found.map((cells) => cells.slice(query.offset ?? 0));
      return this.#top(turn, rest, query, wanted, worst);
    }
    return this.#top(turn, files, query, wanted, null);
  }

  async #top(
    turn: Turn,
    files: readonly PartFile[],
    query: CorpusQuery,
    { expressions }: Wanted,
    worst: Value | null,
  ): Promise<Columns> {
    const columns = [...query.select, ...[...query.filters, ...query.order].map(({ column }) => column)];
    return (await selectFromParts(turn, files, columns, (source, builder) =>
      builder.done(top(query, expressions, source(files), whereSql(query, builder, worst))),
    )) as Columns;
  }

  /** The cells of rows that are known by file and row number. */
  async #cells(
    turn: Turn,
    rows: readonly { readonly path: string; readonly row: number }[],
    select: readonly CorpusColumn[],
  ): Promise<Columns> {
    const result = select.map(() => new Array<Cell>(rows.length).fill(null));
    const placesOf = new Map<string, number[]>();
    for (const [place, { path }] of rows.entries()) placesOf.set(path, [...(placesOf.get(path) ?? []), place]);
    const paths = [...placesOf.keys()];
    const placeOf = new Map(rows.map(({ path, row }, place) => [`${row} ${path}`, place]));
    for (let from = 0; from < paths.length; from += LATE_FILES_MAX) {
      const cells = select.map(cellSql).join(', ');
      const files = paths.slice(from, from + LATE_FILES_MAX).map((path) => ({ path }));
      const [names = [], numbers = [], ...columns] = await selectFromParts(turn, files, select, (source, builder) => {
        const each = files.map((file) => {
          // biome-ignore lint/style/noNonNullAssertion: the files are named by the keys of this map
          const places = placesOf.get(file.path)!;
          // biome-ignore lint/style/noNonNullAssertion: a place is an index of a row
          const wanted = places.map((place) => builder.bind({ type: 'integer', value: rows[place]!.row }));
          return `SELECT filename, file_row_number::DOUBLE, ${cells} FROM ${source([file])} WHERE file_row_number IN (${wanted.join(', ')})`;
        });
        return builder.done(each.join(' UNION ALL '));
      });
      for (const [i, name] of names.entries()) {
        // biome-ignore lint/style/noNonNullAssertion: the query returns only rows that were asked for
        const place = placeOf.get(`${String(numbers[i])} ${String(name)}`)!;
        // biome-ignore lint/style/noNonNullAssertion: the query returns one column for each selected one
        for (const [k, column] of columns.entries()) result[k]![place] = column[i] as Cell;
      }
    }
    return result;
  }
}

/** Reads one row more than asked for, which shows whether any follow. */
const top = (
  { order, limit, offset = 0 }: CorpusQuery,
  expressions: readonly string[],
  source: string,
  where: string,
) => `SELECT ${expressions.join(', ')} FROM ${source} ${where} ${orderSql(order)} LIMIT ${limit + 1} OFFSET ${offset}`;

/** The selected columns that neither filters nor orderings use. */
function lateColumns({ select, filters, order }: CorpusQuery): CorpusColumn[] {
  const used = new Set([...filters, ...order].map(({ column }) => column));
  return select.filter((column) => !used.has(column));
}

function upToRows(files: readonly PartFile[], rowsWanted: number): PartFile[] {
  let rows = 0;
  const count = files.findIndex((file) => {
    rows += file.rows;
    return rows >= rowsWanted;
  });
  return files.slice(0, count < 0 ? files.length : count + 1);
}

function page({ limit }: CorpusQuery, columns: Columns, positions: Columns): Page {
  const found = positions[0]?.length ?? 0;
  const rowCount = Math.min(found, limit);
  return {
    rowCount,
    columns: columns.map((cells) => cells.slice(0, rowCount)),
    next: found > limit ? positions.map((cells) => cells[limit - 1] ?? null) : null,
  };
}

const emptyPage = ({ select }: CorpusQuery): Page => ({ rowCount: 0, columns: select.map(() => []), next: null });

const countRows = (files: readonly PartFile[]): number => files.reduce((sum, { rows }) => sum + rows, 0);
