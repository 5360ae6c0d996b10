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

/** Trials whose normal maximum is the given one, by bisection. */
export function refIndependentTrials(maximum: number): number {
  let [low, high] = [Math.log(1.3), 50];
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    if (refExpectedMax(Math.exp(middle), 1) < maximum) low = middle;
    else high = middle;
  }
  return Math.exp(low);
}

interface RefTried {
  readonly earlier: number;
  readonly sweeps: readonly { readonly tries: number; readonly unrelated: number }[];
}

/**
 * Unrelated tries among the earlier ones: those that sweeps tell of are worth their sum, and each
 * no more than in the least related sweep; the others are worth one each.
 */
export function refUnrelatedBefore({ earlier, sweeps }: RefTried, ownShare: number): number {
  const told = Math.min(
    sweeps.map(({ tries }) => tries).reduce((a, b) => a + b, 0),
    earlier,
  );
  const most = Math.max(ownShare, ...sweeps.map(({ unrelated, tries }) => unrelated / tries));
  const union = sweeps.map(({ unrelated }) => unrelated).reduce((a, b) => a + b, 0);
  return (told * most < union ? told * most : union) + (earlier - told);
}

/** The p-value of a leader among everything ever tried, and picked from as many assets. */
export function refAmongAll(
  tried: { readonly before: number; readonly isFirst: boolean; readonly otherAssets: number },
  p: number,
  worth: number,
  t: number,
): number {
  const among = tried.isFirst ? p : Math.max(p, 1 - refNormalCdf(t) ** (worth + tried.before));
  return Math.min(1, (1 + tried.otherAssets) * among);
}

/**
 * Bonferroni's bound for one leader among those of several datasets, whose p-value is already that
 * of its dataset and of other assets.
 */
export function refPicked(p: number, datasets: number, otherAssets: number): number {
  const alone = p / (1 + otherAssets);
  return Math.min(1, alone * (datasets + otherAssets));
}

/**
 * t-value of daily returns, summed to at most 256 periods of as many days, each sum in single
 * precision.
 */
export function refTValue(daily: readonly number[]): number {
  let each = 1;
  while (daily.length / each > 256) each++;
  const sums: number[] = [];
  for (let day = 0; day < daily.length; day += each) {
    sums.push(Math.fround(daily.slice(day, day + each).reduce((sum, x) => sum + x, 0)));
  }
  const { count, sharpe } = refMoments(sums);
  return sharpe * Math.sqrt(count);
}

/** Roll 1984: half of the spread, from the covariance of adjoining returns, and its t-value. */
export function refImpliedSpread(prices: readonly number[]) {
  const returns = prices.slice(1).map((price, i) => price / prices[i]! - 1);
  const mean = returns.reduce((sum, x) => sum + x, 0) / returns.length;
  const products = returns.slice(1).map((x, i) => (x - mean) * (returns[i]! - mean));
  const covariance = products.reduce((sum, x) => sum + x, 0) / products.length;
  const error = Math.sqrt(products.reduce((sum, x) => sum + x * x, 0)) / products.length;
  return { half: covariance < 0 ? Math.sqrt(-covariance) : 0, t: covariance / error };
}

/** The true annual Sharpe ratio that passes at 5 % in the given share of searches. */
export function refFindable(trials: number, years: number, share: number): number {
  // Of so many normal values the largest stays below this one in 95 %.
  const needed = refInverseNormalCdf(0.95 ** (1 / trials));
  return (needed + refInverseNormalCdf(share)) / Math.sqrt(years);
}

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
