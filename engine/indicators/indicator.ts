import type { Column } from './column.js';
import { int, type ParamSpecs, type ParamValues, type ValuesOf } from './params.js';

/**
 * One indicator. The catalogue, the functions of formulas and of the library, computation over
 * columns of a caller and the reference all read this record.
 */
export interface Indicator {
  readonly title: string;
  /** O H L C V are the columns, x[t-k] the value k bars earlier (NaN before bar 0). */
  readonly formula: string;
  readonly params: ParamSpecs;
  /**
   * Whether it reads one column that the caller may choose; other indicators read the bars' own.
   */
  readonly takesColumn: boolean;
  /** Its lines by name, in the order of answers. */
  readonly lines: (params: ParamValues, x: Column) => Readonly<Record<string, Column>>;
  /** The functions of formulas that return a line of it. */
  readonly functions: Readonly<Record<string, LineFunction>>;
}

interface LineFunction<Line extends string = string, Param extends string = string> {
  readonly line: Line;
  readonly meaning: string;
  /** Its arguments in order, each with its parameter. Other parameters have their defaults. */
  readonly args: Readonly<Record<string, Param>>;
  /** How many values of its input a value needs. Rises with every argument. */
  readonly bars: (...args: number[]) => number;
  /** The column that it reads where it takes none, of an indicator that does. */
  readonly of?: Column;
}

interface Definition<P extends ParamSpecs, Line extends string> {
  readonly title: string;
  readonly formula: string;
  readonly params: P;
  readonly lines: (params: ValuesOf<P>, x: Column) => Readonly<Record<Line, Column>>;
  readonly functions?: Readonly<Record<string, LineFunction<Line, keyof P & string>>>;
}

const define =
  (takesColumn: boolean) =>
  <const P extends ParamSpecs, Line extends string>({ functions = {}, ...rest }: Definition<P, Line>): Indicator => ({
    ...rest,
    takesColumn,
    lines: (params, x) => rest.lines(params as ValuesOf<P>, x),
    functions,
  });

/** An indicator of one column that the caller may choose. */
export const overColumn = define(true);
/** An indicator of the columns of the bars. */
export const overBars = define(false);

/** Windows of loops whose cost a bar does not depend on the window. */
const WINDOW_MAX = 2_000;
/** Windows of loops that read the whole window on every bar. */
export const READ_WINDOW_MAX = 200;

/** A parameter of so many bars. */
export const bars = (usual: number, min = 1, max = WINDOW_MAX) => int(min, max, usual);

export const fastSlow = (fast: number, slow: number) => ({ window_fast: bars(fast), window_slow: bars(slow) });
export const fastSlowSign = (fast: number, slow: number, sign: number) => ({
  ...fastSlow(fast, slow),
  window_sign: bars(sign),
});

/** Arguments with the parameters that they stand for. */
export const n = { n: 'window' } as const;
export const fastAndSlow = { fast: 'window_fast', slow: 'window_slow' } as const;
export const slowAndFast = { slow: 'window_slow', fast: 'window_fast' } as const;

/** Bars that a value needs. */
export const self = (window: number): number => window;
export const next = (window: number): number => window + 1;
export const one = (): number => 1;
export const two = (): number => 2;
export const longer = (a: number, b: number): number => Math.max(a, b);

/** A function of formulas: the line that it returns, its arguments, the bars that a value needs. */
export const line = <const Line extends string, const Args extends Readonly<Record<string, string>>>(
  line: Line,
  meaning: string,
  args: Args,
  bars: LineFunction['bars'],
) => ({ line, meaning, args, bars });

/** An indicator with one line over one column and one window; the function has the line's name. */
export const overWindow = (
  build: (x: Column, window: number) => Column,
  name: string,
  meaning: string,
  window: ReturnType<typeof bars>,
  needed: (window: number) => number,
  texts: Pick<Indicator, 'title' | 'formula'>,
): Indicator =>
  overColumn({
    ...texts,
    params: { window },
    lines: (params, x) => ({ [name]: build(x, params.window) }),
    functions: { [name]: line(name, meaning, n, needed) },
  });
