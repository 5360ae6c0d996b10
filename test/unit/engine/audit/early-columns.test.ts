import assert from 'node:assert/strict';
import test from 'node:test';
import { joinToBars } from '../../../../data/columns/series.js';
import { columnTiming, isEarly } from '../../../../engine/audit/early-columns.js';
import { auditStrategy } from '../../../../engine/audit/index.js';
import { resolveConfig } from '../../../../engine/execution/index.js';
import { allocateBars, type BarSeries, DAY_MS, HOUR_MS } from '../../../../engine/series/index.js';
import { parseStrategy, planStrategy } from '../../../../engine/strategy/index.js';
import { aggregateBars } from '../../../../engine/timeframes/index.js';
import { refColumnPairs } from '../../../reference/statistics.js';
import { randomBars, seededRandom } from '../../../support/random.js';
import { runs } from '../../../support/scale.js';

const barsOf = (seed: number) => randomBars({ seed, barCount: 24 * 120, volatility: 0.01, tick: 0.01, flatChance: 0 });

/**
 * The bars with a column `X` that a daily source gives, each value published `delayMs` after its
 * day begins.
 */
function withDaily(bars: BarSeries, figureOf: (day: number, days: BarSeries) => number, delayMs: number): BarSeries {
  const days = aggregateBars(bars, DAY_MS).bars;
  const published = days.time.map((ms) => ms + delayMs);
  const value = days.time.map((_, day) => figureOf(day, days));
  const own = allocateBars(bars.barCount, HOUR_MS, ['X'], undefined, ['X']);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) own[name].set(bars[name]);
  joinToBars({ period: days.time, published, value }, own, own.columns.X!);
  return own;
}

const daily: Record<string, (day: number, days: BarSeries) => number> = {
  'the return of a day': (day, { open, close }) => close[day]! / open[day]! - 1,
  'the range of a day': (day, { high, low }) => high[day]! / low[day]! - 1,
};

for (const [what, figureOf] of Object.entries(daily)) {
  test(`${what} is found out when it is stamped with the start of its day, and not when with its end`, () => {
    for (let seed = 1; seed <= runs(5, 50); seed++) {
      assert.ok(isEarly(columnTiming('X', withDaily(barsOf(seed), figureOf, 0), 0)), `start, seed ${seed}`);
      for (const delayMs of [DAY_MS, DAY_MS + 6 * HOUR_MS]) {
        assert.ok(!isEarly(columnTiming('X', withDaily(barsOf(seed), figureOf, delayMs), 0)), `end, seed ${seed}`);
      }
    }
  });
}

/** Buys when the range of a day is wide, over a market in which wide days rise. */
function rangeAudit(delayMs: number) {
  const bars = barsOf(6);
  const random = seededRandom(6);
  const isWide = Array.from({ length: 121 }, () => random() < 0.4);
  let rise = 1;
  for (let i = 0; i < bars.barCount; i++) {
    const before = rise;
    if (isWide[Math.floor((bars.time[i]! - bars.time[0]!) / DAY_MS)]) rise *= 1.004;
    bars.open[i]! *= before;
    bars.close[i]! *= rise;
    bars.high[i]! *= rise;
    bars.low[i]! *= before;
  }
  const range = (day: number, { high, low }: BarSeries) => high[day]! / low[day]! - 1;
  const { config } = resolveConfig({
    request: { stop_loss_calculation: 'fixed', fixed_stop_pct: 0.5, max_hold_bars: 20, fee_pct: 0, slippage_pct: 0 },
    interval: HOUR_MS,
  });
  const params = { column: 'X', threshold: 0.11 };
  const rule = { name: 'column_crosses_above', signal_type: 'TRIGGER', timeframe: null, params };
  return auditStrategy({
    plan: planStrategy(parseStrategy({ entry: [rule] }, 'relaxed'), HOUR_MS, ['X']),
    ...{ bars: withDaily(bars, range, delayMs), first: 0, config, cutCount: 1, random: seededRandom(1) },
  });
}

test("a day's range stamped with the start of its day is found, and its profit goes with the delay", () => {
  const early = rangeAudit(0);
  assert.match(
    early.findings.map(({ what }) => what).join(),
    /^column X \(correlation 0\.\d\d with the sizes of the returns after, -?0\.\d\d before\)$/,
  );
  const [lag] = early.lags;
  assert.ok(lag!.profit > 400 && lag!.laggedProfit < 0.3 * lag!.profit, JSON.stringify(lag));
  const fair = rangeAudit(DAY_MS);
  assert.deepEqual(fair.findings, []);
  assert.equal(fair.lags[0]!.profit, lag!.laggedProfit, 'late by its spacing it is as if stamped with the end');
});

test('the correlations are those of a reference written apart', () => {
  for (let seed = 1; seed <= runs(4, 100); seed++) {
    for (const figureOf of Object.values(daily)) {
      for (const delayMs of [0, DAY_MS]) {
        const bars = withDaily(barsOf(seed), figureOf, delayMs);
        const { of, before, after } = columnTiming('X', bars, 0);
        const pairs = refColumnPairs([...bars.columns.X!], [...bars.close]).filter((pair) => pair.of === of);
        const isClose = (a: number, b: number) => Math.abs(a - b) < 1e-9;
        assert.ok(
          pairs.some((pair) => isClose(pair.before, before) && isClose(pair.after, after)),
          `seed ${seed}: ${JSON.stringify({ of, before, after, pairs })}`,
        );
      }
    }
  }
});
