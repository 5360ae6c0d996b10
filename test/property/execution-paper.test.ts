import assert from 'node:assert/strict';
import test from 'node:test';
import {
  denialReasons,
  evaluateAccount,
  fullConfig,
  openPaperAccount,
  type PaperAccount,
  type PaperEvent,
  paperValue,
  type SimulationInput,
  simulateByStep,
  stepBar,
  stepPaper,
  type Trade,
} from '../../engine/execution/index.js';
import { type Mask, sliceBars, wordCount } from '../../engine/series/index.js';
import { mixedWorld } from '../support/mixed-worlds.js';
import { seededRandom } from '../support/random.js';
import { runs, soak } from '../support/scale.js';

/** A strategy of both sides that goes bar by bar or call by call, with its state in JSON between any two. */

const stored = (account: PaperAccount): PaperAccount => {
  const text = JSON.stringify(account);
  const read = JSON.parse(text) as PaperAccount;
  assert.deepStrictEqual(read, account, 'the state is plain JSON');
  return read;
};

const idOf = (bar: number, side: string): string => `${side} ${bar}`;
const tradesIn = (events: readonly PaperEvent[]): Trade[] =>
  events.flatMap((event) => (event.kind === 'exit' ? [event.trade] : []));
const deniedIn = (events: readonly PaperEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'denial' ? [`${event.time} ${event.side} ${event.reason}`] : []));
const numberedFrom = ({ trades }: { readonly trades: readonly Trade[] }, first: number) =>
  trades.filter(({ exitReason }) => exitReason !== 'END').map((trade) => shifted(trade, first));

/** A paper account counts the bars that it has seen, a backtest all of its bars. */
const shifted = (trade: Trade, first: number): Trade => ({
  ...trade,
  entryBar: trade.entryBar - first,
  exitBar: trade.exitBar - first,
  ...(trade.details && {
    details: {
      ...trade.details,
      exits: trade.details.exits?.map((exit) => ({ ...exit, bar: exit.bar - first })) ?? null,
    },
  }),
});

function deniedBy(input: SimulationInput): string[] {
  const { denials, sided } = simulateByStep(input);
  const shorts = new Set(sided?.deniedShorts);
  return Array.from(denials.bars, (bar, i) => {
    const side = shorts.has(i) ? 'short' : 'long';
    return `${input.bars.time[bar]} ${side} ${denialReasons[denials.reasons[i] ?? -1]}`;
  });
}

const seen = new Set<string>();

function stepThrough(input: SimulationInput, seed: number): void {
  const { bars, first, config } = input;
  const random = seededRandom(seed);
  const run = simulateByStep(input);
  let account = openPaperAccount(config);
  const events: PaperEvent[] = [];
  for (let i = first; i < bars.barCount; i++) {
    if (random() < 0.3) account = stored(account);
    const before = JSON.stringify(account);
    const stepped = stepPaper(account, { ...stepBar(input, i, fullConfig(config)), isLast: false }, config, idOf);
    assert.equal(JSON.stringify(account), before, 'the account that is handed in does not change');
    account = stepped.account;
    events.push(...stepped.events);
    if (i < bars.barCount - 1) {
      const value = paperValue(account, bars.close[i] ?? NaN, config);
      assert.equal(value, run.equity[i - first], `value at bar ${i}`);
    }
  }
  assert.deepStrictEqual(tradesIn(events), numberedFrom(run, first));
  assert.deepStrictEqual(deniedIn(events), deniedBy(input));
  assert.deepStrictEqual({ placed: account.ordersPlaced, expired: account.ordersExpired }, run.sided?.orders);
  const placed = events.filter(({ kind }) => kind === 'placed').length;
  assert.equal(placed, account.ordersPlaced);
  for (const event of events) seen.add(event.kind);
  for (const { exitReason, details } of run.trades) seen.add(exitReason).add(details?.side ?? '');
}

test('bar by bar, with JSON between the bars, a strategy makes the trades of its backtest in every bit', () => {
  for (let seed = 1; seed <= runs(100, 20_000); seed++) {
    try {
      stepThrough(mixedWorld(seed).input, seed);
    } catch (error) {
      throw new Error(`world ${seed}`, { cause: error });
    }
  }
  const kinds = ['entry', 'sale', 'exit', 'denial', 'levels', 'leave', 'placed', 'expired', 'cancelled', 'enter'];
  const reasons = ['SL', 'TP', 'SIGNAL', 'TRAIL', 'LIQUIDATION', 'OPPOSITE', 'GUARD', 'SCALE_OUT'];
  for (const one of [...kinds, ...reasons, 'long', 'short']) assert.ok(seen.has(one) || soak, `${one} occurs`);
});

/** The bars up to number `last`, as an evaluation at the close of that bar sees them. */
function seenAt(input: SimulationInput, last: number) {
  const words = wordCount(last + 1);
  const cut = (mask: Mask) => mask.slice(0, words);
  const { bars, entry, exit, shortEntry, shortExit, detail, config } = input;
  return {
    bars: sliceBars(bars, 0, last + 1),
    entry: cut(entry),
    exit: cut(exit),
    ...(shortEntry && { shortEntry: cut(shortEntry) }),
    ...(shortExit && { shortExit: cut(shortExit) }),
    ...(detail && { detail }),
    config,
  };
}

/** One evaluation at each close with the next open as price, and one more for the range of the last bar. */
function replay(input: SimulationInput, lateCalls: number): PaperEvent[] {
  const { bars, first, config } = input;
  let account = openPaperAccount(config);
  const events: PaperEvent[] = [];
  const call = (i: number, price: number, time: number) => {
    const { time: barTimes } = bars;
    const evaluation = evaluateAccount(account, {
      ...seenAt(input, i),
      price,
      time,
      idOf: (_, side) => `${barTimes[i]} ${side}`,
    });
    account = stored(evaluation.account);
    events.push(...evaluation.events);
  };
  for (let i = first; i + 1 < bars.barCount; i++) {
    for (let k = 0; k <= lateCalls; k++) call(i, bars.open[i + 1] ?? NaN, bars.time[i + 1] ?? NaN);
  }
  const last = bars.barCount - 1;
  if (last < first) return events;
  const end = (bars.time[last] ?? NaN) + bars.intervalMs;
  call(last, bars.close[last] ?? NaN, end);
  return events.filter(({ kind, time }) => time < end || kind === 'expired');
}

const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));

test('a replay through evaluations, one at each close at the next open, makes the trades of the backtest', () => {
  let compared = 0;
  for (let seed = 1; seed <= runs(100, 20_000); seed++) {
    const { input } = mixedWorld(seed);
    const whole = { ...input, first: 0 };
    const run = simulateByStep(whole);
    const actual = tradesIn(replay(whole, seed % 5 === 0 ? 1 : 0));
    const expected = numberedFrom(run, 0);
    const key = ({ entryBar, exitBar, exitReason, details }: Trade) =>
      `${entryBar} ${exitBar} ${details?.side} ${exitReason}`;
    assert.deepEqual(actual.map(key).sort(), expected.map(key).sort(), `world ${seed}`);
    const byKey = new Map(actual.map((trade) => [key(trade), trade]));
    for (const trade of expected) {
      const other = byKey.get(key(trade));
      for (const name of [
        'entryPrice',
        'exitPrice',
        'size',
        'profitLoss',
        'fundingPaid',
        'stopPrice',
        'targetPrice',
      ] as const) {
        const [a, b] = [other?.[name] ?? NaN, trade[name]];
        assert.ok(Object.is(a, b) || isNear(a, b), `world ${seed} ${key(trade)} ${name}: ${a}, not ${b}`);
      }
      compared++;
    }
  }
  assert.ok(compared > 500, `${compared} trades compared`);
});
