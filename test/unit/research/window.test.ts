import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openBars } from '../../../data/bars/index.js';
import { isoTime } from '../../../engine/series/index.js';
import type { BacktestRequest } from '../../../research/backtest/index.js';
import { resolveWindow, type WindowRequest } from '../../../research/window.js';
import { backtestResult } from '../../support/backtest.js';
import { tempFolder } from '../../support/data-fixtures.js';
import { root } from '../../support/tree.js';

const always = {
  entry: [{ name: 'rsi_oversold', signal_type: 'TRIGGER', timeframe: null, params: { window: 2, threshold: 50 } }],
};

/** The bundled bars: BTC 5m of 2023, 1h and 1d to 2025-09-18 or -19. */
const bundled = (t: TestContext) => openBars({ home: tempFolder(t), sampleDir: join(root, 'sample') });

const startAndEnd = (request: WindowRequest, nowMs = Date.UTC(2024, 5, 15, 12)) => {
  const { startMs, endMs } = resolveWindow(request, nowMs);
  return [isoTime(startMs), isoTime(endMs)];
};

test('there are four ways to give a window, and no window means all bars', () => {
  assert.deepEqual(startAndEnd({ start: '2024-01-01', end: '2024-01-31' }), [
    '2024-01-01T00:00:00Z',
    '2024-02-01T00:00:00Z',
  ]);
  assert.deepEqual(startAndEnd({ start: '2024-01-01' }), ['2024-01-01T00:00:00Z', 'Infinity']);
  assert.deepEqual(startAndEnd({ end: '2024-03-30T12:00Z', lookbackMonths: 1 }), [
    '2024-02-29T12:00:00Z',
    '2024-03-30T12:00:00Z',
  ]);
  assert.deepEqual(startAndEnd({ lookbackMonths: 3 }), ['2024-03-15T12:00:00Z', 'Infinity']);
  assert.deepEqual(startAndEnd({}), ['-Infinity', 'Infinity']);
});

test('months back end on the last day of a shorter month', () => {
  const cases: [end: string, months: number, start: string][] = [
    ['2024-03-31T00:00Z', 1, '2024-02-29T00:00:00Z'],
    ['2023-03-31T00:00Z', 1, '2023-02-28T00:00:00Z'],
    ['2024-02-29T06:30Z', 12, '2023-02-28T06:30:00Z'],
    ['2024-02-29T06:30Z', 48, '2020-02-29T06:30:00Z'],
    ['2024-05-31T00:00Z', 3, '2024-02-29T00:00:00Z'],
    ['2024-12-31T00:00Z', 1, '2024-11-30T00:00:00Z'],
    ['2024-01-31T00:00Z', 2, '2023-11-30T00:00:00Z'],
    ['2024-01-15T00:00Z', 13, '2022-12-15T00:00:00Z'],
  ];
  for (const [end, lookbackMonths, start] of cases) {
    assert.equal(startAndEnd({ end, lookbackMonths }, Date.UTC(2025, 0, 1))[0], start, `${end} ${lookbackMonths}`);
  }
});

test('a contradictory window is refused with the field and the accepted values', () => {
  const cases: [request: WindowRequest, code: string, message: RegExp][] = [
    [{ start: '2024-01-01', lookbackMonths: 2 }, 'INVALID_FIELD', /^lookback_months must not be combined with start/],
    [{ lookbackMonths: 0 }, 'INVALID_FIELD', /^lookback_months must be a whole number 1\.\.1200, was 0$/],
    [
      { start: '2024-01-02', end: '2024-01-01' },
      'EMPTY_WINDOW',
      /^start must be before end, was 2024-01-02 against 2024-01-01$/,
    ],
    [{ start: '2024-01-01T05:00', end: '2024-01-01T05:00' }, 'EMPTY_WINDOW', /must be before end/],
    [
      { start: 'yesterday' },
      'INVALID_FIELD',
      /^start must be a date such as 2024-01-31 or an ISO 8601 time, was "yest/,
    ],
    [{ end: '2024-02-30' }, 'INVALID_FIELD', /^end must be a date such as .+, was "2024-02-30"$/],
    [{ start: '1704067200' }, 'INVALID_FIELD', /^start must be/],
  ];
  for (const [request, code, message] of cases) {
    assert.throws(() => resolveWindow(request, 0), { name: 'EngineError', code, message });
  }
});

test('history before the window is loaded and never traded', async (t) => {
  const store = bundled(t);
  const config = { fee_pct: 0, slippage_pct: 0, cooldown_config: null };
  const request: BacktestRequest = {
    strategy: always,
    asset: 'BTC',
    interval: '1h',
    window: { start: '2024-03-01', end: '2024-03-31' },
    config,
  };
  const result = await backtestResult(request, store);
  assert.ok(result.data.history_bars >= 15 * 24, `${result.data.history_bars} bars of history`);
  assert.equal(result.data.tradable_bars, 31 * 24);
  assert.equal(result.equity.length, result.data.tradable_bars);
  assert.ok(result.trade_count > 10);
  for (const { entry_timestamp, entry_bar_index } of result.trades) {
    assert.ok(entry_bar_index >= 1, `entry at bar ${entry_bar_index}`);
    assert.ok(entry_timestamp > result.window.start);
  }
  for (const { timestamp } of result.denied_entries) assert.ok(timestamp > result.window.start);
  assert.equal(result.equity[0]!.timestamp, '2024-03-01T01:00:00Z');
  assert.ok(!('atr_warmup' in result.diagnostics.denied), 'the daily range is warm at the start');
});
