import type { StateOptions } from '../../data/state/index.js';
import { type BarSeries, HOUR_MS, sliceBars } from '../../engine/series/index.js';
import { DeployedRunner } from '../../service/deployed/runner.js';
import { SqlDeployedStore } from '../../service/deployed/store.js';
import type { DeployedRecord } from '../../service/deployed/stored.js';
import { evaluateStrategy } from '../../service/execution/evaluate-strategy.js';
import type { PositionRecord, TradeRecord } from '../../service/execution/stored.js';
import { openState, type State } from '../../service/state/index.js';
import { bundledStore } from './backtests.js';
import { bundledMarket, oneStrategy, sidedStrategy } from './deployed.js';
import { TestMarket } from './execution-market.js';
import { ann } from './execution-world.js';
import { paperTrading } from './paper-trading.js';
import { uuid } from './uuid.js';

/**
 * A paper account and a deployed strategy of both sides, with orders that rest and stops that move,
 * bar by bar over one store. Started again on what is left, it goes on with the next bar.
 */

/** Gives all bars from the first on, however far the rules look back. */
class WholeMarket extends TestMarket {
  override async bars(asset: string, intervalMs: number): Promise<BarSeries> {
    return super.bars(asset, intervalMs, 0);
  }
}

const FROM_MS = Date.UTC(2023, 0, 1);
const HISTORY = 400;
const id = uuid(10);
const set = oneStrategy(sidedStrategy);
const [deployed] = set.strategies.values();

const { entry, exit, short_entry, execution_config } = sidedStrategy;
const hourly = (rule: object) => ({ ...rule, timeframe: '1h' });
const rules = {
  ...{ name: 'both', asset: 'BTC', reward_factor: 1.5 },
  ...{ entry: entry.map(hourly), exit: exit.map(hourly) },
  short_entry: { any: short_entry.any.map((group) => group.map(hourly)) },
};

export interface Traded {
  readonly trades: readonly TradeRecord[];
  readonly positions: readonly PositionRecord[];
  readonly account: unknown;
  readonly orders: readonly unknown[];
  readonly deployed: Omit<DeployedRecord, 'createdAtMs' | 'tickedAtMs'>;
  readonly deployedTrades: readonly object[];
  readonly events: readonly unknown[];
}

/**
 * @param onBar called after each bar of either
 */
export async function tradePaper(options: StateOptions, barCount: number, onBar: () => void): Promise<Traded> {
  const state = await openState(options);
  try {
    return await trade(state, barCount, onBar);
  } finally {
    await state.close();
  }
}

async function trade({ db }: State, barCount: number, onBar: () => void): Promise<Traded> {
  const { store, addStrategy, orders } = paperTrading(db);
  const { bars } = await bundledStore.load({ asset: 'BTC', intervalMs: HOUR_MS, fromMs: FROM_MS });
  const held = sliceBars(bars, 0, HISTORY + barCount + 1);
  const market = new WholeMarket({ 'BTC 3600000': held }, 0);
  const services = { store, market, now: () => 0, newId: () => uuid(99) };
  if ((await store.findStrategy(ann.userId, id)) === null) {
    const state = { cash_balance: 10_000, account_value: 10_000, total_trades: 0, num_open_positions: 0 };
    const strategy = { id, name: 'both', asset: 'BTC', status: 'paper' as const, rules, execution_config };
    await addStrategy(ann, { ...strategy, execution_state: state });
  }
  const deployedStore = new SqlDeployedStore(db);
  const fail = (error: unknown) => {
    throw error;
  };
  const runner = new DeployedRunner({
    ...{ set, store: deployedStore, market: bundledMarket(), replay: { msPerHour: 1, days: 30 }, nowMs: () => 0 },
    ...{ sleep: async () => {}, onEvents: async () => {}, onInternalError: fail },
  });
  const lane = (await store.findStrategy(ann.userId, id))?.lane;
  const seen = lane?.account?.lastBarTime ?? null;
  const first = seen === null ? HISTORY : held.time.indexOf(seen) + 1;
  const own = deployed!;
  const ticked = async () => (await deployedStore.list([own.id]))[0]?.account.lastBar ?? -1;
  for (let i = first; i < HISTORY + barCount; i++) {
    [market.now, market.price] = [held.time[i + 1]!, held.open[i + 1]!];
    await evaluateStrategy(ann, { strategy_id: id }, services);
    // One more bar than a kill may have left it behind.
    while ((await ticked()) < i - HISTORY) await runner.tick(own);
    onBar();
  }
  const all = { skip: 0, limit: 1_000 };
  const [record] = await deployedStore.list([own.id]);
  if (record === undefined) throw new Error('the strategy is not deployed');
  const { createdAtMs: _, tickedAtMs: __, ...rest } = record;
  return {
    trades: (await store.listTrades(ann.userId, {}, all)).rows,
    positions: (await store.listPositions(ann.userId, {}, all)).rows,
    account: (await store.findStrategy(ann.userId, id))?.lane,
    orders: [...(await orders()).entries()].sort(([a], [b]) => (a < b ? -1 : 1)),
    deployed: rest,
    deployedTrades: (await deployedStore.trades([own.id], 1_000)).get(own.id) ?? [],
    events: await deployedStore.eventsAfter(0, 10_000),
  };
}
