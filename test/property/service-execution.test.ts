import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { openBars } from '../../data/bars/index.js';
import { resolveConfig, simulate } from '../../engine/execution/index.js';
import { type BarSeries, firstBarFrom, HOUR_MS, isoTime, sliceBars } from '../../engine/series/index.js';
import { evaluateRules, parseStrategy, planStrategy } from '../../engine/strategy/index.js';
import { aggregateBars } from '../../engine/timeframes/index.js';
import { asApiError } from '../../service/api-error.js';
import { createAccount } from '../../service/execution/accounts.js';
import { evaluateBulk, evaluateInline, evaluateStrategy } from '../../service/execution/evaluate-strategy.js';
import { getPortfolio, listPositions, listTrades } from '../../service/execution/listings.js';
import type { Order } from '../../service/execution/stored.js';
import { TestMarket } from '../support/execution-market.js';
import { ann } from '../support/execution-world.js';
import { paperTrading } from '../support/paper-trading.js';
import { randomBars } from '../support/random.js';
import { runs } from '../support/scale.js';
import { emptyState } from '../support/shared-state.js';
import { root } from '../support/tree.js';
import { uuid } from '../support/uuid.js';

const rule = (name: string, signal_type: string, params: object = {}, timeframe = '4h') => ({
  name,
  signal_type,
  timeframe,
  params,
});

const strategies: Record<string, { rules: object; settings: object; tradesMin: number }> = {
  'breakout above the daily average, one position': {
    rules: {
      entry: [
        rule('dc_upper_breakout', 'TRIGGER', { window: 10 }),
        rule('is_above_sma', 'FILTER', { window: 5 }, '1D'),
      ],
      exit: [rule('dc_lower_breakout', 'TRIGGER', { window: 10 })],
      reward_factor: 1.5,
    },
    settings: { max_open_positions: 1, fee_pct: 0.001, slippage_pct: 0.0005 },
    tradesMin: 20,
  },
  'a breakout in fear, by a column of the data': {
    rules: {
      entry: [
        rule('dc_upper_breakout', 'TRIGGER', { window: 10 }),
        rule('column_below', 'FILTER', { column: 'FearGreed', threshold: 62 }),
      ],
      exit: [rule('column_crosses_above', 'TRIGGER', { column: 'FearGreed', threshold: 60 })],
      reward_factor: 1.5,
    },
    settings: { max_open_positions: 2, fee_pct: 0.001 },
    tradesMin: 20,
  },
  'many positions, held for a while': {
    rules: { entry: [rule('is_above_sma', 'TRIGGER', { window: 20 })], exit: [] },
    settings: {
      max_open_positions: 4,
      max_risk_per_trade: 0.003,
      max_hold_bars: 12,
      max_trades_per_day: 2,
      fee_pct: 0.001,
    },
    tradesMin: 100,
  },
};

const catalogue = openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') });
const window = { fromMs: Date.UTC(2022, 10, 1), toMs: Date.UTC(2024, 0, 1) };
const columns = ['FearGreed'];
const { bars: hours } = await catalogue.load({ asset: 'BTC', intervalMs: HOUR_MS, columns, ...window });
const year = aggregateBars(hours, 4 * HOUR_MS).bars;
/** Bars of the new year that are traded: an evaluation is some ten statements. */
const TRADED = runs(12, 365) * 6;
const firstTraded = firstBarFrom(year, Date.UTC(2023, 0, 1));
const btc = sliceBars(year, 0, Math.min(firstTraded + TRADED, year.barCount));

/**
 * Gives all bars from the first on, so that recursive indicators equal those of the backtest to the
 * last bit.
 */
class WholeMarket extends TestMarket {
  override async bars(asset: string, intervalMs: number): Promise<BarSeries> {
    return super.bars(asset, intervalMs, 0);
  }
}

for (const [name, { rules, settings, tradesMin }] of Object.entries(strategies)) {
  test(`stored evaluations, bar by bar, leave the positions, orders and trades of the backtest: ${name}`, async () => {
    const definition = parseStrategy(rules, 'relaxed');
    const { config } = resolveConfig({
      saved: settings,
      strategyRewardFactor: definition.rewardFactor,
      interval: btc.intervalMs,
    });
    const first = firstTraded;
    const plan = planStrategy(definition, btc.intervalMs, columns);
    assert.deepEqual(plan.denied, []);
    const run = simulate({ bars: btc, first, ...evaluateRules(plan, btc), config });
    const expected = run.trades.filter(({ exitReason }) => exitReason !== 'END');
    assert.ok(expected.length >= runs(2, tradesMin), `${expected.length} trades`);

    const { store, addStrategy } = paperTrading((await emptyState()).db);
    const market = new WholeMarket({ 'BTC 14400000': btc }, 0);
    const state = { cash_balance: 10_000, account_value: 10_000, total_trades: 0, num_open_positions: 0 };
    const strategy = { id: uuid(10), name, asset: 'BTC', status: 'paper' as const, rules, execution_config: settings };
    await addStrategy(ann, { ...strategy, execution_state: state });
    const services = { store, market, now: () => 0, newId: () => uuid(99) };
    const orders: Order[] = [];
    for (let i = first; i + 1 < btc.barCount; i++) {
      market.now = btc.time[i + 1];
      market.price = btc.open[i + 1];
      const { new_orders } = await evaluateStrategy(ann, { strategy_id: uuid(10) }, services);
      orders.push(...new_orders);
    }

    const all = { skip: 0, limit: 1_000 };
    const positions = [...(await store.listPositions(ann.userId, {}, all)).rows].reverse();
    const trades = (await store.listTrades(ann.userId, {}, all)).rows;
    const lastClosed = positions.filter(({ open }) => !open).length;
    const byEntry = [...run.trades].sort((a, b) => a.entryBar - b.entryBar);
    assert.equal(positions.length, byEntry.length, 'as many positions');
    assert.ok(expected.length - lastClosed <= 4, 'all but those closed within the last bar');
    for (const [i, position] of positions.entries()) {
      const wanted = byEntry[i];
      const own = orders.filter((order) => order.position_id === position.id);
      const [entry, stop, target, ...exits] = own;
      assertNear([position.entry_price, wanted.entryPrice], [position.position_size, wanted.size]);
      assertNear([entry.price, wanted.entryPrice], [stop.price, wanted.stopPrice], [target.price, wanted.targetPrice]);
      assert.deepEqual([entry.status, stop.status, target.status], ['filled', 'pending', 'pending']);
      assert.equal(position.entry_timestamp, isoTime(btc.time[wanted.entryBar]));
      if (position.open) {
        assert.deepEqual(exits, []);
        continue;
      }
      const trade = trades.find(({ position_id }) => position_id === position.id)!;
      assert.equal(position.exit_reason, wanted.exitReason);
      assert.equal(trade.closed_at, isoTime(btc.time[wanted.exitBar]));
      assertNear([position.exit_price!, wanted.exitPrice], [trade.profit_loss, wanted.profitLoss]);
      const filled = exits.filter(({ status }) => status === 'filled');
      const types = { SL: 'stop_loss', TP: 'take_profit' } as Record<string, string>;
      assert.deepEqual(
        filled.map(({ order_type }) => order_type),
        [types[wanted.exitReason] ?? 'market'],
      );
      assertNear([filled[0].price, wanted.exitPrice]);
      assert.equal(exits.length - filled.length, wanted.exitReason in types ? 1 : 2, 'the rest is cancelled');
    }
    const found = await store.findStrategy(ann.userId, uuid(10));
    const { execution_state, account } = found!.lane;
    assert.equal(execution_state.total_trades, lastClosed);
    assert.equal(execution_state.num_open_positions, account?.positions.length);
    const [booked] = await store.listAccounts(ann.userId, null);
    assertNear(
      [booked.cash_balance, execution_state.cash_balance],
      [booked.account_value, execution_state.account_value],
    );
  });
}

const sided: Record<string, { rules: object; settings: object }> = {
  'both sides by limit orders, with margin, stops that move and parts sold': {
    rules: {
      entry: [rule('dc_upper_breakout', 'TRIGGER', { window: 10 })],
      exit: [rule('dc_lower_breakout', 'TRIGGER', { window: 10 })],
      short_entry: {
        any: [
          [rule('dc_lower_breakout', 'TRIGGER', { window: 10 })],
          [rule('sma_cross_down', 'TRIGGER', { window_fast: 5, window_slow: 15 })],
        ],
      },
      short_exit: [{ ...rule('dc_upper_breakout', 'TRIGGER', { window: 10 }), within_bars: 2 }],
      reward_factor: 1.5,
    },
    settings: {
      ...{ leverage: 3, opposite_entry: 'hedge', borrow_rate: 0.1, fee_pct: 0.0005, slippage_pct: 0 },
      ...{ entry_order: 'limit', entry_offset_pct: 0.002, entry_valid_bars: 3, maker_fee_pct: 0.0002 },
      ...{ trailing_distance: 1, trailing_start: 0.5, scale_out: [[0.5, 0.5]], max_open_positions: 4 },
    },
  },
  'both sides at the open, one after the other': {
    rules: {
      entry: [rule('is_above_sma', 'TRIGGER', { window: 20 })],
      short_entry: [{ ...rule('is_above_sma', 'TRIGGER', { window: 20 }), negate: true }],
    },
    settings: {
      ...{ opposite_entry: 'reverse', position_sizing: 'equity_share', trade_share: 0.4, fee_pct: 0.0005 },
      ...{ max_hold_bars: 12, break_even_at: 0.5, guard_daily_loss: 0.05, max_open_positions: 2 },
    },
  },
};

for (const [name, { rules, settings }] of Object.entries(sided)) {
  test(`stored evaluations, bar by bar, leave the trades of the backtest: ${name}`, async () => {
    const definition = parseStrategy(rules, 'relaxed', { takesSides: true });
    const { config } = resolveConfig({
      ...{ saved: settings, strategyRewardFactor: definition.rewardFactor, interval: btc.intervalMs },
      takesPositionFields: true,
    });
    const first = firstTraded;
    const plan = planStrategy(definition, btc.intervalMs, columns);
    const { entry, exit, short } = evaluateRules(plan, btc);
    assert.ok(short);
    const masks = { entry, exit, shortEntry: short.entry, shortExit: short.exit };
    const run = simulate({ bars: btc, first, ...masks, config });

    const { store, addStrategy } = paperTrading((await emptyState()).db);
    const market = new WholeMarket({ 'BTC 14400000': btc }, 0);
    const state = { cash_balance: 10_000, account_value: 10_000, total_trades: 0, num_open_positions: 0 };
    const strategy = { id: uuid(10), name, asset: 'BTC', status: 'paper' as const, rules, execution_config: settings };
    await addStrategy(ann, { ...strategy, execution_state: state });
    const services = { store, market, now: () => 0, newId: () => uuid(99) };
    const orders: Order[] = [];
    for (let i = first; i + 1 < btc.barCount; i++) {
      market.now = btc.time[i + 1];
      market.price = btc.open[i + 1];
      const { new_orders } = await evaluateStrategy(ann, { strategy_id: uuid(10) }, services);
      orders.push(...new_orders);
    }
    const all = { skip: 0, limit: 1_000 };
    const trades = (await store.listTrades(ann.userId, {}, all)).rows;
    const positions = (await store.listPositions(ann.userId, {}, all)).rows;
    // What the last bar closes is seen at the evaluation after it.
    const expected = run.trades.filter(({ exitReason, exitBar }) => exitReason !== 'END' && exitBar < btc.barCount - 1);
    assert.ok(expected.length >= runs(2, 30), `${expected.length} trades`);
    assert.ok(expected.some(({ details }) => details?.side === 'short'));
    const keyOf = (time: string, profit: number) => `${time} ${profit.toFixed(6)}`;
    const own = new Map(trades.map((trade) => [keyOf(trade.closed_at, trade.profit_loss), trade]));
    for (const trade of expected) {
      const found = own.get(keyOf(isoTime(btc.time[trade.exitBar]), trade.profitLoss));
      assert.ok(found, `${isoTime(btc.time[trade.exitBar])} ${trade.exitReason} ${trade.profitLoss}`);
      const position = positions.find(({ id }) => id === found.position_id)!;
      assert.equal(found.side, `exit_${trade.details?.side}`);
      assert.equal(position.side, trade.details?.side);
      assert.equal(position.exit_reason, trade.exitReason);
      assert.equal(position.entry_timestamp, isoTime(btc.time[trade.entryBar]));
      assertNear([position.entry_price, trade.entryPrice], [found.position_size, trade.size]);
      const margin = trade.details?.margin;
      if (margin) assertNear([found.margin!, margin.amount], [found.return_on_margin!, margin.returnOnMargin]);
      const sold = orders.filter(({ position_id, side, status }) => {
        return position_id === position.id && side.startsWith('exit_') && status === 'filled';
      });
      assertNear([sold.reduce((sum, order) => sum + order.position_size, 0), trade.size]);
    }
    assert.ok(trades.length - expected.length <= 4, 'and none beside those of the last bar');
    const { lane } = (await store.findStrategy(ann.userId, uuid(10)))!;
    assert.equal(lane.execution_state.num_open_positions, lane.account?.positions.length);
    const ended = orders.filter(({ order_type, status }) => order_type === 'limit' && status !== 'pending');
    const placed = orders.filter(({ order_type, status }) => order_type === 'limit' && status === 'pending');
    if ('entry_order' in settings) assert.ok(placed.length > 2 && placed.length - ended.length <= 2);
    const [booked] = await store.listAccounts(ann.userId, null);
    assertNear([booked.account_value, lane.execution_state.account_value]);
  });
}

function assertNear(...pairs: readonly (readonly [number, number])[]): void {
  for (const [a, b] of pairs) assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)), `${a}, not ${b}`);
}

const small: BarSeries = sliceBars(randomBars({ seed: 3, barCount: 400 }), 0, 400);
const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(1e308, -1e308, Number.MAX_SAFE_INTEGER, 1e15, -0, '', ' ', 'x'.repeat(400), '2024-01-05', '1h'),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}')),
);

const soundRule = rule('is_above_sma', 'TRIGGER', { window: 5 }, '1h');
const soundPosition = {
  id: 'a',
  asset: 'BTC',
  entry_price: 100,
  position_size: 1,
  stop_loss_price: 90,
  take_profit_price: 110,
  entry_timestamp: isoTime(small.time[390]),
  open: true,
  orders: [{ id: 'o', order_type: 'stop_loss', status: 'pending', price: 90 }],
};
const soundStrategy = {
  name: 'n',
  asset: 'BTC',
  entry: [soundRule],
  exit: [{ ...soundRule, name: 'dc_lower_breakout' }],
  reward_factor: 2,
  execution_config: { fee_pct: 0, atr_period: 3, initial_balance: 1_000, volatility_window: 5, cooldown_config: {} },
  execution_state: { cash_balance: 500, total_trades: 1 },
  open_positions: [soundPosition],
};

/** A sound document with some of its values, at any depth, replaced or left out. */
function broken(sound: unknown): fc.Arbitrary<unknown> {
  const keep = { weight: 30, arbitrary: fc.constant(sound) };
  const breakIt = { weight: 1, arbitrary: anyJson };
  if (Array.isArray(sound)) return fc.oneof({ weight: 30, arbitrary: fc.tuple(...sound.map(broken)) }, breakIt);
  if (typeof sound !== 'object' || sound === null) return fc.oneof(keep, breakIt);
  const fields = Object.fromEntries(Object.entries(sound).map(([key, value]) => [key, broken(value)]));
  return fc.oneof({ weight: 30, arbitrary: fc.record(fields) }, breakIt);
}

const settingNames = [
  'initial_balance',
  'atr_period',
  'volatility_window',
  'max_hold_bars',
  'cooldown_bars',
  'reward_factor',
];
const odd = broken({ strategy: soundStrategy, persist: false, extra: 1 });
const oddSettings = fc.dictionary(fc.constantFrom(...settingNames, 'fixed_stop_pct', 'min_balance_threshold'), anyJson);

test('any request gets a result of plain numbers or a refusal that its caller can correct', async () => {
  const { store } = paperTrading((await emptyState()).db);
  const market = new TestMarket({ 'BTC 3600000': small }, small.time[399] + HOUR_MS);
  const seen = { answered: 0, refused: 0 };
  const attempt = async (call: () => Promise<unknown>) => {
    try {
      const text = JSON.stringify(await call(), (_key, value) => {
        assert.ok(typeof value !== 'number' || Number.isFinite(value), 'a number that JSON can hold');
        return value;
      });
      assert.ok(text.length > 0);
      seen.answered++;
    } catch (error) {
      const known = asApiError(error);
      if (known === null) throw error;
      assert.ok(known.code === 'VALIDATION_ERROR' || known.code === 'MISSING_FIELD', known.message);
      seen.refused++;
    }
  };
  const check = fc.asyncProperty(odd, oddSettings, anyJson, async (request, settings, json) => {
    const services = { store, market, now: () => 0, newId: randomUUID };
    const body = (typeof request === 'object' && request !== null ? request : {}) as { strategy?: object };
    await attempt(() => evaluateInline(ann, body, services));
    const { open_positions, ...kept } = soundStrategy;
    const tuned = { ...kept, execution_config: { ...kept.execution_config, ...settings } };
    await attempt(() => evaluateInline(ann, { strategy: tuned, persist: true }, services));
    await attempt(() => evaluateBulk(ann, { strategy_configs: [body.strategy, json, soundStrategy] }, services));
    await attempt(() => evaluateBulk(ann, { strategy_ids: json }, services));
    await attempt(() => createAccount(ann, { account_type: 'paper', name: json, risk_params: json }, services));
    await attempt(() => listPositions(ann, { asset: json, account_id: json, limit: json }, services));
    await attempt(() => listTrades(ann, { outcome: json, skip: json }, services));
    await attempt(() => getPortfolio(ann, { strategy_ids: json }, services));
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
  await fc.assert(check, { numRuns: runs(40, 10_000) });
  assert.ok(seen.answered > 40 && seen.refused > 40, `both occur: ${JSON.stringify(seen)}`);
});
