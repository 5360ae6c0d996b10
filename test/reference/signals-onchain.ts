import { deviationOf, meanOf, type Series, sumOf } from './indicators.js';
import {
  and,
  ge,
  gt,
  le,
  lt,
  number,
  type Params,
  type ReferenceBars,
  raw,
  type SignalDefinition,
  type SignalTable,
  type Truth,
} from './signals-truth.js';

/** The cells of bars 0..t that are present, oldest first. */
const observations = (bars: ReferenceBars, column: string, t: number): number[] => {
  const cells = bars.onchain[column];
  return cells === undefined ? [] : cells.slice(0, t + 1).filter((cell) => !Number.isNaN(cell));
};

/** Every rule reads only the observations of the prefix, the newest last. */
const observed = (column: string, minObservations: (p: Params) => number, decide: (x: number[], p: Params) => Truth) =>
  observedIn(() => column, minObservations, decide);

/** The same for a column that the parameters name. */
export const observedIn = (
  columnOf: (p: Params) => string,
  minObservations: (p: Params) => number,
  decide: (x: number[], p: Params) => Truth,
): SignalDefinition => ({
  minBars: minObservations,
  counted: (bars, p) => (t) => observations(bars, columnOf(p), t).length,
  rule: (bars, p) => (t) => decide(observations(bars, columnOf(p), t), p),
});

const window = (p: Params) => number(p, 'window');
const windowAndOne = (p: Params) => window(p) + 1;
const one = () => 1;

const newest = (x: Series): number => x[x.length - 1];
const lastOf = (x: number[], n: number): number[] => x.slice(x.length - n);
const beforeNewest = (x: number[], n: number): number[] => x.slice(x.length - 1 - n, x.length - 1);
/** Total of the sizes, to which the rounding noise of a sum is relative. */
const size = (x: number[]): number => sumOf(x.map(Math.abs));

function zScore(x: number[], p: Params): { deviation: number; z: number; scale: number } {
  const base = beforeNewest(x, window(p));
  const equal = base.every((value) => value === base[0]);
  const deviation = equal ? 0 : deviationOf(base, 1);
  const mean = meanOf(base);
  const scale = (Math.abs(newest(x)) + Math.abs(mean)) / deviation;
  return { deviation, z: (newest(x) - mean) / deviation, scale };
}

const inflowSpike = (column: string): SignalDefinition =>
  observed(column, windowAndOne, (x, p) => {
    const { deviation, z, scale } = zScore(x, p);
    return and(raw(deviation > 0), raw(newest(x) > 0), ge(z, number(p, 'z_threshold'), { scale }));
  });

const averageCross = (column: string): SignalDefinition =>
  observed(column, windowAndOne, (x, p) => {
    const before = x.slice(0, -1);
    return and(le(newest(before), meanOf(lastOf(before, window(p)))), gt(newest(x), meanOf(lastOf(x, window(p)))));
  });

const sumSign = (column: string, compare: typeof gt): SignalDefinition =>
  observed(column, window, (x, p) => {
    const last = lastOf(x, window(p));
    return compare(sumOf(last), 0, { scale: size(last) });
  });

const rising = (column: string): SignalDefinition =>
  observed(column, windowAndOne, (x, p) => raw(newest(x) > x[x.length - 1 - window(p)]));

/** A raw cell against a literal. */
const newestAgainst = (column: string, holds: (value: number, threshold: number) => boolean): SignalDefinition =>
  observed(column, one, (x, p) => raw(holds(newest(x), number(p, 'threshold'))));

export const onchainSignals: SignalTable = {
  smart_money_inflow_spike: inflowSpike('SmartMoneyNetflow'),
  smart_money_holdings_cross: averageCross('SmartMoneyHoldings'),
  smart_money_net_positive: sumSign('SmartMoneyNetflow', gt),
  smart_money_holdings_rising: rising('SmartMoneyHoldings'),
  exchange_outflow_spike: observed('ExchangeNetflow', windowAndOne, (x, p) => {
    const { deviation, z, scale } = zScore(x, p);
    return and(raw(deviation > 0), raw(newest(x) < 0), le(z, -number(p, 'z_threshold'), { scale }));
  }),
  exchange_net_outflow: sumSign('ExchangeNetflow', lt),
  whale_accumulation_trigger: observed('WhaleNetInflow', windowAndOne, (x, p) => {
    const before = lastOf(x.slice(0, -1), window(p));
    const now = lastOf(x, window(p));
    return and(
      le(meanOf(before), 0, { scale: size(before) / window(p) }),
      gt(meanOf(now), 0, { scale: size(now) / window(p) }),
    );
  }),
  whale_net_accumulation: sumSign('WhaleNetInflow', gt),
  holder_concentration_low: newestAgainst('HolderConcentration', (value, threshold) => value < threshold),
  holder_concentration_falling: observed('HolderConcentration', windowAndOne, (x, p) =>
    raw(newest(x) < x[x.length - 1 - window(p)]),
  ),
  token_unlock_pressure_low: newestAgainst('TokenUnlockPressure', (value, threshold) => value <= threshold),
  token_unlock_cliff_ahead: observed('TokenUnlockPressure', windowAndOne, (x, p) => {
    const { deviation, z, scale } = zScore(x, p);
    const pressing = raw(newest(x) >= number(p, 'min_pressure'));
    return deviation === 0 ? pressing : and(pressing, ge(z, number(p, 'z_threshold'), { scale }));
  }),
  funding_negative_regime: observed('PerpFundingRate', window, (x, p) => {
    const last = lastOf(x, window(p));
    return lt(meanOf(last), 0, { scale: size(last) / window(p) });
  }),
  funding_flip_positive: observed(
    'PerpFundingRate',
    () => 2,
    (x) => raw(x[x.length - 2] <= 0 && newest(x) > 0),
  ),
  etf_inflow_streak: observed('EtfNetFlow', window, (x, p) => raw(lastOf(x, window(p)).every((value) => value > 0))),
  etf_inflow_spike: inflowSpike('EtfNetFlow'),
  treasury_growing: rising('TreasuryUsd'),
  treasury_accumulation_trigger: averageCross('TreasuryUsd'),
  lending_spread_low: newestAgainst('LendingRateSpread', (value, threshold) => value <= threshold),
  lending_spread_widening: averageCross('LendingRateSpread'),
};
