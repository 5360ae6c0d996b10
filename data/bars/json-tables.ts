import { EngineError, isRecord } from '../../engine/errors.js';

/** A value of a cell; nested values are no cells. */
type Scalar = string | number | boolean | null;

/** Rows of a document, below a header where it names its columns. */
export interface JsonTable {
  readonly header: readonly string[] | null;
  readonly rows: readonly (readonly unknown[])[];
}

type Fields = Readonly<Record<string, unknown>>;

const isScalar = (value: unknown): value is Scalar => typeof value !== 'object' || value === null;
const isRow = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length >= PRICES && value.every(isScalar);
/** A table, and the key above it where a document has several. */
interface NamedTable {
  readonly name: string;
  readonly table: JsonTable;
}

/** Open, high, low and close: a record or a row with fewer values is no bar. */
const PRICES = 4;

/** Nesting that answers of data services have; deeper ones are not looked into. */
const DEPTH_MAX = 8;

/**
 * Finds the bars of a JSON document: a list of rows (`[[time, open, ...], ...]`), a list of
 * objects, an object of lists (`{"t": [...], "o": [...]}`), or one of the forms in which pandas
 * writes a table, at any depth; several of them where each stands below a name of its own.
 *
 * @throws INVALID_DATA when the document holds none
 */
export function findTables(document: unknown, name: string): readonly [NamedTable, ...NamedTable[]] {
  const [first, ...others] = tablesAt(document, '', 0);
  if (first !== undefined) return [first, ...others];
  const rule =
    'must hold a list of bars, such as [[time, open, high, low, close, volume], ...] or [{"time": ...}, ...]';
  throw new EngineError('INVALID_DATA', `${name} ${rule}`);
}

function tablesAt(value: unknown, name: string, depth: number): NamedTable[] {
  if (depth > DEPTH_MAX || isScalar(value)) return [];
  if (Array.isArray(value)) {
    const table = listTable(value);
    if (table !== null) return [{ name, table }];
    return value.flatMap((each, i) => tablesAt(each, symbolIn(each) ?? (name || String(i)), depth + 1));
  }
  if (!isRecord(value)) return [];
  const table = splitTable(value) ?? columnTable(value) ?? keyedTable(value);
  if (table !== null) return [{ name, table }];
  const inner = Object.entries(value).map(([key, each]) => ({ key, found: tablesAt(each, key, depth + 1) }));
  const filled = inner.filter(({ found }) => found.length > 0);
  // The only list below a name takes the name, such as a symbol; several lists keep their own.
  return filled.flatMap(({ found }) =>
    filled.length === 1 && found.length === 1 && name !== '' ? found.map((each) => ({ ...each, name })) : found,
  );
}

/** The symbol that an object of a list names, itself or in an object of its own. */
function symbolIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(flat(value));
  const symbol = entries.find(([key, cell]) => /^(symbol|ticker|pair|instrument)$/i.test(key) && isScalar(cell))?.[1];
  return symbol === undefined ? undefined : String(symbol);
}

/** `[[1, 2, ...], ...]` or `[{"time": 1, ...}, ...]`; an answer without rows is no table. */
function listTable(list: readonly unknown[]): JsonTable | null {
  if (list.length === 0) return null;
  if (list.every(isRow)) return { header: null, rows: list };
  if (!list.every(isRecord)) return null;
  const records = list.map(flat);
  const header = fieldNames(records);
  const isBar = records.some((record) => Object.values(record).filter((value) => isScalar(value)).length >= PRICES);
  return isBar ? { header, rows: records.map((record) => header.map((key) => record[key])) } : null;
}

const fieldNames = (records: readonly Fields[]): string[] => [
  ...new Set(records.flatMap((record) => Object.keys(record))),
];

/** Prices in an object of their own (`{"time": ..., "mid": {"o": ...}}`) become fields of the bar. */
function flat(record: Fields): Fields {
  const nested = Object.entries(record).filter(([, value]) => isRecord(value)) as [string, Fields][];
  if (nested.length === 0) return record;
  const own = Object.entries(record).filter(([, value]) => !isRecord(value));
  const inner = nested.flatMap(([key, value]) =>
    Object.entries(value).map(([field, cell]) => [nested.length === 1 ? field : `${key}.${field}`, cell] as const),
  );
  return Object.fromEntries([...inner, ...own]);
}

/** `{"columns": [...], "index": [...], "data": [[...], ...]}` of pandas. */
function splitTable({ columns, index, data }: Fields): JsonTable | null {
  if (!Array.isArray(columns) || !Array.isArray(data) || !data.every(isRow) || data.length === 0) return null;
  const header = columns.map(String);
  if (!Array.isArray(index)) return { header, rows: data };
  return { header: ['', ...header], rows: data.map((row, i) => [index[i], ...row]) };
}

/** An object of lists of one length, which may lie deeper, as in the answer of Yahoo. */
function columnTable(fields: Fields): JsonTable | null {
  const lists = new Map<string, readonly unknown[]>();
  // Two lists of opens belong to two symbols.
  if (!collectLists(fields, lists, 0)) return null;
  const lengths = [...lists.values()].map(({ length }) => length);
  const length = Math.max(...lengths);
  const header = [...lists.keys()].filter((key) => lists.get(key)?.length === length);
  if (length < 1 || header.length <= PRICES || !header.some((key) => /^(o|open)$/i.test(key))) return null;
  const columns = header.map((key) => lists.get(key) ?? []);
  return { header, rows: Array.from({ length }, (_, i) => columns.map((column) => column[i])) };
}

/** @returns whether no two lists are of opens */
function collectLists(value: unknown, lists: Map<string, readonly unknown[]>, depth: number, key = ''): boolean {
  if (depth > DEPTH_MAX || isScalar(value)) return true;
  if (!Array.isArray(value))
    return Object.entries(value as Fields).every(([name, each]) => collectLists(each, lists, depth + 1, name));
  if (value.length > 0 && value.every(isScalar)) {
    if (lists.has(key)) return !/^(o|open)$/i.test(key);
    lists.set(key, value);
    return true;
  }
  return value.length !== 1 || collectLists(value[0], lists, depth + 1);
}

/**
 * `{"open": {"0": 1, ...}, ...}`, a column each, or `{"2024-01-01": {"open": 1, ...}, ...}`, a row
 * each, as pandas writes tables by default and services their series.
 */
function keyedTable(fields: Fields): JsonTable | null {
  const entries = Object.entries(fields);
  const inner = entries.map(([, value]) => value);
  if (entries.length === 0 || !inner.every((value) => isRecord(value) && Object.values(value).every(isScalar)))
    return null;
  const records = inner as Fields[];
  if (entries.some(([key]) => /^(o|open)$/i.test(key))) {
    const labels = Object.keys(records[0] ?? {});
    const header = ['', ...entries.map(([key]) => key)];
    return { header, rows: labels.map((label) => [label, ...records.map((column) => column[label])]) };
  }
  const names = fieldNames(records);
  if (names.length < PRICES || !names.some((each) => /(^|\W)(o|open)$/i.test(each))) return null;
  return {
    header: ['', ...names],
    rows: entries.map(([label], i) => [label, ...names.map((each) => records[i]?.[each])]),
  };
}
