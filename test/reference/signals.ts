import { columnSignals } from './signals-columns.js';
import { formulaSignals } from './signals-formula.js';
import { momentumSignals } from './signals-momentum.js';
import { onchainSignals } from './signals-onchain.js';
import { patternSignals } from './signals-patterns.js';
import { trendSignals } from './signals-trend.js';
import { never, type Params, type ReferenceBars, type SignalTable, type Truth } from './signals-truth.js';
import { volatilitySignals } from './signals-volatility.js';
import { volumeSignals } from './signals-volume.js';

export type { ReferenceBars } from './signals-truth.js';

const table: SignalTable = {
  ...momentumSignals,
  ...trendSignals,
  ...volumeSignals,
  ...volatilitySignals,
  ...patternSignals,
  ...onchainSignals,
  ...columnSignals,
  ...formulaSignals,
};

export const referenceSignalNames: string[] = Object.keys(table);

const definitionOf = (name: string) => {
  const definition = table[name];
  if (definition === undefined) throw new RangeError(`no signal ${name}`);
  return definition;
};

function evaluate(name: string, params: Params, bars: ReferenceBars): Truth[] {
  const { minBars, rule, counted } = definitionOf(name);
  const least = minBars(params);
  const count = counted?.(bars, params) ?? ((t: number) => t + 1);
  const decide = rule(bars, params);
  return bars.close.map((_, t) => (count(t) < least ? never : decide(t)));
}

export const referenceMinBars = (name: string, params: Params): number => definitionOf(name).minBars(params);

/** The answer at every bar, each computed from the bars up to it. */
export const referenceSignal = (name: string, params: Params, bars: ReferenceBars): boolean[] =>
  evaluate(name, params, bars).map((truth) => truth.value);

/**
 * The smallest relative change of compared values that would change the answer at each bar.
 * Infinity means that no computed value decided. A test that tolerates other rounding skips bars
 * below about 1e-9.
 */
export const referenceMargins = (name: string, params: Params, bars: ReferenceBars): number[] =>
  evaluate(name, params, bars).map((truth) => truth.margin);
