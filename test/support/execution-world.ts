import { type BarSeries, HOUR_MS } from '../../engine/series/index.js';
import { ApiError } from '../../service/api-error.js';
import type { Caller } from '../../service/caller.js';
import type { ExecutionServices } from '../../service/execution/store.js';
import type { EvaluateResult, Order } from '../../service/execution/stored.js';
import { barsOf, type PriceRow } from './execution.js';
import { TestMarket } from './execution-market.js';
import { type PaperTrading, paperTrading } from './paper-trading.js';
import { emptyState } from './shared-state.js';
import { uuid } from './uuid.js';

export const caller = (n: number): Caller => ({
  userId: uuid(n),
  orgId: uuid(900),
  role: 'member',
  tier: 'free',
  credential: 'session',
  credentialId: uuid(901),
  scopes: [],
});
export const ann = caller(1);
export const bob = caller(2);

/**
 * Flat at 100 for two days, then one bar that closes above its average. In the next bar that no
 * longer holds.
 */
export const flat: PriceRow = [100, 100, 100, 100];
export const up: PriceRow = [100, 102, 100, 102];
export const fall: PriceRow = [102, 102, 80, 99];
export const flats = Array.from({ length: 48 }, () => flat);
export const start = Date.UTC(2024, 0, 1);

export const rule = (name: string, signal_type: string, params: object = {}, timeframe = '1h') => ({
  name,
  signal_type,
  timeframe,
  params,
});
export const aboveAverage = rule('is_above_sma', 'TRIGGER', { window: 10 });
export const settings = {
  stop_loss_calculation: 'fixed',
  fixed_stop_pct: 0.05,
  slippage_pct: 0,
  fee_pct: 0,
  max_risk_per_trade: 0.01,
  timeframe: '1h',
};
export const inline = { name: 'Dip', asset: 'BTC-USD', entry: [aboveAverage], execution_config: settings };

export interface World extends PaperTrading {
  readonly market: TestMarket;
  readonly services: ExecutionServices;
}

export async function world(rows: readonly PriceRow[], extra: Record<string, BarSeries> = {}): Promise<World> {
  const trading = paperTrading((await emptyState()).db);
  const { store } = trading;
  const market = new TestMarket({ 'BTC 3600000': barsOf(rows), ...extra }, start + rows.length * HOUR_MS);
  let ids = 1000;
  return { ...trading, market, services: { store, market, now: () => start, newId: () => uuid(ids++) } };
}

export const state = { cash_balance: 10_000, account_value: 10_000, total_trades: 0, num_open_positions: 0 };

export async function save({ addStrategy }: World, id: string, changes: object = {}, owner = ann): Promise<string> {
  const rules = { name: 'dip', asset: 'BTC-USD', entry: [aboveAverage], exit: [], reward_factor: 2 };
  const strategy = { id, name: 'Dip', asset: 'BTC-USD', status: 'paper' as const, rules, execution_config: settings };
  await addStrategy(owner, { ...strategy, execution_state: state, ...changes });
  return id;
}

const all = { skip: 0, limit: 100 };
export const positionsOf = async ({ store }: World) => (await store.listPositions(ann.userId, {}, all)).rows;
export const tradesOf = async ({ store }: World) => (await store.listTrades(ann.userId, {}, all)).rows;

export const brief = ({ side, order_type, status, price }: Order) => `${side} ${order_type} ${status} ${price}`;
export const orders = ({ new_orders }: EvaluateResult) => new_orders.map(brief);

/** The orders of a result as they are stored. */
export async function storedOf(w: World, { new_orders }: EvaluateResult): Promise<readonly (Order | undefined)[]> {
  const stored = await w.orders();
  return new_orders.map(({ id }) => stored.get(id));
}

export const code = (wanted: string, text: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === wanted && text.test(error.message);
/** A refusal by the service or by the engine below it, which look alike to callers. */
export const refused = (text: RegExp) => (error: unknown) =>
  error instanceof Error &&
  ['VALIDATION_ERROR', 'INVALID_FIELD', 'INVALID_STRATEGY'].includes((error as ApiError).code) &&
  text.test(error.message);

export const bought = [
  'enter_long market filled 102',
  'exit_long stop_loss pending 96.9',
  'exit_long take_profit pending 112.2',
];
