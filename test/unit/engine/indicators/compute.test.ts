import assert from 'node:assert/strict';
import test from 'node:test';
import { computeIndicator, type IndicatorName, lineNames } from '../../../../engine/indicators/index.js';
import { indicatorNames } from '../../../../engine/signals/index.js';
import { golden } from '../../../support/check-values.js';

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
