import { readFile, stat } from 'node:fs/promises';
import { EngineError, isRecord } from '../../engine/errors.js';
import { decodeJson, parseLooseJson } from '../json-text.js';
import type { RawBars } from './inspect.js';
import { readCells } from './read-csv.js';
import type { ReadBarsOptions } from './read-options.js';
import { checkSymbols, findSymbolColumn } from './symbols.js';

/** A document is held in memory as a whole, at some ten times its length. */
const BYTES_MAX = 256 * 1024 * 1024;

/**
 * Reads the bars of a JSON document, or of JSON lines (an object or a list on each), by the rules
 * of CSV cells: the first row determines the time format, and columns have any usual name. A list
 * without names is time, open, high, low, close, volume.
 *
 * @throws INVALID_DATA naming file, row, column, rule and value
 */
export async function readJson(path: string, name: string, options: ReadBarsOptions): Promise<RawBars> {
  const { size } = await stat(path);
  if (size > BYTES_MAX) {
    throw new EngineError('INVALID_DATA', `${name} must have at most ${BYTES_MAX} bytes, has ${size}`);
  }
  const text = decodeJson(await readFile(path));
  const tables = findTables(document(text, name), name);
  if (tables.length === 1) return readTable(tables[0].table, name, options);
  // Each name above a list is a symbol, as a cell of a column would be.
  const { symbol, assetColumn, ...others } = options;
  findSymbolColumn(['symbol'], name, () => true, options);
  const symbols = [...new Set(tables.map((each) => each.name))].sort();
  const wanted = tables.find((each) => each.name === symbol?.trim());
  if (symbol !== undefined && wanted === undefined) checkSymbols(symbols, 0, name, options);
  return { ...(await readTable((wanted ?? tables[0]).table, name, others)), symbols };
}

async function readTable({ header, rows }: JsonTable, name: string, options: ReadBarsOptions): Promise<RawBars> {
  const width = header?.length ?? rows[0]?.length ?? 1;
  return readCells(
    {
      name,
      unit: 'row',
      recordCountMax: rows.length + 1,
      cellCountMax: (rows.length + 1) * width,
      async forEach(onRecord) {
        if (header !== null) onRecord(header, 0);
        for (const [i, row] of rows.entries()) onRecord(row.map(cell), i + 1);
      },
    },
    options,
  );
}

const cell = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** The document; of several, one on each line, their list. */
function document(text: string, name: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first = '', second] = lines;
  if (second === undefined || !isWhole(first)) return parseLooseJson(text, name);
  return lines.map((line, i) => parseLooseJson(line, `${name} line ${i + 1}`));
}

function isWhole(line: string): boolean {
  try {
    parseLooseJson(line, '');
    return true;
  } catch {
    return false;
  }
}

/** Whether a file begins like JSON that may hold bars. */
export const startsLikeJson = (head: Uint8Array): boolean => /^\s*(\{\s*"|\[\s*(?:[[{]|$))/.test(decodeJson(head));

/** A value of a cell; nested values are no cells. */
type Scalar = string | number | boolean | null;

/** Rows of a document, below a header where it names its columns. */
interface JsonTable {
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
function findTables(document: unknown, name: string): readonly [NamedTable, ...NamedTable[]] {
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
