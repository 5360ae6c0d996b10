import { EngineError, isRecord, mustBe, quote } from '../errors.js';
import {
  allocateBars,
  type BarSeries,
  COLUMN_NAME_RULE,
  isColumnName,
  plainColumns,
  priceColumns,
} from '../series/bars.js';
import { parseTimestamp } from '../series/time.js';
import { clip } from '../text.js';
import { type IndicatorName, indicatorCatalogue } from './catalogue.js';
import type { Column } from './column.js';
import { Frame } from './frame.js';
import type { Indicator } from './indicator.js';
import { type ParamValues, resolveParams } from './params.js';

/** Columns of numbers by name, equally long, oldest first. */
type SuppliedColumns = Readonly<Record<string, readonly unknown[]>>;

/** Most values that one computation returns: lines times bars. */
const COMPUTED_VALUES_MAX = 200_000;

/** A missing number is null, as JSON has no NaN. */
type ComputedLines = Readonly<Record<string, readonly (number | null)[]>>;

interface Request {
  readonly name: IndicatorName;
  readonly columns: SuppliedColumns;
  readonly params: unknown;
}

/**
 * The lines of an indicator over columns of a caller. Open, high, low, close, volume and timestamp
 * match in any case, others exactly; a cell that is null is missing.
 * @throws EngineError MISSING_FIELD for a parameter without a default, INVALID_FIELD for a wrong
 *   one, INVALID_DATA for a missing column, columns of different lengths, a cell that is not a
 *   number and more than COMPUTED_VALUES_MAX values
 */
export function computeIndicator({ name, columns, params }: Request): ComputedLines {
  const indicator = indicatorCatalogue[name];
  const { column, values } = readParams(name, indicator, params);
  const given = byName(columns);
  const barCount = commonLength(given);
  const lines = Object.entries(indicatorLines(indicator, values, column));
  if (lines.length * barCount > COMPUTED_VALUES_MAX) {
    const bound = `at most ${COMPUTED_VALUES_MAX} values: ${lines.length} lines of ${Math.floor(COMPUTED_VALUES_MAX / lines.length)} bars`;
    throw new EngineError('INVALID_DATA', mustBe('data', bound, `${barCount} bars`), { field: 'data' });
  }
  const read = new Set(lines.flatMap(([, line]) => sources(line)));
  const series = makeSeries(given, read, barCount, name);
  if (name === 'CLEAN') {
    const kept = given.get(column)?.filter((cell) => cell !== null) as number[];
    return { observations: kept };
  }
  const frame = Frame.of(series);
  return Object.fromEntries(lines.map(([line, built]) => [line, [...frame.column(built)].map(finite)]));
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Names of the lines with default parameters. */
export const lineNames = (name: IndicatorName): string[] =>
  Object.keys(indicatorLines(indicatorCatalogue[name], readParams(name, indicatorCatalogue[name], {}).values, 'close'));

/** Names of the columns that a column is made of, in alphabetical order. */
function sources(column: Column): string[] {
  if (column.kind === 'source') return [column.name];
  return [...new Set(column.inputs.flatMap(sources))].sort();
}

function readParams(name: IndicatorName, { params, takesColumn }: Indicator, given: unknown) {
  if (!takesColumn || !isRecord(given)) {
    return { column: 'close', values: resolveParams({ name, params, constraints: [] }, given) };
  }
  const { column = 'close', ...others } = given;
  if (typeof column !== 'string') {
    throw new EngineError('INVALID_FIELD', mustBe('column', 'the name of a column of data', column), {
      field: 'column',
    });
  }
  return { column: columnName(column), values: resolveParams({ name, params, constraints: [] }, others) };
}

function indicatorLines({ lines }: Indicator, values: ParamValues, column: string): Readonly<Record<string, Column>> {
  return lines(values, { kind: 'source', key: column, name: column });
}

const knownNames: ReadonlySet<string> = new Set([...priceColumns, 'time']);

/** Columns of bars match in any case, and the time is also called timestamp. */
function columnName(given: string): string {
  const lower = given.toLowerCase() === 'timestamp' ? 'time' : given.toLowerCase();
  return knownNames.has(lower) ? lower : given;
}

const byName = (columns: SuppliedColumns): ReadonlyMap<string, readonly unknown[]> =>
  new Map(Object.entries(columns).map(([name, cells]) => [columnName(name), cells]));

function commonLength(columns: ReadonlyMap<string, readonly unknown[]>): number {
  const [[first, cells] = ['', []]] = columns;
  for (const [name, { length }] of columns) {
    if (length === cells.length) continue;
    const message = `the columns of data must be equally long: ${first} has ${cells.length} values, ${quote(name)} ${length}`;
    throw new EngineError('INVALID_DATA', message, { field: 'data' });
  }
  return cells.length;
}

/** A series of the columns that are read; the others hold NaN. */
function makeSeries(
  given: ReadonlyMap<string, readonly unknown[]>,
  read: ReadonlySet<string>,
  barCount: number,
  indicator: string,
): BarSeries {
  const beside = [...read].filter((name) => !knownNames.has(name));
  const bad = beside.find((name) => !isColumnName(name));
  if (bad !== undefined) {
    const field = 'column';
    throw new EngineError('INVALID_FIELD', mustBe(field, `a name of ${COLUMN_NAME_RULE}`, bad), { field });
  }
  const series = allocateBars(barCount, 0, beside, plainColumns);
  for (const name of ['time', ...priceColumns] as const) series[name].fill(NaN);
  for (const name of read) {
    const cells = given.get(name);
    if (cells === undefined) {
      const message = `data has no column ${quote(name)}, which ${indicator} reads`;
      throw new EngineError('INVALID_DATA', message, { field: 'data', column: name });
    }
    const column = (knownNames.has(name) ? series[name as 'close'] : series.columns[name]) as Float64Array;
    for (const [i, cell] of cells.entries()) column[i] = readNumber(name, cell, i);
  }
  return series;
}

function readNumber(column: string, cell: unknown, i: number): number {
  if (cell === null) return NaN;
  const value = column === 'time' ? parseTimestamp(cell) : cell;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const bound = column === 'time' ? 'a time' : 'a finite number or null';
  throw new EngineError('INVALID_DATA', mustBe(`data.${clip(column, 64)}[${i}]`, bound, cell), { field: 'data' });
}
