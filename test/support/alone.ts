import { simulate } from '../../engine/execution/index.js';
import { computeMetrics } from '../../engine/metrics/index.js';
import { type BarSeries, DAY_MS } from '../../engine/series/index.js';
import { evaluateRules, neededHistoryMs, parseStrategy, planStrategy } from '../../engine/strategy/index.js';
import { ruleOf, type SweepDefinition, type SweepRun } from '../../engine/sweep/index.js';

function planOf({ entry, exit, dataset }: SweepRun, intervalMs: number) {
  const rules = (side: typeof entry) => side.map((choice) => ruleOf(choice, dataset));
  const strategy = parseStrategy({ name: 'alone', entry: rules(entry), exit: rules(exit) }, 'relaxed');
  return planStrategy(strategy, intervalMs);
}

/** Runs one configuration of a sweep as a single backtest, without anything that a sweep shares. */
export function alone(run: SweepRun, definition: SweepDefinition, bars: BarSeries, first: number) {
  const config = definition.variants.config(run.variant, bars.intervalMs);
  const masks = evaluateRules(planOf(run, bars.intervalMs), bars);
  const ran = simulate({ bars, first, entry: masks.entry, exit: masks.exit, config });
  return { trades: ran.trades, metrics: computeMetrics({ ...ran, bars, first, config }) };
}

/** The first bar that the backtest of a run reads for a window that begins at `startMs`. */
export function firstReadOf(run: SweepRun, definition: SweepDefinition, bars: BarSeries, startMs: number): number {
  const config = definition.variants.config(run.variant, bars.intervalMs);
  return firstRead(bars, startMs, neededHistoryMs(planOf(run, bars.intervalMs), config));
}

/** The same for this much history, by plain search. */
export function firstRead({ time, intervalMs }: BarSeries, startMs: number, historyMs: number): number {
  const before = (ms: number) => time.filter((one) => one < ms).length;
  for (let reach = historyMs; ; reach *= 2) {
    const from = before(Math.floor((startMs - reach) / DAY_MS) * DAY_MS);
    if (from === 0 || before(startMs) - from >= historyMs / intervalMs) return from;
  }
}
