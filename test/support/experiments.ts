import { crossSweep, filter, trigger } from './sweeps.js';

/** 12 runs, which end at once. */
export const shortExperiment = (name: string, more: object = {}) =>
  crossSweep({ name, datasets: [{ asset: 'BTC', timeframe: '1d' }], ...more });

/** 96 runs over a year of 5-minute bars, each with averages of its own: it lasts for seconds. */
export const longExperiment = (name: string) =>
  crossSweep({
    name,
    datasets: [{ asset: 'BTC', timeframe: '5m' }],
    entry_signals: {
      triggers: [
        trigger('sma_cross_up', { window_fast: { min: 3, max: 14, step: 1 }, window_slow: { values: [20, 30] } }),
      ],
      filters: [filter('is_above_sma', { window: { values: [50, 100] } })],
    },
  });
