import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import { sliceBars } from '../../../../engine/series/index.js';
import { parseStrategy } from '../../../../engine/strategy/index.js';
import type { BacktestDeps } from '../../../../service/backtests/index.js';
import { runSimulation } from '../../../../service/simulations/capability.js';
import { candidatesFor } from '../../../../service/simulations/generate.js';
import { listPresets } from '../../../../service/simulations/presets.js';
import { SimulationStore } from '../../../../service/simulations/store.js';
import { inThisThread, ThreadFailure } from '../../../../workers/index.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { bundledStore, callerOf, dipStrategy } from '../../../support/backtests.js';
import { randomBars } from '../../../support/random.js';
import { rejectsWith } from '../../../support/refusals.js';
import { sharedState } from '../../../support/shared-state.js';

const caller = callerOf('ann');

async function simulationDeps(changes: Partial<BacktestDeps> = {}) {
  const backtests = await backtestDeps(changes);
  const store = new SimulationStore((await sharedState()).db);
  const lines = async () => (await store.list(caller, 10, 0)).rows;
  return { deps: { backtests, bars: bundledStore, store }, lines, internalErrors: backtests.internalErrors };
}

const request = {
  strategy_config: dipStrategy,
  asset: 'BTC',
  timeframe: '1d',
  start_date: '2023-01-01',
  end_date: '2023-12-31',
};
const failing = (error: Error): Partial<BacktestDeps> => ({
  engine: { ...inThisThread, compute: () => Promise.reject(error) },
});

const failures: readonly [what: string, error: Error, message: RegExp, isBug: boolean][] = [
  ['takes too long', new ThreadFailure('deadline', 'no answer within 1 ms'), /takes too long/, false],
  ['dies', new ThreadFailure('died', 'ended its thread'), /ended its thread/, true],
  ['cannot compute', new EngineError('INVALID_DATA', 'no such column'), /^no such column$/, false],
  ['has a bug', new Error('secret detail'), /^internal error$/, true],
];

for (const [what, error, message, isBug] of failures) {
  test(`an engine that ${what} gives a result that says so, and a line of the history`, async () => {
    const { deps, lines, internalErrors } = await simulationDeps(failing(error));
    const answer = await runSimulation(caller, request, deps);
    assert.deepEqual(
      [answer.success, answer.trades, answer.ohlcv, answer.metrics, answer.denied_signals],
      [false, [], [], {}, []],
    );
    assert.match(answer.error ?? '', message);
    assert.equal(answer.strategy_config.name, 'Dip buyer');
    const [{ id, status, error: told, metrics, trade_count }] = await lines();
    assert.deepEqual(
      [id, status, told, metrics, trade_count],
      [answer.simulation_id, 'failed', answer.error, null, null],
    );
    assert.equal(internalErrors.length, isBug ? 1 : 0);
  });
}

test('a full engine gives no result, because a retry helps', async () => {
  const { deps, lines } = await simulationDeps(failing(new ThreadFailure('full', '64 wait')));
  await rejectsWith(runSimulation(caller, request, deps), 'ENGINE_BUSY', /the engine is busy/);
  assert.deepEqual(await lines(), []);
});

const DAY_BARS = 288;
const startMs = Date.UTC(2020, 0, 1);

test('a simulation answers with 200,000 bars at most', async () => {
  const long = randomBars({ seed: 1, barCount: 200_001, intervalMs: 300_000, startMs });
  const runOver = async (barCount: number) => {
    const series = { file: 'x', asset: 'BTC', interval: '5m', intervalMs: 300_000, columns: [], contentHash: '' };
    const entry = { ...series, firstMs: startMs, lastMs: Number.POSITIVE_INFINITY };
    const market = {
      resolveSource: async () => ({ entry, aggregateToMs: null }),
      load: async () => ({ bars: sliceBars(long, 0, barCount) }),
    } as unknown as BacktestDeps['market'];
    const { deps } = await simulationDeps({ market, ...failing(new EngineError('INVALID_DATA', 'begun')) });
    const end_date = new Date(startMs + Math.ceil(barCount / DAY_BARS) * 86_400_000).toISOString().slice(0, 10);
    return runSimulation(caller, { ...request, timeframe: '5m', start_date: '2020-01-01', end_date }, deps);
  };
  assert.equal((await runOver(200_000)).error, 'begun');
  await rejectsWith(runOver(200_001), 'VALIDATION_ERROR', /at most 200000 bars, the window has 200001/);
});

test('presets show what their names promise', async () => {
  const { deps } = await simulationDeps();
  const move = new Map<string, number>();
  for (const { id, request: run } of listPresets()) {
    const { ohlcv, trades, denied_signals } = await runSimulation(caller, run, deps);
    assert.ok(trades.length > 0, id);
    assert.deepEqual(denied_signals, []);
    move.set(id, ohlcv.at(-1)!.close / ohlcv[0]!.open - 1);
  }
  const of = (id: string) => move.get(id)!;
  assert.ok(of('bull-run') > 0.3 && of('bear-market') < -0.3 && Math.abs(of('quiet-range')) < 0.1);
});

const prompts = ['momentum', 'mean-reversion', 'a breakout', 'trend', 'oversold', 'overbought', 'volume', 'luck'];

test('every candidate of every keyword is a whole strategy that could be saved, and no two are the same', () => {
  for (const prompt of prompts) {
    for (let seed = 0; seed < 20; seed++) {
      const { candidates } = candidatesFor({ prompt, asset: 'BTC-USD', timeframe: '4h', count: 10, seed });
      for (const { timeframe: _, ...candidate } of candidates) parseStrategy(candidate, 'strict');
      const rules = candidates.map(({ entry, exit }) => JSON.stringify([entry, exit]));
      assert.deepEqual([new Set(rules).size, new Set(candidates.map(({ name }) => name)).size], [10, 10]);
    }
  }
});
