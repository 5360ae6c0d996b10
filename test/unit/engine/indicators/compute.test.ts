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

/** Lines whose check values the defaults or these parameters give. */
const checked: readonly [series: string, name: IndicatorName, line: string, params: object][] = [
  ['SMA(C,20)', 'SMA', 'sma', {}],
  ['RSI(14)', 'RSI', 'rsi', {}],
  ['MACD signal(9)', 'MACD', 'signal', {}],
  ['ADX(14)', 'ADX', 'adx', {}],
  ['BB upper(20,2)', 'BBANDS', 'upper', {}],
  ['KST signal(9)', 'KST', 'signal', {}],
  ['jaw', 'ALLIGATOR', 'jaw', {}],
];
const published: Readonly<Record<string, number>> = {
  'SMA(C,20)': 75.0465,
  'RSI(14)': 31.45113516,
  'MACD signal(9)': -1.905910926,
  'ADX(14)': 31.76069259,
  'BB upper(20,2)': 79.19990475,
  'KST signal(9)': -79.62642765,
  jaw: 77.89527908,
};
test('lines have the published check values at the last bar', () => {
  for (const [series, name, line, params] of checked) {
    const actual = compute(name, params)[line]?.at(-1) ?? Number.NaN;
    const expected = published[series] ?? Number.NaN;
    assert.ok(Math.abs(actual - expected) <= 1e-8 * Math.abs(expected), `${series}: ${actual}`);
  }
});

test('a swing is marked on the bar that confirms it', () => {
  const close = [3, 2, 1, 2, 3, 4, 3, 2];
  const lines = computeIndicator({ name: 'SWING', columns: { close }, params: { swing_window: 2 } });
  assert.deepEqual(lines, { low: [0, 0, 0, 0, 1, 0, 0, 0], high: [0, 0, 0, 0, 0, 0, 0, 1] });
});

test('observations are the cells of a column that are not missing', () => {
  const lines = computeIndicator({ name: 'CLEAN', columns: { Flow: [1, null, 2] }, params: { column: 'Flow' } });
  assert.deepEqual(lines, { observations: [1, 2] });
});
