import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { contentHash, openBars } from '../../../../data/bars/index.js';
import { type BarSeries, HOUR_MS, MINUTE_MS } from '../../../../engine/series/index.js';
import { aggregateBars } from '../../../../engine/timeframes/index.js';
import { renderTearSheet } from '../../../../report/index.js';
import {
  auditBacktest,
  type BacktestRequest,
  buildTearSheet,
  runBacktest,
  tradeTable,
} from '../../../../research/backtest/index.js';
import { simulateRequests } from '../../../../research/index.js';
import { fileOf, refuses } from '../../../support/data-fixtures.js';
import { randomBars } from '../../../support/random.js';
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
const filter = { signal_type: 'FILTER' };
const up = rule('ema_cross_up', { window_fast: 5, window_slow: 20 });
const down = rule('ema_cross_down', { window_fast: 5, window_slow: 20 });
const both = { name: 'both', asset: 'BTC', entry: [up], exit: [down], short_entry: [down], short_exit: [up] };
const cheap = { fee_pct: 0.0005, slippage_pct: 0.0002, borrow_rate: 0.05 };
const window = { start: '2023-02-01', end: '2023-06-30' };

const run = (strategy: object, config: object = cheap, more: Partial<BacktestRequest> = {}) =>
  runBacktest({ strategy, config, interval: '1h', window, ...more }, services);

const heldOf = (bars: BarSeries) => ({ bars, contentHash: contentHash(bars), source: 'memory' });

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

test('what bound the size is known for margin, exposure and cash', async () => {
  const boundBy = async (config: object) =>
    (await run(both, { ...cheap, position_sizing: 'equity_share', trade_share: 3, leverage: 2, ...config })).result
      .diagnostics.limited;
  const cash = await boundBy({});
  assert.deepEqual(Object.keys(cash), ['cash']);
  assert.deepEqual(Object.keys(await boundBy({ max_gross_exposure: 1 })), ['max_gross_exposure']);
  assert.deepEqual(Object.keys(await boundBy({ max_trade_amount: 500 })), ['max_trade_amount']);
  assert.deepEqual(await boundBy({ trade_share: 0.1 }), {});
  const small = await run(both, { ...cheap, trailing_distance: 1, max_trade_amount: 10 });
  assert.ok((small.result.diagnostics.too_small.max_trade_amount ?? 0) > 10);
});

test('rules read another asset by its closed bars; a missing one is named with the import', async () => {
  const informed = { ...both, entry: [up, rule('is_above_sma', { window: 10 }, { ...filter, asset: 'ETH' })] };
  const { result } = await run(informed);
  const plain = await run(both);
  const wanted = ({ long }: typeof result.diagnostics) => long?.both_true ?? 0;
  assert.ok(wanted(result.diagnostics) > 10 && wanted(result.diagnostics) < wanted(plain.result.diagnostics));
  const [series] = result.manifest.data.series ?? [];
  assert.deepEqual([series?.asset, series?.interval, series?.use], ['ETH', '1h', 'rules']);
  assert.notEqual(result.manifest.run_id, plain.result.manifest.run_id);
  const own = { ...both, entry: [up, rule('is_above_sma', { window: 10 }, { ...filter, asset: 'BTC/USDT' })] };
  const same = await run({ ...both, entry: [up, rule('is_above_sma', { window: 10 }, filter)] });
  assert.equal((await run(own)).result.manifest.result_hash, same.result.manifest.result_hash);
  assert.equal((await run(own)).result.manifest.data.series, undefined);
  await refuses(
    run({ ...both, entry: [{ ...up, asset: 'DOGE' }] }),
    'NOT_FOUND',
    /^entry\[0\]\.asset: no bars of DOGE .*barline data import FILE --asset DOGE --interval 1h$/,
  );
});

test('bars at hand serve the rules of another asset, and their holes are named', async () => {
  const bars = randomBars({ seed: 3, barCount: 900 });
  const other = randomBars({ seed: 4, barCount: 900, gapChance: 0.05 });
  const strategy = { ...both, entry: [rule('ema_cross_up', {}, { asset: 'ETH' })] };
  const ask = (ETH: BarSeries) =>
    run(strategy, cheap, { held: heldOf(bars), otherBars: { ETH: heldOf(ETH) }, interval: undefined, window: {} });
  const { result } = await ask(other);
  assert.ok(
    result.warnings.some((line) => /^ETH, which rules read, lacks \d+ of 900 1h bars \(the first by/.test(line)),
  );
  assert.ok(!(await ask(bars)).result.warnings.some((line) => line.includes('lacks')));
  const coarse = { ...other, intervalMs: 4 * HOUR_MS };
  await refuses(ask(coarse), 'INVALID_FIELD', /^otherBars\.ETH must have an interval that divides 1h, was 4h$/);
});

test('a filter on a long timeframe is served by bars of that length, held or at hand', async () => {
  const hours = randomBars({ seed: 3, barCount: 2_400 });
  const other = randomBars({ seed: 4, barCount: 2_400 });
  const days = aggregateBars(other, 24 * HOUR_MS).bars;
  const daily = rule('is_above_sma', { window: 5 }, { ...filter, asset: 'ETH', timeframe: '1d' });
  const ask = (ETH: BarSeries) =>
    run({ ...both, entry: [up, daily] }, cheap, {
      ...{ held: heldOf(hours), otherBars: { ETH: heldOf(ETH) }, interval: undefined, window: {} },
    });
  const [coarse, fine] = [await ask(days), await ask(other)];
  assert.deepEqual(coarse.result.trades.length, fine.result.trades.length);
  assert.equal(coarse.result.manifest.result_hash, fine.result.manifest.result_hash);
  assert.ok(!coarse.result.warnings.some((line) => line.includes('lacks')));

  // The store holds XAU by the day only.
  const { time, open, high, low, close, volume } = days;
  const rows = Array.from(time, (ms, i) => [ms / 1000, open[i], high[i], low[i], close[i], volume[i]].join(','));
  const home = temporaryFolder('both-sides-days');
  const file = await fileOf(home, 'xau.csv', ['time,open,high,low,close,volume', ...rows].join('\n'));
  const store = openBars({ home });
  await store.import(file, { asset: 'XAU' });
  const gold = { ...daily, asset: 'XAU' };
  const request = { config: cheap, held: heldOf(hours), window: {} };
  const stored = await runBacktest({ ...request, strategy: { ...both, entry: [up, gold] } }, { ...services, store });
  assert.equal(stored.result.manifest.result_hash, coarse.result.manifest.result_hash);
  assert.deepEqual(
    stored.result.manifest.data.series?.map(({ asset, interval }) => [asset, interval]),
    [['XAU', '1d']],
  );
  await refuses(
    runBacktest(
      { ...request, strategy: { ...both, entry: [up, { ...gold, timeframe: '4h' }] } },
      { ...services, store },
    ),
    'NOT_FOUND',
    /^entry\[1\]\.asset: no 4h bars of XAU.*barline data import FILE --asset XAU --interval 4h$/,
  );
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

test('finer bars at hand decide the order of events in a bar', async () => {
  const finer = randomBars({ seed: 5, barCount: 12_000, intervalMs: 5 * MINUTE_MS });
  const { bars } = aggregateBars(finer, HOUR_MS);
  const tight = { ...cheap, fixed_stop_pct: 0.01, stop_loss_calculation: 'fixed', reward_factor: 1 };
  const ask = (detailBars: BarSeries) =>
    run(
      both,
      { ...tight, detail_interval: '5m' },
      { held: heldOf(bars), detailBars: heldOf(detailBars), interval: undefined, window: {} },
    );
  const { diagnostics, warnings } = (await ask(finer)).result;
  assert.ok((diagnostics.detail?.resolved ?? 0) > 0 && diagnostics.detail?.unresolved === 0);
  assert.ok(!warnings.some((line) => line.includes('lack finer')));
  await refuses(ask(bars), 'INVALID_FIELD', /^detailBars must have the interval 5m, was 1h$/);
});

test('trades of sides and margin have their columns, and parts theirs', async () => {
  const { result } = await run(both, { ...cheap, leverage: 3, scale_out: [[1, 0.5]], trailing_distance: 2 });
  const columns = new Map(tradeTable(result).map(({ name, values }) => [name, Array.from<unknown>(values)]));
  const own = ['initial_stop_price', 'margin', 'return_on_margin', 'liquidation_price', 'borrow_paid', 'exits'];
  for (const name of own) assert.equal(columns.get(name)?.length, result.trade_count, name);
  const parts = columns.get('exits')?.map((text) => JSON.parse(String(text)) as unknown[]);
  assert.ok(parts?.some((exits) => exits.length === 2));
  assert.deepEqual(new Set(columns.get('side')), new Set(['exit_long', 'exit_short']));
});

test('the tear sheet says both sides in words', async () => {
  const above = rule('is_above_sma', { window: 10 }, { ...filter, asset: 'ETH', timeframe: '1d', negate: true });
  const strategy = { ...both, entry: { any: [[up, above], [{ ...up, within_bars: 3 }]] } };
  const page = renderTearSheet(buildTearSheet(await run(strategy, { ...cheap, leverage: 2 })))
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  for (const text of [
    'Buys when either ema_cross_up on 1h: ',
    'not is_above_sma of ETH on 1d: window 10',
    ' or ema_cross_up on 1h within 3 bars: ',
    'Sells short when ema_cross_down on 1h',
    'Buys back when ema_cross_up on 1h',
    'leverage notional of an entry over the margin that it locks; default 1',
    'short entries filled',
  ]) {
    assert.ok(page.includes(text), `${text} in ${page.slice(0, 6_000)}`);
  }
});

test('the audit is clean over both sides, other assets, finer bars and moving levels', async () => {
  const entry = {
    any: [[up, rule('is_above_sma', { window: 10 }, { ...filter, asset: 'ETH' })], [{ ...up, negate: true }]],
  };
  const config = { ...cheap, trailing_distance: 1, leverage: 5, opposite_entry: 'reverse', detail_interval: '5m' };
  const short = { start: '2023-03-01', end: '2023-04-15' };
  const request = { strategy: { ...both, entry }, config, interval: '1h', window: short };
  assert.deepEqual((await auditBacktest(request, { cutCount: 3, seed: 3 }, services)).findings, []);
});

test('requests of `barline simulate` take strategies of both sides, on their own bars only', () => {
  const { time, open, high, low, close, volume } = randomBars({ seed: 8, barCount: 500 });
  const bars = Array.from(time, (ms, i) => [ms / 1000, open[i], high[i], low[i], close[i], volume[i]]);
  const ask = (strategy: object) =>
    simulateRequests([{ id: 'a', interval: '1h', bars, strategy, config: cheap }]).get('a');
  const sides = new Set(ask(both)?.trades.map(({ side }) => side));
  assert.deepEqual(sides, new Set(['exit_long', 'exit_short']));
  assert.throws(
    () => ask({ ...both, entry: [{ ...up, asset: 'ETH' }] }),
    /entry\[0\]\.asset must be left out: a request has the bars of one asset only, was "ETH"/,
  );
});

test('rules run on weeks of the own and of another asset, and not in the form of the service', async () => {
  const weekly = (asset?: string) =>
    rule('is_above_sma', { window: 3 }, { ...filter, timeframe: '1w', ...(asset === undefined ? {} : { asset }) });
  const of = (more: object) => ({ name: 'weekly', asset: 'BTC', entry: [up, more], exit: [down] });
  const plain = await run({ name: 'plain', asset: 'BTC', entry: [up], exit: [down] });
  for (const asset of [undefined, 'ETH']) {
    const { result } = await run(of(weekly(asset)));
    assert.deepEqual(result.denied_signals, []);
    assert.ok(result.trade_count > 5 && result.trade_count < plain.result.trade_count);
  }
  const { result } = await run(of(weekly()), { fee_pct: 0.0005 }, { takesSides: false });
  assert.equal(result.trade_count, 0);
  assert.match(
    result.denied_signals[0]?.message ?? '',
    /^timeframe 1w is not supported by the service, .*library take it/,
  );
});
