import type { Trade } from '../execution/index.js';
import { marketReturns } from '../metrics/index.js';
import type { BarSeries } from '../series/index.js';
import {
  type AssessedTrials,
  type BestOfMany,
  type BestOfManyTests,
  backtestOverfitting,
  bootstrapReturns,
  expectedMaxNormal,
  type HeldBars,
  independentShare,
  independentTrials,
  type LuckQuestion,
  luckyShare,
  luckyT,
  type MarketLine,
  type MonteCarlo,
  marketLine,
  minBacktestLengthYears,
  minTrackRecordLength,
  type Overfitting,
  probabilisticSharpeRatio,
  reshuffleTrades,
  returnPeriods,
  SplitMix64,
  type Step,
  sharpeSample,
  sumByPeriod,
  type Timing,
  type TrialReturns,
  testBestOfMany,
  timingTest,
  tValue,
} from '../statistics/index.js';
import { type EarlierTries, unrelatedBefore } from './tries.js';

/**
 * Mean days that stay together in a resample: about as long as the size of crypto returns persists.
 */
const MEAN_BLOCK_DAYS = 10;
/** A test passes at or below this probability. */
export const ASSESSMENT_P_MAX = 0.05;

/** The facts of the trials of one dataset. */
export interface AssessmentInput {
  /** Returns by period of all trials that traded, or of a random sample of them. */
  readonly trials: TrialReturns;
  /** Row of the leader in `trials`. */
  readonly leader: number;
  /** Trials that traded, those outside the sample included. */
  readonly trialCount: number;
  /**
   * The trials that a learning search drew before it learned, and the share of trials that it takes
   * for good. Later trials follow their results, so only these tell how related the trials are.
   * Null where all trials were known beforehand.
   */
  readonly startup: { readonly trials: TrialReturns; readonly goodFraction: number } | null;
  /** Days of trading in a year, `trading_days_per_year` of the leader. */
  readonly daysPerYear: number;
  /** Daily returns of the leader, and of holding the asset on the same days. */
  readonly daily: Float64Array;
  readonly market: Float64Array;
  /** Trades of the leader, by bars of the columns below. */
  readonly trades: readonly HeldBars[];
  /** Returns of the same trades, each a fraction of the account before it. */
  readonly tradeReturns: Float64Array;
  /** The timing of an account over several assets; left out, it is made of the trades and prices. */
  readonly timed?: Timing | null;
  /** Prices of the tradable bars. */
  readonly open: Float64Array;
  readonly close: Float64Array;
  readonly seed: number;
  /** What was tried on the asset and with the same plan, outside of this sweep. */
  readonly earlier: EarlierTries;
  /**
   * Daily returns of the leader at the slippage that its prices ask for, see `honestSlippage`. Null
   * or left out where its own is as high.
   */
  readonly honest?: { readonly slippage: number; readonly daily: Float64Array } | null;
}

/** The run of a leader: the bars that it traded on, and what became of the account. */
interface LeaderRun {
  readonly bars: BarSeries;
  /** The first tradable bar. */
  readonly first: number;
  readonly trades: readonly Trade[];
  readonly daily: Float64Array;
  readonly daysPerYear: number;
}

export type LeaderFacts = Pick<
  AssessmentInput,
  'daysPerYear' | 'daily' | 'market' | 'trades' | 'timed' | 'tradeReturns' | 'open' | 'close'
>;

/** The part of the input that the leader's own run and its bars give. */
export const leaderFacts = ({ bars, first, trades, daily, daysPerYear }: LeaderRun): LeaderFacts => ({
  daysPerYear,
  daily,
  market: marketReturns(bars, first),
  trades: trades.map(({ entryBar, barsHeld, details }) => ({
    ...{ entryBar: entryBar - first, barsHeld },
    ...(details?.side === 'short' && { side: details.side }),
  })),
  tradeReturns: Float64Array.from(trades, ({ profitLoss, beginningBalance }) => profitLoss / beginningBalance),
  open: bars.open.slice(first),
  close: bars.close.slice(first),
});

/** The test that a leader fails first, from the weakest to the strictest. */
const assessmentTests = ['luck', 'market', 'timing', 'fills'] as const;
export type AssessmentTest = (typeof assessmentTests)[number];

/** The strictest test whose p-value is too high; one without a p-value could not be made. */
export const strictestFailed = (p: Readonly<Partial<Record<AssessmentTest, number | null>>>): AssessmentTest | null =>
  assessmentTests.findLast((test) => (p[test] ?? 0) > ASSESSMENT_P_MAX) ?? null;

/**
 * How far the leader of a sweep may be trusted. Sharpe ratios are annual, of daily returns; null
 * where the data is too short to say.
 */
export interface LeaderAssessment {
  readonly trialCount: number;
  /** Number of independent trials without skill whose best would do as well. */
  readonly effectiveTrialCount: number;
  /** The same after removing beta times the asset's returns. */
  readonly effectiveBeyondMarket: number;
  readonly days: number;
  /** Days of trading in a year, by which ratios and alpha are annualized. */
  readonly daysPerYear: number;
  readonly sharpe: number | null;
  /**
   * Probability that the true Sharpe ratio is above 0, as if the leader had been the only trial.
   */
  readonly probabilisticSharpe: number | null;
  /** Sharpe ratio that the best of the trials has on average when none of them has skill. */
  readonly luckySharpe: number | null;
  /** Probability that the true Sharpe ratio is above `luckySharpe`. */
  readonly deflatedSharpe: number | null;
  /** Days that it takes to show with 95 % confidence that the Sharpe ratio is above luck's. */
  readonly minTrackRecordDays: number | null;
  /** The same judgement with all trials that were ever made on the asset. */
  readonly everTried: EverTried | null;
  /** Years below which the best of that many trials has a Sharpe ratio of 1 by luck. */
  readonly minBacktestYears: number;
  readonly overfitting: Overfitting | null;
  /** Share of sweeps without skill whose best trial does as well as the leader. */
  readonly luckP: number | null;
  /** White's reality check and Hansen's test, of the best trial. */
  readonly realityCheckP: number | null;
  readonly superiorP: number | null;
  /** The best trials with the p-values of Romano and Wolf; `row` is a row of the trials. */
  readonly steps: readonly Step[];
  /** The leader's daily returns explained by the asset's; alpha is per day. */
  readonly marketLine: MarketLine | null;
  /** As `luckP`, after removing beta times the asset's returns from each trial. */
  readonly marketP: number | null;
  /**
   * The leader's entries against random ones. Its p-value compares with the best of as many trials
   * with random entries: the best timed of many is well timed by luck.
   */
  readonly timing: Timing | null;
  /**
   * As `luckP`, with the leader at the slippage that its prices ask for; null where its own is as
   * high.
   */
  readonly fills: { readonly slippage: number; readonly pValue: number } | null;
  /** The strictest test that the leader fails; null where it passes all that could be made. */
  readonly fails: AssessmentTest | null;
}

/** What else could have become of the leader's account. No test goes by it. */
export interface LeaderPaths {
  /** The trades of the leader in other orders. */
  readonly reshuffled: MonteCarlo | null;
  /** The days of the leader, resampled in blocks. */
  readonly bootstrapped: MonteCarlo | null;
}

/**
 * As the fields of `LeaderAssessment` with these names, for all trials that were ever made. The p-values are
 * those of a leader that was picked from all assets on which the plan was tried, by Bonferroni's
 * bound. They are what `fails` goes by.
 */
interface EverTried {
  readonly trialCount: number;
  readonly effectiveTrialCount: number;
  /** Assets outside of the sweep on which the same plan was tried. */
  readonly otherAssets: number;
  readonly luckySharpe: number;
  readonly deflatedSharpe: number | null;
  readonly luckP: number;
  readonly marketP: number | null;
  readonly timingP: number | null;
  readonly fillsP: number | null;
}

/** @param judged the costly part of the judgement; left out, it is made here */
export function assessLeader(input: AssessmentInput, judged: AssessedTrials = assessTrials(input)): LeaderAssessment {
  const { trialCount, daysPerYear, daily, market, trades, open, close, seed } = input;
  const sample = sharpeSample(daily);
  const years = daily.length / daysPerYear;
  const luck = luckOf(input, judged.tests);
  const line = marketLine(daily, market);
  const random = new SplitMix64(seed);
  const one = input.timed === undefined ? timingTest(trades, open, close, { random }) : input.timed;
  const timing = one && { ...one, pValue: Math.max(one.pValue, luck?.shareAbove(one.zScore) ?? 0) };
  const luckySharpe = luck === null || trialCount < 2 ? null : luck.averageT / Math.sqrt(years);
  const perDay = (luckySharpe ?? 0) / Math.sqrt(daysPerYear);
  const effectiveTrialCount = luck?.worth ?? trialCount;
  const fills = luck && fillsOf(input, luck);
  const everTried = luck && amongAll(input, luck, { timing, fills }, sample);
  return {
    trialCount,
    effectiveTrialCount,
    effectiveBeyondMarket: luck?.worthBeyond ?? trialCount,
    days: daily.length,
    daysPerYear,
    sharpe: sample === null ? null : sample.sharpe * Math.sqrt(daysPerYear),
    probabilisticSharpe: sample && probabilisticSharpeRatio(sample, 0),
    luckySharpe,
    deflatedSharpe: luckySharpe === null ? null : sample && probabilisticSharpeRatio(sample, perDay),
    minTrackRecordDays: sample && minTrackRecordLength(sample, perDay),
    everTried,
    minBacktestYears: minBacktestLengthYears(effectiveTrialCount),
    overfitting: judged.overfitting,
    luckP: luck?.p ?? null,
    realityCheckP: luck?.own.realityCheckP ?? null,
    superiorP: luck?.own.superiorP ?? null,
    steps: luck?.own.steps ?? [],
    marketLine: line,
    marketP: luck?.marketP ?? null,
    timing,
    fills: fills && { slippage: fills.slippage, pValue: fills.pValue },
    fails: strictestFailed({
      luck: everTried?.luckP ?? null,
      market: everTried?.marketP ?? null,
      timing: everTried === null ? (timing?.pValue ?? null) : everTried.timingP,
      fills: everTried?.fillsP ?? null,
    }),
  };
}

/** For a page: they take as long as a judgement of a few trials does. */
export const leaderPaths = ({
  tradeReturns,
  daily,
  seed,
}: Pick<AssessmentInput, 'tradeReturns' | 'daily' | 'seed'>): LeaderPaths => ({
  reshuffled: reshuffleTrades(tradeReturns, { random: new SplitMix64(seed) }),
  bootstrapped: bootstrapReturns(daily, { random: new SplitMix64(seed), meanBlock: MEAN_BLOCK_DAYS }),
});

/** The judgement of the leader as the best of everything that was ever tried. */
function amongAll(
  { trialCount, daily, daysPerYear, earlier }: AssessmentInput,
  luck: Luck,
  { timing, fills }: { readonly timing: Timing | null; readonly fills: Fills | null },
  sample: ReturnType<typeof sharpeSample>,
): EverTried {
  const before = unrelatedBefore(earlier, Math.max(luck.worth, luck.worthBeyond) / trialCount);
  const effective = Math.max(1, luck.worth + before);
  const averageT = before === 0 ? luck.averageT : expectedMaxNormal(effective);
  // The share of this sweep is one of resamples, which do not tell apart the rarest luck; that of
  // more tries is the one of as many unrelated normal ones, and never below it.
  const amongMore = (p: number, worth: number, t: number): number => {
    const share = before === 0 ? p : Math.max(p, independentShare(worth + before, t));
    return Math.min(1, share * (1 + earlier.otherAssets));
  };
  return {
    trialCount: Math.max(trialCount, earlier.all),
    effectiveTrialCount: effective,
    otherAssets: earlier.otherAssets,
    luckySharpe: averageT / Math.sqrt(daily.length / daysPerYear),
    deflatedSharpe: sample && probabilisticSharpeRatio(sample, averageT / Math.sqrt(daily.length)),
    luckP: amongMore(luck.p, luck.worth, luck.t),
    marketP: luck.marketP === null ? null : amongMore(luck.marketP, luck.worthBeyond, luck.tBeyond),
    timingP: timing && amongMore(timing.pValue, luck.worthBeyond, timing.zScore),
    fillsP: fills && amongMore(fills.pValue, luck.worth, fills.t),
  };
}

interface Fills {
  readonly slippage: number;
  readonly t: number;
  readonly pValue: number;
}

/** The test of luck for the leader at a higher slippage; null without one. */
function fillsOf({ honest }: AssessmentInput, luck: Luck): Fills | null {
  if (honest === null || honest === undefined) return null;
  const t = tValue(honest.daily);
  return { slippage: honest.slippage, t, pValue: luck.ownShareAbove(t) };
}

interface Luck {
  readonly own: BestOfMany;
  /** t-value of the leader, and of what its returns keep beyond the market. */
  readonly t: number;
  readonly tBeyond: number;
  /** Unrelated trials whose best would be as lucky, and the same beyond the market. */
  readonly worth: number;
  readonly worthBeyond: number;
  /** Largest t-value of as many trials without skill, on average. */
  readonly averageT: number;
  readonly p: number;
  readonly marketP: number | null;
  /** Share of sweeps without skill whose best trial is this far from what the market pays. */
  readonly shareAbove: (z: number) => number;
  /** The same for this t-value of returns, market and all. */
  readonly ownShareAbove: (t: number) => number;
}

/** What `assessInParts` needs to know beside the trials. */
export function luckQuestion({ daily, market, seed }: AssessmentInput): LuckQuestion {
  const periods = returnPeriods(daily.length);
  const byPeriod = new Float32Array(periods.count);
  sumByPeriod(market, periods, byPeriod);
  return { seed, meanBlock: Math.max(1, MEAN_BLOCK_DAYS / periods.daysEach), market: Float64Array.from(byPeriod) };
}

function assessTrials(input: AssessmentInput): AssessedTrials {
  const { trials } = input;
  return { tests: testLuck(input, trials), overfitting: backtestOverfitting(trials) };
}

function testLuck(input: AssessmentInput, trials: TrialReturns): BestOfManyTests | null {
  const { seed, ...options } = luckQuestion(input);
  return testBestOfMany(trials, { random: new SplitMix64(seed), ...options });
}

/** What as many trials without skill show; null where there is too little to resample. */
function luckOf(input: AssessmentInput, tests: BestOfManyTests | null): Luck | null {
  const { leader, trialCount, startup } = input;
  if (tests === null) return null;
  const { own, beyondMarket } = tests;
  const searched = startup === null ? null : testLuck(input, startup.trials);
  const t = { t: own.ts[leader], tBeyond: (beyondMarket ?? own).ts[leader] };
  if (startup === null || searched === null) {
    const averageT = luckyT(own);
    return {
      own,
      ...t,
      worth: independentTrials(averageT),
      worthBeyond: independentTrials(luckyT(beyondMarket ?? own)),
      averageT,
      p: luckyShare(own, own.ts[leader]),
      marketP: beyondMarket && luckyShare(beyondMarket, beyondMarket.ts[leader]),
      shareAbove: (z) => luckyShare(beyondMarket ?? own, z),
      ownShareAbove: (one) => luckyShare(own, one),
    };
  }
  // A learned trial is drawn from where the good ones lie, so it may be worth 1 / goodFraction
  // unlearned ones. Counted as one, a search of 1,000 trials passes at 5 % in 8 to 12 % of sweeps
  // without skill.
  const { rowCount } = startup.trials;
  const unlearned = rowCount + Math.max(0, trialCount - rowCount) / startup.goodFraction;
  const worth = (one: BestOfMany) => (independentTrials(luckyT(one)) / rowCount) * unlearned;
  const { beyondMarket: searchedBeyond } = searched;
  return {
    own,
    ...t,
    // Not below 1, as `independentTrials` has it.
    worth: independentTrials(expectedMaxNormal(worth(searched.own))),
    worthBeyond: worth(searchedBeyond ?? searched.own),
    averageT: expectedMaxNormal(worth(searched.own)),
    p: independentShare(worth(searched.own), own.ts[leader]),
    marketP:
      beyondMarket === null || searchedBeyond === null
        ? null
        : independentShare(worth(searchedBeyond), beyondMarket.ts[leader]),
    shareAbove: (z) => independentShare(worth(searchedBeyond ?? searched.own), z),
    ownShareAbove: (one) => independentShare(worth(searched.own), one),
  };
}
