import assert from 'node:assert/strict';
import test from 'node:test';
import { close } from '../../engine/indicators/column.js';
import { reuseColumns, takeColumn } from '../../engine/indicators/column-pool.js';
import { Frame } from '../../engine/indicators/frame.js';
import { SMA } from '../../engine/indicators/rolling.js';
import { signalMask } from '../../engine/signals/evaluate.js';
import { signals } from '../../engine/signals/registry.js';
import { randomParams } from '../support/params.js';
import { randomBars, seededRandom, withOnchain } from '../support/random.js';

test('no signal reads what an earlier series left in a column', () => {
  const bars = withOnchain(randomBars({ seed: 3, barCount: 400, gapChance: 0.01 }), 4);
  const random = seededRandom(5);
  for (const signal of signals) {
    const params = randomParams(signal, random);
    const expected = signalMask(signal, params, Frame.of(bars));
    // Whatever columns the signal takes are spare ones full of a price that would show.
    reuseColumns(() => {
      for (let i = 0; i < 60; i++) takeColumn(bars.barCount).fill(97.5);
    });
    assert.deepEqual(
      reuseColumns(() => signalMask(signal, params, Frame.of(bars))),
      expected,
      signal.name,
    );
  }
});

test('columns are taken again after the work, not during it, and not outside of it', () => {
  const bars = randomBars({ seed: 1, barCount: 3_000 });
  const column = () => Frame.of(bars).column(SMA(close, 5));
  const [first, second] = reuseColumns(() => [column(), column()]);
  assert.notEqual(first.buffer, second.buffer);
  const again = reuseColumns(() => [column().buffer, reuseColumns(() => column().buffer)]);
  assert.deepEqual(new Set(again), new Set([first.buffer, second.buffer]));
  assert.ok(![first.buffer, second.buffer].includes(column().buffer));
});

test('columns come back when the work fails', () => {
  assert.throws(() =>
    reuseColumns(() => {
      takeColumn(9_999);
      throw new Error('no');
    }),
  );
  const [length, capacity] = reuseColumns(() => {
    const column = takeColumn(9_000);
    return [column.length, column.buffer.byteLength];
  });
  assert.equal(length, 9_000);
  assert.equal(capacity, 9_999 * 8);
});
