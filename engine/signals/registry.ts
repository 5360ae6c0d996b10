import { EngineError, quote } from '../errors.js';
import { nearestName } from '../nearest.js';
import { averageDifferencesSignals } from './momentum/average-differences.js';
import { kamaSignals } from './momentum/kama.js';
import { rateOfChangeSignals } from './momentum/rate-of-change.js';
import { rsiSignals } from './momentum/rsi.js';
import { stochasticSignals } from './momentum/stochastic.js';
import { strengthSignals } from './momentum/strength.js';
import { flowsSignals } from './onchain/flows.js';
import { levelsSignals } from './onchain/levels.js';
import { dojisSignals } from './patterns/dojis.js';
import { recentSignals } from './patterns/recent.js';
import { threeBarsSignals } from './patterns/three-bars.js';
import { twoBarsSignals } from './patterns/two-bars.js';
import { wicksSignals } from './patterns/wicks.js';
import type { Signal } from './signal.js';
import { alligatorSignals } from './trend/alligator.js';
import { chandelierSignals } from './trend/chandelier.js';
import { cyclesSignals } from './trend/cycles.js';
import { directionalSignals } from './trend/directional.js';
import { emaSignals } from './trend/ema.js';
import { heikinAshiSignals } from './trend/heikin-ashi.js';
import { higherTimeframeSignals } from './trend/higher-timeframe.js';
import { ichimokuSignals } from './trend/ichimoku.js';
import { macdSignals } from './trend/macd.js';
import { mamaSignals } from './trend/mama.js';
import { movingAverageSignals } from './trend/moving-averages.js';
import { psarSignals } from './trend/psar.js';
import { ribbonSignals } from './trend/ribbon.js';
import { rsiDivergenceSignals } from './trend/rsi-divergence.js';
import { smaSignals } from './trend/sma.js';
import { supertrendSignals } from './trend/supertrend.js';
import { ttmSqueezeSignals } from './trend/ttm-squeeze.js';
import { wmaSignals } from './trend/wma.js';
import { columnSignals } from './user/columns.js';
import { formulaSignals } from './user/formula.js';
import { bollingerSignals } from './volatility/bollinger.js';
import { channelsSignals } from './volatility/channels.js';
import { keltnerSignals } from './volatility/keltner.js';
import { rangeSignals } from './volatility/range.js';
import { accumulationSignals } from './volume/accumulation.js';
import { flowSignals } from './volume/flow.js';
import { returnsSignals } from './volume/returns.js';
import { weightedAveragesSignals } from './volume/weighted-averages.js';

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Every signal, by category and then by name. Aliases are not listed. */
export const signals: readonly Signal[] = [
  ...rsiSignals,
  ...stochasticSignals,
  ...strengthSignals,
  ...rateOfChangeSignals,
  ...averageDifferencesSignals,
  ...kamaSignals,
  ...smaSignals,
  ...emaSignals,
  ...macdSignals,
  ...directionalSignals,
  ...wmaSignals,
  ...cyclesSignals,
  ...ichimokuSignals,
  ...movingAverageSignals,
  ...psarSignals,
  ...mamaSignals,
  ...heikinAshiSignals,
  ...chandelierSignals,
  ...alligatorSignals,
  ...supertrendSignals,
  ...ribbonSignals,
  ...ttmSqueezeSignals,
  ...rsiDivergenceSignals,
  ...higherTimeframeSignals,
  ...accumulationSignals,
  ...flowSignals,
  ...weightedAveragesSignals,
  ...returnsSignals,
  ...bollingerSignals,
  ...keltnerSignals,
  ...channelsSignals,
  ...rangeSignals,
  ...dojisSignals,
  ...wicksSignals,
  ...twoBarsSignals,
  ...threeBarsSignals,
  ...recentSignals,
  ...flowsSignals,
  ...levelsSignals,
  ...columnSignals,
  ...formulaSignals,
].sort((a, b) => compare(a.category, b.category) || compare(a.name, b.name));

const byName = new Map<string, Signal>();
for (const signal of signals) for (const name of [signal.name, ...signal.aliases]) byName.set(name, signal);

/**
 * The signal of that name or alias, or undefined.
 * @param own signals of the caller's own, beside the library
 */
export const findSignal = (name: string, own: readonly Signal[] = []): Signal | undefined =>
  byName.get(name) ?? own.find((signal) => signal.name === name);

/**
 * The signal of that name or alias.
 * @throws MISSING_FIELD without a name; NOT_FOUND, with the nearest name, for an unknown one
 */
export function requireSignal(name: unknown, own: readonly Signal[] = []): Signal {
  const signal = typeof name === 'string' ? findSignal(name, own) : undefined;
  if (signal !== undefined) return signal;
  const known = [...byName.keys(), ...own.map((one) => one.name)];
  const hint = typeof name === 'string' ? nearestName(name, known) : null;
  const suggestion = hint === null ? '' : `, did you mean ${hint}?`;
  if (name === undefined) throw new EngineError('MISSING_FIELD', 'a signal name is required', { field: 'name' });
  throw new EngineError('NOT_FOUND', `unknown signal ${quote(name)}${suggestion}`, { name });
}
