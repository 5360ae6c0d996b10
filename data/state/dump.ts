import { sql } from 'kysely';
import { clip } from '../../engine/text.js';
import type { Database } from './open-state.js';

/** Rows per statement: of reading, and of writing. */
const ROWS = 500;
const migrationTables = ['kysely_migration', 'kysely_migration_lock'];

/** The first line of a dump. */
export interface DumpHead {
  /** In the order of their application. */
  readonly migrations: readonly string[];
  /** Tables in an order in which each follows those that it refers to. */
  readonly tables: readonly string[];
  /** The last value of each sequence that was used. */
  readonly sequences: Readonly<Record<string, string>>;
}

/**
 * The state as lines of text, the same for both kinds of store: the head as JSON, then a line for
 * each row, `table<tab>JSON`. All of one moment: writers go on, and what they write is left out.
 * The embedded store has one connection, which the dump holds until its last line is taken.
 */
export async function* dumpState(db: Database): AsyncGenerator<string> {
  const session = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  try {
    const head = await headOf(session);
    yield JSON.stringify(head);
    for (const table of head.tables) {
      const key = await keyOf(session, table);
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

async function headOf(db: Database): Promise<DumpHead> {
  const { rows: applied } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const { rows: used } = await sql<{ name: string; value: string }>`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`.execute(db);
  return {
    migrations: applied.map(({ name }) => name),
    tables: await tablesOf(db),
    sequences: Object.fromEntries(used.map(({ name, value }) => [name, value])),
  };
}

/** Our tables, each after those that it refers to. */
async function tablesOf(db: Database): Promise<string[]> {
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
async function keyOf(db: Database, table: string): Promise<string[]> {
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
 * nothing. Rows that migrations have added make room.
 */
export async function loadDump(db: Database, head: DumpHead, lines: AsyncIterable<string>): Promise<void> {
  await db.transaction().execute(async (session) => {
    const names = head.tables.map((name) => `"${name}"`).join(', ');
    await sql`truncate ${sql.raw(names)}`.execute(session);
    let table = '';
    let rows: string[] = [];
    const flush = async (): Promise<void> => {
      if (rows.length === 0) return;
      const into = sql.table(table);
      await sql`insert into ${into} overriding system value
        select * from json_populate_recordset(null::${into}, ${`[${rows.join(',')}]`}::json)`.execute(session);
      rows = [];
    };
    for await (const line of lines) {
      const tab = line.indexOf('\t');
      const name = line.slice(0, tab);
      if (!head.tables.includes(name)) throw new Error(`the dump has a row of the unknown table ${clip(name, 80)}`);
      if (name !== table || rows.length >= ROWS) await flush();
      table = name;
      rows.push(line.slice(tab + 1));
    }
    await flush();
    for (const [name, value] of Object.entries(head.sequences)) {
      await sql`select setval(${name}::regclass, ${value}::bigint)`.execute(session);
    }
  });
}
