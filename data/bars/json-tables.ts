import { EngineError, quote } from '../../engine/errors.js';

/** A value of a cell; nested values are no cells. */
type Scalar = string | number | boolean | null;

/** Rows of a document, below a header where it names its columns. */
interface JsonTable {
  readonly header: readonly string[] | null;
  readonly rows: readonly (readonly unknown[])[];
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): value is Scalar => typeof value !== 'object' || value === null;
const isRow = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length >= PRICES && value.every(isScalar);
/** Open, high, low and close: a record or a row with fewer values is no bar. */
const PRICES = 4;

/** Nesting that answers of data services have; deeper ones are not looked into. */
const DEPTH_MAX = 8;

/**
 * Finds the bars of a JSON document: a list of rows (`[[time, open, ...], ...]`), a list of
 * objects, an object of lists (`{"t": [...], "o": [...]}`), or one of the forms in which pandas
 * writes a table, at any depth.
 *
 * @throws INVALID_DATA when the document holds none, or bars under several names
 */
export function findTable(document: unknown, name: string): JsonTable {
  const table = tableAt(document, name, 0);
  if (table !== null) return table;
  const rule =
    'must hold a list of bars, such as [[time, open, high, low, close, volume], ...] or [{"time": ...}, ...]';
  throw new EngineError('INVALID_DATA', `${name} ${rule}`);
}

function tableAt(value: unknown, name: string, depth: number): JsonTable | null {
  if (depth > DEPTH_MAX || isScalar(value)) return null;
  if (Array.isArray(value)) {
    const table = listTable(value);
    if (table !== null) return table;
    return value.length === 1 ? tableAt(value[0], name, depth + 1) : null;
  }
  if (!isFields(value)) return null;
  const table = splitTable(value) ?? columnTable(value) ?? keyedTable(value);
  if (table !== null) return table;
  const inner = Object.entries(value).flatMap(([key, each]) => {
    const found = tableAt(each, name, depth + 1);
    return found === null ? [] : [{ key, found }];
  });
  const [first, second] = inner;
  if (first === undefined) return null;
  if (second === undefined) return first.found;
  const keys = inner.slice(0, 10).map(({ key }) => quote(key));
  throw new EngineError('INVALID_DATA', `${name} holds bars under ${inner.length} names: ${keys.join(', ')}; keep one`);
}

/** `[[1, 2, ...], ...]` or `[{"time": 1, ...}, ...]`; an answer without rows is no table. */
function listTable(list: readonly unknown[]): JsonTable | null {
  if (list.length === 0) return null;
  if (list.every(isRow)) return { header: null, rows: list };
  if (!list.every(isFields)) return null;
  const records = list.map(flat);
  const header = namesOf(records);
  const isBar = records.some((record) => Object.values(record).filter((value) => isScalar(value)).length >= PRICES);
  return isBar ? { header, rows: records.map((record) => header.map((key) => record[key])) } : null;
}

const namesOf = (records: readonly Fields[]): string[] => [
  ...new Set(records.flatMap((record) => Object.keys(record))),
];

/** Prices in an object of their own (`{"time": ..., "mid": {"o": ...}}`) become fields of the bar. */
function flat(record: Fields): Fields {
  const nested = Object.entries(record).filter(([, value]) => isFields(value)) as [string, Fields][];
  if (nested.length === 0) return record;
  const own = Object.entries(record).filter(([, value]) => !isFields(value));
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
  collectLists(fields, lists, 0);
  const lengths = [...lists.values()].map(({ length }) => length);
  const length = Math.max(...lengths);
  const header = [...lists.keys()].filter((key) => lists.get(key)?.length === length);
  if (length < 1 || header.length <= PRICES || !header.some((key) => /^(o|open)$/i.test(key))) return null;
  const columns = header.map((key) => lists.get(key) ?? []);
  return { header, rows: Array.from({ length }, (_, i) => columns.map((column) => column[i])) };
}

function collectLists(value: unknown, lists: Map<string, readonly unknown[]>, depth: number, key = ''): void {
  if (depth > DEPTH_MAX || isScalar(value)) return;
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isScalar)) {
      if (!lists.has(key)) lists.set(key, value);
    } else if (value.length === 1) collectLists(value[0], lists, depth + 1);
    return;
  }
  for (const [name, each] of Object.entries(value as Fields)) collectLists(each, lists, depth + 1, name);
}

/**
 * `{"open": {"0": 1, ...}, ...}`, a column each, or `{"2024-01-01": {"open": 1, ...}, ...}`, a row
 * each, as pandas writes tables by default and services their series.
 */
function keyedTable(fields: Fields): JsonTable | null {
  const entries = Object.entries(fields);
  const inner = entries.map(([, value]) => value);
  if (entries.length === 0 || !inner.every((value) => isFields(value) && Object.values(value).every(isScalar)))
    return null;
  const records = inner as Fields[];
  if (entries.some(([key]) => /^(o|open)$/i.test(key))) {
    const labels = Object.keys(records[0] ?? {});
    const header = ['', ...entries.map(([key]) => key)];
    return { header, rows: labels.map((label) => [label, ...records.map((column) => column[label])]) };
  }
  const names = namesOf(records);
  if (names.length < PRICES || !names.some((each) => /(^|\W)(o|open)$/i.test(each))) return null;
  return {
    header: ['', ...names],
    rows: entries.map(([label], i) => [label, ...names.map((each) => records[i]?.[each])]),
  };
}
