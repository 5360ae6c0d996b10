import assert from 'node:assert/strict';
import test from 'node:test';
import { type Column, close, source } from '../../../../engine/indicators/column.js';
import { Frame } from '../../../../engine/indicators/frame.js';
import { type FunctionParam, indicatorFunctions } from '../../../../engine/indicators/functions.js';
import { EMA } from '../../../../engine/indicators/smoothing.js';
import { ColumnStreams } from '../../../../engine/indicators/stream.js';
import { allocateBars, type BarSeries, barAt } from '../../../../engine/series/index.js';
import { adx, ema, rsi } from '../../../reference/indicators.js';
import { randomBars, seededRandom } from '../../../support/random.js';

/** Every indicator over a hole, a flat stretch and a late start: it has values again after them. */

const BARS = 500;
const HOLE = { from: 200, to: 203 };
const FLAT = 40;

const plain = randomBars({ seed: 3, barCount: BARS, tick: 1e-6, flatChance: 0, volatility: 0.03 });

/** The bars with a column X: the close, and `missing` where cells are missing. */
function withColumn(missing: number, isMissing: (bar: number) => boolean): BarSeries {
  const bars = allocateBars(BARS, plain.intervalMs, ['X']);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) bars[name].set(plain[name]);
  bars.columns.X!.set(plain.close.map((value, bar) => (isMissing(bar) ? missing : value)));
  return bars;
}

/** Bars that stand still without volume on these bars. */
function flatOn(from: number, to: number): BarSeries {
  const bars = withColumn(NaN, () => false);
  const price = bars.open[from]!;
  for (const column of [bars.open, bars.high, bars.low, bars.close, bars.columns.X!]) column.fill(price, from, to);
  bars.volume.fill(0, from, to);
  return bars;
}

/** Windows of some bars: one bar alone often has no range and no change. */
const drawn = ({ isWhole, min, max }: FunctionParam, random: () => number): number =>
  isWhole ? Math.max(min, 4) + Math.floor(random() * 12) : min + random() * (Math.min(max, 3) - min);

function streamed(column: Column, bars: BarSeries): Float64Array {
  const streams = new ColumnStreams();
  const read = streams.add(column);
  return Float64Array.from({ length: bars.barCount }, (_, i) => {
    const bar: Readonly<Record<string, number>> = { ...barAt(bars, i), X: bars.columns.X![i]! };
    streams.push((name) => bar[name]!);
    return read();
  });
}

const cases: Readonly<Record<string, { bars: BarSeries; end: number }>> = {
  'a blank cell': { bars: withColumn(NaN, (bar) => bar === HOLE.from), end: HOLE.from + 1 },
  'a cell that was divided by 0': { bars: withColumn(Infinity, (bar) => bar === HOLE.from), end: HOLE.from + 1 },
  'a late start': { bars: withColumn(NaN, (bar) => bar < FLAT), end: FLAT },
  'a flat start': { bars: flatOn(0, FLAT), end: FLAT },
  'a flat stretch': { bars: flatOn(200, 200 + FLAT), end: 200 + FLAT },
};

for (const [name, { takesColumn, params, bars: needed, build }] of indicatorFunctions) {
  test(`${name} has values again after a hole, a flat stretch and a late start`, () => {
    const random = seededRandom(7 + name.length);
    for (let round = 0; round < 3; round++) {
      const args = params.map((param) => drawn(param, random));
      const column = build(source('X'), ...args);
      for (const [what, { bars, end }] of Object.entries(cases)) {
        if (!takesColumn && !what.includes('flat')) continue; // bars have no holes
        const values = Frame.of(bars).column(column);
        // A change across the hole is undefined too, so a second window may begin one bar later.
        const back = end + needed(...args) + 1;
        assert.ok(back < BARS - 100);
        const never = values.findIndex((value, bar) => bar >= back && !Number.isFinite(value));
        assert.equal(never, -1, `${name}(${args.join(', ')}) after ${what}`);
        const live = streamed(column, bars);
        const differs = values.findIndex((value, bar) => !Object.is(value, live[bar]));
        assert.equal(differs, -1, `${name} one bar at a time over ${what}`);
      }
    }
  });
}

const isClose = (actual: Float64Array, expected: readonly number[], what: string) => {
  for (const [bar, value] of expected.entries()) {
    if (Number.isNaN(value)) assert.ok(Number.isNaN(actual[bar]), `${what}, bar ${bar}`);
    else assert.ok(Math.abs(actual[bar]! - value) <= 1e-9 * Math.max(1, Math.abs(value)), `${what}, bar ${bar}`);
  }
};
const column = (name: string, bars: BarSeries, x: Column, ...args: number[]) =>
  Frame.of(bars).column(indicatorFunctions.get(name)!.build(x, ...args));

for (const [what, { bars }] of Object.entries(cases)) {
  test(`averages over ${what} follow the gap rule, as written from the definition`, () => {
    const x = Array.from(bars.columns.X!, (value) => (Number.isFinite(value) ? value : NaN));
    for (const window of [1, 2, 14, 37]) {
      isClose(column('rsi', bars, source('X'), window), rsi(x, window), `RSI ${window}`);
      isClose(column('ema', bars, source('X'), window), ema(x, window), `EMA ${window}`);
      const lines = adx([...bars.high], [...bars.low], [...bars.close], window);
      isClose(column('adx', bars, close, Math.max(2, window)), window > 1 ? lines.adx : [], `ADX ${window}`);
      isClose(column('plus_di', bars, close, Math.max(2, window)), window > 1 ? lines.plus : [], `+DI ${window}`);
    }
    const inner = Frame.of(bars).column(indicatorFunctions.get('rsi')!.build(EMA(source('X'), 5), 9));
    isClose(inner, rsi(ema(x, 5), 9), 'RSI of an EMA');
  });
}

test('an ADX that stands still for so long that its sums fade to 0 comes back', () => {
  const bars = allocateBars(30_000, plain.intervalMs);
  const moving = randomBars({ seed: 5, barCount: 30_000, flatChance: 0 });
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) bars[name].set(moving[name]);
  for (const prices of [bars.open, bars.high, bars.low, bars.close]) prices.fill(bars.open[100]!, 100, 20_000);
  const values = column('adx', bars, close, 2);
  assert.ok(values.slice(20_002).every(Number.isFinite));
});
