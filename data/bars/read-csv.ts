import { EngineError, quote } from '../../engine/errors.js';
import { allocateBars, priceColumns, sliceBars } from '../../engine/series/index.js';
import { type BarLayout, isChainColumn, NO_COLUMN, namedColumns } from './columns.js';
import { type Place, readHead, type TextRecord } from './csv-head.js';
import type { RawBars } from './inspect.js';
import { isMissing, isNumeric, type ParseCell } from './number-cells.js';
import type { ReadBarsOptions } from './read-options.js';
import { SeenSymbols } from './symbols.js';
import { forEachRecord, surveyText } from './text-records.js';
import { detectTimeFormat, type TimeFormat, timeRule } from './time-cells.js';

/** Records that show the dialect of a file before its rows are read. */
const HEAD_RECORDS = 100;

/** Records of cells, from a file of any kind, and bounds on what they hold. */
interface CellTable {
  /** How messages name the file. */
  readonly name: string;
  /** What messages call a record. */
  readonly unit: 'line' | 'row';
  /** An upper bound on the number of records. */
  readonly recordCountMax: number;
  /** An upper bound on the number of cells. */
  readonly cellCountMax: number;
  /** Calls back with each record and its number in the file. */
  forEach(onRecord: (cells: readonly string[], line: number) => void): Promise<void>;
}

/** Reads the bars of a CSV file with any separator, as `readCells` does. */
export async function readCsv(path: string, name: string, options: ReadBarsOptions): Promise<RawBars> {
  const text = await surveyText(path, name);
  const forEach: CellTable['forEach'] = (onRecord) => forEachRecord(text, onRecord);
  // A row takes at least a byte for each of its cells.
  return readCells(
    { name, unit: 'line', recordCountMax: text.lineCount, cellCountMax: text.bytes + 1, forEach },
    options,
  );
}

/**
 * Reads bars from records of cells. Without a header their columns are time, open, high, low,
 * close, volume. The first row determines the time format, the first rows the decimal mark. A blank
 * line, a row that has no price at all, and a repeated header is no bar. Any other price or volume
 * cell without a number is an error. A cell without a number becomes NaN in a chain column; another
 * column that holds text is not read.
 *
 * @throws INVALID_DATA naming file, line, column, rule and value, and the flag that would help
 */
export async function readCells(text: CellTable, options: ReadBarsOptions): Promise<RawBars> {
  const { name } = text;
  const place = placeIn(text);
  const head: TextRecord[] = [];
  let table: RowTable | null = null;
  const start = () => {
    const filled = head.filter(({ cells }) => !isBlank(cells));
    const shape = readHead(filled, place, options);
    if (shape === null) return;
    // Blank lines are no rows.
    const rowCountMax = Math.min(text.recordCountMax, Math.floor(text.cellCountMax / shape.width) + 1);
    table = createTable(shape, rowCountMax, text, options);
    for (const { cells, line } of head.slice(head.indexOf(shape.row))) table.take(cells, line);
  };
  await text.forEach((cells, line) => {
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

/** A header that stands in no line, as names of fields do, has the place of the file. */
const placeIn =
  ({ name, unit }: CellTable): Place =>
  (line) =>
    line === 0 ? name : `${name} ${unit} ${line}`;

const isBlank = (cells: readonly string[]): boolean => cells.length === 1 && cells[0]?.trim() === '';

type RowTable = ReturnType<typeof createTable>;
type Shape = NonNullable<ReturnType<typeof readHead>>;

/** Long because the columns of the table are locals of the functions that fill them. */
function createTable(
  { layout, width, parseCell, headerLines, above, symbol, notes: decided }: Shape,
  rowCountMax: number,
  text: CellTable,
  options: ReadBarsOptions,
) {
  const { dates } = options;
  const place = placeIn(text);
  const symbols = new SeenSymbols(text.name, options);
  const bars = allocateBars(
    rowCountMax,
    0,
    layout.columns.map((column) => column.name),
  );
  const [time, ...values] = namedColumns(bars).map((column) => column.values);
  const indices = [...layout.prices, ...layout.columns.map(({ index }) => index)];
  const hasPrice = (cells: readonly string[]) =>
    // biome-ignore lint/style/noNonNullAssertion: a row has the cells of the layout
    layout.prices.slice(0, -1).some((index) => !isMissing(cells[index]!));
  const texts = new Set<string>();
  const repeatable = new Set(above.map(({ cells }) => cells.join('\0')));
  const ticks = new TickVolume(layout, rowCountMax);
  const lines = new Uint32Array(rowCountMax);
  let timeFormat: TimeFormat | null = null;
  let count = 0;
  let emptyRows = 0;
  let blankLines = 0;
  let repeatedHeaders = 0;

  /** Completes a refusal. Blank lines and rows without any price are counted and left out. */
  const refuse = (line: number, field: string, rule: string): never => {
    throw new EngineError('INVALID_DATA', `${place(line)}: ${field} ${rule}`, { line, field });
  };

  /** A first cell that starts with a digit is a time, which saves the comparison for most rows. */
  const isHeaderAgain = (cells: readonly string[]) => !/^"?\d/.test(cells[0] ?? '') && repeatable.has(cells.join('\0'));

  function take(cells: readonly string[], line: number): void {
    if (isBlank(cells)) {
      blankLines++;
      return;
    }
    if (repeatable.size > 0 && isHeaderAgain(cells)) {
      repeatedHeaders++;
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
          if (index === ticks.volume && isMissing(cell)) continue; // stays 0
          // biome-ignore lint/style/noNonNullAssertion: an index of a price
          refuse(line, priceColumns[k]!, numberRule(cell, priceColumns[k]!));
        } else if (!isChainColumn(column.name) && !isNumeric(cell)) texts.add(column.name);
      }
      // biome-ignore lint/style/noNonNullAssertion: one column for each index of the layout
      values[k]![count] = value;
    }
    ticks.take(cells, count, parseCell);
    lines[count++] = line;
  }

  function finish(): RawBars {
    const filled = sliceBars(bars, 0, count);
    const notes = [...decided, ...ticks.standIn(filled.volume)];
    const columns = Object.entries(filled.columns).filter(([column]) => !texts.has(column));
    return {
      bars: { ...filled, columns: Object.fromEntries(columns) },
      rowName: (index) => place(lines[index] ?? 0),
      ignoredColumns: [...layout.ignored, ...texts],
      leftOut: { headerLines: headerLines + repeatedHeaders, emptyRows, repeatedRows: 0 },
      timesAre: timeFormat?.kind ?? 'instant',
      notes,
      volumeName: layout.volumeName,
      symbols: symbols.list(),
    };
  }
  return { take, finish, count: () => count };
}

/**
 * Ticks of each bar beside its volume. Brokers who know no traded units leave the volume 0 or empty
 * in every row, and then the ticks are the volume.
 */
class TickVolume {
  /** The index of the volume among the cells, if it has a stand-in. */
  readonly volume: number | undefined;
  readonly #index: number | undefined;
  readonly #values: Float64Array;

  constructor({ prices, ticks }: BarLayout, rowCountMax: number) {
    this.#index = ticks;
    this.volume = ticks === undefined ? undefined : prices.at(-1);
    this.#values = new Float64Array(ticks === undefined ? 0 : rowCountMax);
  }

  take(cells: readonly string[], row: number, parseCell: ParseCell): void {
    if (this.#index !== undefined) this.#values[row] = parseCell(cells[this.#index] ?? '');
  }

  /** Fills a volume without any units. @returns what to tell the user */
  standIn(volume: Float64Array): string[] {
    if (this.#index === undefined || volume.some((units) => units !== 0)) return [];
    const ticks = this.#values.subarray(0, volume.length);
    if (!ticks.every((count) => count >= 0)) return [];
    volume.set(ticks);
    return ['the volume is 0 in every row, so the ticks of each bar stand in for it'];
  }
}

/** What a price must be, and the flag that reads it, for a message. */
function numberRule(cell: string, column: string): string {
  const was = `must be a number, was ${quote(cell)}`;
  if (column === 'volume') return `${was}; data import --no-volume reads the bars without volume`;
  return /^\s*[\d.]*,\d+\s*$/.test(cell) ? `${was}; data import --decimal comma reads a comma as decimal point` : was;
}
