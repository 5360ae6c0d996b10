import assert from 'node:assert/strict';
import test from 'node:test';
import { Frame, withFrame } from '../../../../engine/indicators/frame.js';
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
