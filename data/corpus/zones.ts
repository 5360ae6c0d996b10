import { LRUCache } from 'lru-cache';
import { literalPath } from '../duckdb.js';
import { corpusSchemas } from './columns.js';
import type { Turn } from './engine.js';
import type { Ordering, PartFile, Value } from './query.js';

/** The least and the greatest value of a column in a file, as shown. */
interface Zone {
  readonly min: Value;
  readonly max: Value;
}

/**
 * The zones of a file's columns, known without reading it: null for a column without values. A
 * column without an entry is unknown.
 */
type FileZones = ReadonlyMap<string, Zone | null>;

const FILES_KEPT = 4_096;

const numeric = [...corpusSchemas.results.columns.values()].filter(
  ({ type }) => type === 'number' || type === 'integer',
);

/**
 * The bounds that Parquet files state for their columns. Files never change, so each is read once.
 */
export class Zones {
  readonly #known = new LRUCache<string, FileZones>({ max: FILES_KEPT });

  /**
   * @param fileRowsMin in a smaller file, too few rows can be skipped to make the look worth while
   */
  constructor(private readonly fileRowsMin: number) {}

  /** Zones by file path; a file of unknown zone has no entry. */
  async of(turn: Turn, files: readonly PartFile[], column: string): Promise<ReadonlyMap<string, Zone | null>> {
    if (column === 'experiment_id') {
      return new Map(files.map(({ path, experimentId }) => [path, { min: experimentId, max: experimentId }]));
    }
    const large = files.filter(({ rows }) => rows >= this.fileRowsMin);
    const unknown = large.filter(({ path }) => !this.#known.has(path));
    if (unknown.length > 0) await this.#look(turn, unknown);
    const zones = new Map<string, Zone | null>();
    for (const { path } of large) {
      const zone = this.#known.get(path)?.get(column);
      if (zone !== undefined) zones.set(path, zone);
    }
    return zones;
  }

  async #look(turn: Turn, files: readonly PartFile[]): Promise<void> {
    const [names = [], columns = [], mins = [], maxs = [], unstated = []] = await turn.select({
      sql: `SELECT file_name, path_in_schema, min(try_cast(stats_min_value AS DOUBLE)), max(try_cast(stats_max_value AS DOUBLE)),
          bool_or(stats_min_value IS NULL AND coalesce(stats_null_count, -1) <> num_values)
          FROM parquet_metadata($1) WHERE type IN ('DOUBLE', 'INT64') GROUP BY file_name, path_in_schema`,
      parameters: [{ type: 'texts', value: files.map(({ path }) => literalPath(path)) }],
    });
    const found = new Map<unknown, Map<string, Zone | null>>(files.map(({ path }) => [path, new Map()]));
    for (const [i, name] of names.entries()) {
      const column = numeric.find((each) => each.name === columns[i]);
      if (column === undefined || unstated[i] === true) continue;
      const shown = (value: unknown): number => Number(value) * (column.isPercent ? 100 : 1);
      const zone = mins[i] === null ? null : { min: shown(mins[i]), max: shown(maxs[i]) };
      found.get(name)?.set(column.name, zone);
    }
    // biome-ignore lint/style/noNonNullAssertion: the query answers for every file
    for (const { path } of files) this.#known.set(path, found.get(path)!);
  }
}

/**
 * The files with values of the first ordering, sorted by how soon their rows can come next. Files
 * of unknown zone are left out.
 * @param after value of the last row before; undefined to start at the very first row
 */
export function nearestFiles(
  zones: FileZones,
  files: readonly PartFile[],
  { isDescending }: Ordering,
  after: Value | undefined,
): PartFile[] {
  const starts = new Map<PartFile, Value>();
  for (const file of files) {
    const zone = zones.get(file.path);
    if (zone === undefined || zone === null) continue;
    const [start, end] = isDescending ? [zone.max, zone.min] : [zone.min, zone.max];
    const isPast = (value: Value): boolean => after !== undefined && (isDescending ? value > after : value < after);
    // biome-ignore lint/style/noNonNullAssertion: isPast is false without a value to go on from
    if (!isPast(end)) starts.set(file, isPast(start) ? after! : start);
  }
  const byStart = (a: PartFile, b: PartFile): number => {
    // biome-ignore lint/style/noNonNullAssertion: every file got its start above
    const [x, y] = [starts.get(a)!, starts.get(b)!];
    if (x === y) return b.rows - a.rows;
    return x < y === isDescending ? 1 : -1;
  };
  return [...starts.keys()].sort(byStart);
}

/**
 * Whether a file can have values between `after` (if given) and `worst`, both included. True for a
 * file of unknown zone.
 */
export function reachedBy(
  zones: FileZones,
  { path }: PartFile,
  { isDescending }: Ordering,
  worst: Value,
  after: Value | undefined,
): boolean {
  const zone = zones.get(path);
  if (zone === undefined) return true;
  if (zone === null) return false;
  const { min, max } = zone;
  if (isDescending) return max >= worst && (after === undefined || min <= after);
  return min <= worst && (after === undefined || max >= after);
}
