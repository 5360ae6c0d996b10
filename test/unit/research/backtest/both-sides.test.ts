import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { type BacktestRequest, runBacktest } from '../../../../research/backtest/index.js';
import { refuses } from '../../../support/data-fixtures.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

/** Backtests of definitions with both sides, choices, other assets, and every kind of setting. */

const services = {
  store: openBars({ home: temporaryFolder('both-sides'), sampleDir: join(root, 'sample') }),
  engineVersion: '0.0.0-test',
};
const rule = (name: string, params: object = {}, more: object = {}) => ({
  ...{ name, signal_type: 'TRIGGER', timeframe: null, params },
  ...more,
});
const up = rule('ema_cross_up', { window_fast: 5, window_slow: 20 });
const down = rule('ema_cross_down', { window_fast: 5, window_slow: 20 });
const both = { name: 'both', asset: 'BTC', entry: [up], exit: [down], short_entry: [down], short_exit: [up] };
const cheap = { fee_pct: 0.0005, slippage_pct: 0.0002, borrow_rate: 0.05 };
const window = { start: '2023-02-01', end: '2023-06-30' };

const run = (strategy: object, config: object = cheap, more: Partial<BacktestRequest> = {}) =>
  runBacktest({ strategy, config, interval: '1h', window, ...more }, services);

test('both sides trade, and their results, entries and denials stand apart', async () => {
  const { result, bars, first } = await run(both, { ...cheap, leverage: 2, opposite_entry: 'reverse' });
  const { trades, side_metrics: sides, diagnostics, denied_entries } = result;
  assert.ok(sides);
  for (const side of ['long', 'short'] as const) {
    const own = trades.filter((trade) => trade.side === `exit_${side}`);
    assert.ok(own.length > 20);
    assert.equal(sides[side].trades, own.length);
    const net = own.reduce((sum, trade) => sum + trade.profit_loss, 0);
    assert.ok(Math.abs(sides[side].net_pnl - net) < 1e-6);
    assert.equal(diagnostics[side]?.filled, own.length);
    const denied = denied_entries.filter((one) => one.side === side).length;
    const counted = Object.values(diagnostics[side]?.denied ?? {}).reduce((sum, n) => sum + n, 0);
    assert.equal(counted, denied);
    assert.ok((diagnostics[side]?.both_true ?? 0) >= own.length);
  }
  assert.equal(diagnostics.filled, trades.length);
  const margined = trades.reduce((sum, { margin = Number.NaN }) => sum + margin, 0);
  const profit = trades.reduce((sum, { profit_loss }) => sum + profit_loss, 0);
  assert.ok(Math.abs((sides.return_on_margin ?? Number.NaN) - profit / margined) < 1e-9);
  const short = trades.find((trade) => trade.side === 'exit_short' && trade.exit_reason === 'SIGNAL');
  assert.ok(short);
  // A short loses where the price rises: its worst price before the exit is the highest.
  const held = bars.high.subarray(first + short.entry_bar_index, first + short.exit_bar_index);
  const worst = Math.max(...held, bars.open[first + short.exit_bar_index] ?? 0);
  assert.ok(Math.abs(short.mae - Math.max(0, worst / short.entry_price - 1)) < 1e-12);
});

test('the side without a trade says why, and so does a run without any', async () => {
  const never = rule('formula', { when: 'close > 1000000' });
  const { result } = await run({ ...both, short_entry: [never] });
  assert.equal(result.diagnostics.verdict, null);
  assert.match(
    result.diagnostics.short?.verdict ?? '',
    /^No short trades: the trigger formula was never true on \d+ bars/,
  );
  const nothing = await run({ ...both, entry: [rule('no_such_signal')], short_entry: [never] });
  assert.match(
    nothing.result.diagnostics.verdict ?? '',
    /^No long trades: the entry rule no_such_signal was refused.*No short/,
  );
  assert.deepEqual(
    nothing.result.denied_signals.map(({ side, name }) => [side, name]),
    [['entry', 'no_such_signal']],
  );
  const blocked = await run({ ...both, short_entry: [up] });
  assert.equal(blocked.result.trade_count, 0);
  assert.match(blocked.result.diagnostics.long?.verdict ?? '', /side_conflict; the entry rules of both sides/);
  assert.match(blocked.result.diagnostics.short?.verdict ?? '', /exit_conflict|side_conflict/);
});

test('expired orders are counted, told and shown', async () => {
  const far = { ...cheap, entry_order: 'limit', entry_offset_pct: 0.5 };
  const { result } = await run(both, far);
  const { order_placed: placed = 0, order_expired: expired = 0, verdict } = result.diagnostics;
  assert.ok(placed > 10 && expired === placed);
  assert.match(verdict ?? '', /entry orders expired before the price reached them/);
  assert.ok(result.warnings.some((line) => line.startsWith('orders-expired: 100.0 %')));
});

test('finer bars are read from the store, and their holes are named', async () => {
  const tight = { ...cheap, fixed_stop_pct: 0.004, stop_loss_calculation: 'fixed', reward_factor: 1 };
  const { result } = await run(both, { ...tight, detail_interval: '5m' });
  const { resolved = 0, changed = 0 } = result.diagnostics.detail ?? {};
  assert.ok(resolved > 5 && changed > 0 && changed < resolved, JSON.stringify(result.diagnostics.detail));
  assert.ok(result.warnings.some((line) => /^detail_interval: 1 of \d+ bars lack finer 5m bars/.test(line)));
  assert.ok(!result.warnings.some((line) => line.includes('inside a bar')));
  assert.deepEqual(
    result.manifest.data.series?.map(({ use, interval }) => [use, interval]),
    [['detail', '5m']],
  );
  await refuses(
    run(both, { detail_interval: '7m' }),
    'INVALID_FIELD',
    /^detail_interval must be finer than the run interval 1h and divide it, was "7m"$/,
  );
  await refuses(
    run({ ...both, asset: 'ETH' }, { detail_interval: '15m' }),
    'NOT_FOUND',
    /^detail_interval: no 15m bars of ETH.*barline data import FILE --asset ETH --interval 15m$/,
  );
});
