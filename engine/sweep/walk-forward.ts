import { mustBe } from '../errors.js';
import { type BarSeries, DAY_MS, firstBarFrom, isoTime } from '../series/index.js';
import type { Fold, FoldWindow, SweepDataset, WalkForwardSettings } from './definition.js';
import type { Problems } from './problems.js';
import { isRankingMetric, notRankable } from './ranking-metrics.js';

const DAYS_MAX = 36_500;
const EMBARGO_DAYS_MAX = 365;
const FOLDS_MAX = 1_000;
const KEYS = ['mode', 'train_days', 'test_days', 'embargo_days', 'metric'];

/** Null when the sweep does not walk forward, or after noting a problem. */
export function readWalkForward(json: unknown, problems: Problems): WalkForwardSettings | null {
  if (json === undefined || json === null) return null;
  if (typeof json !== 'object' || Array.isArray(json)) {
    problems.error(mustBe('walk_forward', 'an object {mode, train_days, test_days}', json));
    return null;
  }
  problems.unknown('walk_forward', json, KEYS);
  const { mode, train_days, test_days, embargo_days, metric: named } = json as Readonly<Record<string, unknown>>;
  const metric = named ?? 'sharpe_ratio';
  const isMetric = isRankingMetric(metric);
  const isMode = mode === 'rolling' || mode === 'anchored';
  if (!isMode) problems.error(mustBe('walk_forward.mode', 'anchored or rolling', mode));
  if (!isMetric) problems.error(notRankable('walk_forward.metric', metric));
  const errorCount = problems.errors.length;
  const days = {
    trainDays: problems.integer('walk_forward.train_days', train_days, 1, DAYS_MAX),
    testDays: problems.integer('walk_forward.test_days', test_days, 1, DAYS_MAX),
    embargoDays: problems.integer('walk_forward.embargo_days', embargo_days ?? 0, 0, EMBARGO_DAYS_MAX),
  };
  const isSound = isMode && isMetric && problems.errors.length === errorCount;
  return isSound ? { mode, metric, ...days } : null;
}

/** Bars to cut into folds, and the index of the first that is tradable. */
export interface SeriesToFold {
  readonly bars: BarSeries;
  readonly first: number;
}

/**
 * The dataset once per fold, cut to the training window of the fold. There are as many folds as
 * have their test window within the whole UTC days of the data. A fold without bars to train or to
 * test on, because of a gap in the data, is left out with a warning.
 */
export function foldsOf(
  dataset: SweepDataset,
  source: number,
  { bars, first }: SeriesToFold,
  { mode, trainDays, testDays, embargoDays }: WalkForwardSettings,
  problems: Problems,
): SweepDataset[] {
  const place = `${dataset.asset} ${dataset.timeframe}`;
  const { time, barCount, intervalMs } = bars;
  const firstDay = barCount === 0 ? 0 : Math.ceil(time[first] / DAY_MS);
  const endDay = barCount === 0 ? 0 : Math.floor((time[barCount - 1] + intervalMs) / DAY_MS);
  const dayCount = Math.max(0, endDay - firstDay);
  const needed = trainDays + embargoDays + testDays;
  if (dayCount < needed) {
    problems.error(
      `${place}: walk_forward needs ${needed} whole days (train_days ${trainDays}, embargo_days ${embargoDays}, test_days ${testDays}), the data has ${dayCount}`,
    );
    return [];
  }
  const foldCount = Math.floor((dayCount - trainDays - embargoDays) / testDays);
  if (foldCount > FOLDS_MAX) {
    problems.error(
      `${place}: walk_forward must have at most ${FOLDS_MAX} folds, has ${foldCount} with test_days ${testDays}`,
    );
    return [];
  }
  const folds = Array.from({ length: foldCount }, (_, index): Fold => {
    const moved = index * testDays;
    const trainEnd = firstDay + trainDays + moved;
    const testDay = trainEnd + embargoDays;
    return {
      index,
      source,
      train: window(bars, mode === 'rolling' ? firstDay + moved : firstDay, trainEnd),
      test: window(bars, testDay, testDay + testDays),
    };
  });
  const whole = folds.filter(({ train, test }) => train.from < train.to && test.from < test.to);
  const lost = foldCount - whole.length;
  if (whole.length === 0) {
    problems.error(`${place}: walk_forward has no fold with bars in its training and its test window`);
  } else if (lost > 0) {
    problems.warn(`${place}: ${lost} of ${foldCount} folds have no bars to train or to test on and are left out`);
  }
  return whole.map((fold) => {
    const { start_date, end_date, from, to } = fold.train;
    return { ...dataset, start_date, end_date, rows: to - from, fold };
  });
}

/** @param fromDay,toDay days since the epoch, `toDay` exclusive */
function window(bars: BarSeries, fromDay: number, toDay: number): FoldWindow {
  const from = firstBarFrom(bars, fromDay * DAY_MS);
  // A bar that closes after the window shows later prices, so it is left out. Times are whole
  // milliseconds.
  const to = firstBarFrom(bars, toDay * DAY_MS - bars.intervalMs + 1);
  const date = (day: number) => isoTime(day * DAY_MS).slice(0, 10);
  return { start_date: date(fromDay), end_date: date(toDay - 1), from, to: Math.max(from, to) };
}
