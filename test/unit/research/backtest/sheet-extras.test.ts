import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { close } from '../../../../engine/indicators/column.js';
import { Frame } from '../../../../engine/indicators/index.js';
import { EMA } from '../../../../engine/indicators/smoothing.js';
import { aggregateBars } from '../../../../engine/timeframes/index.js';
import { buildTearSheet, runBacktest } from '../../../../research/backtest/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

const store = openBars({ home: temporaryFolder('sheet-extras'), sampleDir: join(root, 'sample') });
const rule = (name: string, signal_type: string, timeframe: string | null, params: object) => ({
  ...{ name, signal_type, timeframe, params },
});
const strategy = {
  name: 'extras',
  asset: 'BTC',
  entry: [
    rule('ema_cross_up', 'TRIGGER', '4h', { window_fast: 5, window_slow: 20 }),
    rule('is_above_sma', 'FILTER', '1d', { window: 10 }),
  ],
  exit: [rule('rsi_cross_up', 'TRIGGER', '4h', { window: 14, threshold: 70 })],
};
const run = await runBacktest(
  { strategy, config: { fee_pct: 0 }, interval: '4h', window: { start: '2023-01-01', end: '2023-12-31' } },
  { store, engineVersion: '0' },
);
const sheet = buildTearSheet(run);
const { bars, first } = run;

test('the indicators are those that the rules read, with the values of the engine', () => {
  const names = sheet.indicators.map(({ name }) => name);
  assert.equal(names.length, 4, names.join());
  const [fast, slow, daily, rsi] = sheet.indicators;
  for (const [indicator, window] of [
    [fast, 5],
    [slow, 20],
  ] as const) {
    assert.equal(indicator?.isPrice, true);
    assert.deepEqual(indicator?.values, Frame.of(bars).column(EMA(close, window)).slice(first));
  }
  assert.match(rsi?.name ?? '', /RSI/);
  assert.equal(rsi?.isPrice, false);
  assert.ok(rsi?.values.every((value) => Number.isNaN(value) || (value >= 0 && value <= 100)));
  assert.match(daily?.name ?? '', / on 1d$/);
  // The mean of ten daily closes stands from the close of the day on: the last 4-hour bar of a day.
  const days = aggregateBars(bars, 86_400_000).bars;
  for (let i = 0; i < sheet.bars.time.length; i += 97) {
    const closeMs = sheet.bars.time[i]! + bars.intervalMs;
    const closes = [...days.close].filter((_, d) => days.time[d]! + 86_400_000 <= closeMs).slice(-10);
    const mean = closes.reduce((sum, value) => sum + value, 0) / 10;
    assert.ok(Math.abs(daily!.values[i]! / mean - 1) < 1e-9, `bar ${i}: ${daily!.values[i]} is not ${mean}`);
  }
});
