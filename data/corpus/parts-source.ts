import { LRUCache } from 'lru-cache';
import { literalPath, sqlName } from '../duckdb.js';
import { type CorpusColumn, corpusSchemas } from './columns.js';
import { QueryGivenUp, type Statement, type Turn } from './engine.js';
import type { PartFile } from './query.js';
import { StatementBuilder } from './statement.js';

type Column = Pick<CorpusColumn, 'name' | 'type' | 'isLeftOut'>;
type Paths = readonly Pick<PartFile, 'path'>[];

/** The SQL of a table that reads these files. */
type SourceOf = (files: Paths) => string;

/**
 * Selects from files of result rows. A file lacks the columns of settings that were added after it
 * was written, or that its sweep does not use; its rows have null there. Reading the schema of every
 * file is slow, so the statement first runs as if all files had all columns, unless it reads one that
 * most sweeps do not use.
 * @param columns the columns that the statement reads
 */
export async function selectFromParts(
  turn: Turn,
  files: Paths,
  columns: readonly Column[],
  statementOf: (source: SourceOf, builder: StatementBuilder) => Statement,
): Promise<unknown[][]> {
  const select = (lacking: readonly Column[]) => {
    const builder = new StatementBuilder();
    return turn.select(statementOf((some) => parquetSource(some, lacking, builder), builder));
  };
  if (columns.some(({ isLeftOut }) => isLeftOut)) return select(await columnsLacking(turn, files, columns));
  try {
    return await select([]);
  } catch (error) {
    if (error instanceof QueryGivenUp) throw error;
    const lacking = await columnsLacking(turn, files, columns);
    if (lacking.length === 0) throw error;
    return select(lacking);
  }
}

const FILES_KEPT = 4_096;

/** The columns of files by their paths. Files never change, so each is read once. */
const columnsOf = new LRUCache<string, ReadonlySet<unknown>>({ max: FILES_KEPT });

/** The columns that at least one of the files lacks. */
async function columnsLacking(turn: Turn, files: Paths, columns: readonly Column[]): Promise<Column[]> {
  const unknown = files.filter(({ path }) => !columnsOf.has(path));
  const found = new Map<unknown, Set<unknown>>(unknown.map(({ path }) => [path, new Set()]));
  if (unknown.length > 0) {
    const [paths = [], names = []] = await turn.select({
      sql: 'SELECT DISTINCT file_name, name FROM parquet_schema($1)',
      parameters: [texts(unknown)],
    });
    for (const [i, path] of paths.entries()) found.get(path)?.add(names[i]);
  }
  for (const { path } of unknown) columnsOf.set(path, found.get(path) ?? new Set());
  const held = files.map(({ path }) => found.get(path) ?? columnsOf.get(path));
  return [...new Set(columns)].filter(({ name }) => !held.every((names) => names?.has(name)));
}

const sqlTypes: Readonly<Record<CorpusColumn['type'], string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  time: 'TIMESTAMP',
};

function parquetSource(files: Paths, lacking: readonly Column[], builder: StatementBuilder): string {
  const list = builder.bind(texts(files));
  if (lacking.length === 0) return `read_parquet(${list}, hive_partitioning = false)`;
  const nulls = lacking.map(({ name, type }) => `NULL::${sqlTypes[type]} AS ${sqlName(name)}`).join(', ');
  return (
    `(SELECT *, filename, file_row_number FROM read_parquet(${list}, hive_partitioning = false, union_by_name = true) ` +
    `UNION ALL BY NAME SELECT ${nulls} WHERE FALSE)`
  );
}

const texts = (files: Paths) => ({ type: 'texts', value: files.map(({ path }) => literalPath(path)) }) as const;

/** The first rows of the largest files stand for the whole column. */
const SAMPLED_FILES = 8;
const SAMPLED_ROWS = 1_024;
const KEPT = 50_000;

/** The average length of the texts in result rows. Files never change, so each is measured once. */
export class TextWidths {
  /** Bytes per row, by file and column. */
  readonly #known = new LRUCache<string, number>({ max: KEPT });

  /** UTF-8 bytes per text, on average, by column; 0 where there are no rows. */
  async of(turn: Turn, files: readonly PartFile[], columns: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const sample = files.toSorted((a, b) => b.rows - a.rows).slice(0, SAMPLED_FILES);
    for (const { path } of sample) {
      const unknown = columns.filter((column) => !this.#known.has(key(path, column)));
      if (unknown.length > 0) await this.#measure(turn, path, unknown);
    }
    const rows = sample.reduce((sum, file) => sum + file.rows, 0);
    const columnBytes = (column: string): number =>
      // biome-ignore lint/style/noNonNullAssertion: the loop above measured what was missing
      sample.reduce((sum, file) => sum + file.rows * this.#known.get(key(file.path, column))!, 0);
    return new Map(columns.map((column) => [column, rows === 0 ? 0 : columnBytes(column) / rows]));
  }

  async #measure(turn: Turn, path: string, columns: readonly string[]): Promise<void> {
    const averages = columns.map((column) => `avg(coalesce(strlen(${sqlName(column)}), 0))`).join(', ');
    const texts = columns.map((name) => ({ ...corpusSchemas.results.columns.get(name), name, type: 'text' }) as const);
    const bytes = await selectFromParts(turn, [{ path }], texts, (source, builder) =>
      builder.done(`SELECT ${averages} FROM ${source([{ path }])} WHERE file_row_number < ${SAMPLED_ROWS}`),
    );
    for (const [i, column] of columns.entries()) this.#known.set(key(path, column), Number(bytes[i]?.[0] ?? 0));
  }
}

const key = (path: string, column: string): string => `${column} ${path}`;
