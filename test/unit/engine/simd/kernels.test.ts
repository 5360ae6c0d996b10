import assert from 'node:assert/strict';
import test from 'node:test';
import {
  ADD,
  CHANGE,
  COMBINE,
  DIVIDE,
  GROWTH,
  MULTIPLY,
  PERCENT,
  SUBTRACT,
  typicalPrice,
} from '../../../../engine/indicators/arithmetic.js';
import { type Column, close, high, low, open, volume } from '../../../../engine/indicators/column.js';
import { MACD } from '../../../../engine/indicators/differences.js';
import { ADX, AROON } from '../../../../engine/indicators/directional.js';
import { Frame, withFrame } from '../../../../engine/indicators/frame.js';
import { CCI, STOCHASTIC, WILLIAMS_R } from '../../../../engine/indicators/oscillators.js';
import { DEVIATION, MAX, MIN, SINCE_MAX, SMA, SUM } from '../../../../engine/indicators/rolling.js';
import { EMA } from '../../../../engine/indicators/smoothing.js';
import { ATR } from '../../../../engine/indicators/volatility.js';
import { ADI } from '../../../../engine/indicators/volume.js';
import { EPMA, MEAN_DISTANCE } from '../../../../engine/indicators/weighted.js';
import type { BarSeries } from '../../../../engine/series/bars.js';
import { ColumnMemory } from '../../../../engine/series/column-memory.js';
import type { Condition } from '../../../../engine/signals/condition.js';
import { evaluateCondition } from '../../../../engine/signals/masks.js';
import { KERNEL_BARS_MIN } from '../../../../engine/simd/kernels.js';
import { SplitMix64, stationaryBootstrap } from '../../../../engine/statistics/index.js';
import { withIndices } from '../../../../engine/statistics/shared-memory.js';
import { randomBars, seededRandom } from '../../../support/random.js';
import { runs } from '../../../support/scale.js';

const SPECIAL = [NaN, 0, -0, Infinity, -Infinity, 1e300, -1e-300];

/** Columns that need not be prices: gaps, zeros, infinities and flat stretches. */
function roughBars(seed: number, barCount: number): BarSeries {
  const bars = randomBars({ seed, barCount, flatChance: 0.3 });
  const random = seededRandom(seed);
  for (const column of [bars.open, bars.high, bars.low, bars.close, bars.volume]) {
    const chance = random() < 0.3 ? 0 : 0.01;
    for (let t = 0; t < barCount; t++) {
      if (random() < chance) column[t] = SPECIAL[Math.floor(random() * SPECIAL.length)];
    }
    if (random() < 0.3) column.fill(NaN, 0, Math.floor(random() * 40));
  }
  return bars;
}

/** Compares every bit, except those that tell one NaN from another. */
function assertSame(actual: Float64Array, expected: Float64Array, what: string): void {
  const bar = actual.findIndex((value, t) => !Object.is(value, expected[t]));
  assert.equal(bar, -1, `${what}, bar ${bar}: ${actual[bar]} is not ${expected[bar]}`);
}

const columns: Readonly<Record<string, (window: number) => readonly Column[]>> = {
  SMA: (window) => [SMA(close, window)],
  'SMA of a column with a warm-up': (window) => [SMA(SMA(close, 7), window)],
  SUM: (window) => [SUM(volume, window)],
  EPMA: (window) => [EPMA(close, window)],
  MEAN_DISTANCE: (window) => [MEAN_DISTANCE(open, Math.min(window, 90))],
  SINCE_MAX: (window) => [SINCE_MAX(high, window)],
  'binary operations': () => [ADD, SUBTRACT, MULTIPLY, DIVIDE, PERCENT].map((operation) => operation(open, close)),
  POSITION: (window) => [STOCHASTIC(window), WILLIAMS_R(window)],
  CHANGE: (window) => [CHANGE(close, window)],
  GROWTH: (window) => [GROWTH(close, window, 100)],
  'typical price': () => [typicalPrice],
  'accumulation and distribution': () => [ADI],
  'built of others': (window) => [...AROON(window), CCI(Math.min(window, 60), 0.015)],
  DEVIATION: (window) => [...DEVIATION(open, window, 0), ...DEVIATION(open, window, 1)],
  MAX: (window) => [MAX(high, window), MAX(high, window - 1)],
  MIN: (window) => [MIN(low, window), MIN(low, window - 1)],
  EMA: (window) => [EMA(close, window)],
  ATR: (window) => [ATR(window)],
  COMBINE: (window) => [COMBINE(window, open, -0.3, close), COMBINE(1, high, window / 7, low)],
  ADX: (window) => ADX(window),
  MACD: (window) => MACD(window, 2 * window, 1 + (window >> 1)),
};

for (const [name, of] of Object.entries(columns)) {
  test(`${name} has the bits of its plain loop`, () => {
    const random = seededRandom(11);
    for (let round = 0; round < runs(20, 2_000); round++) {
      const bars = roughBars(round, KERNEL_BARS_MIN + Math.floor(random() * 3_000));
      const window = 1 + Math.floor(random() ** 3 * (round % 10 === 0 ? bars.barCount + 50 : 300));
      withFrame(bars, (frame) => {
        for (const column of of(window)) {
          const actual = frame.column(column);
          assert.notEqual(ColumnMemory.of(actual), undefined);
          const expected = Frame.of(bars).column(column);
          assertSame(actual, expected, `window ${window}, round ${round}`);
        }
      });
    }
  });
}

test('comparisons have the bits of their plain loops', () => {
  const random = seededRandom(12);
  const operand = () =>
    random() < 0.3
      ? SPECIAL[Math.floor(random() * SPECIAL.length)]
      : {
          column: [open, high, low, close, SMA(close, 5)][Math.floor(random() * 5)],
          lag: Math.floor(random() ** 2 * 70),
          scale: 1,
        };
  for (let round = 0; round < runs(100, 20_000); round++) {
    const bars = roughBars(round, KERNEL_BARS_MIN + Math.floor(random() * 100));
    const [left, right] = [{ column: close, lag: Math.floor(random() * 3), scale: 1 }, operand()];
    const condition: Condition =
      random() < 0.3
        ? { kind: 'cross', left, right }
        : { kind: 'compare', left: right, right: left, isStrict: random() < 0.5 };
    assert.deepEqual(
      withFrame(bars, (frame) => evaluateCondition(condition, frame)),
      evaluateCondition(condition, Frame.of(bars)),
      JSON.stringify(condition),
    );
  }
});

test('blocks of a bootstrap are those of their plain loop, and leave the generator as it does', () => {
  const [random, same] = [new SplitMix64(-5), new SplitMix64(-5)];
  for (const length of [1, 2, 3, 500]) {
    for (const meanBlock of [1, 1.5, 20, 1e9]) {
      const plain = new Int32Array(700);
      stationaryBootstrap(random, length, meanBlock, plain);
      const drawn = withIndices(plain.length, (indices) => {
        stationaryBootstrap(same, length, meanBlock, indices);
        return indices.slice();
      });
      assert.deepEqual(drawn, plain, `${length} in blocks of ${meanBlock}`);
      assert.deepEqual(same.state, random.state);
    }
  }
});
