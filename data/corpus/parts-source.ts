import { literalPath, sqlName } from '../duckdb.js';
import type { CorpusColumn } from './columns.js';
import { QueryGivenUp, type Statement, type Turn } from './engine.js';
import type { PartFile } from './files.js';
import { StatementBuilder } from './statement.js';

type Column = Pick<CorpusColumn, 'name' | 'type'>;
type Paths = readonly Pick<PartFile, 'path'>[];

/** The SQL of a table that reads these files. */
type SourceOf = (files: Paths) => string;

/**
 * Selects from files of result rows. A file lacks the columns of settings that were added after it
 * was written; its rows have null there. Reading the schema of every file is slow, so the statement
 * first runs as if all files had all columns.
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
    return turn.select(statementOf((some) => sourceOf(some, lacking, builder), builder));
  };
  try {
    return await select([]);
  } catch (error) {
    if (error instanceof QueryGivenUp) throw error;
    const lacking = await columnsLacking(turn, files, columns);
    if (lacking.length === 0) throw error;
    return select(lacking);
  }
}

/** The columns that at least one of the files lacks. */
async function columnsLacking(turn: Turn, files: Paths, columns: readonly Column[]): Promise<Column[]> {
  const [names = [], counts = []] = await turn.select({
    sql: 'SELECT name, count(DISTINCT file_name)::DOUBLE FROM parquet_schema($1) GROUP BY name',
    parameters: [textsOf(files)],
  });
  const filesWith = new Map(names.map((name, i) => [name, Number(counts[i])]));
  return [...new Set(columns)].filter(({ name }) => (filesWith.get(name) ?? 0) < files.length);
}

const sqlTypes: Readonly<Record<CorpusColumn['type'], string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  time: 'TIMESTAMP',
};

function sourceOf(files: Paths, lacking: readonly Column[], builder: StatementBuilder): string {
  const list = builder.bind(textsOf(files));
  if (lacking.length === 0) return `read_parquet(${list}, hive_partitioning = false)`;
  const nulls = lacking.map(({ name, type }) => `NULL::${sqlTypes[type]} AS ${sqlName(name)}`).join(', ');
  return (
    `(SELECT *, filename, file_row_number FROM read_parquet(${list}, hive_partitioning = false, union_by_name = true) ` +
    `UNION ALL BY NAME SELECT ${nulls} WHERE FALSE)`
  );
}

const textsOf = (files: Paths) => ({ type: 'texts', value: files.map(({ path }) => literalPath(path)) }) as const;
