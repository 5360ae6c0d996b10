import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'node:test';
import { Frame } from '../../../engine/indicators/frame.js';
import { computeExtendedMetrics, computeMetrics } from '../../../engine/metrics/index.js';
import { allocateBars, DAY_MS } from '../../../engine/series/index.js';
import { checkValues, golden } from '../../support/check-values.js';
import { barsOf, configOf, type PriceRow } from '../../support/execution.js';
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
