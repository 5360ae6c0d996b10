import assert from 'node:assert/strict';
import test from 'node:test';
import {
  assessInParts,
  backtestOverfitting,
  SplitMix64,
  testBestOfMany,
  trialWork,
} from '../../../engine/statistics/index.js';
import { openTrialThreads } from '../../../workers/index.js';
import { normal } from '../../support/noise.js';

const PERIODS = 40;
const question = { seed: 3, meanBlock: 5, market: returns(new SplitMix64(9), 0) };

function returns(random: SplitMix64, drift: number): Float64Array {
  return Float64Array.from({ length: PERIODS }, () => drift + 0.01 * normal(random));
}

/** Trials of which some are equal, some never trade, and the best ones are spread over all. */
function trialsOf(rowCount: number) {
  const values = new Float32Array(new SharedArrayBuffer(4 * rowCount * PERIODS));
  const random = new SplitMix64(1);
  for (let row = 0; row < rowCount; row++) {
    if (row % 13 === 5) continue;
    const isCopy = row % 7 === 3 && row > 20;
    const from = isCopy ? values.slice((row - 20) * PERIODS, (row - 19) * PERIODS) : returns(random, 0.002);
    values.set(from, row * PERIODS);
  }
  return { rowCount, periodCount: PERIODS, values };
}

const alone = (trials: ReturnType<typeof trialsOf>) => {
  const { seed, ...options } = question;
  return {
    tests: testBestOfMany(trials, { random: new SplitMix64(seed), ...options }),
    overfitting: backtestOverfitting(trials),
  };
};

test('trials judged in parts have the same figures, bit for bit, however many parts there are', async () => {
  const trials = trialsOf(70);
  const expected = alone(trials);
  for (const parts of [1, 2, 3, 8, 100]) {
    const judged = await assessInParts(trials, question, parts, async (kind, rows, asked) =>
      (trialWork[kind] as (...given: unknown[]) => never)(trials, rows, asked),
    );
    assert.deepEqual(judged, expected, `${parts} parts`);
  }
});

test('two threads judge many trials as one does, and few trials start none', async () => {
  assert.equal(openTrialThreads(11_999, 2), null);
  assert.equal(openTrialThreads(100_000, 1), null);
  const threads = openTrialThreads(12_000, 2)!;
  try {
    const trials = trialsOf(90);
    assert.deepEqual(await threads.judge(trials, question), alone(trials));
  } finally {
    await threads.end();
  }
});
