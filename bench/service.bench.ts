// Asks: how long do a backtest of a year over REST and a start of the service take, and how much
// memory does the service hold at rest?

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openBars } from '../data/bars/index.js';
import { runBacktest } from '../research/backtest/index.js';
import { riskFields } from '../test/support/backtests.js';
import { root } from '../test/support/tree.js';
import { medianMsOf, medianOf, type Sizes, type Timing, yardstickMs } from './measure.js';
import { type BenchService, newBenchHome, startBenchService } from './service-under-load.js';

const strategy = {
  name: 'dip',
  asset: 'BTC',
  entry: [
    { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 14, threshold: 30 } },
    { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: { window: 50 } },
  ],
  exit: [],
};
const window = { start: '2024-01-01', end: '2024-12-31' };
const HOURS = 8_784;
/** V8 gives back what a start took within this time. */
const REST_MS = 60_000;

const request = JSON.stringify({
  strategy_json: JSON.stringify(strategy),
  asset: 'BTC',
  interval: '1h',
  start_date: window.start,
  end_date: window.end,
  ...riskFields,
});

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const home = newBenchHome();
  try {
    const first = await startBenchService(home);
    const key = first.key ?? '';
    const timings = [report('first start, empty home', first.startMs)];
    await first.stop();
    const starts: number[] = [];
    for (let i = 0; i < (isSmoke ? 0 : 4); i++) {
      const again = await startBenchService(home);
      starts.push(again.startMs);
      await again.stop();
    }
    const service = await startBenchService(home);
    try {
      starts.push(service.startMs);
      timings.push(report('later start', medianOf(starts)));
      await delay(isSmoke ? 0 : REST_MS);
      const [now, peak] = [service.residentMb(), service.peakResidentMb()].map((mb) => mb.toFixed(0));
      console.log(`resident a minute after a start: ${now} MB, at its peak ${peak} MB`);
      timings.push(await backtests(service, key, isSmoke));
      console.log(`resident after the backtests: ${service.peakResidentMb().toFixed(0)} MB`);
    } finally {
      await service.stop();
    }
    return timings;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function backtests({ origin }: BenchService, key: string, isSmoke: boolean): Promise<Timing> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const post = async () => {
    const response = await fetch(`${origin}/api/v1/backtests`, { method: 'POST', headers, body: request });
    const body = (await response.json()) as { trade_count: number; metrics: { final_balance: number } };
    assert.equal(response.status, 200, JSON.stringify(body).slice(0, 300));
    return body;
  };
  const store = openBars({ home: '/nonexistent', sampleDir: join(root, 'sample') });
  const config = { cooldown_bars: 24, daily_momentum_limit: 3, weekly_momentum_limit: 3 };
  const alone = await runBacktest({ strategy, interval: '1h', window, config }, { store, engineVersion: 'bench' });
  const answer = await post();
  assert.equal(answer.trade_count, alone.result.trade_count);
  assert.equal(
    answer.metrics.final_balance,
    alone.result.metrics.final_balance,
    'the engine called directly says the same',
  );
  for (let i = 0; i < (isSmoke ? 0 : 20); i++) await post();
  const p50Ms = await medianMsOf(isSmoke ? 1 : 100, async () => {
    await post();
  });
  return report('backtest over REST, BTC 1h 2024', p50Ms, HOURS);
}

function report(name: string, p50Ms: number, bars = 1): Timing {
  console.log(`${name.padEnd(34)} ${p50Ms.toFixed(1).padStart(9)} ms`);
  return { name, bars, p50Ms, nsPerBar: (p50Ms * 1e6) / bars, yardsticks: p50Ms / yardstickMs(10_000) };
}
