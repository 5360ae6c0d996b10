import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Frame, withFrame } from '../../../../engine/indicators/frame.js';
import { ColumnPool } from '../../../../engine/series/column-pool.js';
import {
  allocateBars,
  bufferNumber,
  ColumnMemory,
  sharedColumns,
  weighReceived,
} from '../../../../engine/series/index.js';
import { barsPerYear, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../engine/series/intervals.js';
import { signalMask } from '../../../../engine/signals/evaluate.js';
import { signals } from '../../../../engine/signals/registry.js';
import { withinReach } from '../../../../engine/simd/index.js';
import { evaluateRules, parseStrategy, planStrategy } from '../../../../engine/strategy/index.js';
import { randomParams } from '../../../support/params.js';
import { randomBars, seededRandom, withOnchain } from '../../../support/random.js';

test('a year has the bars of its trading days, and of whole days for intervals above a day', () => {
  const shares = { trading_days_per_year: 252, trading_hours_per_day: 6.5 };
  const currencies = { trading_days_per_year: 260, trading_hours_per_day: 24 };
  const cases = [
    [MINUTE_MS, undefined, 525_600],
    [HOUR_MS, undefined, 8_760],
    [DAY_MS, undefined, 365],
    [7 * DAY_MS, undefined, 365 / 7],
    [30 * MINUTE_MS, shares, 252 * 13],
    [DAY_MS, shares, 252],
    [12 * HOUR_MS, shares, 252], // a bar on each day, however short the session
    [7 * DAY_MS, shares, 365 / 7],
    [HOUR_MS, currencies, 6_240],
  ] as const;
  for (const [intervalMs, calendar, count] of cases) assert.equal(barsPerYear(intervalMs, calendar), count);
});

const LENGTH = 125_000;
const COLUMN_BYTES = LENGTH * 8;

/** Bytes that the garbage collector counts more after `work`, in columns. */
function columnsWeighed(work: () => void): number {
  const before = process.memoryUsage().arrayBuffers;
  work();
  return (process.memoryUsage().arrayBuffers - before) / COLUMN_BYTES;
}

test('a buffer weighs once in a thread, by however many messages it comes', () => {
  const { buffer } = sharedColumns(1, LENGTH)[0]!;
  const number = bufferNumber(buffer);
  assert.equal(bufferNumber(buffer), number);
  const received = Array.from({ length: 50 }, () => structuredClone(buffer));
  assert.equal(new Set(received).size, 50);
  const weight = columnsWeighed(() => {
    for (const one of received) weighReceived(one, number);
  });
  assert.ok(weight > 0.9 && weight < 2, String(weight));
});

test('no signal reads the values that an earlier series left in a column', () => {
  const bars = withOnchain(randomBars({ seed: 3, barCount: 8_200, gapChance: 0.01 }), 4);
  const random = seededRandom(5);
  const pool = ColumnPool.beside(bars.close);
  for (const signal of signals) {
    const params = randomParams(signal, random);
    const expected = signalMask(signal, params, Frame.of(bars));
    // Every column that the signal takes is a spare one, full of a price that would show.
    const spares = Array.from({ length: 60 }, () => pool.take(bars.barCount).fill(97.5));
    pool.give(spares);
    assert.deepEqual(
      withFrame(bars, (frame) => signalMask(signal, params, frame)),
      expected,
      signal.name,
    );
  }
});

/** Allocates and frees columns at random among some holders, and returns those in use at the end. */
function churn(holders: readonly ColumnMemory[]): Map<Float64Array, ColumnMemory> {
  const random = seededRandom(1);
  const held = new Map<Float64Array, readonly [ColumnMemory, number]>();
  for (let step = 1; step <= 5_000; step++) {
    if (held.size < 20) {
      const memory = holders[Math.floor(random() * holders.length)]!;
      const column = memory.allocate(1 + Math.floor(random() * 4_000));
      held.set(column.fill(step), [memory, step]);
    } else {
      const [column, [memory, mark]] = [...held][Math.floor(random() * held.size)]!;
      assert.ok(column.every((value) => value === mark));
      held.delete(column);
      memory.free(column);
    }
  }
  return new Map([...held].map(([column, [memory]]) => [column, memory]));
}

test('those that share a memory, as threads do, get bytes of their own while all of them add pages', () => {
  const memory = ColumnMemory.create(0);
  const held = churn([memory, ColumnMemory.join(memory.memory), ColumnMemory.join(memory.memory)]);
  for (const [column, holder] of held) holder.free(column);
  assert.ok(memory.bytes < 3 * 20 * 8 * 4_000, `${memory.bytes} bytes`);
});

test('columns never overlap, and a memory grows only to what is in use at once, for any lengths', () => {
  const memory = ColumnMemory.create(0);
  const held = churn([memory]);
  assert.ok(memory.bytes < 2 * 20 * 8 * 4_000, `${memory.bytes} bytes`);
  for (const column of held.keys()) memory.free(column);
  const { bytes } = memory;
  memory.allocate(bytes / 8);
  assert.equal(memory.bytes, bytes, 'all gaps have joined');
});

test('a column that is released twice is refused', () => {
  const memory = ColumnMemory.create(0);
  const [first, second] = [memory.allocate(100), memory.allocate(100)];
  memory.free(first!);
  assert.throws(() => memory.free(first!), /a column was given back twice: bytes 0\.\.832/);
  memory.free(second!);
  assert.throws(() => memory.free(second!), /given back twice/);
});

const rules = parseStrategy(
  {
    name: 'Two timeframes',
    entry: [
      { name: 'ema_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} },
      { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '4h', params: { window: 30 } },
    ],
    exit: [],
  },
  'relaxed',
);

test('work on a copy in the memory of the thread has the same result, and the copy is released', () => {
  const source = randomBars({ seed: 2, barCount: 20_000 });
  const bars = allocateBars(source.barCount, source.intervalMs, [], sharedColumns);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) bars[name].set(source[name]);
  assert.equal(ColumnMemory.of(bars.close), undefined);
  const plan = planStrategy(rules, bars.intervalMs);
  const expected = evaluateRules(plan, source);
  const offsets = [0, 1, 2].map(() =>
    withinReach(bars, (copy) => {
      assert.notEqual(ColumnMemory.of(copy.close), undefined);
      assert.deepEqual(evaluateRules(plan, copy), expected);
      return copy.close.byteOffset;
    }),
  );
  assert.throws(() =>
    withinReach(bars, () => {
      throw new Error('no');
    }),
  );
  assert.deepEqual(new Set([...offsets, withinReach(bars, ({ close }) => close.byteOffset)]).size, 1);
});
