import { at, rollingMax, rollingMin, rsi, sma } from './indicators.js';
import {
  above,
  and,
  crossDown,
  crossUp,
  gt,
  lt,
  not,
  number,
  type Params,
  type ReferenceBars,
  type Rule,
  raw,
  type SignalDefinition,
  type SignalTable,
  scaledBy,
} from './signals-truth.js';

/** Close of a bar; the shortest time from one bar to the next is their length. */
const closeOf = (time: readonly number[], t: number): Date =>
  new Date(time[t] + Math.min(...time.slice(1).map((next, i) => next - time[i])));

/** Formulas with the same condition written out by hand; their only parameter is n. */
export const writtenOut: Readonly<Record<string, SignalDefinition>> = {
  'close > sma(close, n)': {
    minBars: (p) => number(p, 'n'),
    rule: (bars, p) => above(bars.close, sma(bars.close, number(p, 'n'))),
  },
  'crosses_above(close, sma(close, n)) and volume > 1.5 * sma(volume, 20)': {
    minBars: (p) => Math.max(number(p, 'n') + 1, 20),
    rule: (bars, p) => {
      const crosses = crossUp(bars.close, sma(bars.close, number(p, 'n')));
      const average = sma(bars.volume, 20);
      return (t) => and(crosses(t), gt(bars.volume[t], 1.5 * average[t]));
    },
  },
  'not (close > open or close > highest(high, n)[1])': {
    minBars: (p) => number(p, 'n') + 1,
    rule: ({ open, close, high }, p) => {
      const top = rollingMax(high, number(p, 'n'));
      return (t) => raw(close[t] <= open[t] && close[t] <= at(top, t - 1));
    },
  },
  'recently(close < lowest(low, n)[1], 3)': {
    minBars: (p) => number(p, 'n') + 3,
    rule: ({ close, low }, p) => {
      const bottom = rollingMin(low, number(p, 'n'));
      return (t) => raw([t, t - 1, t - 2].some((bar) => close[bar] < at(bottom, bar - 1)));
    },
  },
  'not crosses_below(rsi(close, n), 50) and (low - low[n]) / high[1] != 0': {
    minBars: (p) => number(p, 'n') + 2,
    rule: ({ close, low }, p) => {
      const n = number(p, 'n');
      const strength = rsi(close, n);
      const crosses = crossDown(strength, 50);
      return (t) =>
        and(raw([t, t - 1].every((bar) => !Number.isNaN(strength[bar]))), not(crosses(t)), raw(low[t] !== low[t - n]));
    },
  },
  'last(column(SmartMoneyNetflow)) <= column(WhaleNetInflow)[n] or not column(WhaleNetInflow) > 0': {
    minBars: (p) => number(p, 'n') + 1,
    rule: ({ onchain }, p) => {
      const flow = onchain.SmartMoneyNetflow;
      const whales = onchain.WhaleNetInflow;
      const newest = (t: number) => flow.slice(0, t + 1).findLast((value) => !Number.isNaN(value)) ?? NaN;
      return (t) => raw(newest(t) <= at(whales, t - number(p, 'n')) || whales[t] <= 0);
    },
  },
  'barssince(close > highest(high, n)[1]) < 3': {
    minBars: (p) => number(p, 'n') + 1,
    rule: ({ close, high }, p) => {
      const top = rollingMax(high, number(p, 'n'));
      return (t) => raw([t, t - 1, t - 2].some((bar) => close[bar] > at(top, bar - 1)));
    },
  },
  'close > valuewhen(volume > 1.2 * volume[n], high)': {
    minBars: (p) => number(p, 'n') + 1,
    rule: ({ close, high, volume }, p) => {
      const n = number(p, 'n');
      const latest = (t: number): number => {
        for (let bar = t; bar >= n; bar--) if (volume[bar] > 1.2 * volume[bar - n]) return high[bar];
        return NaN;
      };
      return (t) => raw(close[t] > latest(t));
    },
  },
  'percentrank(close - open, n) >= 75': {
    minBars: (p) => number(p, 'n') + 1,
    rule: ({ open, close }, p) => {
      const n = number(p, 'n');
      const move = (bar: number) => close[bar] - open[bar];
      const below = (t: number) => Array.from({ length: n }, (_, k) => move(t - 1 - k)).filter((x) => x <= move(t));
      return (t) => raw((100 * below(t).length) / n >= 75);
    },
  },
  'hour() >= 9 and weekday() <= 5 and minute() < n': {
    minBars: () => 1,
    rule: (bars, p) => (t) => {
      const at = closeOf(bars.time, t);
      return raw(at.getUTCHours() >= 9 && ![0, 6].includes(at.getUTCDay()) && at.getUTCMinutes() < number(p, 'n'));
    },
  },
  'day() == month() or barssince(close > highest(high, n)[1]) < 3': {
    minBars: (p) => number(p, 'n') + 1,
    rule: ({ time, close, high }, p) => {
      const top = rollingMax(high, number(p, 'n'));
      return (t) => {
        const closes = closeOf(time, t);
        const breaks = (bar: number) => close[bar] > at(top, bar - 1);
        return raw(closes.getUTCDate() === closes.getUTCMonth() + 1 || [t, t - 1, t - 2].some(breaks));
      };
    },
  },
  'valuewhen(crosses_above(close, sma(close, n)), low) > close and percentrank(volume, n) <= 50': {
    minBars: (p) => number(p, 'n') + 1,
    rule: ({ close, low, volume }, p) => {
      const n = number(p, 'n');
      const crosses = crossUp(close, sma(close, n));
      return (t) => {
        const truths = Array.from({ length: t + 1 }, (_, bar) => crosses(bar));
        const last = truths.findLastIndex(({ value }) => value);
        const margin = Math.min(...truths.map((truth) => truth.margin)); // one near tie decides which bar it is
        const before = volume.slice(t - n, t);
        const rank = (100 * before.filter((value) => value <= volume[t]).length) / n;
        return { ...and(raw(last >= 0 && low[last] > close[t]), raw(rank <= 50)), margin };
      };
    },
  },
  'abs(min(open, close) - (high + low) / 2) < 0.1 * (high - low)': {
    minBars: () => 1,
    rule: ({ open, high, low, close }): Rule => {
      const distance = (t: number) => Math.abs(Math.min(open[t], close[t]) - (high[t] + low[t]) / 2);
      return (t) => lt(distance(t), 0.1 * (high[t] - low[t]), scaledBy(close)(t));
    },
  },
  '(not (close > open and not recently(volume < volume[1], 2)))[n]': {
    minBars: (p) => number(p, 'n') + 3,
    rule: ({ open, close, volume }, p) => {
      const falls = (bar: number) => volume[bar] < volume[bar - 1];
      return (t) => {
        const bar = t - number(p, 'n');
        return raw(!(close[bar] > open[bar] && !(falls(bar) || falls(bar - 1))));
      };
    },
  },
};

const chosen = (p: Params): SignalDefinition => {
  const found = writtenOut[String(p.when)];
  if (found === undefined) throw new RangeError(`no formula ${p.when}`);
  return found;
};

export const formulaSignals: SignalTable = {
  formula: {
    minBars: (p) => chosen(p).minBars(p),
    rule: (bars: ReferenceBars, p: Params) => chosen(p).rule(bars, p),
  },
};
