// Statistics of single runs in the plainest form, from the papers. It shares no code with the
// engine but the generator of random numbers.

import type { SplitMix64 } from '../../engine/statistics/index.js';

/**
 * Phi(x): the series of Marsaglia 2004 in the middle, the continued fraction of Laplace below -3.
 */
export function refNormalCdf(x: number): number {
  const density = Math.exp(-(x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x > 3) return 1 - refNormalCdf(-x);
  if (x < -3) {
    let fraction = -x;
    for (let k = 200; k >= 1; k--) fraction = -x + k / fraction;
    return density / fraction;
  }
  let [term, sum] = [x, x];
  for (let k = 3; k < 200; k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return 0.5 + sum * density;
}

/** By bisection. */
export function refInverseNormalCdf(p: number): number {
  let [low, high] = [-38, 38];
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    if (refNormalCdf(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export interface RefMoments {
  readonly count: number;
  readonly sharpe: number;
  readonly skewness: number;
  readonly kurtosis: number;
}

export function refMoments(returns: readonly number[]): RefMoments {
  const count = returns.length;
  const mean = returns.reduce((sum, x) => sum + x, 0) / count;
  const central = (power: number) => returns.reduce((sum, x) => sum + (x - mean) ** power, 0) / count;
  return {
    count,
    sharpe: mean / Math.sqrt((central(2) * count) / (count - 1)),
    skewness: central(3) / central(2) ** 1.5,
    kurtosis: central(4) / central(2) ** 2,
  };
}

/** Standard error of a Sharpe ratio, times the root of the observations less 1. */
const errorOf = ({ sharpe, skewness, kurtosis }: RefMoments): number =>
  Math.sqrt(1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2);

/** Bailey and López de Prado 2012, equation 11. */
export const refProbabilisticSharpe = (moments: RefMoments, benchmark: number): number =>
  refNormalCdf(((moments.sharpe - benchmark) * Math.sqrt(moments.count - 1)) / errorOf(moments));

/**
 * Bailey and López de Prado 2014, equation 1: the Sharpe ratio of the best of trials without skill.
 */
export function refExpectedMax(trials: number, variance: number): number {
  const gamma = 0.5772156649015329;
  const [first, second] = [1 - 1 / trials, 1 - 1 / (trials * Math.E)].map(refInverseNormalCdf) as [number, number];
  return Math.sqrt(variance) * ((1 - gamma) * first + gamma * second);
}

export const refDeflatedSharpe = (moments: RefMoments, trials: number, variance: number): number =>
  refProbabilisticSharpe(moments, refExpectedMax(trials, variance));

/** Bailey and López de Prado 2012, equation 13. */
export const refMinTrackRecord = (moments: RefMoments, benchmark: number, confidence: number): number =>
  1 + (errorOf(moments) * (refInverseNormalCdf(confidence) / (moments.sharpe - benchmark))) ** 2;

/** Bailey, Borwein, López de Prado and Zhu 2014, in years, for a Sharpe ratio of 1. */
export const refMinBacktestYears = (trials: number): number => refExpectedMax(trials, 1) ** 2;

interface RefTrade {
  readonly entryBar: number;
  readonly barsHeld: number;
}

/** One random schedule after the other, each laid out bar by bar. */
export function refTiming(
  trades: readonly RefTrade[],
  open: number[],
  close: number[],
  random: SplitMix64,
  count: number,
) {
  const moved = (bar: number, held: number) => Math.log(close[Math.min(close.length, bar + held) - 1]! / open[bar]!);
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
  const busy = trades.flatMap(({ entryBar, barsHeld }) => Array.from({ length: barsHeld }, (_, k) => entryBar + k));
  const doOverlap = new Set(busy).size < busy.length;
  const held = trades.map(({ barsHeld }) => barsHeld);
  const drawn = Array.from({ length: count }, () => {
    if (doOverlap) return mean(held.map((bars) => moved(random.below(close.length - bars + 1), bars)));
    for (let last = held.length - 1; last > 0; last--) {
      const other = random.below(last + 1);
      const [a, b] = [held[last]!, held[other]!];
      held[last] = b;
      held[other] = a;
    }
    const idle = close.length - held.reduce((sum, bars) => sum + bars, 0);
    const places = held.map(() => random.below(idle + 1)).sort((a, b) => a - b);
    const layout: (number | 'idle')[] = [];
    let next = 0;
    for (let gap = 0; gap <= idle; gap++) {
      while (places[next] === gap) layout.push(...Array<number>(held[next]!).fill(next++));
      layout.push('idle');
    }
    return mean(held.map((bars, k) => moved(layout.indexOf(k), bars)));
  });
  const own = mean(trades.map(({ entryBar, barsHeld }) => moved(entryBar, barsHeld)));
  const spread = Math.sqrt(mean(drawn.map((value) => (value - mean(drawn)) ** 2)));
  return {
    meanReturn: own,
    randomMeanReturn: mean(drawn),
    zScore: (own - mean(drawn)) / spread,
    pValue: (drawn.filter((value) => value >= own).length + 1) / (count + 1),
  };
}
