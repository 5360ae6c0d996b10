import {
  type BarSeries,
  computeMetrics,
  evaluateRules,
  parseStrategy,
  planStrategy,
  ruleOf,
  type SweepDefinition,
  type SweepRun,
  simulate,
} from '../../engine/index.js';

/** Runs one configuration of a sweep as a single backtest, without anything that a sweep shares. */
export function alone(
  { entry, exit, variant, dataset }: SweepRun,
  definition: SweepDefinition,
  bars: BarSeries,
  first: number,
) {
  const rules = (side: typeof entry) => side.map((choice) => ruleOf(choice, dataset));
  const strategy = parseStrategy({ name: 'alone', entry: rules(entry), exit: rules(exit) }, 'relaxed');
  const config = definition.variants.config(variant, bars.intervalMs);
  const masks = evaluateRules(planStrategy(strategy, bars.intervalMs), bars);
  const run = simulate({ bars, first, entry: masks.entry, exit: masks.exit, config });
  return { trades: run.trades, metrics: computeMetrics({ ...run, bars, first, config }) };
}
