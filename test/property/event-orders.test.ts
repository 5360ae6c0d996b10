import assert from 'node:assert/strict';
import test from 'node:test';
import { type SimulationInput, simulate, type Trade } from '../../engine/execution/index.js';
import { accountBounds } from '../../engine/quality/account-bounds.js';
import { type ProfitBounds, profitBounds } from '../../engine/quality/event-orders.js';
import { allocateBars, type BarSeries, HOUR_MS, MINUTE_MS } from '../../engine/series/index.js';
import { configOf, noCooldown } from '../support/execution.js';
import { pick, type Random, randomMask } from '../support/mixed-worlds.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** Paths of the price without jumps, and the bars that are seen of them. */

const STEPS = 60;
const BARS = 120;

/**
 * Finer bars that go straight from open to close, by less than any two levels lie apart, so that they
 * leave no order of events open, and their hours.
 */
function pathBars(random: Random): { readonly bars: BarSeries; readonly detail: BarSeries } {
  const detail = allocateBars(BARS * STEPS, HOUR_MS / STEPS);
  const bars = allocateBars(BARS, HOUR_MS);
  let price = 100;
  for (let k = 0; k < detail.barCount; k++) {
    if (k % STEPS === 0 && random() < 0.3) price += 4 * (random() - 0.5); // from one hour to the next it may jump
    const open = price;
    price = open + 0.4 * (random() - 0.5) + (100 - open) / 1000;
    write(detail, k, [open, Math.max(open, price), Math.min(open, price), price]);
  }
  for (let i = 0; i < BARS; i++) {
    const [from, to] = [i * STEPS, (i + 1) * STEPS];
    const high = Math.max(...detail.high.subarray(from, to));
    const low = Math.min(...detail.low.subarray(from, to));
    write(bars, i, [detail.open[from] ?? NaN, high, low, detail.close[to - 1] ?? NaN]);
  }
  return { bars, detail };
}

function write(bars: BarSeries, i: number, [open, high, low, close]: readonly [number, number, number, number]): void {
  bars.time[i] = i * bars.intervalMs;
  bars.open[i] = open;
  bars.high[i] = high;
  bars.low[i] = low;
  bars.close[i] = close;
  bars.volume[i] = 1000;
}

/** Settings under which no exit decides whether or how large a later entry is. */
const apart = {
  ...noCooldown,
  ...{ initial_balance: 1e6, min_balance_threshold: 0, max_open_positions: 1000, max_trades_per_day: 1000 },
  ...{ position_sizing: 'fixed_amount', trade_amount: 100, opposite_entry: 'hedge', stop_loss_calculation: 'fixed' },
};

const drawn = (random: Random) => ({
  fixed_stop_pct: pick(random, [0.01, 0.02, 0.05]),
  reward_factor: pick(random, [0.5, 1, 2]),
  target_calculation: pick(random, ['reward', 'reward', 'none', 'schedule']),
  target_schedule: [
    [0, 0.03],
    [2, 0.01],
    [4, 0],
  ],
  target_order: pick(random, ['market', 'limit']),
  ...pick<object>(random, [
    {},
    { scale_out: [[0.5, 0.5]] },
    {
      scale_out: [
        [0.25, 0.5],
        [0.75, 0.5],
      ],
    },
  ]),
  ...pick<object>(random, [{}, { trailing_distance: 0.5 }, { break_even_at: 0.5 }, { stop_order: false }]),
  ...pick<object>(random, [{}, { entry_order: 'limit' }, { entry_order: 'stop' }, { entry_order: 'stop' }]),
  ...{ leverage: pick(random, [1, 1, 25]), borrow_rate: pick(random, [0, 0.5]), max_hold_bars: pick(random, [3, 20]) },
  ...{ slippage_pct: pick(random, [0, 0.001, 0.02]), fee_pct: pick(random, [0, 0.001]) },
});

interface World {
  readonly coarse: SimulationInput;
  /** The same run, which reads the path. */
  readonly fine: SimulationInput;
}

/** @param opposite what a market entry does to the other side */
function world(seed: number, further: object, opposite?: string): World {
  const random = seededRandom(seed);
  const { bars, detail } = pathBars(random);
  const settings: Record<string, unknown> = { ...apart, ...drawn(random), ...further };
  if (settings.entry_order === undefined && opposite !== undefined) settings.opposite_entry = opposite;
  if (settings.entry_order !== undefined) {
    Object.assign(settings, {
      entry_offset_pct: pick(random, [0, 0.01, 0.02]),
      entry_valid_bars: pick(random, [1, 3]),
    });
  }
  const mask = (chance: number) => randomMask(BARS, chance, random);
  const rules = { bars, first: 0, entry: mask(0.2), exit: mask(0.05), shortEntry: mask(0.2), shortExit: mask(0.05) };
  const config = (more: object) => configOf({ ...settings, ...more }, HOUR_MS, { takesPositionFields: true });
  return {
    coarse: { ...rules, config: config({}) },
    fine: { ...rules, detail, config: config({ detail_interval: `${detail.intervalMs / MINUTE_MS}m` }) },
  };
}

function* matched(told: readonly Trade[], bounds: readonly ProfitBounds[]) {
  const byEntry = new Map(bounds.map((one) => [key(one.trade), one]));
  for (const trade of told) {
    const found = byEntry.get(key(trade));
    if (found !== undefined) yield { ...found, trade, before: found.trade };
  }
}

function assertWithin(value: number, low: number, high: number, label: string): void {
  const dust = 1e-6 * Math.max(1, Math.abs(value));
  assert.ok(value >= low - dust && value <= high + dust, `${label}: ${value} is not between ${low} and ${high}`);
}

const key = ({ details, entryBar }: Trade) => `${details?.side} ${entryBar}`;
const sum = <T>(items: readonly T[], term: (item: T) => number) => items.reduce((all, item) => all + term(item), 0);

test('no path inside the bars takes an account of positions apart, or one of them, out of its bounds', () => {
  const seen = { moved: 0, low: 0, high: 0 };
  for (let seed = 1; seed <= runs(40, 20_000); seed++) {
    const { coarse, fine } = world(seed, {});
    const bounds = profitBounds(coarse);
    const told = simulate(fine).trades;
    assert.equal(told.length, bounds.length, `seed ${seed}`);
    for (const { trade, low, high, before } of matched(told, bounds)) {
      assertWithin(trade.profitLoss, low, high, `seed ${seed}, ${key(trade)}`);
      if (Math.abs(trade.profitLoss - before.profitLoss) < 1e-9) continue;
      seen.moved++;
      if (trade.profitLoss < low + 1e-9) seen.low++;
      if (trade.profitLoss > high - 1e-9) seen.high++;
    }
    const [low, high] = [sum(bounds, (one) => one.low), sum(bounds, (one) => one.high)];
    assertWithin(
      sum(told, ({ profitLoss }) => profitLoss),
      low,
      high,
      `seed ${seed}`,
    );
  }
  assert.ok(seen.low > 0 && seen.high > 0 && seen.moved > seen.low + seen.high, JSON.stringify(seen));
});

test('where exits decide entries and sizes, the bounds hold for each entry that both runs share', () => {
  let moved = 0;
  for (let seed = 1; seed <= runs(20, 20_000); seed++) {
    const random = seededRandom(seed);
    const sizes = { position_sizing: 'equity_share', trade_share: 0.5, max_open_positions: 1 };
    const { coarse, fine } = world(seed, sizes, pick(random, ['close', 'reverse']));
    for (const { trade, low, high, before } of matched(simulate(fine).trades, profitBounds(coarse))) {
      const scale = before.size / trade.size;
      assertWithin(trade.profitLoss * scale, low, high, `seed ${seed}, ${key(trade)}`);
      if (Math.abs(trade.profitLoss * scale - before.profitLoss) > 1) moved++;
    }
  }
  assert.ok(moved > 0);
});

/** The bounds of the account, within which both runs end, and their ends. */
function boundedEnds({ coarse, fine }: World, label: string) {
  const bounds = accountBounds(coarse);
  assert.ok(bounds !== null, label);
  const { low, high } = bounds;
  const [run, told] = [simulate(coarse), simulate(fine)];
  const [own, truth] = [run.equity.at(-1) ?? NaN, told.equity.at(-1) ?? NaN];
  for (const value of [own, truth]) assertWithin(value, low, high, label);
  return { low, high, own, truth, isOther: run.trades.map(key).join() !== told.trades.map(key).join() };
}

test('no path inside the bars takes an account of one position at a time out of its bounds', () => {
  const seen = { open: 0, otherEntries: 0, low: 0, high: 0 };
  for (let seed = 1; seed <= runs(40, 20_000); seed++) {
    const random = seededRandom(seed);
    const tier = { short_loss_limit: 2, short_window_bars: 6, long_loss_limit: 3, long_window_bars: 20 };
    const { coarse, fine } = world(seed, {
      ...{ max_open_positions: 1, opposite_entry: 'deny', trade_share: pick(random, [0.1, 0.9]), borrow_rate: 0 },
      ...{ position_sizing: pick(random, ['equity_share', 'risk', 'fixed_amount']), trade_amount: 4e5 },
      ...{ max_risk_per_trade: 0.05, min_balance_threshold: pick(random, [0, 0.9]) },
      ...{ max_trades_per_day: pick(random, [2, 50]), max_trade_amount: pick(random, [1e9, 5e5]) },
      ...(random() < 0.5 && { cooldown_config: { '1h': tier } }),
      // Near levels, so that many bars leave an order open, and no scale-outs, which are nearer than a step.
      ...{
        entry_order: pick(random, ['stop', 'limit']),
        entry_offset_pct: 0.003,
        slippage_pct: pick(random, [0, 0.001]),
      },
      ...{
        fixed_stop_pct: pick(random, [0.006, 0.01]),
        target_calculation: 'reward',
        reward_factor: 1,
        scale_out: null,
      },
    });
    const { low, high, truth, isOther } = boundedEnds({ coarse, fine }, `seed ${seed}`);
    if (high - low < 1e-3) continue;
    seen.open++;
    if (isOther) seen.otherEntries++;
    // Both bounds are met by some path.
    if (truth - low < 1e-3) seen.low++;
    if (high - truth < 1e-3) seen.high++;
  }
  assert.ok(seen.open > 20 && seen.otherEntries > 3 && seen.low > 0 && seen.high > 0, JSON.stringify(seen));
});

test('no path inside the bars takes an account of overlapping positions out of its bounds', () => {
  const seen = { open: 0, otherEntries: 0, tight: 0 };
  for (let seed = 1; seed <= runs(60, 20_000); seed++) {
    const random = seededRandom(seed);
    const tier = { short_loss_limit: 2, short_window_bars: 4, long_loss_limit: 4, long_window_bars: 10 };
    const { coarse, fine } = world(seed, {
      ...{ max_open_positions: pick(random, [2, 3, 10]), opposite_entry: pick(random, ['deny', 'hedge']) },
      ...{ position_sizing: pick(random, ['equity_share', 'risk', 'fixed_amount']), trade_amount: 3e5 },
      ...{ trade_share: pick(random, [0.1, 0.4]), max_risk_per_trade: pick(random, [0.001, 0.01]) },
      ...{ min_balance_threshold: pick(random, [0, 0.9]), max_trade_amount: pick(random, [1e9, 2e5]) },
      ...{ max_trades_per_day: pick(random, [3, 50]), max_gross_exposure: pick(random, [null, 0.8]) },
      ...(random() < 0.3 && { cooldown_config: { '1h': tier } }),
      ...{ entry_order: pick(random, ['stop', 'limit']), entry_offset_pct: 0.003, borrow_rate: 0 },
      ...{ fixed_stop_pct: pick(random, [0.006, 0.01]), target_calculation: 'reward', reward_factor: 1 },
      ...{ scale_out: null, leverage: pick(random, [1, 3]) },
    });
    const { low, high, own, truth, isOther } = boundedEnds({ coarse, fine }, `seed ${seed}`);
    if (high - low < 1e-3) continue;
    seen.open++;
    if (isOther) seen.otherEntries++;
    if (high - low < 4 * Math.abs(truth - own)) seen.tight++;
  }
  assert.ok(seen.open > 20 && seen.otherEntries > 3 && seen.tight > 0, JSON.stringify(seen));
});
