import { EngineError, quote } from '../../engine/errors.js';
import { allocateBars, priceColumns, sliceBars } from '../../engine/series/index.js';
import { type BarLayout, columnsOf, headerlessLayout, locateColumns } from './columns.js';
import type { RawBars } from './inspect.js';
import { forEachRecord, surveyText } from './text-records.js';
import { detectTimeFormat, type TimeFormat } from './time-cells.js';

/**
 * Reads the bars of a CSV file. Its separator is a comma, semicolon or tab. Without a header its
 * columns are time, open, high, low, close, volume. The first row determines the time format.
 * Numbers are decimal with an optional exponent. Blank lines are allowed only at the end. A chain
 * cell without a number becomes NaN; a price or volume cell without a number is an error.
 *
 *
 * @throws INVALID_DATA naming file, line, column, rule and value
 */
export async function readCsv(path: string, name: string): Promise<RawBars> {
  const text = await surveyText(path, name);
  const refuse = (line: number, rule: string): never => {
    throw new EngineError('INVALID_DATA', `${name} line ${line}: ${rule}`, { line });
  };

  let table: RowTable | null = null;
  let width = 0;
  let blankLine = 0;
  await forEachRecord(text, (cells, line) => {
    // biome-ignore lint/style/noNonNullAssertion: a record has at least one cell, and a row has the cells of the layout
    if (cells.length === 1 && cells[0]!.trim() === '') {
      blankLine ||= line;
      return;
    }
    if (blankLine > 0) refuse(blankLine, 'row is blank, but more rows follow');
    if (table === null) {
      width = cells.length;
      const hasHeader = !looksLikeRow(cells);
      table = createTable(hasHeader ? locateColumns(cells, `${name} line ${line}`) : headerlessLayout, text.lineCount);
      if (hasHeader) return;
    }
    if (cells.length !== width) refuse(line, `row must have ${width} cells like the first line, has ${cells.length}`);
    const broken = table.append(cells, line);
    if (broken !== null) refuse(line, broken);
  });

  const finished = table as RowTable | null; // a callback assigns it, which the compiler does not see
  if (finished === null || finished.count() === 0) throw new EngineError('INVALID_DATA', `${name} holds no bars`);
  const { layout, lines } = finished;
  return {
    bars: sliceBars(finished.bars, 0, finished.count()),
    rowName: (index) => `${name} line ${lines[index]}`,
    ignoredColumns: layout.ignored,
  };
}

/** The first line is a row, not a header, when it starts with a time or another number. */
const looksLikeRow = (cells: readonly string[]): boolean => {
  // biome-ignore lint/style/noNonNullAssertion: a record has at least one cell, and a row has the cells of the layout
  const first = cells[0]!.trim();
  return cells.length >= 6 && (!Number.isNaN(parseNumber(first)) || detectTimeFormat(first) !== null);
};

type RowTable = ReturnType<typeof createTable>;

function createTable(layout: BarLayout, rowCountMax: number) {
  const bars = allocateBars(
    rowCountMax,
    0,
    layout.onchain.map(({ name }) => name),
  );
  const [time, ...values] = columnsOf(bars).map((column) => column.values);
  const indices = [...layout.prices, ...layout.onchain.map(({ index }) => index)];
  const lines = new Uint32Array(rowCountMax);
  let timeFormat: TimeFormat | null = null;
  let count = 0;

  /** Adds a row; returns the rule it breaks, or null. */
  function append(cells: readonly string[], line: number): string | null {
    // biome-ignore lint/style/noNonNullAssertion: a record has at least one cell, and a row has the cells of the layout
    const timeCell = cells[layout.time]!.trim();
    timeFormat ??= detectTimeFormat(timeCell);
    const timeMs = timeFormat?.parse(timeCell) ?? NaN;
    if (Number.isNaN(timeMs)) {
      const rule = timeFormat === null ? 'an epoch time or an ISO 8601 time' : `${timeFormat.name} like the first row`;
      return `timestamp must be ${rule}, was ${quote(timeCell)}`;
    }
    // biome-ignore lint/style/noNonNullAssertion: one column for each index of the layout
    time![count] = timeMs;
    for (let k = 0; k < indices.length; k++) {
      // biome-ignore lint/style/noNonNullAssertion: a record has at least one cell, and a row has the cells of the layout
      const cell = cells[indices[k]!]!;
      const value = parseNumber(cell);
      if (k < priceColumns.length && Number.isNaN(value))
        return `${priceColumns[k]} must be a number, was ${quote(cell)}`;
      // biome-ignore lint/style/noNonNullAssertion: one column for each index of the layout
      values[k]![count] = value;
    }
    lines[count++] = line;
    return null;
  }
  return { layout, bars, lines, append, count: () => count };
}

const decimal = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/**
 * A finite decimal number, or NaN. `Number` alone would also accept hex, an empty cell and numbers
 * too large for a double.
 */
function parseNumber(cell: string): number {
  if (!decimal.test(cell)) return NaN;
  const value = Number(cell);
  return Number.isFinite(value) ? value : NaN;
}
