import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { BarSeries } from '../engine/series/index.js';
import { planSweep, readSweep, type SweepDefinition, type SweepPlan } from '../engine/sweep/index.js';

const signal = (signal_type: string) => (name: string, params_sweep: object) => ({ name, signal_type, params_sweep });
export const trigger = signal('TRIGGER');
export const filter = signal('FILTER');
export const range = (min: number, max: number, step = 1) => ({ min, max, step });

/**
 * Crosses of averages, about one trade per 100 bars, under the given filters. Every combination has
 * the given number of variants.
 */
export const crosses = (asset: string, filters: readonly object[], combinations: number, variants = 4) => ({
  name: 'bench',
  datasets: [{ asset, timeframe: '1h' }],
  entry_signals: {
    triggers: [trigger('sma_cross_up', { window_fast: range(5, 40), window_slow: range(41, 120) })],
    filters,
  },
  grid_signals: { n_param_combos: combinations },
  execution_config: {
    base: { fee_pct: 0.001, slippage_pct: 0.0005 },
    sweep_axes: [{ param: 'reward_factor', values: Array.from({ length: variants }, (_, k) => 1.5 + k / 4) }],
  },
});

export const often = filter('is_above_sma', { window: { values: [5, 10] } });
/** Lets bars with an ADX above the threshold through: at 50, one bar in a thousand or fewer. */
export const trending = (threshold: object) => filter('adx_strong_trend', { window: { values: [14] }, threshold });
export const seldom = trending(range(48, 50, 0.5));

/** The same with the crosses down as a short side. */
export const crossesOfBothSides = (asset: string, filters: readonly object[], combinations: number) => ({
  ...crosses(asset, filters, combinations),
  short_entry_signals: {
    triggers: [trigger('sma_cross_down', { window_fast: range(5, 40), window_slow: range(41, 120) })],
    filters,
  },
});

/** A plan over bars that are in no store. */
export function planOver(json: object, bars: BarSeries): { definition: SweepDefinition; plan: SweepPlan } {
  const dataset = () => ({
    ...{ asset: 'BENCH', timeframe: '1h', file: '', hash: '', rows: bars.barCount },
    ...{ start_date: '2024-01-01', end_date: '2024-12-31', columns: [], added: {} },
  });
  const { definition, errors } = readSweep(json, dataset, undefined, [], undefined, 'relaxed');
  assert.deepEqual(errors, []);
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  return { definition: definition!, plan: planSweep(definition!, { sha256, runsMax: 1_000_000 }) };
}
