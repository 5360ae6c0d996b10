import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBarsFile } from '../../../../data/bars/index.js';
import { simulate } from '../../../../engine/execution/index.js';
import { barFindings, findQualityIssues } from '../../../../engine/quality/index.js';
import { type BarSeries, HOUR_MS, sliceBars } from '../../../../engine/series/index.js';
import { barsOf, inputOf, type PriceRow, plainSettings } from '../../../support/execution.js';
import { root } from '../../../support/tree.js';

const flat: PriceRow = [100, 101, 99, 100];
/** Touches the stop at 90 and the target at 120 of an entry at 100. */
const wild: PriceRow = [100, 121, 89, 100];

/** Findings of a run that enters at the open of bar 2, with 100 units, on bars of these volumes. */
function findings(rows: readonly PriceRow[], volumes: Readonly<Record<number, number>>, settings: object = {}) {
  const bars = barsOf(rows);
  bars.volume.fill(1e6);
  for (const [bar, volume] of Object.entries(volumes)) bars.volume[Number(bar)] = volume;
  const config = { ...plainSettings, max_risk_per_trade: 0.1, ...settings };
  const input = inputOf(bars, [1], [], config);
  const { trades } = simulate(input);
  assert.equal(trades.length, 1);
  return findQualityIssues({ run: input, trades, heldAtMs: null });
}

const rows = (...last: readonly PriceRow[]): PriceRow[] => [flat, flat, flat, flat, ...last];

test('fills in bars without volume are counted by side', () => {
  assert.deepEqual(findings(rows(flat), {}), []);
  const both = findings(rows(flat), { 2: 0, 4: 0 });
  const message = '1 entry and 1 exit filled in bars without volume, where nothing was traded';
  assert.deepEqual(both, [{ kind: 'fills-without-volume', count: 2, bar: 2, message }]);
});

test('an exit in a bar that touches both levels says what the orders of events would give', () => {
  const [finding, ...more] = findings(rows(wild), {}, { fee_pct: 0.001 });
  assert.deepEqual(more, []);
  assert.equal(finding?.kind, 'ambiguous-exits');
  // Size is 99.9 (all cash after the fee): -1,018 at the stop, +1,976 at the target of 10,000.
  assert.match(finding?.message ?? '', /1 of 1 trade .* the account returns -10\.2 % to 19\.8 %, the run -10\.2 %/);
});

test('fills above one percent of the volume of their bar are counted with the largest', () => {
  assert.deepEqual(findings(rows(flat), { 2: 10_001 }), []);
  const [finding] = findings(rows(flat), { 2: 9_000, 4: 1_000 });
  assert.match(finding?.message ?? '', /^2 of 2 fills take more than 1 % .* up to 10\.0 % at 2024-01-01T04:00:00Z/);
});

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
