import assert from 'node:assert/strict';
import test from 'node:test';
import { nameFiles } from '../../../../data/bars/index.js';
import { DAY_MS, HOUR_MS } from '../../../../engine/series/index.js';

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
