import { readFile, stat } from 'node:fs/promises';
import { EngineError } from '../../engine/errors.js';
import { decodeJson, parseLooseJson } from '../json-text.js';
import type { RawBars } from './inspect.js';
import { findTables, type JsonTable } from './json-tables.js';
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
