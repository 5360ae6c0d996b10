import { type IndicatorName, indicatorCatalogue } from './catalogue.js';
import type { Column } from './column.js';
import { bars, type Indicator, self } from './indicator.js';
import type { ParamSpec, ParamValues } from './params.js';
import { DEVIATION, MAX, MIN, SUM } from './rolling.js';

/** An argument after the column: a whole number of bars, or any number within the bounds. */
export interface FunctionParam {
  readonly name: string;
  readonly isWhole: boolean;
  readonly min: number;
  readonly max: number;
}

/** An indicator under the name by which formulas and the library call it; it returns one column. */
export interface IndicatorFunction {
  /** Its formula in the catalogue; null where `meaning` says all there is. */
  readonly indicator: IndicatorName | null;
  readonly meaning: string;
  /** Whether its first argument is a column; the others read the columns of the bars. */
  readonly takesColumn: boolean;
  readonly params: readonly FunctionParam[];
  /** How many values of its input a value needs. Rises with every argument. */
  readonly bars: (...args: number[]) => number;
  /** @param x the column; ignored where it takes none */
  readonly build: (x: Column, ...args: number[]) => Column;
}

function argument(name: string, spec: ParamSpec): FunctionParam {
  if (spec.type !== 'int' && spec.type !== 'float') throw new Error(`the argument ${name} must be a number`);
  return { name, isWhole: spec.type === 'int', min: spec.min, max: spec.max };
}

const functions = (indicator: IndicatorName, record: Indicator): [string, IndicatorFunction][] =>
  Object.entries(record.functions).map(([name, { line, meaning, args, bars, of }]) => {
    const defaults = Object.fromEntries(Object.entries(record.params).map(([param, spec]) => [param, spec.default]));
    const params = Object.values(args);
    const build = (x: Column, ...values: number[]): Column => {
      const given = Object.fromEntries(params.map((param, i) => [param, values[i]]));
      return record.lines({ ...defaults, ...given } as ParamValues, of ?? x)[line];
    };
    return [
      name,
      {
        ...{ indicator, meaning, bars, build },
        takesColumn: record.takesColumn && of === undefined,
        params: Object.entries(args).map(([arg, param]) => argument(arg, record.params[param])),
      },
    ];
  });

const plain = (
  meaning: string,
  windowMin: number,
  build: (x: Column, window: number) => Column,
): IndicatorFunction => ({
  ...{ indicator: null, meaning, takesColumn: true, bars: self, build },
  params: [argument('n', bars(windowMin, windowMin))],
});

/** Functions of no indicator. */
const plainFunctions: readonly [string, IndicatorFunction][] = [
  ['highest', plain('highest of the last n values', 1, MAX)],
  ['lowest', plain('lowest of the last n values', 1, MIN)],
  ['sum', plain('sum of the last n values', 1, SUM)],
  ['stdev', plain('population standard deviation', 2, (x, window) => DEVIATION(x, window, 0)[1])],
];

const all = [
  ...(Object.entries(indicatorCatalogue) as [IndicatorName, Indicator][]).flatMap(([name, record]) =>
    functions(name, record),
  ),
  ...plainFunctions,
];

/**
 * The functions of formulas, by name, functions of a column first. Indicators with several lines
 * have a function for each line; the lines share one computation. Indicators that need timestamps
 * or look at swings have none.
 */
export const indicatorFunctions: ReadonlyMap<string, IndicatorFunction> = new Map([
  ...all.filter(([, { takesColumn }]) => takesColumn),
  ...all.filter(([, { takesColumn }]) => !takesColumn),
]);
