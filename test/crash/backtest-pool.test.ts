import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { BacktestWork } from '../../engine/backtest/index.js';
import { resolveConfig } from '../../engine/execution/index.js';
import { type BarSeries, sliceBars } from '../../engine/series/index.js';
import { parseStrategy } from '../../engine/strategy/index.js';
import { type BacktestPoolOptions, inThisThread, openBacktestPool } from '../../workers/index.js';
import { dipStrategy } from '../support/backtests.js';
import type { Deadly } from '../support/deadly-backtest-task.js';
import { randomBars, withOnchain } from '../support/random.js';
import { moduleUrl } from '../support/tree.js';

const DAY_MS = 86_400_000;
const bars = randomBars({ seed: 3, barCount: 900, intervalMs: DAY_MS });

const workOf = (series: BarSeries = bars, deadly?: Omit<Deadly, 'begun'> & Partial<Deadly>): BacktestWork => ({
  strategy: {
    ...parseStrategy(dipStrategy, 'relaxed'),
    ...(deadly === undefined ? {} : { deadly: { begun: flag(), ...deadly } }),
  },
  bars: series,
  first: 200,
  config: resolveConfig({ interval: series.intervalMs, request: { atr_long_weight: 0 } }).config,
});

const flag = (value = 0): Int32Array => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  cell[0] = value;
  return cell;
};

/**
 * Resolves when a thread has set the cell. The TypeScript library has no type for `waitAsync` yet.
 */
async function changed(cell: Int32Array): Promise<void> {
  const { waitAsync } = Atomics as unknown as {
    waitAsync(cell: Int32Array, index: number, value: number): { readonly value: unknown };
  };
  await waitAsync(cell, 0, 0).value;
}

const open = (options: Partial<BacktestPoolOptions> = {}) => {
  const pool = openBacktestPool({
    threads: 1,
    task: moduleUrl('test/support/deadly-backtest-task'),
    ...options,
  });
  after(() => pool.close());
  return pool;
};

test('a thread computes what this thread computes, on shared, sliced, small and chain columns', async () => {
  const pool = open();
  const long = randomBars({ seed: 4, barCount: 20_000, intervalMs: 3_600_000 });
  for (const series of [bars, sliceBars(long, 100, 15_000), withOnchain(bars, 4)]) {
    const work = workOf(series);
    const [theirs, ours] = [await pool.compute(work), await inThisThread.compute(work)];
    assert.ok(ours.simulation.trades.length > 0);
    assert.deepEqual(theirs, ours);
    const options = { cutCount: 3, seed: 1 };
    assert.deepEqual(await pool.audit(work, options), await inThisThread.audit(work, options));
  }
});

test('a refusal by the engine comes back as its error, with code and details', async () => {
  const work = workOf();
  const config = { ...work.config, fee_pct: 7 };
  await assert.rejects(open().compute({ ...work, config }), {
    name: 'EngineError',
    code: 'INVALID_FIELD',
    message: 'fee_pct must be a number >= 0 and <= 0.5, was 7',
    details: { field: 'fee_pct' },
  });
});

for (const way of ['exit', 'memory', 'throw'] as const) {
  test(`a job whose thread ends by ${way} is done by another one`, async () => {
    const pool = open({ heapMbMax: 64 });
    const result = await pool.compute(workOf(bars, { way, left: flag(1) }));
    assert.deepEqual(result, await inThisThread.compute(workOf()));
  });
}

test('a job that ends every thread fails, and the next one is computed', async () => {
  const pool = open({ heapMbMax: 64 });
  await assert.rejects(pool.compute(workOf(bars, { way: 'exit', left: flag(99) })), {
    name: 'ThreadFailure',
    fault: 'died',
    message: 'the backtest ended its thread 2 times',
  });
  assert.ok((await pool.compute(workOf())).simulation.trades.length > 0);
});

test('the deadline ends a job that does not end, and its thread; a job that waited meanwhile is computed', async () => {
  const pool = open();
  await pool.compute(workOf());
  const begun = flag();
  const stuck = assert.rejects(pool.within(300).compute(workOf(bars, { way: 'forever', left: flag(1), begun })), {
    fault: 'deadline',
    message: 'no answer within 300 ms',
  });
  await changed(begun);
  const impatient = assert.rejects(pool.within(1).compute(workOf()), {
    fault: 'full',
    message: 'no thread was free within 1 ms',
  });
  const patient = pool.compute(workOf());
  await Promise.all([stuck, impatient]);
  assert.ok((await patient).simulation.trades.length > 0);
});

test('a caller that leaves ends its job, waiting or begun', async () => {
  const pool = open();
  const [begun, leaving] = [flag(), new AbortController()];
  const running = pool.compute(workOf(bars, { way: 'forever', left: flag(1), begun }), leaving.signal);
  const waiting = pool.compute(workOf(), leaving.signal);
  await changed(begun);
  leaving.abort(new Error('gone'));
  await assert.rejects(running, /^Error: gone$/);
  await assert.rejects(waiting, /^Error: gone$/);
  await assert.rejects(pool.compute(workOf(), leaving.signal), /^Error: gone$/);
  assert.ok((await pool.compute(workOf())).simulation.trades.length > 0);
});

test('a full queue refuses, and closing ends the waiting jobs', async () => {
  const pool = open({ queueMax: 1 });
  const begun = flag();
  const running = pool.compute(workOf(bars, { way: 'forever', left: flag(1), begun }));
  await changed(begun);
  const waiting = pool.compute(workOf());
  await assert.rejects(pool.compute(workOf()), { fault: 'full', message: '1 backtests already wait for a thread' });
  const ends = [running, waiting].map((job) => assert.rejects(job, { fault: 'closed' }));
  await pool.close();
  await Promise.all(ends);
  await assert.rejects(pool.compute(workOf()), { fault: 'closed' });
});
