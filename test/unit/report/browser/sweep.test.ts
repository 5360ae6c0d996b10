import assert from 'node:assert/strict';
import test from 'node:test';
import {
  isKept,
  limitWords,
  metricAxis,
  nearestOffered,
  parameterAxis,
  valuesBetween,
} from '../../../../report/browser/sweep/axes.js';
import { groupCells } from '../../../../report/browser/sweep/cells.js';
import { colourScale } from '../../../../report/browser/sweep/colours.js';
import { arrangeAxes, aside, fittingTicks, isLyingAt, lyingHeight } from '../../../../report/browser/sweep/layout.js';
import { chooseShown } from '../../../../report/browser/sweep/lines.js';
import { type Metric, type Parameter, readSweep } from '../../../../report/browser/sweep/runs.js';
import { exploreData } from '../../../../report/sweep/explore.js';
import { heatCells } from '../../../../report/sweep/heat-map.js';
import { groupParameters } from '../../../../report/sweep/parameters.js';
import { tintScale } from '../../../../report/sweep/tint.js';
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

test('values between two ends are round, and the ends are among them', () => {
  assert.deepEqual(valuesBetween(3, 17, 4), [3, 5, 10, 15, 17]);
  assert.deepEqual(valuesBetween(0, 1, 4), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
  assert.deepEqual(valuesBetween(7, 7, 4), [7, 7]);
});

test('values of a parameter stand at even distances, and runs without it below them', () => {
  const axis = parameterAxis(parameter({}));
  assert.deepEqual(
    [0, 1, 2].map((run) => axis.placeOf(run)),
    [0, 0.5, 1],
  );
  const gapped = parameterAxis(parameter({ codes: Uint8Array.of(0, 1, 3) }));
  assert.deepEqual(
    gapped.ticks.map(([, label]) => label),
    ['not used', '5', '10', '20'],
  );
  assert.deepEqual(
    [0, 1, 2].map((run) => gapped.placeOf(run)),
    [0, 1 / 3, 1],
  );
});

test('many values of a parameter lie on a scale', () => {
  const fields = { isContinuous: true, values: [0, 25, 100] };
  const axis = parameterAxis(parameter(fields));
  assert.deepEqual(
    [0, 1, 2].map((run) => axis.placeOf(run)),
    [0, 0.25, 1],
  );
  const gapped = parameterAxis(parameter({ ...fields, codes: Uint8Array.of(0, 1, 3) }));
  assert.deepEqual(
    [0, 1, 2].map((run) => gapped.placeOf(run)),
    [0, 0.1, 1],
  );
  assert.deepEqual(gapped.ticks[0], [0, 'not used']);
});

test('with few runs an axis shows all, with many it ends before the outliers', () => {
  const few = metricAxis(metric([1, 2, 1000]));
  assert.deepEqual([few.low, few.high], [1, 1000]);
  const many = metricAxis(metric([...Array.from({ length: 3_000 }, (_, i) => i / 3_000), 1e6, Number.NaN]));
  assert.ok(many.high < 1.01, `ends at ${many.high}`);
  assert.equal(many.placeOf(3_000), 1);
  assert.equal(many.placeOf(3_001), 0, 'a run without the metric');
  assert.deepEqual(metricAxis(metric([])).ticks.length > 0, true);
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

test('axes are horizontal where upright names would collide, and a point of the box leads back to its place', () => {
  assert.equal(isLyingAt(1_200, 7), false);
  assert.equal(isLyingAt(390, 7), true);
  for (const isLying of [false, true]) {
    const layout = arrangeAxes(4, isLying, 800, isLying ? lyingHeight(4) : 416);
    for (const place of [0, 0.3, 1]) {
      const [x, y] = layout.pointAt(2, place);
      assert.ok(Math.abs(layout.placeAt(x, y) - place) < 1e-12);
      assert.ok(x >= 0 && x <= layout.width && y >= 0 && y <= layout.height);
    }
    assert.equal(layout.placeAt(isLying ? -50 : 0, isLying ? 0 : 900), 0);
  }
});

test('overlapping labels are left out, but never the ends', () => {
  const ticks = Array.from({ length: 101 }, (_, k) => [k / 100, `value ${k}`] as const);
  for (const isLying of [false, true]) {
    const layout = arrangeAxes(3, isLying, 600, 416);
    const shown = fittingTicks(ticks, layout).map(({ tick }) => tick[1]);
    assert.equal(shown[0], 'value 0');
    assert.equal(shown.at(-1), 'value 100');
    assert.ok(shown.length > 4 && shown.length < 40, `${shown.length} labels`);
  }
  assert.deepEqual(
    fittingTicks([[0.5, 'only']], arrangeAxes(3, true, 600, 416)).map(({ tick }) => tick[1]),
    ['only'],
  );
});

test('a run is moved aside by at most half, and always by the same amount', () => {
  const moves = Array.from({ length: 1_000 }, (_, run) => aside(run, 2));
  assert.ok(moves.every((move) => move >= -0.5 && move < 0.5));
  assert.ok(new Set(moves).size > 500);
  assert.equal(aside(77, 2), moves[77]);
});

test('colours go from cold over quiet to hot, and are quiet at zero where both signs occur', () => {
  const [hot, cold, quiet] = [
    [0, 0, 240],
    [240, 120, 0],
    [120, 120, 120],
  ];
  const both = colourScale(hot, cold, quiet, -1, 2, false);
  assert.equal(both.at(0), 'rgb(120 120 120)');
  assert.equal(both.at(2), 'rgb(0 0 240)');
  assert.equal(both.at(-2), 'rgb(240 120 0)');
  assert.equal(both.at(9), both.at(2), 'values beyond the ends have the colour of the end');
  const above = colourScale(hot, cold, quiet, 1, 2, false);
  assert.deepEqual([above.at(1), above.at(2)], [above.quiet, 'rgb(0 0 240)']);
  const lower = colourScale(hot, cold, quiet, 1, 2, true);
  assert.deepEqual([lower.at(1), lower.at(2), lower.ends], ['rgb(0 0 240)', lower.quiet, [2, 1]]);
});

test('tints deepen from zero, or from the end nearer to it', () => {
  assert.deepEqual(
    [tintScale(-1, 2, false).side, tintScale(1, 2, false).side, tintScale(-2, -1, false).side],
    ['both', 'hot', 'cold'],
  );
  assert.deepEqual(
    [-1, 0, 2].map((value) => tintScale(-1, 2, false).of(value)),
    ['0.380', '0.060', '0.700'],
  );
  assert.deepEqual(
    [-2, -1].map((value) => tintScale(-2, -1, false).of(value)),
    ['0.700', '0.060'],
  );
  assert.equal(tintScale(3, 3, false).of(3), '0.700');
});

test('where lower is better, the lowest value has the deepest tint, and the key ends with it', () => {
  const turned = tintScale(0.05, 0.3, true);
  assert.deepEqual([turned.of(0.05), turned.of(0.3), turned.side, turned.ends], ['0.700', '0.060', 'hot', [0.3, 0.05]]);
  assert.deepEqual(tintScale(0.05, 0.3, false).ends, [0.05, 0.3]);
});
