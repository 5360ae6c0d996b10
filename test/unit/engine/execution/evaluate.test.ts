import assert from 'node:assert/strict';
import test from 'node:test';
import {
  evaluateAccount,
  openPaperAccount,
  type PaperAccount,
  type PaperEvent,
  previewEntry,
} from '../../../../engine/execution/index.js';
import { HOUR_MS, maskWithBars, sliceBars } from '../../../../engine/series/index.js';
import { barsOf, configOf, type PriceRow, plainSettings } from '../../../support/execution.js';

/** Evaluations inside bars, and after several bars have closed. */

const START = Date.UTC(2024, 0, 1);

function world(
  rows: readonly PriceRow[],
  settings: Record<string, unknown>,
  entries: readonly number[],
  exits: readonly number[] = [],
) {
  const all = barsOf(rows, HOUR_MS, START);
  const config = configOf({ ...plainSettings, ...settings }, HOUR_MS, { takesPositionFields: true });
  let account: PaperAccount = openPaperAccount(config);
  const says = (list: readonly PaperEvent[]) => list.map(({ kind }) => kind);
  return {
    account: () => account,
    take(held: PaperAccount) {
      account = held;
    },
    /** Evaluates when `closed` bars have closed, `minutes` after the last of them. */
    at(closed: number, minutes: number, price: number, closing?: string) {
      const bars = sliceBars(all, 0, closed);
      const known = (signals: readonly number[]) => signals.filter((bar) => bar < closed);
      const masks = { entry: maskWithBars(closed, known(entries)), exit: maskWithBars(closed, known(exits)) };
      const time = START + closed * HOUR_MS + minutes * 60_000;
      const evaluation = evaluateAccount(account, {
        bars,
        ...masks,
        config,
        price,
        time,
        idOf: (bar, side) => `${side} ${bar}`,
        closing,
      });
      account = JSON.parse(JSON.stringify(evaluation.account)) as PaperAccount;
      return says(evaluation.events);
    },
  };
}

const limit = { entry_order: 'limit', entry_offset_pct: 0.02, entry_valid_bars: 2 };
const flat: PriceRow = [100, 101, 99, 100];

test('an order that was placed inside a bar is not filled by the range of that bar', () => {
  const dipped: PriceRow = [100, 101, 97, 100]; // through the level of 98, but before the order was there
  const late = world([flat, dipped, flat, flat], limit, [0]);
  assert.deepEqual(late.at(1, 30, 100), ['placed']);
  assert.deepEqual(late.at(2, 0, 100), []);
  assert.equal(late.account().orders.length, 1);
  const early = world([flat, dipped, flat, flat], limit, [0]);
  assert.deepEqual(early.at(1, 0, 100), ['placed']);
  assert.deepEqual(early.at(2, 0, 100), ['entry']);
});

test('a working order looks at the price between two closes, with the id that it was placed with', () => {
  const paper = world([flat, flat, flat], limit, [0]);
  paper.at(1, 0, 100);
  assert.deepEqual(paper.at(1, 10, 98.5), []);
  assert.deepEqual(paper.at(1, 20, 97.5), ['entry']);
  const [position] = paper.account().positions;
  assert.deepEqual([position?.id, position?.entryPrice], ['long 1', 97.5]);
  assert.equal(position?.entryTime, START + HOUR_MS + 20 * 60_000);
});

test('an order whose last bar closed while nobody looked has expired, and later bars do not fill it', () => {
  const paper = world([flat, flat, flat, [100, 101, 90, 95], flat], limit, [0]);
  paper.at(1, 0, 100);
  assert.deepEqual(paper.at(5, 0, 100), ['expired']);
  assert.equal(paper.account().ordersExpired, 1);
  const missed = world([flat, [100, 101, 97, 100], [100, 101, 85, 86], flat], limit, [0]);
  missed.at(1, 0, 100);
  assert.deepEqual(missed.at(4, 0, 100), ['entry', 'sale', 'exit'], 'filled in bar 1, stopped in bar 2');
});

test('the bar in which a position was bought neither moves its stop nor stops it, the next one does', () => {
  const rows: PriceRow[] = [flat, [100, 130, 60, 100], [100, 115, 99, 114], flat];
  const paper = world(rows, { trailing_distance: 1 }, [0]);
  assert.deepEqual(paper.at(1, 30, 100), ['enter', 'entry']);
  assert.deepEqual(paper.at(2, 0, 100), []);
  assert.equal(paper.account().positions[0]?.stop, 90);
  assert.deepEqual(paper.at(3, 0, 114), ['levels']);
  assert.equal(paper.account().positions[0]?.stop, 105);
});

test('a newer position does not shield an older one from the bar it was bought in', () => {
  const paper = world([flat, flat, [100, 101, 80, 100]], { max_risk_per_trade: 0.01 }, [0, 1]);
  assert.deepEqual(paper.at(1, 0, 100), ['enter', 'entry']);
  assert.deepEqual(paper.at(2, 30, 100), ['enter', 'entry']);
  assert.deepEqual(paper.at(3, 0, 100), ['sale', 'exit']);
  assert.deepEqual(
    paper.account().positions.map(({ id }) => id),
    ['long 2'],
  );
});

test('of the bars that closed since, only the newest is asked for signals', () => {
  const after = (exits: readonly number[]) => {
    const paper = world([flat, flat, flat, flat, flat], {}, [0], exits);
    paper.at(1, 30, 100);
    return paper.at(5, 0, 101);
  };
  assert.deepEqual(after([2, 3]), []);
  assert.deepEqual(after([4]), ['leave', 'sale', 'exit']);
});

test('a close whose entry the caller already holds gives no other, nor does its signal sell it', () => {
  const bought = world([flat, flat], {}, [1]);
  bought.at(2, 30, 100);
  for (const exits of [[], [1]]) {
    const again = world([flat, flat], {}, exits.length === 0 ? [1] : [], exits);
    again.take({ ...bought.account(), lastBar: -1, lastBarTime: null });
    assert.deepEqual(again.at(2, 54, 100), []);
  }
});

test('a guard that broke in a bar that nobody looked at sells at the next look', () => {
  const settings = { guard_max_drawdown: 0.05, position_sizing: 'equity_share', trade_share: 1, stop_order: false };
  const paper = world([flat, flat, [100, 100, 90, 92], [92, 100, 92, 99], flat], settings, [0]);
  assert.deepEqual(paper.at(1, 0, 100), ['enter', 'entry']);
  assert.deepEqual(paper.at(4, 0, 99), ['leave', 'sale', 'exit']);
  assert.equal(paper.account().positions.length, 0);
});

test('an order that waits fills at the open of a bar beyond its level, and at the price of the evaluation', () => {
  const opensBelow: PriceRow = [97, 99, 96, 98];
  const atOpen = world([flat, opensBelow, flat], limit, [0]);
  assert.deepEqual(atOpen.at(1, 0, 100), ['placed']);
  assert.deepEqual(atOpen.at(2, 0, 98), ['entry']);
  assert.ok(Math.abs((atOpen.account().positions[0]?.entryPrice ?? 0) - 97) < 1, 'not at its level of 98');
  const inside = world([flat, flat, flat], limit, [0, 1]);
  assert.deepEqual(inside.at(1, 0, 100), ['placed']);
  assert.deepEqual(inside.at(2, 30, 97), ['denial', 'entry']);
  assert.deepEqual(inside.at(2, 45, 97), [], 'nothing is decided at the close before the fill');
  assert.equal(inside.account().orders.length, 0);
});

test('a person closes a position at the price, also one that has just been entered', () => {
  const held = world([flat, flat, flat], {}, [0]);
  assert.deepEqual(held.at(1, 0, 100), ['enter', 'entry']);
  const [position] = held.account().positions;
  assert.deepEqual(held.at(2, 10, 104, position?.id), ['sale', 'exit']);
  assert.equal(held.account().positions.length, 0);
  const hasty = world([flat, flat], {}, [0]);
  assert.deepEqual(hasty.at(1, 0, 100, position?.id), ['enter', 'entry', 'sale', 'exit']);
});

test('an account may begin with other cash than the balance of its settings, and needs a closed bar', () => {
  const config = configOf(plainSettings, HOUR_MS, { takesPositionFields: true });
  assert.equal(openPaperAccount(config, { cash: 500 }).purse.cash, 500);
  const nothing = { bars: barsOf([], HOUR_MS, START), entry: maskWithBars(0, []), exit: maskWithBars(0, []), config };
  const input = { ...nothing, price: 100, time: START, idOf: () => 'x' };
  assert.throws(() => evaluateAccount(openPaperAccount(config), input), {
    message: 'an evaluation needs a closed bar',
  });
});

test('a preview of an entry that nobody decided opens nothing, and one of an unknown order fails', () => {
  const config = configOf({ ...plainSettings, ...limit }, HOUR_MS, { takesPositionFields: true });
  const bar = { index: 1, time: START + HOUR_MS, intervalMs: HOUR_MS, volumeBefore: 1 };
  const empty = openPaperAccount(config);
  assert.deepEqual(previewEntry(empty, null, 100, bar, config), { position: null, closed: [] });
  const placed = world([flat, flat], limit, [0]);
  placed.at(1, 0, 100);
  const [order] = placed.account().orders;
  assert.ok(order !== undefined);
  assert.throws(() => previewEntry(empty, order, 98, bar, config), { message: /does not work in this account/ });
});
