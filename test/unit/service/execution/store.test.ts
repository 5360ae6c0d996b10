import assert from 'node:assert/strict';
import { openPaperAccount } from '../../../../engine/execution/index.js';
import type {
  AccountRecord,
  Lane,
  LaneState,
  LaneUpdate,
  Order,
  Owner,
  PositionRecord,
  TradeRecord,
} from '../../../../service/execution/stored.js';
import type { State } from '../../../../service/state/index.js';
import { onEachStore } from '../../../support/backends.js';
import { configOf } from '../../../support/execution.js';
import { type NewStrategy, paperTrading } from '../../../support/paper-trading.js';
import { deleteRows } from '../../../support/shared-state.js';
import { uuid } from '../../../support/uuid.js';

const ann: Owner = { userId: uuid(1), orgId: uuid(2) };
const bob: Owner = { userId: uuid(3), orgId: uuid(2) };
const state = { cash_balance: 10_000, account_value: 10_000, total_trades: 0, num_open_positions: 0 };
const time = (hour: number) => `2024-01-01T${String(hour).padStart(2, '0')}:00:00Z`;

const strategy = (id: string): NewStrategy => ({
  id,
  name: 'dip',
  asset: 'BTC-USD',
  status: 'paper',
  rules: { entry: [{ name: 'x', params: { a: 1 } }], exit: [] },
  execution_config: { max_open_positions: 2 },
  execution_state: state,
});

const account = (owner: Owner, id: string, hour = 0, type: 'paper' | 'live' = 'paper'): AccountRecord => ({
  id,
  org_id: owner.orgId,
  user_id: owner.userId,
  account_type: type,
  name: null,
  cash_balance: 5,
  account_value: 5,
  min_balance_threshold: 0.1,
  min_trade_amount: 25,
  max_open_positions: 3,
  max_trades_per_day: 10,
  max_risk_per_trade: 0.02,
  risk_params: { nested: [1, null, 'x'] },
  active: true,
  created_at: time(hour),
  updated_at: time(hour),
});

const position = (owner: Owner, id: string, strategyId: string | null, hour = 0): PositionRecord => ({
  id,
  org_id: owner.orgId,
  user_id: owner.userId,
  account_id: uuid(50),
  strategy_id: strategyId,
  asset: 'BTC-USD',
  exchange: null,
  entry_price: 100.1,
  exit_price: null,
  position_size: 0.1,
  cost: 10.01,
  value_at_close: null,
  open: true,
  exit_reason: null,
  stop_loss_price: 90,
  take_profit_price: null,
  created_at: time(hour),
  entry_timestamp: time(hour),
  exit_timestamp: null,
});

const order = (id: string, positionId: string): Order => ({
  id,
  order_id: id,
  asset: 'BTC-USD',
  side: 'enter_long',
  order_type: 'market',
  status: 'filled',
  price: 100.1,
  position_size: 0.1,
  position_id: positionId,
  history: { created: time(0), activated: time(0), filled: time(0), cancelled: null },
});

const trade = (owner: Owner, id: string, strategyId: string | null, hour = 0): TradeRecord => ({
  id,
  org_id: owner.orgId,
  user_id: owner.userId,
  account_id: uuid(50),
  position_id: uuid(60),
  strategy_id: strategyId,
  strategy_name: 'dip',
  outcome: hour % 2 === 0 ? 'win' : 'loss',
  profit_loss: hour % 2 === 0 ? 1 : -1,
  profit_loss_pct: 0.01,
  asset: 'BTC-USD',
  exchange: null,
  entry_price: 100,
  exit_price: 101,
  position_size: 1,
  beginning_balance: 10_000,
  ending_balance: 10_001,
  closed_at: time(hour),
});

const laneOf = (id: string): Lane => ({ id, strategyId: id, initial: state });

const paperAccount = (cash: number) => ({
  ...openPaperAccount(configOf({}), { isPlain: true, cash }),
  lossBars: [3, 5],
  blockedThrough: 9,
  entryDay: 19_723,
  entriesOnDay: 1,
  lastBar: 12,
  lastBarTime: Date.parse(time(12)),
});

const update = (cash: number, parts: Partial<LaneUpdate> = {}): LaneUpdate => ({
  execution_state: { cash_balance: cash, account_value: cash + 1, total_trades: 2, num_open_positions: 1 },
  account: paperAccount(cash),
  evaluated_at: time(13),
  market: { base_asset: 'BTC', interval_ms: 3_600_000 },
  orders: [],
  positions: [],
  trades: [],
  booking: null,
  ...parts,
});

const page = { skip: 0, limit: 100 };

async function emptyTrading({ db }: State) {
  await deleteRows(db);
  return paperTrading(db);
}

onEachStore('paper trading', emptyTrading, (check, checkBoth) => {
  checkBoth('concurrent updates each see the one before', async ({ store, addStrategy }) => {
    await addStrategy(ann, strategy(uuid(10)));
    const spend = (held: LaneState) => update(held.execution_state.cash_balance - 1);
    await Promise.all(Array.from({ length: 20 }, () => store.updateLane(ann, laneOf(uuid(10)), spend)));
    const found = await store.findStrategy(ann.userId, uuid(10));
    assert.equal(found?.lane.execution_state.cash_balance, 9_980);
    assert.equal(found?.lane.account?.purse.cash, 9_980);
  });

  check('a strategy of another user is not updated, nor one that does not exist', async ({ store, addStrategy }) => {
    await addStrategy(ann, strategy(uuid(10)));
    let calls = 0;
    const evaluate = () => {
      calls++;
      return update(1);
    };
    assert.equal(await store.updateLane(bob, laneOf(uuid(10)), evaluate), null);
    assert.equal(await store.updateLane(ann, laneOf(uuid(11)), evaluate), null);
    assert.equal(calls, 0);
  });

  checkBoth('concurrent first updates of a lane each see the one before', async ({ store }) => {
    const lane = { id: uuid(20), strategyId: null, initial: { ...state, cash_balance: 10 } };
    const spend = (held: LaneState) => update(held.execution_state.cash_balance - 1);
    await Promise.all(Array.from({ length: 8 }, () => store.updateLane(ann, lane, spend)));
    assert.equal((await store.findLane(ann.userId, lane.id))?.execution_state.cash_balance, 2);
    const failing = store.updateLane(ann, { ...lane, id: uuid(21) }, () => {
      throw new RangeError('ours');
    });
    await assert.rejects(failing, /ours/);
    assert.equal(await store.findLane(ann.userId, uuid(21)), null);
  });

  check('a booking creates the account once and adds to it', async ({ store, addStrategy }) => {
    await addStrategy(ann, strategy(uuid(10)));
    const booked = { cash_balance: 1, account_value: 2 };
    const booking = { account: account(ann, uuid(50)), change: { cash_balance: -2.5, account_value: 4 }, booked };
    await store.updateLane(ann, laneOf(uuid(10)), () => update(1, { booking }));
    const later = { ...booking, account: account(ann, uuid(50), 4) };
    await store.updateLane(ann, laneOf(uuid(10)), () => update(1, { booking: later }));
    const expected = { ...account(ann, uuid(50)), cash_balance: 0, account_value: 13, updated_at: time(4) };
    assert.deepEqual(await store.findAccount(ann.userId, uuid(50)), expected);
    await store.updateLane(ann, laneOf(uuid(10)), ({ booked: before }) => {
      assert.deepEqual(before, booked);
      return update(1);
    });
    assert.deepEqual(
      (await store.findStrategy(ann.userId, uuid(10)))?.lane.booked,
      booked,
      'an empty booking changes nothing',
    );
  });

  checkBoth('an evaluation may close thousands of positions', async ({ store }) => {
    const lane = { id: uuid(20), strategyId: null, initial: state };
    const booking = {
      account: account(ann, uuid(50)),
      change: { cash_balance: 0, account_value: 0 },
      booked: { cash_balance: 0, account_value: 0 },
    };
    const ids = Array.from({ length: 4_000 }, (_, i) => uuid(10_000 + i));
    const positions = ids.map((id) => ({ ...position(ann, id, null), open: false }));
    const trades = ids.map((id) => trade(ann, id, null));
    const orders = ids.map((id) => order(id, id));
    await store.updateLane(ann, lane, () => update(1, { positions, trades, orders, booking }));
    assert.equal((await store.listPositions(ann.userId, { isOpen: false }, page)).total, ids.length);
    assert.equal((await store.listTrades(ann.userId, {}, page)).total, ids.length);
  });
});
