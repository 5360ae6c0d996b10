import assert from 'node:assert/strict';
import test from 'node:test';
import { type Column, close, source } from '../../engine/indicators/column.js';
import { Frame } from '../../engine/indicators/frame.js';
import { indicatorFunctions } from '../../engine/indicators/functions.js';
import { EMA } from '../../engine/indicators/smoothing.js';
import { ColumnStreams, isStreamed } from '../../engine/indicators/stream.js';
import { allocateBars, type BarSeries, barAt } from '../../engine/series/index.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** Columns one bar at a time have the bits of the columns, for every indicator that is exported. */

/** Random bars with a further column X: the close with cells missing at the start and anywhere. */
function barsWithHoles(seed: number, barCount: number): BarSeries {
  const plain = randomBars({ seed, barCount, flatChance: 0.1, tick: seed % 2 === 0 ? 0.5 : 0.01, gapChance: 0.02 });
  const bars = allocateBars(barCount, plain.intervalMs, ['X']);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) bars[name].set(plain[name]);
  const random = seededRandom(seed + 1);
  const from = Math.floor(random() * 12);
  const x = bars.columns.X!;
  for (let i = 0; i < barCount; i++) x[i] = i < from || random() < 0.05 ? NaN : plain.close[i]!;
  return bars;
}

function streamed(column: Column, bars: BarSeries): Float64Array {
  const streams = new ColumnStreams();
  const read = streams.add(column);
  const values = new Float64Array(bars.barCount);
  for (let i = 0; i < bars.barCount; i++) {
    const bar: Readonly<Record<string, number>> = { ...barAt(bars, i), X: bars.columns.X![i]! };
    streams.push((name) => bar[name]!);
    values[i] = read();
  }
  return values;
}

function assertSame(actual: Float64Array, expected: Float64Array, what: string): void {
  const bar = expected.findIndex((value, i) => !Object.is(value, actual[i]));
  assert.equal(bar, -1, `${what}: bar ${bar} is ${actual[bar]}, in the columns ${expected[bar]}`);
}

const inputs: readonly Column[] = [close, source('X'), EMA(close, 7)];

for (const [name, { params, takesColumn, build }] of indicatorFunctions) {
  test(`${name} one bar at a time has the bits of its column`, () => {
    for (let seed = 1; seed <= runs(6, 300); seed++) {
      const random = seededRandom(seed * 7 + name.length);
      const bars = barsWithHoles(seed, Math.floor(random() * 130));
      const amounts = params.map(({ isWhole, min, max }) =>
        isWhole ? min + Math.floor(random() * 20) : Math.max(min, random() * Math.min(max, 3)),
      );
      const column = build(inputs[seed % 3]!, ...amounts);
      assert.ok(isStreamed(column), `${name} has a kernel without a stream`);
      const what = `${name}(${amounts.join(', ')}) seed ${seed} over ${takesColumn ? inputs[seed % 3]!.key : 'bars'}`;
      assertSame(streamed(column, bars), Frame.of(bars).column(column), what);
    }
  });
}
