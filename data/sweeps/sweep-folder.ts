import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../engine/errors.js';
import { aloneInDuckDb, literalPath, sqlName, sqlText } from '../duckdb.js';
import { addFile, makeFolder, markUsed, removeAbandoned, replaceFile } from '../files.js';
import { type Hold, takeHold } from '../lock.js';
import type { PartRows } from './write-part.js';

/**
 * One sweep on disk: its description in `sweep.json` and its finished rows in Parquet parts. A part
 * is named by its runs, `part-FROM-TO.parquet` (TO exclusive), appears whole, and never changes. A
 * second writer of the same runs has the same rows and leaves the first file. So after any crash
 * each run has either one row or none, and the file names alone tell which rows are missing.
 */
export interface SweepFolder {
  readonly path: string;
  /**
   * The record; null when there is none yet.
   * @throws INVALID_DATA when it is damaged
   */
  readRecord(): Promise<unknown>;
  writeRecord(record: object): Promise<void>;
  readonly recordPath: string;
  /** The path of the part for these runs, whether or not it is written. */
  partPath(from: number, to: number): string;
  /** Ascending, without overlap. */
  parts(): Promise<readonly SweepPart[]>;
  /** Writes the rows of the runs `from` to `to` (exclusive); an existing part stays. */
  writePart(from: number, to: number, rows: PartRows): Promise<void>;
  /** Joins adjacent parts, up to 32,768 rows a file, since every file costs its reader. */
  compact(): Promise<void>;
  /**
   * Keeps other processes out of the sweep.
   * @throws CONFLICT at once when another process is running it
   */
  hold(): Promise<Hold>;
}

interface SweepPart {
  readonly from: number;
  readonly to: number;
  readonly file: string;
}

const partName = /^part-(\d{12})-(\d{12})\.parquet$/;
const partFileName = (from: number, to: number): string =>
  `part-${String(from).padStart(12, '0')}-${String(to).padStart(12, '0')}.parquet`;

export function openSweepFolder(path: string): SweepFolder {
  const recordPath = join(path, 'sweep.json');
  const all = async (): Promise<SweepPart[]> => {
    const names = await readdir(path).catch(() => [] as string[]);
    return names.sort().flatMap((name) => {
      const [, from, to] = partName.exec(name) ?? [];
      return from === undefined ? [] : [{ from: Number(from), to: Number(to), file: join(path, name) }];
    });
  };
  return {
    path,
    recordPath,
    async readRecord() {
      const text = await readFile(recordPath, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (text === null) return null;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw new EngineError('INVALID_DATA', `${recordPath} is not JSON; it was changed or cut off`, { path });
      }
    },
    async writeRecord(record) {
      await makeFolder(path);
      await replaceFile(recordPath, (aside) => writeFile(aside, `${JSON.stringify(record)}\n`));
    },
    partPath: (from, to) => join(path, partFileName(from, to)),
    async parts() {
      return withoutContained(await all());
    },
    async writePart(from, to, rows) {
      const { writePartFile } = await import('./write-part.js'); // most callers only read
      await addFile(join(path, partFileName(from, to)), (aside) => writePartFile(aside, rows));
    },
    async compact() {
      for (const group of groupsToJoin(withoutContained(await all()), JOINED_ROWS_MAX)) {
        // biome-ignore lint/style/noNonNullAssertion: a group starts with its first part
        const [first, last] = [group[0]!, group.at(-1)!];
        await joinFiles(
          group.map(({ file }) => file),
          join(path, partFileName(first.from, last.to)),
        );
      }
      const kept = new Set(withoutContained(await all()).map(({ file }) => file));
      for (const { file } of await all()) if (!kept.has(file)) await rm(file, { force: true });
    },
    async hold() {
      await makeFolder(path);
      const hold = await takeHold(join(path, 'sweep.lock'), 'running the same sweep');
      await removeAbandoned(path);
      return hold;
    },
  };
}

/** A crash between joining parts and removing them leaves both; only the joined one counts. */
function withoutContained(parts: readonly SweepPart[]): SweepPart[] {
  const byLength = parts.toSorted((a, b) => a.from - b.from || b.to - a.to);
  let end = 0;
  return byLength.filter(({ to }) => {
    if (to <= end) return false;
    end = to;
    return true;
  });
}

/**
 * Groups of adjacent parts with at most `rowsMax` rows each; a part without a neighbour is left
 * out.
 */
export function groupsToJoin<Part extends Pick<SweepPart, 'from' | 'to'>>(
  parts: readonly Part[],
  rowsMax: number,
): Part[][] {
  const groups: Part[][] = [];
  for (const part of parts) {
    const group = groups.at(-1);
    // biome-ignore lint/style/noNonNullAssertion: a group starts with its first part
    if (group?.at(-1)?.to === part.from && part.to - group[0]!.from <= rowsMax) group.push(part);
    else groups.push([part]);
  }
  return groups.filter(({ length }) => length > 1);
}

const JOINED_ROWS_MAX = 32_768;
/** DuckDB keeps this many rows in memory while it writes them. */
const GROUP_ROWS = 4_096;
const QUERIED_GROUP_ROWS = 8_192;

/**
 * The layout of the rows: as small as possible in the order of the runs, or sorted for queries that
 * look for the highest values of a column.
 */
type JoinedFor = 'keeping' | { readonly highest: string };

/** Joins files of rows into one. If that file exists, it is only marked as used. */
export async function joinFiles(
  parts: readonly string[],
  path: string,
  joinedFor: JoinedFor = 'keeping',
): Promise<void> {
  if (await markUsed(path)) return;
  const files = `[${parts.map((part) => sqlText(literalPath(part))).join(', ')}]`;
  // The rows come in file order, which is run order.
  const rows = `SELECT * FROM read_parquet(${files}, hive_partitioning = false)`;
  const layout =
    joinedFor === 'keeping'
      ? { rows, settings: `COMPRESSION zstd, ROW_GROUP_SIZE ${GROUP_ROWS}` }
      : {
          rows: `${rows} ORDER BY ${sqlName(joinedFor.highest)} DESC NULLS LAST, run_index`,
          // Group statistics let queries skip rows.
          settings: `COMPRESSION lz4, ROW_GROUP_SIZE ${QUERIED_GROUP_ROWS}`,
        };
  await addFile(path, (aside) =>
    aloneInDuckDb(async (connection) => {
      await connection.run(
        `COPY (${layout.rows}) TO ${sqlText(aside)} (FORMAT parquet, ${layout.settings}, USE_TMP_FILE false)`,
      );
    }),
  );
}
