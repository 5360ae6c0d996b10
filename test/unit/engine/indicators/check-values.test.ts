import assert from 'node:assert/strict';
import test from 'node:test';
import { checkValues, seriesInTable } from '../../../support/check-values.js';

for (const { series, params, assertRight } of checkValues) {
  test(`${series} ${JSON.stringify(params)} has its published first bar and last value`, assertRight);
}

test('every series of the golden file stands in the table, and the table names no other', () => {
  assert.deepEqual(checkValues.map(({ series }) => series).sort(), [...seriesInTable].sort());
});
