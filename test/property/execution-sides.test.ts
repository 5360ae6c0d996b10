import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { denialReasons, type SimulationInput, simulate } from '../../engine/execution/index.js';
import { computeMetrics } from '../../engine/metrics/index.js';
import { createMask, DAY_MS, type Mask, sliceBars } from '../../engine/series/index.js';
import { aggregateBars } from '../../engine/timeframes/index.js';
import { runBoth } from '../support/execution.js';
import { randomBars } from '../support/random.js';
import { runs, soak } from '../support/scale.js';
import { either, type SidedWorld, sidedConfig, sidedInput, sidedWorld } from '../support/swept-worlds.js';
import { sidedReasons } from '../support/worlds.js';

/** What holds of sides, margin, orders, moving levels and guards in any world. */

/** The same world over bars that are made of finer ones, which decide inside a bar. */
function detailedInput(w: SidedWorld): SimulationInput {
  const intervalMs = DAY_MS;
  const input = sidedInput({ ...w, world: { ...w.world, intervalMs, fundingChance: 0 } });
  const detail = randomBars({ ...w.world, intervalMs: DAY_MS / 4, barCount: 4 * input.bars.barCount });
  const whole = aggregateBars(detail, DAY_MS).bars;
  const bars = sliceBars(whole, 0, Math.min(whole.barCount, input.bars.barCount));
  const cut = (mask: Mask = createMask(0)) => mask.slice(0, createMask(bars.barCount).length);
  return {
    ...input,
    bars,
    detail,
    first: Math.min(input.first, bars.barCount),
    entry: cut(input.entry),
    exit: cut(input.exit),
    shortEntry: cut(input.shortEntry),
    shortExit: cut(input.shortExit),
    config: { ...input.config, detail_interval: '6h' },
  };
}

test('the jump from event to event equals the loop over the bars in every bit', () => {
  const seen = new Set<string>();
  const check = fc.property(sidedWorld, either(false, false, true), (w, isDetailed) => {
    const { trades, denials, sided } = runBoth(isDetailed ? detailedInput(w) : sidedInput(w));
    for (const { exitReason } of trades) seen.add(exitReason);
    for (const code of denials.reasons) seen.add(denialReasons[code] ?? '');
    if ((sided?.orders.expired ?? 0) > 0) seen.add('expired');
    if ((sided?.detail.changed ?? 0) > 0) seen.add('walked');
  });
  // A fixed seed reaches everything in few runs.
  fc.assert(check, { numRuns: runs(125, 20_000), ...(soak ? {} : { seed: 4 }) });
  const reasons = ['SL', 'TP', 'SIGNAL', 'TRAIL', 'LIQUIDATION', 'OPPOSITE', 'GUARD', 'SCALE_OUT', 'END'];
  for (const one of [...reasons, ...sidedReasons, 'expired', 'walked']) assert.ok(seen.has(one), `${one} occurs`);
});

test('over long series, and with an equity that the caller lends, the jump equals the loop too', () => {
  const check = fc.property(sidedWorld, (w) => {
    const world = {
      ...w.world,
      barCount: runs(1500, 50_000),
      volatility: w.world.volatility / 10,
      entryChance: 0.005,
    };
    const input = sidedInput({ ...w, world, shortChance: 0.005 });
    const { equity, movedRanges } = runBoth(input);
    const room = new Float64Array(equity.length).fill(NaN);
    const lent = simulate({ ...input, equity: room });
    assert.deepStrictEqual(lent.movedRanges, movedRanges);
    const measured = { ...input, trades: [], exposedBars: 0 };
    assert.deepStrictEqual(
      computeMetrics({ ...measured, equity: lent.equity, movedRanges }),
      computeMetrics({ ...measured, equity, movedRanges }),
    );
  });
  fc.assert(check, { numRuns: runs(13, 400) });
});

const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

test('balances chain, the last one is the account value, and no fill makes cash negative', () => {
  const seen = new Set<string>();
  const check = fc.property(sidedWorld, (w) => {
    const input = sidedInput(w);
    const { trades, equity, sided } = simulate(input);
    assert.ok(sided);
    let balance = input.config.initial_balance;
    for (const trade of trades) {
      seen.add(trade.details?.side ?? '').add(trade.exitReason);
      assert.equal(trade.beginningBalance, balance);
      balance = trade.endingBalance;
    }
    if (equity.length > 0) assert.ok(isNear(equity[equity.length - 1] ?? NaN, balance));
    const isCharged = w.world.fundingChance > 0 || w.settings.borrow_rate > 0;
    for (const cash of sided.cash) assert.ok(isCharged || cash >= -1e-6, `cash is ${cash}`);
  });
  fc.assert(check, { numRuns: runs(150, 10_000) });
  const reasons = ['SL', 'TP', 'SIGNAL', 'TRAIL', 'LIQUIDATION', 'OPPOSITE', 'GUARD', 'SCALE_OUT', 'END'];
  for (const one of ['long', 'short', ...reasons]) assert.ok(seen.has(one), `${one} occurs`);
});

test('removing the last bars changes no trade that was closed before them', () => {
  const check = fc.property(sidedWorld, fc.double({ min: 0.3, max: 1, noNaN: true }), (w, share) => {
    const input = sidedInput(w);
    const kept = Math.max(input.first, Math.floor(input.bars.barCount * share));
    const cut = (mask: Mask) => mask.slice(0, createMask(kept).length);
    const part = simulate({
      ...input,
      bars: sliceBars(input.bars, 0, kept),
      entry: cut(input.entry),
      exit: cut(input.exit),
      shortEntry: cut(input.shortEntry ?? createMask(0)),
      shortExit: cut(input.shortExit ?? createMask(0)),
    });
    const before = simulate(input).trades.filter(({ exitBar }) => exitBar < kept - 1);
    assert.deepStrictEqual(part.trades.slice(0, before.length), before);
  });
  fc.assert(check, { numRuns: runs(75, 10_000) });
});

/** Prices on binary fractions, so that no level of the mirror differs by rounding. */
const BINARY_TICK = 1 / 16;

test('a world mirrored at twice its price gives mirrored trades of the other side', () => {
  const check = fc.property(sidedWorld, (w) => {
    const plain = sidedInput({ ...w, world: { ...w.world, fundingChance: 0, tick: BINARY_TICK } });
    const { trailing_distance, trailing_start, opposite_entry } = w.settings;
    const settings = {
      slippage_pct: 0,
      fee_pct: 0,
      atr_period: 1,
      atr_short_weight: 1,
      atr_long_weight: 0,
      atr_cap_multiplier: null,
      initial_balance: 10_000_000,
      max_risk_per_trade: 1e-7, // so that cash binds no size
      min_trade_amount: 0,
      min_balance_threshold: 0,
      max_open_positions: 3,
      profit_threshold_pct: 10,
      trailing_distance,
      trailing_start,
      opposite_entry: w.settings.entry_order === 'market' ? opposite_entry : 'reverse',
    };
    const config = sidedConfig(settings, plain.bars.intervalMs);
    const { bars } = plain;
    const highest = Math.ceil(Math.max(1, ...bars.high));
    // Far above their moves, prices reach no liquidation price, and stops are above 0 on both sides.
    const priced = (price: (raw: number) => number, isFlipped: boolean): typeof bars => ({
      ...bars,
      open: bars.open.map(price),
      high: (isFlipped ? bars.low : bars.high).map(price),
      low: (isFlipped ? bars.high : bars.low).map(price),
      close: bars.close.map(price),
    });
    const own = simulate({ ...plain, bars: priced((price) => 4 * highest + price, false), config });
    const other = simulate({
      ...plain,
      bars: priced((price) => 6 * highest - price, true),
      config,
      entry: plain.shortEntry ?? createMask(0),
      exit: plain.shortExit ?? createMask(0),
      shortEntry: plain.entry,
      shortExit: plain.exit,
    });
    const shape = (trade: (typeof own.trades)[number], isFlipped: boolean) => [
      (trade.details?.side === 'short') !== isFlipped,
      trade.entryBar,
      trade.exitBar,
      trade.exitReason,
    ];
    assert.deepStrictEqual(
      other.trades.map((trade) => shape(trade, true)),
      own.trades.map((trade) => shape(trade, false)),
    );
    for (const [i, trade] of own.trades.entries()) {
      assert.ok(isNear(trade.profitLoss, other.trades[i]?.profitLoss ?? NaN), `trade ${i}`);
    }
  });
  fc.assert(check, { numRuns: runs(50, 5_000) });
});
