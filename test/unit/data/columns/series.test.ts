import assert from 'node:assert/strict';
import test from 'node:test';
import { mergeRows } from '../../../../data/columns/series.js';
import { columnar, type PlainRow } from '../../../support/columns.js';

type Row = readonly [period: number, published: number, value: number];

const merged = (...rows: readonly Row[]) =>
  mergeRows(null, columnar(rows.map(([period, published, value]): PlainRow => ({ period, published, value }))));

test('a revision changes nothing, however early it stands in the file', () => {
  const { series } = merged([1, 20, 9], [1, 10, 5], [2, 30, 6], [1, 40, 5]);
  assert.deepEqual([...series.value], [5, 6]);
  assert.deepEqual([...series.revised], [1, 0]);
  const same = merged([1, 10, 5], [1, 20, 5]);
  assert.deepEqual([...same.series.revised], [0], 'the same value again is no revision');
});

test('what is published after a newer period is left out', () => {
  const { series, lateRows } = merged([1, 50, 5], [2, 30, 6], [3, 60, 7]);
  assert.deepEqual([...series.period], [2, 3]);
  assert.equal(lateRows, 1);
});

test('rows without a value are counted and leave the earlier value', () => {
  const { series, emptyRows } = merged([1, 10, 5], [2, 20, NaN], [3, 30, Infinity], [4, 40, -0]);
  assert.deepEqual([...series.value], [5, 0]);
  assert.ok(Object.is(series.value[1], 0));
  assert.equal(emptyRows, 2);
  assert.deepEqual([...merged([2, 20, NaN], [2, 25, 8]).series.value], [8], 'the first value, not the first row');
});

test('a held value stays when later rows come, of any time of publication', () => {
  const held = merged([1, 10, 5], [2, 20, 6]).series;
  const more = mergeRows(
    held,
    columnar([
      { period: 1, published: 5, value: 4 },
      { period: 3, published: 30, value: 7 },
    ]),
  );
  assert.deepEqual([...more.series.value], [5, 6, 7]);
  assert.deepEqual([...more.series.published], [10, 20, 30]);
  assert.deepEqual([...more.series.revised], [1, 0, 0]);
  const again = mergeRows(more.series, columnar([{ period: 1, published: 5, value: 4 }]));
  assert.deepEqual(again.series, more.series);
});
