import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBarsFile } from '../../../../data/bars/index.js';
import { barFindings } from '../../../../engine/quality/index.js';
import { type BarSeries, HOUR_MS, sliceBars } from '../../../../engine/series/index.js';
import { root } from '../../../support/tree.js';

const samples = ['BTC-5m-9bc9d9390343', 'BTC-1h-6c7d05acb73c', 'BTC-1d-62d7a5238fa9', 'ETH-1h-295ec1a123c7'];
const readSample = async (name: string) => (await readBarsFile(`${root}/sample/${name}.parquet`)).bars;
const hourly = await readSample('BTC-1h-6c7d05acb73c');

/** A year of recorded hours, with changes. */
function changed(change: (bars: BarSeries) => void, count = 8_760): BarSeries {
  const year = sliceBars(hourly, 50_000, 50_000 + count);
  const copy = Object.fromEntries(
    (['time', 'open', 'high', 'low', 'close', 'volume'] as const).map((name) => [name, year[name].slice()]),
  );
  const bars = { ...year, ...copy };
  change(bars);
  return bars;
}

const kinds = (bars: BarSeries, heldAtMs: number | null = null) =>
  barFindings(bars, heldAtMs).map(({ kind, count, bar }) => [kind, count, bar]);

test('recorded bars have no findings', async () => {
  for (const name of samples) assert.deepEqual(barFindings(await readSample(name), Date.UTC(2026, 0, 1)), [], name);
});

test('19 of 20 planted highs and lows of a tenth are found', () => {
  const planted = Array.from({ length: 40 }, (_, k) => 100 + 211 * k);
  const found = planted.flatMap((bar) => [
    ...kinds(changed(({ high }) => high.set([high[bar] * 1.1], bar))),
    ...kinds(changed(({ low }) => low.set([low[bar] * 0.9], bar))),
  ]);
  assert.ok(found.length >= 76, `found ${found.length} of 80`);
  for (const [kind, count] of found) assert.deepEqual([kind, count], ['outliers', 1]);
});

test('prices of another unit from some bar on are a jump, but not after a hole', () => {
  const scaled = changed(({ open, high, low, close, barCount }) => {
    for (let i = 500; i < barCount; i++) for (const column of [open, high, low, close]) column[i] /= 1.1;
  });
  assert.deepEqual(kinds(scaled), [['jumps', 1, 500]]);
  const { time } = scaled;
  for (let i = 500; i < time.length; i++) time[i] += 24 * HOUR_MS;
  assert.deepEqual(kinds(scaled), []);
});

test('a hole of more than 48 bars is found, and one of 10 days where the market closes', () => {
  const without = (bars: BarSeries, isKept: (bar: number) => boolean): BarSeries => {
    const kept = Array.from(bars.time.keys()).filter(isKept);
    const cut = (column: Float64Array) => Float64Array.from(kept, (bar) => column[bar] as number);
    const { open, high, low, close, volume } = bars;
    const prices = { open: cut(open), high: cut(high), low: cut(low), close: cut(close), volume: cut(volume) };
    return { ...bars, ...prices, time: cut(bars.time), barCount: kept.length };
  };
  const year = changed(() => {});
  const hole = (count: number) => kinds(without(year, (bar) => bar < 1000 || bar >= 1000 + count));
  assert.deepEqual(hole(48), []);
  assert.deepEqual(hole(49), [['holes', 1, 1000]]);
  const isOpen = (bar: number) => bar % 168 < 120;
  const closing = (days: number) =>
    kinds(without(year, (bar) => isOpen(bar) && !(bar >= 1008 && bar < 1008 + 24 * days)));
  assert.deepEqual(closing(8), []); // ten days with the weekend before
  assert.deepEqual(closing(9), [['holes', 1, 720]]);
});

test('times off the grid are found, and those of closes told apart', () => {
  const one = changed(({ time }) => {
    time[77] += 60_000;
  });
  assert.deepEqual(kinds(one), [['off-grid', 1, 77]]);
  const closes = changed(({ time }) => {
    for (let i = 0; i < time.length; i++) time[i] += HOUR_MS - 1;
  });
  assert.deepEqual(kinds(closes), [['stamped-at-close', 8_760, 0]]);
});

test('a last bar that closes after the bars were stored was not finished', () => {
  const bars = changed(() => {});
  const close = (bars.time.at(-1) ?? 0) + HOUR_MS;
  assert.deepEqual(kinds(bars, close), []);
  assert.deepEqual(kinds(bars, close - 1), [['unfinished', 1, 8_759]]);
});

test('runs of bars without volume are found, single ones are not', () => {
  const without = (from: number, to: number, step = 1) =>
    changed(({ volume }) => {
      for (let i = from; i < to; i += step) volume[i] = 0;
    });
  assert.deepEqual(kinds(without(40, 60)), [['no-volume', 20, 40]]);
  assert.deepEqual(kinds(without(40, 59)), []);
  // Never twice in a row; crashes without volume are outliers.
  const illiquid = kinds(without(1, 8_760, 2));
  assert.ok(illiquid.every(([kind]) => kind === 'outliers'));
  const [all] = barFindings(without(0, 8_760), null);
  assert.match(all?.message ?? '', /^no bar has a volume/);
});
