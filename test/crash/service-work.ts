import { DAY_MS, isoTime } from '../../engine/series/index.js';
import { riskFields } from '../support/backtests.js';
import { succeed } from '../support/service-calls.js';
import type { ServiceProcess } from '../support/service-process.js';
import { crossSweep, filter, trigger } from '../support/sweeps.js';

/**
 * Bars that a service holds: an asset, the intervals that tests ask for, and the days that it
 * covers.
 */
export interface HeldSeries {
  readonly asset: string;
  readonly intervals: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
}

export const bundledSeries: readonly HeldSeries[] = [
  { asset: 'BTC', intervals: ['5m', '15m'], fromMs: Date.UTC(2023, 0, 1), toMs: Date.UTC(2023, 11, 30) },
  { asset: 'BTC', intervals: ['1h', '4h', '1d'], fromMs: Date.UTC(2020, 9, 1), toMs: Date.UTC(2025, 8, 1) },
  { asset: 'ETH', intervals: ['1h', '4h', '1d'], fromMs: Date.UTC(2020, 9, 1), toMs: Date.UTC(2025, 8, 1) },
];

type Random = () => number;

const pick = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)]!;

/** A random window, from a week to all of the series. */
function windowOf({ fromMs, toMs }: HeldSeries, random: Random) {
  const days = Math.floor((toMs - fromMs) / DAY_MS);
  const length = 7 + Math.floor(random() ** 4 * (days - 7));
  const startMs = fromMs + Math.floor(random() * (days - length)) * DAY_MS;
  return { start_date: isoTime(startMs).slice(0, 10), end_date: isoTime(startMs + length * DAY_MS).slice(0, 10) };
}

/** A backtest over a random window, with rules on two timeframes. */
export function randomBacktest(held: readonly HeldSeries[], random: Random) {
  const series = pick(held, random);
  const interval = pick(series.intervals, random);
  const coarse = interval === '1d' ? '1d' : '4h';
  const strategy = {
    name: 'Windows',
    asset: series.asset,
    entry: [
      {
        name: 'ema_cross_up',
        signal_type: 'TRIGGER',
        timeframe: interval,
        params: { window_fast: 20, window_slow: 60 },
      },
      {
        name: 'is_above_sma',
        signal_type: 'FILTER',
        timeframe: coarse,
        params: { window: 10 + Math.floor(random() * 90) },
      },
    ],
    exit: [
      { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: interval, params: { window: 14, threshold: 65 } },
    ],
  };
  return { ...riskFields, ...windowOf(series, random), interval, strategy_json: JSON.stringify(strategy) };
}

/** Signals over a window, and one on bars that the request brings. */
export function randomEvaluation(held: readonly HeldSeries[], random: Random) {
  const series = pick(held, random);
  const startMs = series.fromMs + Math.floor(random() * 200) * DAY_MS;
  const endMs = startMs + (2 + Math.floor(random() * 100)) * DAY_MS;
  return {
    symbol: series.asset,
    chart_timeframe: pick(series.intervals, random),
    start_date: isoTime(startMs),
    end_date: isoTime(endMs),
    signals: [
      { name: 'rsi_oversold', params: { window: 2 + Math.floor(random() * 30) } },
      { name: 'macd_bullish_cross' },
    ],
  };
}

/** An experiment of 16 runs over two series. */
export const smallExperiment = (random: Random) =>
  crossSweep({
    name: 'soaked',
    seed: Math.floor(random() * 1e9),
    datasets: [{ asset: 'BTC', timeframe: pick(['15m', '1h', '4h', '1d'], random) }],
    entry_signals: {
      triggers: [
        trigger('sma_cross_up', {
          window_fast: { values: [5, 10] },
          window_slow: { values: [20 + Math.floor(random() * 100), 200] },
        }),
      ],
      filters: [filter('is_above_sma', { window: { values: [50, 100] } }, { timeframe: '1d' })],
    },
  });

/** Launches an experiment and waits for its end. @returns its id */
export async function runExperiment(service: ServiceProcess, key: string, configuration: object): Promise<string> {
  const call = (method: string, path: string, body?: object) =>
    succeed(service, key, method, `/v1/oracle/experiments${path}`, body);
  const { experiment_id: id } = await call('POST', '', configuration);
  const { errors } = await call('POST', `/${id}/validate`);
  if (errors?.length > 0) throw new Error(errors.join('; '));
  await call('POST', `/${id}/launch`);
  for (;;) {
    const { status, error } = await call('GET', `/${id}`);
    if (status === 'completed') return id;
    if (status !== 'queued' && status !== 'running') throw new Error(`the experiment is ${status}: ${error}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
