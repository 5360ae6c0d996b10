import { EngineError, quote } from '../../engine/errors.js';
import { allocateBars, priceColumns, sliceBars } from '../../engine/series/index.js';
import { type BarLayout, columnsOf, headerlessLayout, isChainColumn, locateColumns } from './columns.js';
import type { RawBars } from './inspect.js';
import { isNumeric, parseNumber } from './number-cells.js';
import { forEachRecord, surveyText } from './text-records.js';
import { detectTimeFormat, type TimeFormat } from './time-cells.js';

/**
 * Reads the bars of a CSV file. Its separator is a comma, semicolon or tab. Without a header its
 * columns are time, open, high, low, close, volume. The first row determines the time format.
 * Numbers are decimal with an optional exponent. Blank lines are allowed only at the end. A price
 * or volume cell without a number is an error. A cell without a number becomes NaN in a chain
 * column; another column that holds text is not read.
 *
 * @throws INVALID_DATA naming file, line, column, rule and value
 */
export async function readCsv(path: string, name: string): Promise<RawBars> {
  const text = await surveyText(path, name);
  const refuse = (line: number, rule: string): never => {
    throw new EngineError('INVALID_DATA', `${name} line ${line}: ${rule}`, { line });
  };

  let header: readonly string[] | null = null;
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
    if (width === 0) {
      width = cells.length;
      if (!looksLikeRow(cells)) {
        header = cells;
        locateColumns(cells, `${name} line ${line}`, () => false); // refuses a wrong header also without rows
        return;
      }
    }
    if (cells.length !== width) refuse(line, `row must have ${width} cells like the first line, has ${cells.length}`);
    table ??= createTable(
      // biome-ignore lint/style/noNonNullAssertion: a row has the cells of the header
      header === null ? headerlessLayout : locateColumns(header, `${name} line 1`, (k) => isNumeric(cells[k]!)),
      text.lineCount,
    );
    const broken = table.append(cells, line);
    if (broken !== null) refuse(line, broken);
  });

  const finished = table as RowTable | null; // a callback assigns it, which the compiler does not see
  if (finished === null || finished.count() === 0) throw new EngineError('INVALID_DATA', `${name} holds no bars`);
  const { layout, lines, texts } = finished;
  const bars = sliceBars(finished.bars, 0, finished.count());
  const columns = Object.entries(bars.columns).filter(([column]) => !texts.has(column));
  return {
    bars: { ...bars, columns: Object.fromEntries(columns) },
    rowName: (index) => `${name} line ${lines[index]}`,
    ignoredColumns: [...layout.ignored, ...texts],
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
    layout.columns.map(({ name }) => name),
  );
  const [time, ...values] = columnsOf(bars).map((column) => column.values);
  const indices = [...layout.prices, ...layout.columns.map(({ index }) => index)];
  const texts = new Set<string>();
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
      if (Number.isNaN(value)) {
        const column = layout.columns[k - priceColumns.length];
        if (column === undefined) return `${priceColumns[k]} must be a number, was ${quote(cell)}`;
        if (!isChainColumn(column.name) && !isNumeric(cell)) texts.add(column.name);
      }
      // biome-ignore lint/style/noNonNullAssertion: one column for each index of the layout
      values[k]![count] = value;
    }
    lines[count++] = line;
    return null;
  }
  return { layout, bars, lines, texts, append, count: () => count };
}
