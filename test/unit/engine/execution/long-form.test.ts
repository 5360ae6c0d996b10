import assert from 'node:assert/strict';
import test from 'node:test';
import {
  fromLongLevels,
  fullConfig,
  type LongPaperAccount,
  openPaperAccount,
  type PaperAccount,
  readPaperAccount,
  simulate,
  stepBar,
  stepPaper,
  targetPrice,
} from '../../../../engine/execution/index.js';
import { inputOf, noCooldown } from '../../../support/execution.js';
import { inLongForm } from '../../../support/long-form.js';
import { randomBars } from '../../../support/random.js';

/** Accounts as they were stored while plain strategies had an account of their own. */

const every = (n: number, count: number) => Array.from({ length: Math.floor(count / n) }, (_, k) => n * k);

test('a strategy goes on from an account of an earlier version at any bar, to the last bit', () => {
  const bars = randomBars({ seed: 12, barCount: 400, volatility: 0.01 });
  const settings = {
    ...noCooldown,
    max_hold_bars: 5,
    atr_period: 2,
    atr_long_weight: 0,
    max_risk_per_trade: 0.001,
    max_trades_per_day: 50,
    max_open_positions: 3,
    fee_pct: 0.001,
  };
  const input = inputOf(bars, every(3, 400), every(5, 400), settings);
  const { config } = input;
  let account = openPaperAccount(config, { isPlain: true });
  const trades = [];
  const seen = new Set<string>();
  for (let i = 0; i < bars.barCount; i++) {
    const { purse, lossBars, blockedThrough, entryDay, entriesOnDay, lastBar, lastBarTime } = account;
    const numbers = { lossBars, blockedThrough, entryDay, entriesOnDay, lastBar, lastBarTime };
    const old = JSON.stringify({ ...purse, ...inLongForm(account, config), ...numbers });
    if (account.refusals.length > 0) seen.add('refused');
    if (account.pendingEntry !== null) seen.add('wanted');
    if (account.positions.some(({ scheduledReason }) => scheduledReason !== null)) seen.add('leaving');
    const before: PaperAccount = readPaperAccount<PaperAccount>(JSON.parse(old) as LongPaperAccount);
    const stepped = stepPaper(before, { ...stepBar(input, i), isLast: false }, config, (bar) => `${bar}`);
    account = stepped.account;
    for (const event of stepped.events) if (event.kind === 'exit') trades.push(event.trade);
  }
  const expected = simulate(input).trades.filter(({ exitReason }) => exitReason !== 'END');
  assert.deepStrictEqual(trades, expected);
  assert.ok(expected.length > 20, `${expected.length} trades`);
  assert.deepEqual([...seen].sort(), ['leaving', 'refused', 'wanted']);
});

test('an account of today is read as it is, and levels that no price reaches are none', () => {
  const { config } = inputOf(randomBars({ seed: 1, barCount: 1 }), [], [], {});
  const account = openPaperAccount(config);
  assert.equal(readPaperAccount(account), account);
  const known = { entryPrice: 100, size: 2, entryFee: 1, slippageCost: 0, fundingPaid: 3, scheduledReason: null };
  const open = fromLongLevels({ ...known, stopPrice: 0, targetPrice: Infinity });
  assert.deepEqual([open.stop, open.givenTarget, open.fundingPaid], [null, null, 3]);
  assert.equal(targetPrice({ ...open, entryBar: 0 }, 0, fullConfig(config)), NaN);
  const level = fromLongLevels({ ...known, stopPrice: 90, targetPrice: 120 });
  assert.deepEqual([level.stop, level.firstStop, level.distance, level.givenTarget], [90, 90, 10, 120]);
});
