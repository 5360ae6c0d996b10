import { EngineError, quote } from '../../engine/errors.js';
import {
  type BarLayout,
  barColumns,
  findPrices,
  findTimeColumn,
  locateColumns,
  NO_COLUMN,
  readPosition,
} from './columns.js';
import { cellParsers, findDecimalMark, isMissing, isNumeric, type ParseCell, parseNumber } from './number-cells.js';
import type { ReadBarsOptions } from './read-options.js';
import { openColumns, unusualOrder } from './readings.js';
import { refuseTrades } from './recognise.js';
import { findSymbolColumn } from './symbols.js';
import { HEAD_LINES } from './text-records.js';
import { detectTimeFormat, isClock, looksLikeTime } from './time-cells.js';

/** A line of a file of separated cells. */
export interface TextRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** How messages name a record, by its number. */
export type Place = (line: number) => string;

/** What the first records of a file say about all of it. */
interface CsvHead {
  readonly layout: BarLayout;
  /** Cells of a row. */
  readonly width: number;
  readonly parseCell: ParseCell;
  /** The first row. */
  readonly row: TextRecord;
  /** Lines around the header that hold neither names nor a row. */
  readonly headerLines: number;
  /** The header and the lines around it, which come again in files joined by `cat`. */
  readonly above: readonly TextRecord[];
  /** What was decided and a user should know. */
  readonly notes: readonly string[];
  /** The column of symbols, if the header names one. */
  readonly symbol?: number | undefined;
}

/**
 * Finds the header of a file, or its first row where it has none. Lines of other text may stand
 * above the header, and lines of units or names of markets below it.
 *
 * @param records the first ones of the file, without blank ones
 * @returns null when there is no row
 * @throws INVALID_DATA naming the missing column
 */
export function readHead(records: readonly TextRecord[], place: Place, options: ReadBarsOptions): CsvHead | null {
  const top = records.slice(0, HEAD_LINES);
  const header = top.find(({ cells }) => findPrices(cells, options.names) !== null);
  const row = top.find(({ cells }) => looksLikeRow(cells, options));
  refuseTrades(top, place);
  const isHeaderFirst = header !== undefined && (row === undefined || header.line < row.line);
  if (isHeaderFirst) return underHeader(records, header, place, options);
  // A line as wide as the first row, above it, is a header with names that are not understood.
  const above = top.find(({ cells }) => row === undefined || cells.length === row.cells.length);
  if (above === undefined) return null;
  return above === row ? withoutHeader(records, row, place, options) : underHeader(records, above, place, options);
}

/** A line is a row when it starts with a number or a time and has enough cells. */
function looksLikeRow(cells: readonly string[], { dates }: ReadBarsOptions): boolean {
  const first = cells[0]?.trim() ?? '';
  return cells.length > 4 && (!Number.isNaN(parseNumber(first)) || looksLikeTime(first, dates));
}

/** Open, high, low, close, mean price, volume, trades: as the API of Kraken answers. */
const CELLS_OF_KRAKEN = 7;

/** Whether the cell after the close could be a mean price of each bar. One row proves nothing. */
function hasMeanPrice(rows: readonly TextRecord[], open: number): boolean {
  return (
    rows.length > 1 &&
    rows.every(({ cells }) => {
      const [high = NaN, low = NaN, , mean = NaN] = cells.slice(open + 1, open + 5).map(Number);
      return low <= mean && mean <= high;
    })
  );
}

/**
 * The order of a dump: time, open, high, low, close, volume. An index may stand before them, and
 * the time of day apart from the date.
 */
function withoutHeader(
  records: readonly TextRecord[],
  row: TextRecord,
  place: Place,
  options: ReadBarsOptions,
): CsvHead {
  const isTime = (index: number) => looksLikeTime(row.cells[index]?.trim() ?? '', options.dates);
  const time = !isTime(0) && isTime(1) ? 1 : 0;
  const clock = isClock(row.cells[time + 1]?.trim() ?? '') ? time + 1 : undefined;
  const { withoutVolume = false } = options;
  const layout = atPositions(time, clock, row, place, options);
  findSymbolColumn([], place(row.line), () => false, options); // throws where one is asked for
  const width = row.cells.length;
  if (width <= Math.max(...layout.prices)) {
    const rule = `row must have the cells time, open, high, low, close${withoutVolume ? '' : ', volume'}`;
    const hint = withoutVolume ? '' : '; data import --no-volume reads bars without volume';
    throw new EngineError('INVALID_DATA', `${place(row.line)}: ${rule}, has ${width}${hint}`);
  }
  const open = (clock ?? time) + 1;
  const isVolumeOpen = !withoutVolume && options.names?.volume === undefined;
  if (isVolumeOpen && width === open + CELLS_OF_KRAKEN && hasMeanPrice(records.slice(records.indexOf(row)), open)) {
    const rule = 'the cell after the close lies between low and high in each row, so it seems a mean price';
    const hint = `data import --column volume=${open + 6} reads the volume after it`;
    throw new EngineError('INVALID_DATA', `${place(row.line)}: ${rule}; ${hint}`);
  }
  const parseCell = parser(records, row, layout, place, options);
  refuseOtherOrder(records.slice(records.indexOf(row)), layout, parseCell, place, options);
  return {
    layout,
    width,
    row,
    headerLines: records.indexOf(row),
    above: records.slice(0, records.indexOf(row)),
    parseCell,
    notes: [],
  };
}

/**
 * Rows whose cells are in another order than the usual one, as Coinbase has them. Positions that the
 * user gives are not doubted.
 * @throws INVALID_DATA with the flags that read them
 */
function refuseOtherOrder(
  rows: readonly TextRecord[],
  { time, prices }: BarLayout,
  parseCell: ParseCell,
  place: Place,
  { names = {}, dates }: ReadBarsOptions,
): void {
  if (Object.keys(names).some((role) => role !== 'timestamp')) return;
  const whole = rows.filter(({ cells }) => cells.length === rows[0]?.cells.length);
  const format = detectTimeFormat(whole[0]?.cells[time]?.trim() ?? '', dates);
  const timed = whole
    .map(({ cells }) => ({ cells, ms: format?.parse(cells[time]?.trim() ?? '') ?? NaN }))
    .filter(({ ms }) => !Number.isNaN(ms))
    .sort((a, b) => a.ms - b.ms);
  const columns = (rows[0]?.cells ?? []).map((_, index) => {
    const values = Float64Array.from(timed, ({ cells }) => parseCell(cells[index] ?? ''));
    return index === time || values.some(Number.isNaN) ? null : values;
  });
  const usual = prices.filter((index) => index !== NO_COLUMN);
  const found = unusualOrder(columns, usual);
  if (found === null) return;
  const roles = barColumns.slice(1);
  const flags = found.prices.flatMap((index, k) =>
    roles[k] === 'volume' && index === usual[k] ? [] : [`--column ${roles[k]}=${index + 1}`],
  );
  const rule = 'the rows are not in the order time, open, high, low, close, volume';
  const unclear = found.isOpenUnclear ? ', unless open and close are to be exchanged' : '';
  throw new EngineError(
    'INVALID_DATA',
    `${place(rows[0]?.line ?? 1)}: ${rule}; data import ${flags.join(' ')} reads them${unclear}`,
  );
}

/** The usual order of columns, but for those whose position the user gives. */
function atPositions(
  usualTime: number,
  usualClock: number | undefined,
  { cells, line }: TextRecord,
  place: Place,
  { names = {}, withoutVolume = false }: ReadBarsOptions,
): BarLayout {
  const refuse = (rule: string): never => {
    throw new EngineError('INVALID_DATA', `${place(line)}: ${rule}`);
  };
  const open = (usualClock ?? usualTime) + 1;
  const usual = [usualTime, open, open + 1, open + 2, open + 3, withoutVolume ? NO_COLUMN : open + 4];
  const places = barColumns.map((role, k) => {
    const wanted = names[role];
    // biome-ignore lint/style/noNonNullAssertion: a place for each column of bars
    if (wanted === undefined || (role === 'volume' && withoutVolume)) return usual[k]!;
    const rule = `the file has no header, so data import --column ${role}=NUMBER takes a position 1..${cells.length}`;
    return readPosition(wanted, cells.length) ?? refuse(`${rule}, was ${quote(wanted)}`);
  });
  for (const [k, place] of places.entries()) {
    const other = places.indexOf(place);
    if (other === k) continue;
    const [one, two] = [barColumns[other], barColumns[k]];
    refuse(`${one} and ${two} are both at position ${place + 1}; data import --column ${two}=NUMBER moves one`);
  }
  const [time = usualTime, ...prices] = places;
  return { time, clock: time === usualTime ? usualClock : undefined, prices, columns: [], ignored: [] };
}

function underHeader(
  records: readonly TextRecord[],
  header: TextRecord,
  place: Place,
  options: ReadBarsOptions,
): CsvHead | null {
  const top = records.indexOf(header);
  const prices = findPrices(header.cells, options.names) ?? [];
  const below = records.slice(top + 1);
  const first = below.slice(0, HEAD_LINES).findIndex(({ cells }) => !isUnits(cells, prices, options));
  const row = below[first];
  const names = row === undefined ? header.cells : namesOver(header, below.slice(0, first), row, options);
  if (row !== undefined) refuseWiderRow(row, names, place);
  const isNumbers = (index: number) => {
    const cell = row?.cells[index];
    if (cell === undefined) return false;
    return isNumeric(cell) || Object.values(cellParsers).some((parse) => !Number.isNaN(parse(cell)));
  };
  const opens =
    row === undefined ? undefined : findOpenTime(names, records.slice(records.indexOf(row)), header, place, options);
  const chosen = opens === undefined ? options : { ...options, names: { ...options.names, timestamp: opens.name } };
  const located = locateColumns(names, `${place(header.line)}`, isNumbers, chosen);
  if (row === undefined) return null;
  const layout = withClock(located, names, row, chosen);
  const parseCell = parser(records, row, layout, place, options);
  const above = records.slice(0, top + 1 + first);
  const symbol = findSymbolColumn(names, place(header.line), (index) => !isNumeric(row.cells[index] ?? ''), options);
  const notes = opens === undefined ? [] : [opens.note];
  return { layout, width: names.length, row, headerLines: top + first, above, parseCell, symbol, notes };
}

/** Whether a column beside the usual one may hold times, by its name. */
export const soundsLikeTime = (name: string): boolean => /time|date|stamp|start|begin|open_at/i.test(name);

/**
 * The column with the open time of each bar, where the column of the usual name has another time.
 * @throws INVALID_DATA when several may be
 */
export function findOpenTime(
  names: readonly string[],
  rows: readonly TextRecord[],
  { line }: TextRecord,
  place: Place,
  { names: chosen, dates }: ReadBarsOptions,
): { readonly name: string; readonly note: string } | undefined {
  const usual = chosen?.timestamp === undefined ? findTimeColumn(names) : undefined;
  if (usual === undefined) return undefined;
  const whole = rows.filter(({ cells }) => cells.length === names.length);
  const columns = names.flatMap((name, index) => {
    if (index !== usual && !soundsLikeTime(name)) return [];
    const cells = whole.map((row) => row.cells[index]?.trim() ?? '');
    const format = detectTimeFormat(cells[0] ?? '', dates);
    const times = cells.map((cell) => format?.parse(cell) ?? NaN);
    return times.some(Number.isNaN) ? [] : [{ index, times }];
  });
  const named = columns.find(({ index }) => index === usual);
  if (named === undefined) return undefined;
  const found = openColumns(
    named,
    columns.filter((column) => column !== named),
  );
  if (found === undefined) return undefined;
  const nameAt = ({ index }: { readonly index: number }) => (names[index] ?? '').trim();
  const fact = `${quote(nameAt(named))} is off the grid of its interval`;
  if (found.open !== undefined) {
    const name = nameAt(found.open);
    return { name, note: `the time is ${quote(name)}: ${fact}, within the bars that open then` };
  }
  const hint = [named, ...found.related].map((column) => `time=${nameAt(column)}`).join(' or ');
  const rule = `${fact}, so it may not be the open; data import --column ${hint} says what is`;
  throw new EngineError('INVALID_DATA', `${place(line)}: ${rule}`);
}

/**
 * A row has a cell for each name. A date such as `Jan 19, 2018` without quotes has one more.
 * @throws INVALID_DATA for a row with more cells than the header
 */
function refuseWiderRow({ cells, line }: TextRecord, names: readonly string[], place: Place): void {
  const more = cells.length - names.length;
  if (more <= 0) return;
  const parted = cells.findIndex((cell, i) => looksLikeTime(`${cell.trim()}, ${(cells[i + 1] ?? '').trim()}`));
  const date = parted === -1 ? undefined : `${cells[parted]?.trim()}, ${cells[parted + 1]?.trim()}`;
  const why = date === undefined ? 'a cell with the separator in it' : `${quote(date)}, which is one date,`;
  const rule = `row has ${cells.length} cells, ${more} more than the header, which has ${names.length}`;
  throw new EngineError('INVALID_DATA', `${place(line)}: ${rule}; ${why} must be in quotes`);
}

/** A line below the header without a time and without a number for a price. */
const isUnits = (cells: readonly string[], prices: readonly number[], { dates }: ReadBarsOptions): boolean =>
  prices.length > 0 &&
  prices.every((index) => !/\d/.test(cells[index] ?? '')) &&
  !cells.some((cell) => looksLikeTime(cell.trim(), dates));

/**
 * A name for each cell of a row. Some programs give no name to the index, or write its name on a
 * line of its own.
 */
function namesOver(
  header: TextRecord,
  units: readonly TextRecord[],
  row: TextRecord,
  { names: chosen, dates }: ReadBarsOptions,
): readonly string[] {
  const isTime = (index: number) => looksLikeTime(row.cells[index]?.trim() ?? '', dates);
  const time = findTimeColumn(header.cells);
  let names = [...header.cells];
  if (row.cells.length === names.length + 1) {
    if (row.cells.at(-1)?.trim() === '') names.push('');
    else if (time === undefined ? isTime(0) : !isTime(time) && isTime(time + 1)) names = ['', ...names];
  }
  if (chosen?.timestamp !== undefined || time !== undefined || !isTime(0)) return names;
  const isUnnamed = /^(unnamed: 0|index)?$/i.test(names[0]?.trim() ?? '');
  const isNamedBelow = units.some(({ cells }) => findTimeColumn(cells.slice(0, 1)) !== undefined);
  return isUnnamed || isNamedBelow ? ['timestamp', ...names.slice(1)] : names;
}

/** Joins a column of dates with one of times of day. */
function withClock(
  layout: BarLayout,
  names: readonly string[],
  { cells }: TextRecord,
  { names: chosen }: ReadBarsOptions,
): BarLayout {
  const date = names.findIndex((name) => /^<?date>?$/i.test(name.trim()));
  const isTimeOfDay =
    /^(\d\d){2,3}$|:/.test(cells[layout.time]?.trim() ?? '') && !/[-/.T]/.test(cells[layout.time] ?? '');
  if (chosen?.timestamp !== undefined || date === -1 || date === layout.time || !isTimeOfDay) return layout;
  const dateName = names[date]?.trim();
  return {
    ...layout,
    time: date,
    clock: layout.time,
    columns: layout.columns.filter(({ index }) => index !== date),
    ignored: layout.ignored.filter((name) => name !== dateName),
  };
}

/** Reads numbers by the decimal mark of the first rows. */
function parser(
  records: readonly TextRecord[],
  first: TextRecord,
  { prices }: BarLayout,
  place: Place,
  { decimal }: ReadBarsOptions,
): ParseCell {
  if (decimal !== undefined) return cellParsers[decimal];
  const shown = records
    .slice(records.indexOf(first))
    .flatMap(({ cells, line }) => prices.map((index) => ({ cell: cells[index] ?? '', line })))
    .filter(({ cell }) => !isMissing(cell));
  const found = findDecimalMark(shown.map(({ cell }) => cell));
  if ('mark' in found) return cellParsers[found.mark];
  const line = shown.find(({ cell }) => cell === found.unclear)?.line ?? first.line;
  const rule = `the comma in ${quote(found.unclear)} may group thousands or begin a fraction`;
  throw new EngineError('INVALID_DATA', `${place(line)}: ${rule}; data import --decimal point or comma says which`);
}
