import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { EngineError, isRecord, quote } from '../../engine/errors.js';

/** Rows per statement: of reading, and of writing. */
const ROWS = 500;
/** Rows that are longer together go in fewer a statement. */
const STATEMENT_LENGTH = 16 * 1024 * 1024;
const migrationTables = ['kysely_migration', 'kysely_migration_lock'];

export const dumpHeadShape = z.strictObject({
  /** In the order of their application. */
  migrations: z.array(z.string()),
  /** Tables, each after the tables that it refers to. */
  tables: z.array(z.string()),
  /** The last value of each sequence that was used. */
  sequences: z.record(z.string(), z.string().regex(/^\d{1,19}$/)),
});

/** The first line of a dump. */
export type DumpHead = Readonly<z.infer<typeof dumpHeadShape>>;

/**
 * The state as lines of text, the same for both kinds of store: the head as JSON, then a line for
 * each row, `table<tab>JSON`. All of one moment: writers go on, and what they write is left out.
 * The embedded store has one connection, which the dump holds until its last line is taken.
 */
export async function* dumpState<T>(db: Kysely<T>): AsyncGenerator<string> {
  const session = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  try {
    const head = await readHead(session);
    yield JSON.stringify(head);
    for (const table of head.tables) {
      const key = await primaryKey(session, table);
      await sql`declare dump no scroll cursor for
        select replace(row_to_json(t)::text, chr(10), ' ') as row from ${sql.table(table)} t
        order by ${sql.raw(key.map((column) => `"${column}"`).join(', '))}`.execute(session);
      for (;;) {
        const { rows } = await sql<{ row: string }>`fetch ${sql.raw(String(ROWS))} from dump`.execute(session);
        for (const { row } of rows) yield `${table}\t${row}`;
        if (rows.length < ROWS) break;
      }
      await sql`close dump`.execute(session);
    }
  } finally {
    await session.rollback().execute(); // it has written nothing
  }
}

async function readHead<T>(db: Kysely<T>): Promise<DumpHead> {
  const { rows: applied } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const used = (await listSequences(db)).flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const]));
  return {
    migrations: applied.map(({ name }) => name),
    tables: await listTables(db),
    sequences: Object.fromEntries(used),
  };
}

/** Our sequences, each with its last value; null for one that was not used. */
async function listSequences<T>(db: Kysely<T>): Promise<{ readonly name: string; readonly value: string | null }[]> {
  const { rows } = await sql<{ name: string; value: string | null }>`
    select sequencename::text as name, last_value::text as value from pg_sequences
    where schemaname = current_schema() order by 1`.execute(db);
  return rows;
}

/** Our tables, each after the tables that it refers to. */
async function listTables<T>(db: Kysely<T>): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name::text as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(db);
  const { rows: references } = await sql<{ from: string; to: string }>`
    select c.relname::text as "from", f.relname::text as "to" from pg_constraint k
    join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
    where k.contype = 'f' and k.conrelid <> k.confrelid`.execute(db);
  const left = new Set(tables.map(({ name }) => name).filter((name) => !migrationTables.includes(name)));
  const ordered: string[] = [];
  while (left.size > 0) {
    const next = [...left].find((name) => !references.some(({ from, to }) => from === name && left.has(to)));
    if (next === undefined) throw new Error(`the tables ${[...left].join(', ')} refer to each other in a circle`);
    left.delete(next);
    ordered.push(next);
  }
  return ordered;
}

/** The columns of the primary key, so that equal states give equal dumps. */
async function primaryKey<T>(db: Kysely<T>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select a.attname::text as name from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indisprimary and i.indrelid = ${table}::regclass order by array_position(i.indkey::smallint[], a.attnum)`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/**
 * Fills the tables of a new store of the same version from the lines after the head, all or
 * nothing. Rows that migrations have added make room. A dump with a table, column or sequence that
 * the store does not have is refused.
 * @throws INVALID_DATA naming the table or the line that is wrong
 */
export async function loadDump<T>(db: Kysely<T>, head: DumpHead, lines: AsyncIterable<string>): Promise<void> {
  await db.transaction().execute(async (session) => {
    const columns = await columnsByTable(session, head);
    await sql`truncate ${sql.join([...columns.keys()].map((name) => sql.table(name)))}`.execute(session);
    let table = '';
    let rows: string[] = [];
    let length = 0;
    let lineCount = 1;
    const flush = async (): Promise<void> => {
      if (rows.length === 0) return;
      const into = sql.table(table);
      await sql`insert into ${into} overriding system value
        select * from json_populate_recordset(null::${into}, ${`[${rows.join(',')}]`}::json)`.execute(session);
      rows = [];
      length = 0;
    };
    for await (const line of lines) {
      lineCount++;
      const [name, row] = readRow(line, lineCount, columns);
      if (name !== table || rows.length >= ROWS || length >= STATEMENT_LENGTH) await flush();
      table = name;
      rows.push(row);
      length += row.length;
    }
    await flush();
    for (const [name, value] of Object.entries(head.sequences)) {
      await sql`select setval(${name}::regclass, ${value}::bigint)`.execute(session);
    }
  });
}

type ColumnsByTable = ReadonlyMap<string, ReadonlySet<string>>;

/** The columns of each table of the store. @throws INVALID_DATA if the head names others */
async function columnsByTable<T>(db: Kysely<T>, head: DumpHead): Promise<ColumnsByTable> {
  const own = new Set(await listTables(db));
  const unknown = head.tables.find((name) => !own.has(name));
  if (unknown !== undefined) throw invalid(`the state has the unknown table ${quote(unknown)}`);
  const missing = [...own].find((name) => !head.tables.includes(name));
  if (missing !== undefined) throw invalid(`the state lacks the table ${missing}`);
  const sequences = new Set((await listSequences(db)).map(({ name }) => name));
  const sequence = Object.keys(head.sequences).find((name) => !sequences.has(name));
  if (sequence !== undefined) throw invalid(`the state has the unknown sequence ${quote(sequence)}`);
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name::text as table, column_name::text as column from information_schema.columns
    where table_schema = current_schema()`.execute(db);
  return new Map(
    [...own].map((name) => [name, new Set(rows.flatMap(({ table, column }) => (table === name ? [column] : [])))]),
  );
}

/** The table of a line, and the JSON of its row. */
function readRow(line: string, lineNumber: number, tables: ColumnsByTable): readonly [table: string, row: string] {
  const refuse = (rule: string): never => {
    throw invalid(`line ${lineNumber} of the state ${rule}`);
  };
  const tab = line.indexOf('\t');
  const name = line.slice(0, Math.max(0, tab));
  const columns = tables.get(name) ?? refuse(`has a row of the unknown table ${quote(name)}`);
  const text = line.slice(tab + 1);
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    refuse('is not JSON');
  }
  if (!isRecord(row)) return refuse(`must hold a row of ${name}`);
  const unknown = Object.keys(row).find((key) => !columns.has(key));
  if (unknown !== undefined) refuse(`has the unknown column ${quote(unknown)} of ${name}`);
  const missing = [...columns].find((column) => !Object.hasOwn(row, column));
  if (missing !== undefined) refuse(`lacks the column ${missing} of ${name}`);
  return [name, text];
}

const invalid = (message: string): EngineError => new EngineError('INVALID_DATA', message);
