import type { FieldBounds } from '../execution/bounds.js';
import { executionFields } from '../execution/config.js';
import { resolvedFields } from '../execution/resolved-fields.js';
import { TradeSums } from '../formulas/trade-sums.js';
import { type ReadSetting, readSettings } from './fused-support.js';

/*
 * The memory layout of a run of `FusedRuns`, as structures of doubles. The build writes the same
 * structures as classes for simd/assembly (`assemblyText`), so both sides use names of fields
 * instead of positions. The build loads this module before the kernels exist, so it must not import
 * modules that need them.
 */

interface Structure<Name extends string> {
  readonly names: readonly Name[];
  /** Place of each field, in doubles. */
  readonly at: Readonly<Record<Name, number>>;
}

const structure = <Name extends string>(names: readonly Name[]): Structure<Name> => ({
  names,
  at: Object.fromEntries(names.map((name, k) => [name, k])) as Record<Name, number>,
});

/** Bars, rules and room, mostly as addresses, then the settings. */
export const runInput = structure([
  ...(['barCount', 'intervalMs', 'first', 'time', 'open', 'high', 'low', 'close', 'volume'] as const),
  // One past the last bar of every day and the close of that bar, and the first day of the run.
  ...(['dayEnds', 'dayCloses', 'firstDay', 'dayCount'] as const),
  // Room for one return per bar and one more, and for three sums of every other bar.
  ...(['returns', 'stretches'] as const),
  // Room for the return of every day of the run, all 0.
  ...(['dayReturns'] as const),
  // ATR of the run interval, and the daily ATR that is visible at the bar.
  ...(['shortAtr', 'longAtr'] as const),
  // Annualized volatility by bar, read by one way of sizing.
  ...(['volatility'] as const),
  // Pairs of the target schedule, and of the parts to sell on the way.
  ...(['schedule', 'scheduleCount', 'scaleOut', 'scaleOutCount'] as const),
  // Whether the bars have settled funding, and pairs of a bar and its rate.
  ...(['hasSettled', 'settled', 'settledCount'] as const),
  ...(['entry', 'exit', 'shortEntry', 'shortExit'] as const),
  // Room for the finer bars of one bar, 0 where none decide.
  ...(['finer'] as const),
  // The known entries from number 1 on, 0 where none may be read, the place of each by a hash, the
  // number to give next, whether the sums over their bars are known too, and what makes two entries
  // at a bar alike.
  ...(['entries', 'entryCount', 'oldestEntry', 'places', 'placeMask'] as const),
  ...(['hasKnownSums', 'longExitId', 'shortExitId', 'settingsId'] as const),
  // Room for as many positions as may be open, for the working order of each side, and for the bar
  // of every loss.
  ...(['positions', 'orders', 'lossBars'] as const),
  ...readSettings,
]);

/** The figures that the run returns; `TradeSums` follow. */
export const curveFacts = structure([
  ...(['meanReturn', 'squaredDeviationSum', 'squaredLossSum', 'maxDrawdown', 'maxDrawdownBars'] as const),
  ...(['dailyReturnSum', 'dailyLossSum', 'endingValue', 'exposedBars'] as const),
]);

/**
 * The fields of `TradeSums`, which simd/assembly compiles too, in the order of their declaration.
 */
export const tradeSums = structure(Object.keys(new TradeSums()) as Exclude<keyof TradeSums, 'add'>[]);

/** Doubles from one position to the next. */
export const POSITION_DOUBLES = 22;
/** The same of an entry order, and of a known entry. */
export const ORDER_DOUBLES = 4;
export const ENTRY_DOUBLES = 16;

const fields: Readonly<Record<ReadSetting, FieldBounds>> = { ...executionFields, ...resolvedFields };

type Setting = number | boolean | string | null;

/**
 * A setting as a double: NaN for null, 0 or 1 for a boolean, the place among its values for a text.
 */
export function asDouble(name: ReadSetting, value: Setting): number {
  if (value === null) return NaN;
  // biome-ignore lint/style/noNonNullAssertion: only enums have texts as values
  return typeof value === 'string' ? fields[name].values!.indexOf(value) : Number(value);
}

/** The structures in AssemblyScript, and the values of the enums among the settings. */
export function assemblyText(): string {
  const classOf = (name: string, { names }: Structure<string>) =>
    `@unmanaged\nexport class ${name} {\n${names.map((field) => `  ${field}: f64;\n`).join('')}}\n`;
  const enums = readSettings.flatMap((name) => {
    const values = fields[name].values?.map((value, k) => `  ${value} = ${k},\n`);
    return values === undefined ? [] : [`export enum ${name} {\n${values.join('')}}\n`];
  });
  return [
    '/** Written by the build from engine/sweep/run-layout.ts, which says what the fields are. */',
    `export const POSITION_BYTES: usize = ${8 * POSITION_DOUBLES};`,
    `export const ORDER_BYTES: usize = ${8 * ORDER_DOUBLES};`,
    `export const ENTRY_BYTES: usize = ${8 * ENTRY_DOUBLES};\n`,
    classOf('RunInput', runInput),
    classOf('CurveFacts', curveFacts),
    ...enums,
  ].join('\n');
}
