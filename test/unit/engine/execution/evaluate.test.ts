import assert from 'node:assert/strict';
import test from 'node:test';
import {
  evaluateAccount,
  fullConfig,
  openPaperAccount,
  type PaperAccount,
  targetPrice,
} from '../../../../engine/execution/index.js';
import { createMask, HOUR_MS, maskWithBars, sliceBars } from '../../../../engine/series/index.js';
import { barsOf, configOf, type PriceRow, plainSettings } from '../../../support/execution.js';

/** Stops 10 % below, targets 20 % above; a calm market unless a row says otherwise. */
const calm: PriceRow = [100, 101, 99, 100];
const config = configOf({ ...plainSettings, max_risk_per_trade: 0.01 });

interface Look {
  readonly rows: readonly PriceRow[];
  readonly price: number;
  /** Hours after the first bar opened. */
  readonly hour: number;
  readonly entries?: readonly number[];
  readonly exits?: readonly number[];
  readonly id?: string;
  readonly closing?: string;
}

function look(account: PaperAccount, { rows, price, hour, entries = [], exits = [], id = 'a', closing }: Look) {
  const bars = barsOf(rows);
  return evaluateAccount(account, {
    bars,
    entry: maskWithBars(bars.barCount, entries),
    exit: maskWithBars(bars.barCount, exits),
    config,
    price,
    time: bars.time[0] + hour * HOUR_MS,
    idOf: () => id,
    closing,
  });
}

const fresh = (): PaperAccount => openPaperAccount(config, { isPlain: true });

/** What fills; what a close decided is not looked at. */
const fills = ({ events }: ReturnType<typeof look>) =>
  events.filter(({ kind }) => kind === 'entry' || kind === 'exit' || kind === 'denial');

const kinds = (looked: ReturnType<typeof look>) =>
  fills(looked).map((event) => (event.kind === 'exit' ? `${event.kind} ${event.trade.exitReason}` : event.kind));

/** Bought at 100 half an hour into bar 2. */
const bought = look(fresh(), { rows: [calm, calm], price: 100, hour: 2.5, entries: [1] });

test('an entry signalled at the newest close fills at the current price and time', () => {
  assert.deepEqual(kinds(bought), ['entry']);
  const [position] = bought.account.positions;
  assert.deepEqual(
    [position.id, position.entryPrice, position.stop, targetPrice(position, 2, fullConfig(config)), position.entryBar],
    ['a', 100, 90, 120, 2],
  );
  assert.equal(position.entryTime, Date.UTC(2024, 0, 1, 2, 30));
  assert.equal(bought.account.lastBar, 1);
});

test('a person sells a position at the price, unless the bars before have closed it', () => {
  const sold = look(bought.account, { rows: [calm, calm], price: 105, hour: 2.9, closing: 'a' });
  assert.deepEqual([kinds(sold), sold.account.positions], [['exit MANUAL'], []]);
  const [event] = fills(sold);
  assert.equal(event?.kind === 'exit' && event.trade.exitPrice, 105);
  const fallen: PriceRow = [100, 101, 80, 100];
  const late = look(bought.account, { rows: [calm, calm, calm, fallen], price: 100, hour: 4.1, closing: 'a' });
  assert.deepEqual(kinds(late), ['exit SL']);
  assert.deepEqual(look(bought.account, { rows: [calm, calm], price: 105, hour: 2.9, closing: 'b' }).events, []);
});

test('the account passed in stays unchanged', () => {
  const before = fresh();
  const copy = structuredClone(before);
  look(before, { rows: [calm, calm], price: 100, hour: 2.5, entries: [1] });
  assert.deepEqual(before, copy);
});

test('signals of an evaluated bar are not applied again, stops and targets are', () => {
  const again = look(bought.account, { rows: [calm, calm], price: 100, hour: 2.9, entries: [1], exits: [1], id: 'b' });
  assert.deepEqual(again.events, []);
  assert.deepEqual(again.account, bought.account);
  const stopped = look(bought.account, { rows: [calm, calm], price: 89, hour: 2.9, entries: [1] });
  assert.deepEqual(kinds(stopped), ['exit SL']);
});

test('a position bought inside a bar is not judged by the range of that bar, but by the bars after it', () => {
  const fell: PriceRow = [100, 101, 80, 100];
  const after = look(bought.account, { rows: [calm, calm, fell], price: 100, hour: 3 });
  assert.deepEqual(after.events, []);
  const later = look(bought.account, { rows: [calm, calm, fell, fell], price: 100, hour: 4 });
  assert.deepEqual(kinds(later), ['exit SL']);
  const [event] = fills(later);
  assert.equal(event.time, Date.UTC(2024, 0, 1, 3), 'at the open of the bar that touched');
});

test('a newer position does not shield an older one from the bar it was bought in', () => {
  const first = look(fresh(), { rows: [calm], price: 100, hour: 1, entries: [0], id: 'old' });
  const second = look(first.account, { rows: [calm, calm], price: 100, hour: 2.5, entries: [1], id: 'young' });
  const fell: PriceRow = [100, 101, 80, 100];
  const third = look(second.account, { rows: [calm, calm, fell], price: 100, hour: 3 });
  assert.deepEqual(
    fills(third).map(({ id }) => id),
    ['old'],
  );
  assert.deepEqual(
    third.account.positions.map(({ id }) => id),
    ['young'],
  );
});

test('all bars closed since are checked against the stop, and only the newest for signals', () => {
  const missed = look(bought.account, { rows: [calm, calm, calm, calm, calm], price: 100, hour: 5, exits: [2, 3] });
  assert.deepEqual(missed.events, []);
  const exited = look(bought.account, { rows: [calm, calm, calm, calm, calm], price: 101, hour: 5, exits: [4] });
  assert.deepEqual(kinds(exited), ['exit SIGNAL']);
  assert.equal(exited.account.purse.cash, 10_000 + 10);
});

test('a close whose entry the caller already holds gives no other', () => {
  const handedIn = { ...bought.account, lastBar: -1, lastBarTime: null };
  const again = look(handedIn, { rows: [calm, calm], price: 100, hour: 2.9, entries: [1], exits: [], id: 'b' });
  assert.deepEqual(again.events, []);
  const exit = look(handedIn, { rows: [calm, calm], price: 100, hour: 2.9, exits: [1] });
  assert.deepEqual(exit.events, [], 'nor does a signal sell a position bought after it');
});

test('a refused entry is an event with its reason', () => {
  const denied = look(fresh(), { rows: [calm], price: 100, hour: 1, entries: [0], exits: [0] });
  const at = { id: null, time: Date.UTC(2024, 0, 1, 1) };
  assert.deepEqual(denied.events, [{ kind: 'denial', side: 'long', reason: 'exit_conflict', ...at }]);
});

test('an evaluation of bars that end before the evaluated ones judges only the price', () => {
  const ahead = look(bought.account, { rows: [calm, calm, calm], price: 100, hour: 3 });
  const behind = look(ahead.account, { rows: [calm, calm], price: 125, hour: 2.9, entries: [1] });
  assert.deepEqual(kinds(behind), ['exit TP']);
  assert.equal(behind.account.lastBar, 2);
});

test('an evaluation without a bar is an error of the caller', () => {
  const none = sliceBars(barsOf([calm]), 0, 0);
  const input = { bars: none, entry: createMask(0), exit: createMask(0), config, price: 1, time: 0, idOf: () => 'a' };
  assert.throws(() => evaluateAccount(fresh(), input), RangeError);
});
