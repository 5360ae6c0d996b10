import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { barsFromPlain, readPlainParquet } from '../../../../data/bars/chunks.js';
import { nameFiles, readBarsFile, writeBars } from '../../../../data/bars/index.js';
import { allocateBars, type BarSeries, DAY_MS, HOUR_MS } from '../../../../engine/series/index.js';
import { randomBars } from '../../../support/random.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

test('names give asset and interval, whatever stands around them', () => {
  const paths = ['a/BTC-PERP-1d.csv', 'b/eth-usd-1h.csv'];
  assert.deepEqual(nameFiles(paths, '{asset}-{interval}.csv'), [
    { path: paths[0], asset: 'BTC-PERP', intervalMs: DAY_MS },
    { path: paths[1], asset: 'ETH', intervalMs: HOUR_MS },
  ]);
  assert.deepEqual(nameFiles(['Binance_SOLUSDT_d.csv'], 'Binance_{asset}USDT_*.csv'), [
    { path: 'Binance_SOLUSDT_d.csv', asset: 'SOL' },
  ]);
  assert.deepEqual(
    nameFiles(['BTC-1h.csv', 'BTC-1d.csv'], '{asset}-{interval}.csv').map(({ intervalMs }) => intervalMs),
    [HOUR_MS, DAY_MS],
    'one asset in two intervals is two series',
  );
});

test('a name that does not fit, and two files of one series, are refused', () => {
  const cases: readonly (readonly [readonly string[], string, RegExp])[] = [
    [['BTC.csv'], '{asset}.parquet', /must fit the pattern "\{asset\}\.parquet", was "BTC\.csv"/],
    [['BTC-2x.csv'], '{asset}-{interval}.csv', /must name a series by the pattern .*interval.*was "BTC-2x\.csv"/],
    [['Bitcoin €.csv'], '{asset}.csv', /asset must start with .* was "Bitcoin €\.csv"/],
    [['BTC.csv'], 'BTC.csv', /names must have \{asset\} once, .* was "BTC\.csv"/],
    [['BTC-a.csv', 'BTC-b.csv'], '{asset}-*.csv', /"BTC-a\.csv" and "BTC-b\.csv" both name BTC; \{interval\}/],
  ];
  for (const [paths, pattern, message] of cases) assert.throws(() => nameFiles(paths, pattern), message);
});

/** Bars read without DuckDB have the bits of bars read by it. */

const folder = temporaryFolder('plain-parquet');
const names = ['timestamp', 'open', 'high', 'low', 'close', 'volume'];

const assertSame = (actual: BarSeries, expected: BarSeries) => {
  assert.deepEqual(actual.columns, expected.columns);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) {
    assert.deepEqual(actual[name], expected[name], name);
  }
};

test('a series of many row groups with a further column that has holes', async () => {
  const path = join(folder, 'bars.parquet');
  const plain = randomBars({ seed: 5, barCount: 130_000 });
  const bars = allocateBars(plain.barCount, plain.intervalMs, ['Score']);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) bars[name].set(plain[name]);
  bars.columns.Score!.set(plain.close.map((close, i) => (i % 3 === 0 ? NaN : close)));
  await writeBars(path, bars);
  const { bars: expected } = await readBarsFile(path);
  const read = await readPlainParquet(path, [...names, 'Score']);
  const window = { intervalMs: plain.intervalMs, further: ['Score'], fromMs: -Infinity, toMs: Infinity };
  assertSame(barsFromPlain(read, window), expected);
});
