import { EngineError, mustBe } from '../../engine/errors.js';
import {
  type Column,
  ColumnStreams,
  Frame,
  type IndicatorFunction,
  indicatorFunctions,
  source,
} from '../../engine/indicators/index.js';
import type { PriceColumn } from '../../engine/series/index.js';

/** Numbers, oldest first; NaN where there is no value. */
export type NumberColumn = ArrayLike<number>;

/** An indicator one bar at a time; it keeps what it needs of the bars before. */
export interface IndicatorStream<Input> {
  /**
   * Takes the next value or closed bar, and returns the indicator there: the same bits as the
   * column, NaN where there is no value yet. It costs the new bar only, however many came before.
   */
  next(input: Input): number;
}

/** An indicator over one column. */
export interface ColumnIndicator<Args extends readonly number[]> {
  /**
   * @returns one value per value of the column; NaN until there is one
   * @throws EngineError INVALID_FIELD for an argument outside its bounds
   */
  (column: NumberColumn, ...args: Args): Float64Array;
  stream(...args: Args): IndicatorStream<number>;
  /** Values of the column that the first value needs. */
  warmup(...args: Args): number;
}

/** An indicator over columns of bars. */
export interface BarIndicator<Args extends readonly number[], Reads extends PriceColumn> {
  /**
   * @param bars the columns that it reads, of one length
   * @returns one value per bar; NaN until there is one
   * @throws EngineError INVALID_FIELD for an argument outside its bounds or columns of several
   *   lengths, MISSING_FIELD for a column that is missing
   */
  (bars: Readonly<Record<Reads, NumberColumn>>, ...args: Args): Float64Array;
  stream(...args: Args): IndicatorStream<Readonly<Record<Reads, number>>>;
  /** Bars that the first value needs. */
  warmup(...args: Args): number;
}

const INPUT = 'x';

function requireFunction(name: string): IndicatorFunction {
  const found = indicatorFunctions.get(name);
  if (found === undefined) throw new Error(`the engine has no indicator ${name}`);
  return found;
}

function checkArguments(name: string, { params }: IndicatorFunction, args: readonly number[]): void {
  if (args.length !== params.length) {
    const names = params.map((param) => param.name).join(', ') || 'none';
    const message = `${name} must have ${params.length} arguments (${names}), had ${args.length}`;
    throw new EngineError('INVALID_FIELD', message, { field: name });
  }
  for (const [i, param] of params.entries()) {
    const value = args[i];
    const isNumber = param.isWhole ? Number.isSafeInteger(value) : Number.isFinite(value);
    if (isNumber && Number(value) >= param.min && Number(value) <= param.max) continue;
    const bound = `${param.isWhole ? 'a whole number' : 'a number'} ${param.min}..${param.max}`;
    throw new EngineError('INVALID_FIELD', `${name}: ${mustBe(param.name, bound, value)}`, { field: param.name });
  }
}

/** Runs over columns that no other code writes to meanwhile. */
function columnOver(column: Column, inputs: Readonly<Record<string, NumberColumn>>, length: number): Float64Array {
  const sources = new Map(
    Object.entries(inputs).map(([name, values]) => [
      name,
      values instanceof Float64Array ? values : Float64Array.from(values),
    ]),
  );
  return Frame.over(sources, length).column(column);
}

/** @param name in the table of the engine */
export function ofColumn<Args extends readonly number[]>(name: string): ColumnIndicator<Args> {
  const found = requireFunction(name);
  const build = (args: readonly number[]): Column => {
    checkArguments(name, found, args);
    return found.build(source(INPUT), ...args);
  };
  const over = (column: NumberColumn, ...args: Args) => {
    const built = build(args);
    requireColumn(name, 'column', column);
    return columnOver(built, { [INPUT]: column }, column.length);
  };
  return Object.assign(over, {
    stream: (...args: Args) => {
      const streams = new ColumnStreams();
      const read = streams.add(build(args));
      return {
        next(value: number): number {
          streams.push(() => value);
          return read();
        },
      };
    },
    warmup: (...args: Args) => {
      checkArguments(name, found, args);
      return found.bars(...args);
    },
  });
}

/** @param name in the table of the engine */
export function ofBars<Args extends readonly number[], Reads extends PriceColumn>(
  name: string,
): BarIndicator<Args, Reads> {
  const found = requireFunction(name);
  const build = (args: readonly number[]): Column => {
    checkArguments(name, found, args);
    return found.build(source(INPUT), ...args);
  };
  const over = (bars: Readonly<Record<Reads, NumberColumn>>, ...args: Args) => {
    const column = build(args);
    const reads = columnSources(column);
    const given = bars as Readonly<Record<string, NumberColumn>>;
    const inputs = Object.fromEntries(reads.map((read) => [read, requireColumn(name, read, given?.[read])]));
    const length = inputs[reads[0] ?? '']?.length ?? 0;
    for (const [read, values] of Object.entries(inputs)) {
      if (values.length === length) continue;
      const message = `${name}: ${read} must have ${length} values, as ${reads[0]} has, has ${values.length}`;
      throw new EngineError('INVALID_FIELD', message, { field: read });
    }
    return columnOver(column, inputs, length);
  };
  return Object.assign(over, {
    stream: (...args: Args) => {
      const streams = new ColumnStreams();
      const read = streams.add(build(args));
      return {
        next(bar: Readonly<Record<Reads, number>>): number {
          const cells = bar as Readonly<Record<string, number>>;
          streams.push((column) => cells[column] ?? NaN);
          return read();
        },
      };
    },
    warmup: (...args: Args) => {
      checkArguments(name, found, args);
      return found.bars(...args);
    },
  });
}

function requireColumn(indicator: string, name: string, values: NumberColumn | undefined): NumberColumn {
  if (typeof values === 'object' && values !== null && Number.isInteger(values.length)) return values;
  const message = `${indicator}: ${mustBe(name, 'an array of numbers', values)}`;
  throw new EngineError(values === undefined ? 'MISSING_FIELD' : 'INVALID_FIELD', message, { field: name });
}

/** The columns of bars that a column is made of, each once. */
function columnSources(column: Column): string[] {
  return column.kind === 'source' ? [column.name] : [...new Set(column.inputs.flatMap(columnSources))];
}
