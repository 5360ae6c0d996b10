import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  accountValue,
  countDenials,
  fullConfig,
  openAccount,
  simulate,
  step,
  stepBar,
  type Trade,
} from '../../engine/execution/index.js';
import { computeMetrics } from '../../engine/metrics/index.js';
import { allocateBars, type BarSeries, type Mask, sliceBars } from '../../engine/series/index.js';
import { runBoth } from '../support/execution.js';
import { runs } from '../support/scale.js';
import { inputFrom, ownReasons, sidedReasons, type World, world } from '../support/worlds.js';

test('the jump simulation equals the bar-by-bar simulation to the last bit', () => {
  const seen = new Set<string>();
  const check = fc.property(world, (w) => {
    const { trades, denials } = runBoth(inputFrom(w));
    for (const { exitReason } of trades) seen.add(exitReason);
    for (const reason of Object.keys(countDenials(denials))) seen.add(reason);
  });
  fc.assert(check, { numRuns: runs(300, 100_000) });
  const exitReasons = ['SL', 'TP', 'SIGNAL', 'MAX_HOLD', 'LOSS_TIMEOUT', 'PROFIT_TIMEOUT', 'END'];
  const reasons = ownReasons.filter((reason) => !sidedReasons.includes(reason));
  assert.deepEqual([...seen].sort(), [...exitReasons, ...reasons].sort(), 'every reason occurs');
});

test('both simulations agree on a long series', () => {
  const check = fc.property(world, (w) => {
    runBoth(inputFrom({ ...w, barCount: runs(2500, 100_000), volatility: w.volatility / 10, firstShare: 0 }));
  });
  fc.assert(check, { numRuns: runs(5, 200) });
});

const isNear = (a: number, b: number, scale: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, scale);

test('money is conserved: cash, positions, equity, profits and balances agree at every bar', () => {
  const check = fc.property(world, (w) => {
    const input = inputFrom(w);
    const { bars, first, config } = input;
    const full = fullConfig(config);
    const { trades, equity, movedRanges, denials, exposedBars } = runBoth(input);
    const account = openAccount(config, { isPlain: true });
    for (let i = first; i < bars.barCount; i++) {
      step(account, stepBar(input, i), full);
      const { cash } = account.purse;
      assert.ok(w.fundingChance > 0 || cash >= -1e-6, `cash is ${cash} at bar ${i}`);
      assert.ok(Object.is(accountValue(account, bars.close[i], full), equity[i - first]));
    }
    assert.equal(account.positions.length, 0);

    const { initial_balance } = config;
    let balance = initial_balance;
    for (const trade of trades) {
      assert.equal(trade.beginningBalance, balance);
      balance = trade.endingBalance;
    }
    if (equity.length > 0) assert.ok(isNear(equity[equity.length - 1], balance, initial_balance));
    assert.ok(exposedBars <= equity.length);
    assertTradesAreSound(trades, bars, first);

    const entryBars = new Set(trades.map(({ entryBar }) => entryBar));
    assert.equal(entryBars.size, trades.length, 'at most one entry a bar');
    for (const bar of denials.bars) assert.ok(bar > first && !entryBars.has(bar));

    const metrics = computeMetrics({ ...input, trades, equity, exposedBars, movedRanges });
    for (const value of Object.values(metrics)) assert.ok(value === null || Number.isFinite(value));
    const plainly = computeMetrics({ ...input, trades, equity, exposedBars });
    assert.deepEqual(metrics, plainly, 'metrics skip ranges that stand still');
  });
  fc.assert(check, { numRuns: runs(75, 20_000) });
});

function assertTradesAreSound(trades: readonly Trade[], bars: BarSeries, first: number): void {
  let before = first;
  for (const trade of trades) {
    assert.ok(trade.entryBar > first && trade.entryBar <= trade.exitBar && trade.exitBar < bars.barCount);
    assert.ok(trade.exitBar >= before, 'trades are in closing order');
    before = trade.exitBar;
    assert.ok(trade.size > 0 && trade.stopPrice > 0 && trade.barsHeld >= 1);
    assert.ok(trade.stopPrice <= trade.entryPrice && trade.entryPrice <= trade.targetPrice);
  }
}

test('removing the last bars changes no trade that closed before them', () => {
  const check = fc.property(world, fc.integer({ min: 1, max: 300 }), (w, removed) => {
    const whole = inputFrom(w);
    const barCount = Math.max(whole.first, whole.bars.barCount - removed);
    const words = (barCount + 31) >>> 5;
    const cutMask = (mask: Mask) => {
      const cut = mask.slice(0, words);
      if (barCount % 32 !== 0) cut[words - 1] &= 2 ** (barCount % 32) - 1;
      return cut;
    };
    const part = {
      ...whole,
      bars: sliceBars(whole.bars, 0, barCount),
      entry: cutMask(whole.entry),
      exit: cutMask(whole.exit),
    };
    const closed = simulate(part).trades.filter(({ exitReason }) => exitReason !== 'END');
    const expected = simulate(whole).trades.filter(({ exitBar }) => exitBar < barCount);
    assert.deepStrictEqual(
      closed,
      expected.filter(({ exitReason }) => exitReason !== 'END'),
    );
  });
  fc.assert(check, { numRuns: runs(75, 20_000) });
});

test('scaling all prices scales sizes inversely and leaves every profit unchanged', () => {
  const check = fc.property(world, fc.constantFrom(0.25, 2, 1024), (w, factor) => {
    const caps = { max_units_per_trade: 1e12, max_trade_amount: 1e12, max_volume_share: null };
    const noCaps = { ...caps, min_trade_amount: 0, funding: false };
    const input = inputFrom({ ...w, settings: { ...w.settings, ...noCaps } as World['settings'] });
    const { bars } = input;
    const scaled = allocateBars(bars.barCount, bars.intervalMs);
    scaled.time.set(bars.time);
    for (const name of ['open', 'high', 'low', 'close'] as const) {
      bars[name].forEach((price, i) => {
        scaled[name][i] = price * factor; // a power of two, so no bit is rounded away
      });
    }
    const expected = simulate(input);
    const actual = simulate({ ...input, bars: scaled });
    assert.deepStrictEqual(actual.equity, expected.equity);
    assert.deepStrictEqual(
      actual.trades.map(({ profitLoss, size }) => [profitLoss, size * factor]),
      expected.trades.map(({ profitLoss, size }) => [profitLoss, size]),
    );
  });
  fc.assert(check, { numRuns: runs(75, 20_000) });
});
