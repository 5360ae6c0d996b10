import assert from 'node:assert/strict';
import test from 'node:test';
import { close } from '../../../../engine/indicators/column.js';
import { Frame, withFrame } from '../../../../engine/indicators/frame.js';
import { SMA } from '../../../../engine/indicators/rolling.js';
import { ColumnMemory } from '../../../../engine/series/column-memory.js';
import { ColumnPool } from '../../../../engine/series/column-pool.js';
import { signalMask } from '../../../../engine/signals/evaluate.js';
import { signals } from '../../../../engine/signals/registry.js';
import { randomParams } from '../../../support/params.js';
import { randomBars, seededRandom, withOnchain } from '../../../support/random.js';

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

test('columns are reused after the work, not during it, and not outside of it', () => {
  const bars = randomBars({ seed: 1, barCount: 3_000 });
  const offsets = () => withFrame(bars, (frame) => [5, 6].map((window) => frame.column(SMA(close, window)).byteOffset));
  const first = offsets();
  assert.notEqual(first[0], first[1]);
  assert.deepEqual(new Set(offsets()), new Set(first));
  const kept = Frame.of(bars).column(SMA(close, 5));
  assert.equal(ColumnMemory.of(kept), undefined);
});

test('columns come back when the work fails', () => {
  const bars = randomBars({ seed: 1, barCount: 3_000 });
  let offset = -1;
  assert.throws(() =>
    withFrame(bars, (frame) => {
      offset = frame.column(SMA(close, 5)).byteOffset;
      throw new Error('no');
    }),
  );
  assert.equal(
    withFrame(bars, (frame) => frame.column(SMA(close, 7)).byteOffset),
    offset,
  );
});

test('a spare column up to twice as long is reused, and keeps its length', () => {
  const pool = ColumnPool.beside(new Float64Array(0));
  const whole = pool.take(9_999);
  pool.give([whole]);
  const shorter = pool.take(9_000);
  assert.deepEqual([shorter.length, shorter.buffer], [9_000, whole.buffer]);
  pool.give([shorter]);
  assert.notEqual(pool.take(4_999).buffer, whole.buffer);
  assert.equal(pool.take(9_999).buffer, whole.buffer);
});

test('beside a series that fills its memory, columns are ordinary arrays', () => {
  const bars = randomBars({ seed: 1, barCount: 3_000 });
  const { memory } = ColumnMemory.of(bars.close)!;
  // Address space only: no page of it is touched.
  memory.grow(65_536 - memory.buffer.byteLength / 65_536);
  const pool = ColumnPool.beside(bars.close);
  const columns = Array.from({ length: 10 }, () => pool.take(bars.barCount));
  assert.equal(ColumnMemory.of(columns[9]), undefined);
  assert.equal(columns[9].length, bars.barCount);
});
