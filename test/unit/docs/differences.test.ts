import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'node:test';
import { openBars } from '../../../data/bars/index.js';
import { Frame } from '../../../engine/indicators/frame.js';
import { resolveParams } from '../../../engine/indicators/params.js';
import { SUPERTREND } from '../../../engine/indicators/trailing-stops.js';
import { ATR } from '../../../engine/indicators/volatility.js';
import { computeExtendedMetrics, computeMetrics } from '../../../engine/metrics/index.js';
import type { BarSeries } from '../../../engine/series/index.js';
import { allocateBars, DAY_MS } from '../../../engine/series/index.js';
import { requireSignal } from '../../../engine/signals/registry.js';
import { checkValues, golden } from '../../support/check-values.js';
import { barsOf, configOf, type PriceRow } from '../../support/execution.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { goldenPath, root } from '../../support/tree.js';

/**
 * Every figure of docs/differences.md against the engine, and against the figures of the others.
 */

const page = readFileSync(resolve(root, 'docs/differences.md'), 'utf8');
const [, indicators = '', metrics = ''] = page.split(/^## .*$/m);
const rowsOf = (section: string): string[][] =>
  section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
const figure = (value: number | null): string => (value === null ? 'none' : value.toFixed(6));

interface TaLib {
  readonly series: string;
  readonly params: readonly number[];
  readonly bars: 'as is' | 'whole';
  readonly function: string;
  readonly first: number;
  readonly last: number;
}

const peers: readonly TaLib[] = JSON.parse(readFileSync(goldenPath('talib.json'), 'utf8')).values;
const nameOf = ({ series, params }: TaLib) => [series, params.join('/')].join(' ').trim();

/** First index with a value, and the last value, of a column of the engine. */
function ours({ series, params, bars: kind }: TaLib): readonly [number, number] {
  const bars = allocateBars(golden.bars.close.length, DAY_MS);
  for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) {
    bars[name].set(kind === 'whole' && name !== 'volume' ? golden.bars[name].map(Math.round) : golden.bars[name]);
  }
  const row = checkValues.find((one) => one.series === series && String(one.params) === String(params));
  const values = Frame.of(bars).column(row!.column);
  return [values.findIndex((value) => !Number.isNaN(value)), values.at(-1)!];
}

const differs = (peer: TaLib): boolean => {
  const [first, last] = ours(peer);
  return first !== peer.first || Math.abs(last - peer.last) > 1e-9 * Math.max(1, Math.abs(last));
};

test('the page lists exactly the indicators that differ from TA-Lib, with both figures', () => {
  const expected = peers.filter(differs).map((peer) => {
    const [first, last] = ours(peer);
    return [nameOf(peer), peer.bars, String(first), String(peer.first), figure(last), figure(peer.last)];
  });
  const rows = rowsOf(indicators);
  assert.deepEqual(
    rows.map((row) => row.slice(0, 6)),
    expected,
  );
  assert.ok(rows.length > 20 && rows.every(([, , , , , , why]) => why!.length > 5));
});

test('the page names exactly the indicators that equal those of TA-Lib', () => {
  const [, listed] = /last value to 9 digits: ([\s\S]*?)\.\n/.exec(indicators)!;
  const same = peers.filter((peer) => !differs(peer)).map((peer) => `${nameOf(peer)} (${peer.function})`);
  assert.deepEqual(listed!.split(/,\s+/), same);
});

/** Daily bars and an account with the returns of the golden file, without trades. */
function measured(): Readonly<Record<string, number | null>> {
  const { account, asset } = JSON.parse(readFileSync(goldenPath('metrics-peers.json'), 'utf8'));
  const grow = (start: number, returns: readonly number[]) => {
    let value = start;
    return returns.map((change) => {
      value *= 1 + change;
      return value;
    });
  };
  const closes = grow(100, asset);
  const rows = closes.map((close, k): PriceRow => {
    const open = closes[k - 1] ?? 100;
    return [open, Math.max(open, close), Math.min(open, close), close];
  });
  const bars = barsOf(rows, DAY_MS, Date.parse('2023-01-01'));
  const equity = Float64Array.from(grow(10_000, account));
  const input = { bars, first: 0, equity, trades: [], exposedBars: 0, config: configOf({}, DAY_MS) };
  const { exits_by_reason: _, ...extended } = computeExtendedMetrics(input);
  return { ...computeMetrics(input), ...extended };
}

test('the page lists metrics that differ from empyrical and quantstats, with both figures', () => {
  const golden = JSON.parse(readFileSync(goldenPath('metrics-peers.json'), 'utf8'));
  const values = measured();
  const rows = rowsOf(metrics);
  assert.ok(rows.length > 10);
  for (const [name = '', here, there = '', theirs, why = ''] of rows) {
    const value = values[name.replaceAll('`', '')];
    assert.ok(value !== undefined && why.length > 5, name);
    assert.equal(here, figure(value), name);
    const [, library = '', metric = ''] = /^(\w+) `(\w+)`$/.exec(there)!;
    const peer: number = golden[library][`${metric}_default`] ?? golden[library][metric];
    assert.equal(theirs, figure(peer), name);
    assert.ok(value === null || Math.abs(value - peer) > 1e-5, `${name} does not differ`);
  }
});

/** Supertrend as the chart computes it: both final bands are carried over a change of direction. */
function chartSupertrend({ high, low, close }: BarSeries, atr: Float64Array, from: number, factor: number): number[] {
  const direction: number[] = [];
  let [upper, lower, isUp] = [Number.NaN, Number.NaN, false];
  for (let t = from; t < close.length; t++) {
    const middle = (high[t]! + low[t]!) / 2;
    const [wasUpper, wasLower] = [upper, lower];
    const [freshUpper, freshLower] = [middle + factor * atr[t]!, middle - factor * atr[t]!];
    lower = t === from || freshLower > wasLower || close[t - 1]! < wasLower ? freshLower : wasLower;
    upper = t === from || freshUpper < wasUpper || close[t - 1]! > wasUpper ? freshUpper : wasUpper;
    if (t > from) isUp = isUp ? close[t]! >= lower : close[t]! > upper;
    direction[t] = isUp ? 1 : -1;
  }
  return direction;
}

test('the page says where Supertrend differs from the chart on the bundled bars', async () => {
  const store = openBars({ home: temporaryFolder('differences'), sampleDir: resolve(root, 'sample') });
  const { bars } = await store.load({ asset: 'BTC', intervalMs: DAY_MS });
  const frame = Frame.of(bars);
  const ours = frame.column(SUPERTREND(ATR(10), 10, 3));
  const chart = chartSupertrend(bars, frame.column(ATR(10)), 9, 3);
  const differing = [...bars.time.keys()].filter((t) => t >= 110 && ours[t] !== chart[t]);
  const day = (bar: number | undefined) => new Date(bars.time[bar ?? 0]!).toISOString().slice(0, 10);
  const told = `differs on ${differing.length} bars of ${bars.barCount.toLocaleString('en-US')}, all in one stretch: from ${day(differing[0])} to ${day(differing.at(-1))} it is up here`;
  assert.ok(page.replaceAll(/\s+/g, ' ').includes(told), told);
  assert.ok(differing.every((t) => ours[t] === 1));
  assert.equal(differing.at(-1)! - differing[0]! + 1, differing.length);
});

test('the formulas of the page are formulas', () => {
  const formulas = [...page.matchAll(/`([^`]*\bspan_a\([^`]*)`/g)].map(([, text = '']) => text);
  assert.ok(formulas.length > 0);
  for (const when of formulas) assert.doesNotThrow(() => resolveParams(requireSignal('formula'), { when }), when);
});
