import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isoTime } from '../../../engine/series/index.js';
import { type CliRun, jsonOf, runCliBatch } from '../../support/cli.js';
import { fileOf } from '../../support/data-fixtures.js';
import { randomBars } from '../../support/random.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const zones = ['UTC', 'America/New_York'];

const folder = temporaryFolder('zones');

/**
 * Times without a zone, across both clock changes of New York in 2024 (10 March and 3 November).
 */
const bars = randomBars({ seed: 6, barCount: 6_200, startMs: Date.UTC(2024, 2, 1) });
/** The values of a bar. */
const valuesOf = (i: number) => [bars.open[i], bars.high[i], bars.low[i], bars.close[i], bars.volume[i]];
const rows = Array.from(bars.time, (time, i) =>
  [isoTime(time).replace('T', ' ').replace('Z', ''), ...valuesOf(i)].join(','),
);
const barsFile = await fileOf(folder, 'bars.csv', `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`);
const rule = (name: string, timeframe: string, signal_type: string, params: object) => ({
  name,
  timeframe,
  signal_type,
  params,
});
const strategy = {
  name: 'zones',
  asset: 'ABC',
  entry: [
    rule('rsi_oversold', '1h', 'TRIGGER', { window: 2, threshold: 40 }),
    rule('is_above_sma', '1d', 'FILTER', { window: 3 }),
  ],
};
const strategyFile = await fileOf(folder, 'strategy.json', JSON.stringify(strategy));
const requestsFile = await fileOf(
  folder,
  'signals.json',
  JSON.stringify([{ name: 'rsi_oversold' }, { name: 'vwap_above' }, { name: 'multi_tf_trend_bullish' }]),
);
const simulateFile = await fileOf(
  folder,
  'simulate.json',
  JSON.stringify([
    {
      id: 'a',
      interval: '1h',
      bars: Array.from(bars.time.subarray(0, 400), (t, i) => [t / 1000, ...valuesOf(i)]),
      strategy,
      config: { max_trades_per_day: 1, cooldown_config: null },
    },
  ]),
);

const window = ['--start', '2024-03-10', '--end', '2024-11-03'];
const costs = ['--config', 'fee_pct=0.0001', 'slippage_pct=0', 'max_trades_per_day=2'];
const ofStrategy = ['backtest', '--strategy', strategyFile];
const ofFile = [...ofStrategy, '--bars', barsFile];

const commands = [
  [...ofFile, ...window, ...costs, '--json'],
  [...ofFile, '--start', '2024-03-10T02:30', '--end', '2024-11-03 01:30', '--json'],
  [...ofFile, '--lookback-months', '3', '--end', '2024-11-03', '--json'],
  ['backtest', '--strategy', 'examples/btc-trend.json', '--interval', '1h', ...window],
  ['simulate', simulateFile],
  ['signals', 'evaluate', '--bars', barsFile, '--requests', requestsFile, '--json'],
  ['data', 'import', barsFile, '--asset', 'ABC', '--json'],
  ['data', 'list', '--json'],
  [...ofStrategy, '--interval', '1d', ...window, '--allow-denied', '--trades', join(folder, 'trades.csv'), '--json'],
];

/** An import records its time, so each zone has a home of its own. */
const comparable = (text: string) => text.replaceAll(/"importedAt":"[^"]*"/g, '').replaceAll(/home\d/g, 'home');

test('every command prints the same bytes in another time zone', async () => {
  const byZone: CliRun[][] = [];
  for (const [i, TZ] of zones.entries()) {
    byZone.push(await runCliBatch(commands, { home: join(folder, `home${i}`), env: { TZ } }));
  }
  const [utc, ...others] = byZone;
  const first = jsonOf(utc[0]) as { window: unknown; trade_count: number };
  assert.deepEqual(first.window, { start: '2024-03-10T00:00:00Z', end: '2024-11-04T00:00:00Z' });
  assert.ok(first.trade_count > 10, `${first.trade_count} trades`);
  const { entry } = jsonOf(utc[6]) as { entry: { firstTime: string; lastTime: string } };
  assert.deepEqual([entry.firstTime, entry.lastTime], ['2024-03-01T00:00:00Z', isoTime(bars.time[6_199])]);
  for (const [i, command] of commands.entries()) {
    assert.deepEqual([utc[i].code, utc[i].stderr], [0, ''], command.join(' '));
    for (const [k, other] of others.entries()) {
      const same = comparable(other[i].stdout) === comparable(utc[i].stdout);
      assert.ok(same && other[i].code === 0, `${command.join(' ')} in ${zones[k + 1]}: ${other[i].stderr}`);
    }
  }
});
