import { EngineError, quote } from '../../engine/errors.js';
import { allocateBars, priceColumns, sliceBars } from '../../engine/series/index.js';
import { columnsOf, isChainColumn, NO_COLUMN } from './columns.js';
import { readHead, type TextRecord } from './csv-head.js';
import type { RawBars } from './inspect.js';
import { isMissing, isNumeric } from './number-cells.js';
import type { ReadBarsOptions } from './read-options.js';
import { SeenSymbols } from './symbols.js';
import { forEachRecord, surveyText } from './text-records.js';
import { detectTimeFormat, type TimeFormat, timeRule } from './time-cells.js';

/** Records that show the dialect of a file before its rows are read. */
const HEAD_RECORDS = 100;

/**
 * Reads the bars of a CSV file. Its separator is a comma, semicolon or tab. Without a header its
 * columns are time, open, high, low, close, volume. The first row determines the time format, the
 * first rows the decimal mark. A blank line, and a row that has no price at all, is no bar. Any
 * other price or volume cell without a number is an error. A cell without a number becomes NaN in a
 * chain column; another column that holds text is not read.
 *
 * @throws INVALID_DATA naming file, line, column, rule and value, and the flag that would help
 */
export async function readCsv(path: string, name: string, options: ReadBarsOptions): Promise<RawBars> {
  const text = await surveyText(path, name);
  const head: TextRecord[] = [];
  let table: RowTable | null = null;
  const start = () => {
    const filled = head.filter(({ cells }) => !isBlank(cells));
    const shape = readHead(filled, name, options);
    if (shape === null) return;
    // A row takes at least a byte for each of its cells, and blank lines are no rows.
    const rowCountMax = Math.min(text.lineCount, Math.floor(text.bytes / shape.width) + 1);
    table = createTable(shape, rowCountMax, name, options);
    for (const { cells, line } of head.slice(head.indexOf(shape.row))) table.take(cells, line);
  };
  await forEachRecord(text, (cells, line) => {
    if (table !== null) table.take(cells, line);
    else {
      if (head.length === HEAD_RECORDS) throw new EngineError('INVALID_DATA', `${name} has no bar in its first lines`);
      head.push({ cells, line });
      if (head.length === HEAD_RECORDS) start();
    }
  });
  if (table === null) start();
  const rows = table as RowTable | null; // a callback assigns it, which the compiler does not see
  if (rows === null || (rows.count() === 0 && options.symbol === undefined))
    throw new EngineError('INVALID_DATA', `${name} holds no bars`);
  return rows.finish();
}

const isBlank = (cells: readonly string[]): boolean => cells.length === 1 && cells[0]?.trim() === '';

type RowTable = ReturnType<typeof createTable>;
type Shape = NonNullable<ReturnType<typeof readHead>>;

/** Long because the columns of the table are locals of the functions that fill them. */
function createTable(
  { layout, width, parseCell, headerLines, symbol }: Shape,
  rowCountMax: number,
  name: string,
  options: ReadBarsOptions,
) {
  const { dates } = options;
  const symbols = new SeenSymbols(name, options);
  const bars = allocateBars(
    rowCountMax,
    0,
    layout.columns.map((column) => column.name),
  );
  const [time, ...values] = columnsOf(bars).map((column) => column.values);
  const indices = [...layout.prices, ...layout.columns.map(({ index }) => index)];
  const hasPrice = (cells: readonly string[]) =>
    // biome-ignore lint/style/noNonNullAssertion: a row has the cells of the layout
    layout.prices.slice(0, -1).some((index) => !isMissing(cells[index]!));
  const texts = new Set<string>();
  const lines = new Uint32Array(rowCountMax);
  let timeFormat: TimeFormat | null = null;
  let count = 0;
  let emptyRows = 0;
  let blankLines = 0;

  /** Completes a refusal. Blank lines and rows without any price are counted and left out. */
  const refuse = (line: number, field: string, rule: string): never => {
    throw new EngineError('INVALID_DATA', `${name} line ${line}: ${field} ${rule}`, { line, field });
  };

  function take(cells: readonly string[], line: number): void {
    if (isBlank(cells)) {
      blankLines++;
      return;
    }
    if (cells.length !== width)
      refuse(line, 'row', `must have ${width} cells like the first line, has ${cells.length}`);
    emptyRows += blankLines; // those at the end are no rows
    blankLines = 0;
    // biome-ignore lint/style/noNonNullAssertion: a row has the cells of the layout
    if (symbol !== undefined && !symbols.take(cells[symbol]!)) return;
    // biome-ignore lint/style/noNonNullAssertion: a row has the cells of the layout
    const dateCell = cells[layout.time]!.trim();
    // biome-ignore lint/style/noNonNullAssertion: a row has the cells of the layout
    const timeCell = layout.clock === undefined ? dateCell : `${dateCell} ${cells[layout.clock]!.trim()}`;
    timeFormat ??= detectTimeFormat(timeCell, dates);
    const timeMs = timeFormat?.parse(timeCell) ?? NaN;
    if (Number.isNaN(timeMs)) {
      if (isMissing(dateCell) && !hasPrice(cells)) {
        emptyRows++;
        return;
      }
      refuse(line, 'timestamp', timeRule(timeCell, timeFormat));
    }
    // biome-ignore lint/style/noNonNullAssertion: one column for each index of the layout
    time![count] = timeMs;
    for (let k = 0; k < indices.length; k++) {
      // biome-ignore lint/style/noNonNullAssertion: one index for each column
      const index = indices[k]!;
      if (index === NO_COLUMN) continue; // zeros
      // biome-ignore lint/style/noNonNullAssertion: a row has the cells of the layout
      const cell = cells[index]!;
      const value = parseCell(cell);
      if (Number.isNaN(value)) {
        const column = layout.columns[k - priceColumns.length];
        if (column === undefined) {
          if (!hasPrice(cells)) {
            emptyRows++;
            return;
          }
          // biome-ignore lint/style/noNonNullAssertion: an index of a price
          refuse(line, priceColumns[k]!, numberRule(cell, priceColumns[k]!));
        } else if (!isChainColumn(column.name) && !isNumeric(cell)) texts.add(column.name);
      }
      // biome-ignore lint/style/noNonNullAssertion: one column for each index of the layout
      values[k]![count] = value;
    }
    lines[count++] = line;
  }

  function finish(): RawBars {
    const filled = sliceBars(bars, 0, count);
    const columns = Object.entries(filled.columns).filter(([column]) => !texts.has(column));
    return {
      bars: { ...filled, columns: Object.fromEntries(columns) },
      rowName: (index) => `${name} line ${lines[index]}`,
      ignoredColumns: [...layout.ignored, ...texts],
      leftOut: { headerLines, emptyRows, repeatedRows: 0 },
      symbols: symbols.list(),
    };
  }
  return { take, finish, count: () => count };
}

/** What a price must be, and the flag that reads it, for a message. */
function numberRule(cell: string, column: string): string {
  const was = `must be a number, was ${quote(cell)}`;
  if (column === 'volume') return `${was}; data import --no-volume reads the bars without volume`;
  return /^\s*[\d.]*,\d+\s*$/.test(cell) ? `${was}; data import --decimal comma reads a comma as decimal point` : was;
}
