import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import {
  defineSignal,
  EngineError,
  loadBars,
  runBacktest,
  type Strategy,
  startLive,
} from '../../../../library/index.js';
import { jsonOf, runCliBatch } from '../../../support/cli.js';
import { randomBars } from '../../../support/random.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

const home = temporaryFolder('library');
const strategy = {
  name: 'crosses',
  entry: [
    { name: 'ema_cross_up', signal_type: 'TRIGGER', params: { window_fast: 3, window_slow: 8 } },
    { name: 'formula', signal_type: 'FILTER', params: { when: 'close > lowest(low, n)', n: 10 } },
  ],
  exit: [{ name: 'ema_cross_down', signal_type: 'TRIGGER', params: { window_fast: 3, window_slow: 8 } }],
} as const satisfies Strategy;
const config = { fee_pct: 0.001, slippage_pct: 0.0005, min_trade_amount: 1 };

const market = async (seed: number, barCount = 600) => {
  const { time, open, high, low, close, volume } = randomBars({ seed, barCount, flatChance: 0.05, gapChance: 0.01 });
  return loadBars({ columns: { time, open, high, low, close, volume }, asset: 'RND' });
};

/** A dip below the mean of the closes so far, which is not a signal of the library. */
const dip = defineSignal({
  name: 'my_dip',
  role: 'TRIGGER',
  params: {
    n: { type: 'int', min: 2, max: 100, default: 20 },
    depth: { type: 'float', min: 0, max: 1, default: 0.01 },
  },
  warmup: ({ n }) => n,
  compute: ({ close }, { n, depth }) =>
    Array.from(close, (price, t) => {
      const window = close.subarray(Math.max(0, t - n + 1), t + 1);
      return price < (1 - depth) * (window.reduce((sum, value) => sum + value, 0) / window.length);
    }),
});

test('one call gives the result of the command line, from the same bars', async () => {
  const file = 'examples/dip.json';
  const asked = { interval: '1h', start: '2024-01-01', end: '2024-03-31' };
  const json = JSON.parse(await readFile(join(root, file), 'utf8')) as Strategy;
  const run = await runBacktest({ strategy: json, ...asked, home });
  const args = ['backtest', '--strategy', file, '--interval', '1h', '--start', asked.start, '--end', asked.end];
  const printed = jsonOf((await runCliBatch([[...args, '--json', '--curve', '--no-record']], { home }))[0]!) as {
    manifest: object;
    equity: unknown[];
  };
  assert.deepEqual(JSON.parse(JSON.stringify(run.result.manifest)), printed.manifest);
  assert.equal(run.equity.length, printed.equity.length);
  assert.equal(run.time.length, run.equity.length);
  assert.ok(run.trades.length > 0);
});

test('a live run refuses a bar that is not after the one before, and a rule that the engine refuses', async () => {
  const history = await market(2, 50);
  const live = startLive({ strategy, history, config });
  assert.throws(() => live.step(barOf(history, 49)), /is a duplicate of the one before/);
  assert.throws(() => live.step({ ...barOf(history, 49), time: history.time[49]! + 60_000 }), /at least 3600 s after/);
  const next = { ...barOf(history, 49), time: history.time[49]! + 3_600_000 };
  assert.throws(() => live.step({ ...next, time: 'soon' }), /the new bar: time must be epoch ms/);
  const unknown = { entry: [{ name: 'rsi_cros_up', signal_type: 'TRIGGER' as const }] };
  assert.throws(() => startLive({ strategy: unknown, history }), /did you mean rsi_cross_up/);
});

test('a signal of one’s own trades, is in the tear sheet and in the identity of the run', async () => {
  const bars = await market(3);
  const mine: Strategy = { entry: [{ name: 'my_dip', signal_type: 'TRIGGER', params: { n: 15 } }] };
  const run = await runBacktest({ strategy: mine, bars, config, signals: [dip] });
  assert.ok(run.trades.length > 0);
  assert.match(run.tearSheet(), /my_dip/);
  const changed = defineSignal({ ...definitionOf(0.02), name: 'my_dip' });
  const other = await runBacktest({ strategy: mine, bars, config, signals: [changed] });
  assert.notEqual(other.result.manifest.run_id, run.result.manifest.run_id);
  const without = await runBacktest({ strategy: mine, bars, config });
  assert.deepEqual(
    without.result.denied_signals.map(({ reason }) => reason),
    ['unknown_signal'],
  );
});

const definitionOf = (depth: number) =>
  ({
    role: 'TRIGGER',
    params: { n: { type: 'int', min: 2, max: 100, default: 20 } },
    warmup: 20,
    compute: ({ close }: { close: Float64Array }) =>
      Array.from(close, (price, t) => price < (close[t - 1] ?? 0) * (1 - depth)),
  }) as const;

const bad: readonly (readonly [compute: () => unknown, message: RegExp])[] = [
  [() => [true], /signal my_bad: compute must return 600 answers, one per bar, returned 1/],
  [async () => [true], /and not asynchronous/],
  [
    () => new Float64Array(600).fill(Number.NaN, 7),
    /must be true or false \(1 or 0\), was NaN at bar 7 \(2024-01-01T07/,
  ],
  [
    () => {
      throw new Error('no such column');
    },
    /signal my_bad: compute failed over 600 bars: no such column/,
  ],
];

test('a signal that answers badly ends the run', async () => {
  for (const [compute, message] of bad) {
    const signal = defineSignal({ name: 'my_bad', role: 'FILTER', warmup: 1, compute: compute as () => boolean[] });
    const rules: Strategy = { entry: [...strategy.entry, { name: 'my_bad', signal_type: 'FILTER' }] };
    const run = runBacktest({ strategy: rules, bars: await gapless(), config, signals: [signal] });
    await assert.rejects(run, (error: unknown) => error instanceof EngineError && message.test(error.message));
  }
});

const gapless = async () => {
  const { time, open, high, low, close } = randomBars({ seed: 8, barCount: 600 });
  return loadBars({ columns: { time, open, high, low, close } });
};

const definitions: readonly (readonly [change: object, message: RegExp])[] = [
  [{ name: 'rsi_cross_up' }, /name must be the name of no built-in signal/],
  [{ role: 'BOTH' }, /my_x: role must be TRIGGER, FILTER or any, was "BOTH"/],
  [{ params: { n: { type: 'int', min: 1, max: 5, default: 9 } } }, /n must be 1\.\.5, was 9/],
];

test('defineSignal refuses what no run could use', () => {
  for (const [change, message] of definitions) {
    const plain = { name: 'my_x', role: 'FILTER', warmup: 1, compute: () => [] };
    assert.throws(
      () => defineSignal({ ...plain, ...change } as Parameters<typeof defineSignal>[0]),
      (error: unknown) => error instanceof EngineError && message.test(error.message),
    );
  }
});

type Loaded = Awaited<ReturnType<typeof loadBars>>;

const barOf = (bars: Loaded, i: number) => ({
  time: bars.time[i]!,
  open: bars.open[i]!,
  high: bars.high[i]!,
  low: bars.low[i]!,
  close: bars.close[i]!,
  volume: bars.volume[i]!,
});
