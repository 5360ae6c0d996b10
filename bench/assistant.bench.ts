// Asks: how long does the assistant take for the turn that runs eight backtests of a year of
// hours, and how much memory does the service hold then?

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openBars } from '../data/bars/index.js';
import { runBacktest } from '../research/backtest/index.js';
import type { BacktestFigures, StrategyConfig } from '../service/assistant/plan/plan.js';
import { root } from '../test/support/tree.js';
import { medianOf, type Sizes, type Timing, yardstickMs } from './measure.js';
import { type BenchService, newBenchHome, startBenchService } from './service-under-load.js';

const window = { start: '2024-01-01', end: '2024-12-31' };
const HOURS = 8_784;
const CANDIDATES = 8;
/** The last of them is timed. */
const messages = [
  `Follow the trend of BTC on hourly bars from ${window.start} to ${window.end}`,
  ...['go on', 'go on', 'go on'],
];
const ROUNDS = 20;
const POLL_MS = 5;
const P50_MS_AIM = 2_000;
const MEMORY_MB_AIM = 1_000;

interface Context {
  readonly processing_status: string;
  readonly current_mode: string;
  readonly backtest_results: {
    readonly candidates: readonly { readonly config: StrategyConfig; readonly figures: BacktestFigures }[];
  };
}

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const home = newBenchHome();
  const service = await startBenchService(home);
  try {
    const first = await converse(service);
    await assertFigures(first.context);
    const times: number[] = [];
    for (let i = 0; i < (isSmoke ? 1 : ROUNDS); i++) times.push((await converse(service)).ms);
    const p50Ms = medianOf(times);
    const name = `turn of ${CANDIDATES} backtests, BTC 1h 2024`;
    console.log(
      `${name.padEnd(34)} ${p50Ms.toFixed(0).padStart(9)} ms${missed(p50Ms, P50_MS_AIM)}, first ${first.ms.toFixed(0)} ms`,
    );
    const mb = service.peakResidentMb();
    console.log(`resident at most: ${mb.toFixed(0)} MB${missed(mb, MEMORY_MB_AIM)}`);
    return [{ name, bars: HOURS, p50Ms, nsPerBar: (p50Ms * 1e6) / HOURS, yardsticks: p50Ms / yardstickMs(10_000) }];
  } finally {
    await service.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** A conversation up to its results, and the time of the turn that made them. */
async function converse({ origin, key }: BenchService): Promise<{ context: Context; ms: number }> {
  const call = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${origin}/api/v1/ai-copilot${path}`, { method, headers, ...sent });
    const answer = await response.json();
    assert.ok(response.ok, JSON.stringify(answer).slice(0, 300));
    return answer as { readonly conversation: { readonly session_id: string }; readonly context: Context };
  };
  const { session_id: id } = (await call('POST', '/start_new_conversation', {})).conversation;
  let ms = 0;
  let context: Context | null = null;
  for (const message of messages) {
    const start = performance.now();
    await call('POST', `/chat/${id}`, { message });
    do {
      await delay(POLL_MS);
      ({ context } = await call('GET', `/conversations/${id}`));
    } while (context.processing_status === 'processing');
    ms = performance.now() - start;
  }
  assert.ok(context !== null && context.current_mode === 'done');
  assert.equal(context.backtest_results.candidates.length, CANDIDATES);
  return { context, ms };
}

/** The figures of the answer are those of the engine called directly. */
async function assertFigures({ backtest_results }: Context): Promise<void> {
  const store = openBars({ home: '/nonexistent', sampleDir: join(root, 'sample') });
  for (const { config: strategy, figures } of backtest_results.candidates) {
    const { execution_config: config } = strategy;
    const alone = await runBacktest({ strategy, interval: '1h', window, config }, { store, engineVersion: 'bench' });
    const { total_return, max_drawdown } = alone.result.metrics;
    assert.deepEqual(
      [figures.trade_count, figures.total_return, figures.max_drawdown],
      [alone.result.trade_count, total_return, max_drawdown],
    );
  }
}

const missed = (value: number, aim: number): string => (value > aim ? `, over the aim of ${aim}` : '');
