import assert from 'node:assert/strict';
import { test } from 'node:test';
import { close } from '../../../../engine/indicators/column.js';
import { Frame } from '../../../../engine/indicators/frame.js';
import { computeIndicator, type IndicatorName, lineNames } from '../../../../engine/indicators/index.js';
import { EMA } from '../../../../engine/indicators/smoothing.js';
import { allocateBars } from '../../../../engine/series/bars.js';
import { indicatorNames } from '../../../../engine/signals/index.js';
import { ema } from '../../../reference/indicators.js';
import { checkValues, golden, seriesInTable } from '../../../support/check-values.js';

const { bars } = golden;
const columns = { ...bars, timestamp: bars.close.map((_, i) => 1_704_067_200 + i * 3_600) };
const compute = (name: IndicatorName, params: object = {}) => computeIndicator({ name, columns, params });

for (const name of indicatorNames) {
  test(`${name} has a value on each line by the last of 120 bars, with parameters that reach it`, () => {
    const params = name === 'MTF_SLOPE' ? { higher_tf: '4h' } : name === 'RIBBON' ? { windows: [5, 8] } : {};
    const lines = compute(name, params);
    assert.deepEqual(Object.keys(lines), name === 'RIBBON' ? ['sma_5', 'sma_8'] : lineNames(name));
    for (const [line, values] of Object.entries(lines)) {
      assert.equal(values.length, 120, line);
      assert.ok(typeof values.at(-1) === 'number', line);
    }
  });
}

test('a swing is marked on the bar that confirms it', () => {
  const close = [3, 2, 1, 2, 3, 4, 3, 2];
  const lines = computeIndicator({ name: 'SWING', columns: { close }, params: { swing_window: 2 } });
  assert.deepEqual(lines, { low: [0, 0, 0, 0, 1, 0, 0, 0], high: [0, 0, 0, 0, 0, 0, 0, 1] });
});

test('observations are the cells of a column that are not missing', () => {
  const lines = computeIndicator({ name: 'CLEAN', columns: { Flow: [1, null, 2] }, params: { column: 'Flow' } });
  assert.deepEqual(lines, { observations: [1, 2] });
});

for (const { series, params, assertRight } of checkValues) {
  test(
    `${series} ${JSON.stringify(params)} and its naive version have the published first bar and last value`,
    assertRight,
  );
}

test('every series of the golden file stands in the table, and the table names no other', () => {
  assert.deepEqual(checkValues.map(({ series }) => series).sort(), [...seriesInTable].sort());
});

test('the stored bars are those of the integer generator', () => {
  const { seed, multiplier, modulus, bars } = golden.generator;
  const { open: O, high: H, low: L, close: C, volume: V } = golden.bars;
  let state = seed;
  const next = () => {
    state = (state * multiplier) % modulus;
    return state;
  };
  let previous = 10_000;
  for (let i = 0; i < bars; i++) {
    const close = previous + (next() % 401) - 200;
    const high = Math.max(previous, close) + (next() % 120);
    const low = Math.min(previous, close) - (next() % 120);
    const volume = 100 + (next() % 900);
    assert.deepEqual([O[i], H[i], L[i], C[i], V[i]], [previous / 100, high / 100, low / 100, close / 100, volume]);
    previous = close;
  }
});

test('the exponential average and its naive version age over gaps', () => {
  const { window, examples } = golden.gaps;
  for (const example of examples) {
    const [values, expected] = [example.values, example.ema].map((list) => list.map((cell) => cell ?? NaN));
    const bars = allocateBars(values.length, 3_600_000);
    bars.close.set(values);
    for (const line of [Frame.of(bars).column(EMA(close, window)), ema(values, window)]) {
      assert.deepEqual(
        Array.from(line, (cell) => Number(cell.toFixed(10))),
        expected,
      );
    }
  }
});
