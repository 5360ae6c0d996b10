// Asks: how long does a submitted backtest take from its submission to its end, on an idle service,
// compared with the same run while its caller waits? And how many wake-ups a second does the queue
// carry on the embedded store?
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { openState } from '../service/state/index.js';
import { riskFields } from '../test/support/backtests.js';
import { JOBS_MAX, openQueues } from '../workers/queues/index.js';
import { medianMsOf, type Sizes, type Timing, yardstickMs } from './measure.js';
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
const request = JSON.stringify({
  strategy_json: JSON.stringify(strategy),
  asset: 'BTC',
  interval: '1h',
  start_date: '2024-01-01',
  end_date: '2024-12-31',
  ...riskFields,
});
const HOURS = 8_784;
/** A client that polls without a pause would take CPU time from the run that it waits for. */
const POLL_MS = 5;

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  return [...(await submissions(isSmoke)), await jobs(isSmoke ? 20 : 2_000)];
}

async function submissions(isSmoke: boolean): Promise<Timing[]> {
  const home = newBenchHome();
  const service = await startBenchService(home);
  try {
    const call = caller(service);
    const waiting = await call('POST', '/v1/backtests', request);
    const submitted = await submit(call);
    assert.deepEqual(submitted.metrics, waiting.metrics, 'a submitted run ends as one that is waited for');
    const count = isSmoke ? 1 : 60;
    for (let i = 0; i < (isSmoke ? 0 : 10); i++) await submit(call);
    const waitedMs = await medianMsOf(count, async () => {
      await call('POST', '/v1/backtests', request);
    });
    const submittedMs = await medianMsOf(count, async () => {
      await submit(call);
    });
    return [
      report('backtest of a year, waited for', waitedMs, HOURS),
      report('the same, submitted and polled', submittedMs, HOURS, waitedMs),
    ];
  } finally {
    await service.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared whole
type Call = (method: string, path: string, body?: string) => Promise<any>;

const caller =
  ({ origin, key }: BenchService): Call =>
  async (method, path, body) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${origin}/api${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    const answer = await response.json();
    assert.ok(response.ok, JSON.stringify(answer).slice(0, 300));
    return answer;
  };

async function submit(call: Call) {
  const { backtest_id: id } = await call('POST', '/v1/oracle/backtest/async', request);
  for (;;) {
    const state = await call('GET', `/v1/oracle/backtest/async/${id}`);
    if (state.status === 'completed') return state;
    assert.notEqual(state.status, 'failed', state.error_message);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Jobs that do nothing, so that only the queue is timed. */
async function jobs(count: number): Promise<Timing> {
  const home = newBenchHome();
  const store = await openState({ home });
  const opened = await openQueues({
    openPool: (schema) => store.openQueuePool(schema),
    onError: (error) => assert.fail(String(error)),
  });
  try {
    let left = 0;
    let ended = () => {};
    opened.work('backtests', {
      concurrency: 4,
      async process() {
        if (--left === 0) ended();
        return 'done';
      },
    });
    const start = performance.now();
    for (let done = 0; done < count; done += JOBS_MAX) {
      left = Math.min(JOBS_MAX, count - done);
      const all = new Promise<void>((resolve) => {
        ended = resolve;
      });
      await opened.add('backtests', left);
      await all;
    }
    const ms = performance.now() - start;
    console.log(`${Math.round((count * 1_000) / ms)} jobs/s through the queue on the embedded store`);
    return report('a job through the queue', ms / count);
  } finally {
    await opened.close();
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function report(name: string, p50Ms: number, bars = 1, peerMs?: number): Timing {
  console.log(`${name.padEnd(34)} ${p50Ms.toFixed(1).padStart(9)} ms`);
  const timing = { name, bars, p50Ms, nsPerBar: (p50Ms * 1e6) / bars, yardsticks: p50Ms / yardstickMs(10_000) };
  return peerMs === undefined ? timing : { ...timing, ratio: peerMs / p50Ms };
}
