// Asks: what does one account over many assets cost? Members with rules against a plain loop over
// every bar of every member, whose answers must agree; weights of many assets; a sweep of portfolios.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openBars } from '../data/bars/index.js';
import { resolveConfig } from '../engine/execution/index.js';
import { type PortfolioInput, simulateAllocation, simulatePortfolio } from '../engine/portfolio/index.js';
import { type BarSeries, createMask, DAY_MS, HOUR_MS, type Mask, setBit } from '../engine/series/index.js';
import { PortfolioKernel, periodReturns } from '../research/portfolio/sweep/kernel.js';
import { readPortfolioPlan } from '../research/portfolio/sweep/plan.js';
import { referenceAllocation } from '../test/reference/allocation.js';
import { allocationWorld, referenceOf } from '../test/support/portfolio-worlds.js';
import { randomBars, seededRandom } from '../test/support/random.js';
import { root } from '../test/support/tree.js';
import { assertClose, consume, medianOf, type Sizes, type Timing, yardstickMs } from './measure.js';

const off = { short_loss_limit: 0, long_loss_limit: 0, short_window_bars: 0, long_window_bars: 0 };
/** Long, at the market, with a fixed stop and target: what the plain loop knows. */
const settings = {
  ...{ fee_pct: 0.001, slippage_pct: 0.0005, position_sizing: 'equity_share', trade_share: 0.2 },
  ...{ stop_loss_calculation: 'fixed', fixed_stop_pct: 0.03, reward_factor: 2, max_open_positions: 1 },
  ...{ enable_volatility_adjustment: false, max_hold_bars: 60, cooldown_config: { '1h': off } },
  ...{ max_trade_amount: 1e9, min_trade_amount: 0, max_trades_per_day: 1000 },
};
const none = { max_drawdown: null, daily_loss: null, group_stop: null, pause_bars: 24 };

function accountOf(memberCount: number, barCount: number, trades: number): PortfolioInput {
  const { config } = resolveConfig({ request: settings, interval: HOUR_MS, takesPositionFields: true });
  const members = Array.from({ length: memberCount }, (_, m) => {
    const options = { flatChance: 0, reversion: 0.0001, gapChance: m % 3 === 0 ? 0.001 : 0 };
    const bars = randomBars({
      ...options,
      seed: 100 + m,
      barCount,
      intervalMs: HOUR_MS,
      startMs: Date.UTC(2012, 0, 1),
    });
    const random = seededRandom(m + 1);
    const mask = (count: number): Mask => {
      const bits = createMask(bars.barCount);
      for (let k = 0; k < count; k++) setBit(bits, Math.floor(random() * bars.barCount));
      return bits;
    };
    const wanted = Math.ceil(trades / memberCount);
    return { bars, entry: mask(wanted), exit: mask(wanted), config, weight: 1, rank: null };
  });
  return {
    members,
    ...{ start: -Infinity, initialBalance: 10_000, minBalanceThreshold: 0, guards: none },
    ...{ maxOpenPositions: 8, maxGrossExposure: null, keepsCorrelation: false },
  };
}

interface Held {
  readonly member: number;
  readonly size: number;
  readonly stop: number;
  readonly target: number;
  readonly entryBar: number;
  isLeaving: boolean;
}

/** The same rules bar by bar, as one would write them: every member is asked at every time. */
function plainLoop({ members, initialBalance, maxOpenPositions }: PortfolioInput) {
  const times = [...new Set(members.flatMap(({ bars }) => [...bars.time]))].sort((a, b) => a - b);
  const next = members.map(() => 0);
  const last = members.map(() => Number.NaN);
  const wants = members.map(() => false);
  const equity = new Float64Array(times.length);
  let cash = initialBalance;
  let held: Held[] = [];
  let trades = 0;
  const bit = (mask: Mask, bar: number): boolean => ((mask[bar >>> 5]! >>> (bar & 31)) & 1) === 1;
  for (const [i, time] of times.entries()) {
    const bars = members.map(({ bars }, m) => (bars.time[next[m]!] === time ? next[m]!++ : -1));
    const openOf = (m: number): number => (bars[m]! < 0 ? last[m]! : members[m]!.bars.open[bars[m]!]!);
    const sell = (one: Held, raw: number): void => {
      const price = raw * (1 - settings.slippage_pct);
      cash += one.size * price - settings.fee_pct * one.size * price;
      held = held.filter((other) => other !== one);
      trades++;
    };
    for (const one of held) if (one.isLeaving && bars[one.member]! >= 0) sell(one, openOf(one.member));
    for (const m of members.keys()) {
      if (bars[m]! < 0 || !wants[m]) continue;
      wants[m] = false;
      if (held.some(({ member }) => member === m) || held.length >= (maxOpenPositions ?? Infinity)) continue;
      const value = held.reduce((sum, { member, size }) => sum + size * openOf(member), cash);
      const price = openOf(m) * (1 + settings.slippage_pct);
      const size = Math.min((settings.trade_share * value) / price, cash / (price * (1 + settings.fee_pct)), 1e6);
      if (!(size > 0)) continue;
      cash -= size * price + settings.fee_pct * size * price;
      const distance = price * settings.fixed_stop_pct;
      const levels = { stop: price - distance, target: price + distance * settings.reward_factor };
      held.push({ member: m, size, ...levels, entryBar: bars[m]!, isLeaving: false });
    }
    for (const one of held) {
      const bar = bars[one.member]!;
      if (bar < 0) continue;
      const { open, high, low } = members[one.member]!.bars;
      if (open[bar]! <= one.stop || open[bar]! >= one.target) sell(one, open[bar]!);
      else if (low[bar]! <= one.stop) sell(one, one.stop);
      else if (high[bar]! >= one.target) sell(one, one.target);
    }
    for (const m of members.keys()) if (bars[m]! >= 0) last[m] = members[m]!.bars.close[bars[m]!]!;
    if (i === times.length - 1) for (const one of held) sell(one, last[one.member]!);
    equity[i] = held.reduce((sum, { member, size }) => sum + size * last[member]!, cash);
    for (const m of members.keys()) {
      const bar = bars[m]!;
      if (bar < 0) continue;
      const { entry, exit } = members[m]!;
      for (const one of held) {
        if (one.member !== m) continue;
        one.isLeaving = bit(exit, bar) || bar - one.entryBar + 1 >= settings.max_hold_bars;
      }
      if (bit(entry, bar) && !bit(exit, bar)) wants[m] = true;
    }
  }
  return { equity, trades };
}

/** Assets with daily bars; the strongest of them are held. */
function rotation(assetCount: number, barCount: number) {
  const { config } = resolveConfig({ request: { fee_pct: 0.001, slippage_pct: 0.0005 }, interval: DAY_MS });
  const assets = Array.from({ length: assetCount }, (_, a) => {
    const bars: BarSeries = randomBars({ seed: 500 + a, barCount, intervalMs: DAY_MS, reversion: 0.0001 });
    const rank = bars.close.map((close, i) => (i < 30 ? Number.NaN : close / bars.close[i - 30]! - 1));
    return { bars, rank, where: null };
  });
  const rule = { top: 10, weighting: 'equal', weights: null, reserve: 0.05, volatilityWindow: 24 } as const;
  const shared = { every: '1w', band: 0.01, guards: none, start: -Infinity, config, keepsCorrelation: false } as const;
  return { assets, rule, ...shared };
}

/** Median CPU time of some calls, which other work on the machine moves less than the time that passes. */
function cpuMs(rounds: number, run: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return medianOf(times);
}

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const scale = isSmoke ? 20 : 1;
  const rounds = isSmoke ? 1 : 7;
  // First, as a thread of a sweep has run nothing else either.
  const swept = await sweep(isSmoke ? 20 : 5_000);
  return [...rules(scale, rounds), weights(scale, rounds), swept];
}

function timed(name: string, bars: number, ms: number, ratio?: number): Timing {
  const timing = { name, bars, p50Ms: ms, nsPerBar: (ms * 1e6) / bars, yardsticks: ms / yardstickMs(bars) };
  return ratio === undefined ? timing : { ...timing, ratio };
}

function rules(scale: number, rounds: number): Timing[] {
  const input = accountOf(20, 100_000 / scale, 2_400 / scale);
  const ours = simulatePortfolio(input);
  const plain = plainLoop(input);
  assert.equal(ours.trades.length, plain.trades);
  assertClose(ours.equity, plain.equity, 1e-9, 'the plain loop');
  const ms = cpuMs(rounds, () => consume(simulatePortfolio(input).equity.at(-1) ?? 0));
  const plainMs = cpuMs(Math.min(3, rounds), () => consume(plainLoop(input).trades));
  const size = `20 members x ${100_000 / scale} bars, ${ours.trades.length} trades`;
  console.log(`${size}: ${ms.toFixed(1)} ms of CPU, a plain loop ${(plainMs / ms).toFixed(1)} times as long`);
  return [timed('20 members with rules', (20 * 100_000) / scale, ms, plainMs / ms)];
}

function weights(scale: number, rounds: number): Timing {
  for (let seed = 1; seed <= 5; seed++) {
    const world = allocationWorld(seed);
    assertClose(
      simulateAllocation(world).equity,
      referenceAllocation(referenceOf(world)).equity,
      1e-9,
      'the reference',
    );
  }
  const input = rotation(200, 10_000 / scale);
  const ms = cpuMs(rounds, () => consume(simulateAllocation(input).equity.at(-1) ?? 0));
  console.log(`200 assets x ${10_000 / scale} bars, rebalanced weekly: ${ms.toFixed(1)} ms of CPU`);
  return timed('200 assets with weights', (200 * 10_000) / scale, ms);
}

const trend = (asset: string) => ({
  asset,
  strategy: {
    entry: [
      { name: 'ema_cross_up', signal_type: 'TRIGGER', timeframe: '1d', params: { window_fast: 10, window_slow: 30 } },
      { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1d', params: { window: 100 } },
    ],
    exit: [
      { name: 'ema_cross_down', signal_type: 'TRIGGER', timeframe: '1d', params: { window_fast: 10, window_slow: 30 } },
    ],
  },
});

/** Portfolios of five assets over 1,825 days, in one thread, with what they share prepared. */
async function sweep(count: number): Promise<Timing> {
  const axis = (key: string, values: readonly number[]) => ({
    param: `members[*].strategy.entry[0].params.${key}`,
    values,
  });
  const plan = readPortfolioPlan({
    portfolio: { interval: '1d', rank_by: 'roc(close, 30)', members: ['BTC', 'ETH', 'SOL', 'BNB', 'XRP'].map(trend) },
    sweep_axes: [
      axis('window_fast', [5, 8, 10, 12, 15]),
      axis('window_slow', [20, 30, 40, 50]),
      { param: 'members[0].weight', values: [0.2, 0.4, 0.6, 0.8, 1] },
      { param: 'max_open_positions', values: [1, 2, 3, 4, 5] },
    ],
  });
  const store = openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') });
  const kernel = new PortfolioKernel(plan, { store, engineVersion: 'bench' });
  const whole = { start: undefined, end: undefined };
  for (let c = 0; c < plan.combinations; c += 25) await kernel.trace(plan.portfolioAt(c), whole);
  const start = process.cpuUsage();
  for (let k = 0; k < count; k++) {
    consume(periodReturns(await kernel.trace(plan.portfolioAt(k % plan.combinations), whole))[0] ?? 0);
  }
  const { user, system } = process.cpuUsage(start);
  const ms = (user + system) / 1_000 / count;
  console.log(
    `a portfolio of five over 1,825 days: ${ms.toFixed(2)} ms of CPU, ${(1_000 / ms).toFixed(0)} a second and thread`,
  );
  return timed('a portfolio of a sweep', 5 * 1_825, ms);
}
