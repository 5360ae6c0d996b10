import assert from 'node:assert/strict';
import test from 'node:test';
import {
  isKept,
  limitWords,
  type Metric,
  nearestOffered,
  type Parameter,
  parameterAxis,
  readSweep,
} from '../../../../report/browser/sweep/axes.js';
import { groupCells } from '../../../../report/browser/sweep/heat-map.js';
import { chooseShown } from '../../../../report/browser/sweep/lines.js';
import { exploreData, heatCells } from '../../../../report/sweep/heat-map.js';
import { groupParameters } from '../../../../report/sweep/parameters.js';
import { randomSweepSheet } from '../../../support/sweep-sheet.js';

const explored = randomSweepSheet().explored!; // the random sweep always has runs that traded
const grouped = groupParameters(explored);
const MIN_TRADES = 40; // a fifth of the runs have fewer
const sweep = readSweep(exploreData(explored, grouped, MIN_TRADES));

const parameter = (fields: Partial<Parameter>): Parameter => ({
  name: 'window',
  isContinuous: false,
  values: [],
  labels: ['5', '10', '20'],
  groupOf: [0, 1, 2],
  isWide: false,
  codes: Uint8Array.of(1, 2, 3),
  ...fields,
});
const metric = (values: readonly number[], isLowBetter = false): Metric => ({
  title: 'Sharpe ratio',
  kind: 'ratio',
  isLowBetter,
  values: Float32Array.from(values),
});

test('the runs are read back from the bytes of the page', () => {
  assert.deepEqual([...sweep.runs], [...explored.runs]);
  assert.deepEqual([...sweep.metrics[0].values], [...Float32Array.from(explored.metrics[0].values)]);
  for (const [k, { codes, name }] of grouped.entries()) {
    assert.deepEqual([...sweep.parameters[k].codes], [...codes], name);
  }
  assert.ok(
    sweep.parameters.some(({ isWide }) => isWide),
    'one of them has more values than a byte can hold',
  );
});

test('the map of the script has the same cells as the map in the page', () => {
  const [x, y] = [0, 1];
  const ours = groupCells(sweep.parameters[x], sweep.parameters[y], sweep.metrics[0], sweep.isFew, 'best');
  const theirs = heatCells(explored, grouped[x], grouped[y], MIN_TRADES);
  for (const [row, line] of theirs.entries()) {
    for (const [column, { value, runs, best }] of line.entries()) {
      const cell = ours[row][column];
      assert.equal(cell.runs, runs);
      assert.equal(cell.value, value === null ? null : Math.fround(value));
      assert.equal(cell.best, best);
    }
  }
});

test('a cell shows the best, the median or the number of its runs', () => {
  const [x, y] = [
    parameter({ codes: Uint8Array.of(1, 1, 1, 2, 0) }),
    parameter({ codes: Uint8Array.of(1, 1, 1, 1, 1) }),
  ];
  const values = [3, 1, 2, Number.NaN, 9];
  const first = (of: 'best' | 'median' | 'count', isLowBetter = false, few = [0, 0, 0, 0, 0]) =>
    groupCells(x, y, metric(values, isLowBetter), Uint8Array.from(few), of)[0].map(({ value }) => value);
  assert.deepEqual(first('best'), [3, null, null]);
  assert.deepEqual(first('best', true), [1, null, null]);
  assert.deepEqual(first('best', false, [1, 0, 0, 0, 0]), [2, null, null], 'a run with too few trades is not the best');
  assert.deepEqual(first('best', true, [1, 1, 1, 1, 1]), [1, null, null], 'unless all have too few');
  assert.deepEqual(first('median', true, [1, 0, 0, 0, 0]), [2, null, null]);
  assert.deepEqual(first('median'), [2, null, null]);
  assert.deepEqual(first('count'), [3, null, null]);
});

test('limits keep the runs between them, and their label gives the values inside', () => {
  const axis = parameterAxis(parameter({}));
  const limits = (low: number, high: number) => new Map([['window', [low, high] as const]]);
  const kept = (low: number, high: number) => [0, 1, 2].filter((run) => isKept(run, [axis], limits(low, high)));
  assert.deepEqual(kept(0.5, 1), [1, 2]);
  assert.deepEqual(kept(0.5 + 1e-9, 1), [1, 2], 'a rounding error does not lose a run');
  assert.deepEqual(limitWords([axis], limits(0.5, 1)), ['window 10 to 20']);
  assert.deepEqual(limitWords([axis], limits(0.4, 0.6)), ['window 10']);
  assert.deepEqual(limitWords([axis], limits(0.1, 0.2)), ['window between two values']);
  assert.deepEqual(limitWords([axis], new Map()), []);
  assert.equal(nearestOffered(axis, 0.6), 1);
  const { values } = metric([3, 1, Number.NaN]);
  assert.deepEqual(chooseShown([2, 1, 0], values, [axis], limits(0, 0.5), 0), { known: [1, 0], kept: [1, 0] });
  assert.deepEqual(chooseShown([2, 1, 0], values, [axis], limits(0, 0.5), 1), { known: [1, 0], kept: [0] });
});
