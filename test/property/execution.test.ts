import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  accountValue,
  countDenials,
  denialReasons,
  openAccount,
  simulate,
  step,
  stepBar,
  type Trade,
} from '../../engine/execution/index.js';
import { computeMetrics } from '../../engine/metrics/index.js';
import {
  allocateBars,
  type BarSeries,
  createMask,
  DAY_MS,
  HOUR_MS,
  type Mask,
  MINUTE_MS,
  setBit,
  sliceBars,
} from '../../engine/series/index.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';
import { configOf, runBoth } from '../unit/execution-support.js';

const barLimit = fc.constantFrom(null, -1, 0, 1, 2, 5, 20, 70, 300);
const tier = fc.record({
  short_loss_limit: fc.constantFrom(0, 1, 2, 3),
  short_window_bars: fc.constantFrom(0, 1, 4, 12),
  long_loss_limit: fc.constantFrom(0, 1, 4),
  long_window_bars: fc.constantFrom(0, 6, 40),
});

/** Mostly values that let trades happen, sometimes one that binds or forbids. */
const mostly = <T>(usual: readonly T[], rare: readonly T[]) =>
  fc.oneof({ weight: 25, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) });

/** Every option. */
const settings = fc.record({
  min_balance_threshold: mostly([0, 0.1, 0.95], [1, 9_900, 12_000]),
  min_trade_amount: mostly([0, 25], [900]),
  max_risk_per_trade: fc.constantFrom(0.001, 0.01, 0.2, 1),
  max_units_per_trade: mostly([1_000_000], [3]),
  max_trade_amount: mostly([10_000_000], [400]),
  position_size_calc: fc.constantFrom('v1', 'v2'),
  max_open_positions: mostly([1, 3, 10], [0]),
  max_trades_per_day: mostly([3, 50, 50], [0, 1]),
  stop_loss_calculation: fc.constantFrom('dynamic_atr', 'fixed'),
  fixed_stop_pct: fc.constantFrom(0.003, 0.02, 0.3),
  atr_period: fc.constantFrom(1, 2, 14),
  atr_volatility_factor: mostly([0.5, 2], [40]),
  atr_short_weight: mostly([0.95, 1], [0]),
  atr_long_weight: fc.constantFrom(0, 0.05, 1),
  atr_cap_multiplier: fc.constantFrom(null, 0, 1, 2.1),
  reward_factor: fc.constantFrom(0.2, 2, 10),
  slippage_pct: fc.constantFrom(0, 0.0005, 0.01),
  fee_pct: fc.constantFrom(0, 0.0005, 0.01),
  enable_volatility_adjustment: fc.boolean(),
  volatility_mode: fc.constantFrom('stddev', 'atr', 'off'),
  volatility_window: fc.constantFrom(2, 5, 24),
  target_volatility: fc.constantFrom(0.1, 1, 20),
  max_hold_bars: barLimit,
  max_hold_time_hours: fc.constantFrom(null, 3, 30),
  exit_on_loss_after_bars: barLimit,
  exit_on_profit_after_bars: barLimit,
  profit_threshold_pct: fc.constantFrom(-0.01, 0, 0.01),
  cooldown: fc.option(tier),
  daily_momentum_limit: fc.constantFrom(0, 1, 2.5),
  cooldown_bars: fc.constantFrom(0, 3, 24),
});

const world = fc.record({
  settings,
  seed: fc.nat(),
  barCount: fc.oneof(
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }) },
    { weight: 9, arbitrary: fc.integer({ min: 4, max: 700 }) },
  ),
  firstShare: mostly([0, 0.1], [1]),
  intervalMs: fc.constantFrom(5 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, DAY_MS),
  volatility: fc.constantFrom(0.0005, 0.01, 0.05),
  gapChance: fc.constantFrom(0, 0.05),
  flatChance: mostly([0, 0.02, 0.6], [1]),
  tick: mostly([0.001, 0.01, 1], [10]),
  entryChance: mostly([0.02, 0.1, 0.5, 1], [0]),
  exitChance: mostly([0, 0.01, 0.1, 0.5], [1]),
});
type World = Omit<typeof world extends fc.Arbitrary<infer W> ? W : never, 'volatility'> & {
  readonly volatility: number;
};

function randomMask(barCount: number, chance: number, random: () => number): Mask {
  const mask = createMask(barCount);
  for (let i = 0; i < barCount; i++) if (random() < chance) setBit(mask, i);
  return mask;
}

function inputFrom(w: World) {
  const { cooldown, ...rest } = w.settings;
  const interval = w.intervalMs;
  const key = interval >= DAY_MS ? '1D' : interval >= HOUR_MS ? `${interval / HOUR_MS}H` : `${interval / MINUTE_MS}m`;
  const bars = randomBars({ ...w, startMs: Date.UTC(2024, 0, 1, 7) });
  const random = seededRandom(w.seed + 1);
  return {
    bars,
    first: Math.floor(w.firstShare * bars.barCount),
    entry: randomMask(bars.barCount, w.entryChance, random),
    exit: randomMask(bars.barCount, w.exitChance, random),
    config: configOf({ ...rest, ...(cooldown && { cooldown_config: { [key]: cooldown } }) }, interval),
  };
}

test('the jump simulation equals the bar-by-bar simulation to the last bit', () => {
  const seen = new Set<string>();
  const check = fc.property(world, (w) => {
    const { trades, denials } = runBoth(inputFrom(w));
    for (const { exitReason } of trades) seen.add(exitReason);
    for (const reason of Object.keys(countDenials(denials))) seen.add(reason);
  });
  fc.assert(check, { numRuns: runs(6_000, 100_000) });
  const exitReasons = ['SL', 'TP', 'SIGNAL', 'MAX_HOLD', 'LOSS_TIMEOUT', 'PROFIT_TIMEOUT', 'END'];
  assert.deepEqual([...seen].sort(), [...exitReasons, ...denialReasons].sort(), 'every reason occurs');
});

test('both simulations agree on a long series', () => {
  const check = fc.property(world, (w) => {
    runBoth(inputFrom({ ...w, barCount: runs(10_000, 100_000), volatility: w.volatility / 10, firstShare: 0 }));
  });
  fc.assert(check, { numRuns: runs(40, 200) });
});

const isNear = (a: number, b: number, scale: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, scale);

test('money is conserved: cash, positions, equity, profits and balances agree at every bar', () => {
  const check = fc.property(world, (w) => {
    const input = inputFrom(w);
    const { bars, first, config } = input;
    const { trades, equity, movedRanges, denials, exposedBars } = runBoth(input);
    const account = openAccount(config);
    for (let i = first; i < bars.barCount; i++) {
      step(account, stepBar(input, i), config);
      assert.ok(account.cash >= -1e-6, `cash is ${account.cash} at bar ${i}`);
      assert.ok(Object.is(accountValue(account, bars.close[i]), equity[i - first]));
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
    assert.deepEqual(metrics, plainly, 'what stands still is measured without being read');
  });
  fc.assert(check, { numRuns: runs(1_000, 20_000) });
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

test('removing the last bars changes no trade that was closed before them', () => {
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
  fc.assert(check, { numRuns: runs(1_000, 20_000) });
});

test('scaling all prices scales sizes inversely and leaves every profit unchanged', () => {
  const check = fc.property(world, fc.constantFrom(0.25, 2, 1024), (w, factor) => {
    const noCaps = { max_units_per_trade: 1e12, max_trade_amount: 1e12, min_trade_amount: 0 };
    const input = inputFrom({ ...w, settings: { ...w.settings, ...noCaps } as World['settings'] });
    const { bars } = input;
    const scaled = allocateBars(bars.barCount, bars.intervalMs);
    scaled.time.set(bars.time);
    for (const name of ['open', 'high', 'low', 'close'] as const) {
      bars[name].forEach((price, i) => {
        scaled[name][i] = price * factor; // a power of two, so not a single bit is rounded away
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
  fc.assert(check, { numRuns: runs(1_000, 20_000) });
});
