import { ruleOf, type SweepPlan, type SweepRun } from '../../engine/sweep/index.js';
import { filter, trigger } from './sweeps.js';

const range = (min: number, max: number, step = 1) => ({ min, max, step });

/**
 * A space of 10^11 configurations: three triggers, one to two of three filters, an exit, two
 * execution settings.
 */
export const largeSweep = (more: object = {}): Record<string, unknown> => ({
  name: 'large',
  datasets: [{ asset: 'BTC', timeframe: '1h' }],
  entry_signals: {
    triggers: [
      trigger('sma_cross_up', { window_fast: range(2, 60), window_slow: range(10, 200, 2) }),
      trigger('ema_cross_up', { window_fast: range(2, 60), window_slow: range(10, 200, 2) }),
      trigger('rsi_cross_up', { window: range(2, 50), threshold: range(10, 90) }),
    ],
    filters: ['is_above_sma', 'is_above_dema', 'is_above_tema'].map((name) => filter(name, { window: range(10, 100) })),
    max_filters: 2,
  },
  exit_signals: {
    triggers: [trigger('rsi_cross_down', { threshold: range(40, 95) }, { params: { window: 14 } })],
  },
  execution_config: {
    sweep_axes: [
      { param: 'reward_factor', ...range(1, 5, 0.25) },
      { param: 'stop_loss_calculation', values: ['fixed', 'dynamic_atr'] },
    ],
  },
  ...more,
});

/**
 * A smooth function of a run of that sweep, at most 1.5: the trigger matters most, then its
 * windows, then the first filter, the rest a little.
 */
export function syntheticMetric({ entry, exit, variant, dataset }: SweepRun): number {
  const [trigger, ...filters] = entry.map((choice) => ruleOf(choice, dataset));
  const off = (value: unknown, best: number, scale: number) => ((Number(value) - best) / scale) ** 2;
  let value = { sma_cross_up: 0.4, ema_cross_up: 1, rsi_cross_up: 0.6 }[trigger.name]!;
  const { window_fast: fast, window_slow: slow, window, threshold } = trigger.params;
  value -= fast === undefined ? off(window, 14, 40) + off(threshold, 30, 90) : off(fast, 12, 40) + off(slow, 80, 140);
  for (const { name, params } of filters) {
    value += name === 'is_above_sma' ? 0.5 - off(params.window, 70, 80) : -0.1 - off(params.window, 40, 200);
  }
  value -= off(ruleOf(exit[0], dataset).params.threshold, 75, 80);
  return value - off(Math.floor(variant / 2), 8, 30) - (variant % 2) * 0.05;
}

/** Runs a search to its end over a function in place of backtests; returns the values by run. */
export function searchAll(plan: SweepPlan, metric: (run: SweepRun, index: number) => number): Float64Array {
  const values = new Float64Array(plan.totalRuns);
  const search = plan.search!;
  for (let batch = search.propose(); batch !== null; batch = search.propose()) {
    for (let i = batch.from; i < batch.to; i++) values[i] = metric(plan.run(i), i);
    search.tell(values.subarray(batch.from, batch.to));
  }
  return values;
}
