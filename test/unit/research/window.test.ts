import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openBars } from '../../../data/bars/index.js';
import { isoTime } from '../../../engine/series/index.js';
import { DAY_MS, MINUTE_MS } from '../../../engine/series/intervals.js';
import type { BacktestRequest } from '../../../research/backtest/index.js';
import { parseTime, resolveWindow, type WindowRequest } from '../../../research/window.js';
import { backtestResult } from '../../support/backtest.js';
import { refuses, tempFolder } from '../../support/data-fixtures.js';
import { root } from '../../support/tree.js';

const strategy = {
  entry: [{ name: 'is_above_sma', signal_type: 'TRIGGER', timeframe: null, params: { window: 1 } }],
};
const always = {
  entry: [{ name: 'rsi_oversold', signal_type: 'TRIGGER', timeframe: null, params: { window: 2, threshold: 50 } }],
};

/** The bundled bars: BTC 5m of 2023, 1h and 1d to 2025-09-18 or -19. */
const bundled = (t: TestContext) => openBars({ home: tempFolder(t), sampleDir: join(root, 'sample') });

const windowOf = async (store: ReturnType<typeof openBars>, window: WindowRequest, interval = '1d') =>
  (await backtestResult({ strategy, asset: 'BTC', interval, window }, store)).window;

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

test('a time without a zone is UTC, and a zone is honoured', () => {
  const at = (text: string) => isoTime(parseTime(text, 'start', false));
  for (const text of ['2024-07-01T06:00', '2024-07-01 06:00', '2024-07-01T06:00:00Z', '2024-07-01T06:00:00.000']) {
    assert.equal(at(text), '2024-07-01T06:00:00Z', text);
  }
  for (const text of ['2024-07-01T11:30+05:30', '2024-07-01T02:00:00-04:00', '2024-07-01T11:30+0530']) {
    assert.equal(at(text), '2024-07-01T06:00:00Z', text);
  }
  assert.equal(isoTime(parseTime('2024-02-29', 'end', true)), '2024-03-01T00:00:00Z');
});

test('a bare end date includes its day, an end time excludes the bar that closes after it', async (t) => {
  const store = bundled(t);
  const hours = (end: string) => windowOf(store, { start: '2024-01-01', end }, '1h');
  assert.equal((await hours('2024-01-02')).end, '2024-01-03T00:00:00Z');
  assert.equal((await hours('2024-01-02T05:00')).end, '2024-01-02T05:00:00Z');
  assert.equal((await hours('2024-01-02T05:59:59')).end, '2024-01-02T05:00:00Z');
  assert.equal((await hours('2024-01-02T06:00')).end, '2024-01-02T06:00:00Z');
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

test('a coarser interval than stored is aggregated, and the answer says so', async (t) => {
  const store = bundled(t);
  const run = (interval: string) =>
    backtestResult({ strategy, asset: 'btc-usd', interval, window: { start: '2023-06-01', end: '2023-06-30' } }, store);
  const cases: [interval: string, from: string | null, bars: number][] = [
    ['5m', null, (30 * DAY_MS) / (5 * MINUTE_MS)],
    ['15m', '5m', (30 * DAY_MS) / (15 * MINUTE_MS)],
    ['30m', '5m', (30 * DAY_MS) / (30 * MINUTE_MS)],
    ['1h', null, 30 * 24],
    ['4h', '1h', 30 * 6],
    ['1D', null, 30],
    ['2d', '1d', 14], // two-day buckets count from the epoch: 1 and 30 June are halves
  ];
  for (const [interval, from, bars] of cases) {
    const result = await run(interval);
    assert.equal(result.data.aggregated_from, from, interval);
    assert.equal(result.data.tradable_bars, bars, interval);
    assert.equal(result.data.source, 'sample');
  }
});

test('an empty window, an unknown asset and an unknown interval are refused with what is held', async (t) => {
  const store = bundled(t);
  const run = (asset: string | undefined, interval: string | undefined, window: WindowRequest = {}) =>
    backtestResult({ strategy, asset, interval, window }, store);
  await refuses(
    run('BTC', '1d', { start: '2030-01-01' }),
    'EMPTY_WINDOW',
    /^no complete 1d bar of BTC lies between 2030-01-01T00:00:00Z and the end of the data; the data has 2020-09-20T00:00:00Z to 2025-09-19T00:00:00Z$/,
  );
  await refuses(
    run('BTX', '1d'),
    'NOT_FOUND',
    /^no bars of BTX, did you mean BTC\? \(held: BNB, BTC, ETH, SOL, XRP\); barline data fetch downloads bars$/,
  );
  await refuses(
    run('ETH', '5m'),
    'NOT_FOUND',
    /^no 5m bars of ETH.* \(held: 1h, 1d\); barline data fetch downloads bars, and a run with allow_generated_bars draws them within the held 1h bars$/,
  );
  await refuses(
    run('BTC', 'hourly'),
    'INVALID_FIELD',
    /^interval must be a number and a unit such as 5m, 1h or 1d, was "hourly"$/,
  );
  await refuses(run('../etc', '1h'), 'INVALID_FIELD', /^asset must .+, was "\.\.\/etc"$/);
});
