import assert from 'node:assert/strict';
import test from 'node:test';
import { fullConfig, type SimulationInput, simulateSides } from '../../engine/execution/index.js';
import {
  type AllocationInput,
  type PortfolioInput,
  type PortfolioMember,
  type PortfolioSimulation,
  rebalancePeriods,
  simulateAllocation,
  simulatePortfolio,
} from '../../engine/portfolio/index.js';
import { type BarSeries, HOUR_MS, sliceBars } from '../../engine/series/index.js';
import { configOf } from '../support/execution.js';
import { mixedWorld, pick, randomMask } from '../support/mixed-worlds.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** Laws of portfolios and allocations in random worlds that mix all settings. */

function guardsOf(config: SimulationInput['config']): PortfolioInput['guards'] {
  const full = fullConfig(config);
  return {
    max_drawdown: full.guard_max_drawdown,
    daily_loss: full.guard_daily_loss,
    group_stop: full.guard_group_stop,
    pause_bars: full.guard_pause_bars,
  };
}

/** One account over the inputs of single runs, with the limits and guards of the first. */
function portfolioOf(inputs: readonly SimulationInput[], limits: Partial<PortfolioInput> = {}): PortfolioInput {
  const [{ config, bars, first }] = inputs as [SimulationInput];
  return {
    members: inputs.map((input) => ({ ...input, weight: 1, rank: null })),
    start: bars.time[first] ?? Infinity,
    initialBalance: config.initial_balance,
    minBalanceThreshold: config.min_balance_threshold,
    maxOpenPositions: null,
    maxGrossExposure: null,
    guards: guardsOf(config),
    ...limits,
  };
}

test('one member of weight 1 equals the single run in every bit', () => {
  for (let seed = 1; seed <= runs(150, 10_000); seed++) {
    const { input } = mixedWorld(seed);
    if (input.first >= input.bars.barCount) continue;
    const alone = simulateSides(input);
    const shared = simulatePortfolio(portfolioOf([input]));
    const trades = shared.trades.map(({ member: _, exitTime: __, ...trade }) => trade);
    assert.deepStrictEqual(trades, alone.trades, `seed ${seed}`);
    assert.deepStrictEqual(shared.equity, alone.equity, `seed ${seed}`);
    assert.deepStrictEqual(shared.cash, alone.sided?.cash, `seed ${seed}`);
    assert.deepStrictEqual(
      shared.denials.map(({ bar }) => bar),
      [...alone.denials.bars],
      `seed ${seed}`,
    );
    assert.equal(shared.exposedTimes, alone.exposedBars, `seed ${seed}`);
    assert.deepStrictEqual(shared.detail, alone.sided?.detail, `seed ${seed}`);
  }
});

/** Worlds of one interval that share an account. */
function sharedWorld(seed: number): PortfolioInput {
  const random = seededRandom(seed);
  const inputs: SimulationInput[] = [];
  const count = pick(random, [2, 3, 5]);
  for (let next = 1000 * seed; inputs.length < count; next++) {
    const { input } = mixedWorld(next);
    const interval = inputs[0]?.bars.intervalMs ?? input.bars.intervalMs;
    if (input.bars.intervalMs === interval && input.bars.barCount > 2 && input.first < 2) inputs.push(input);
  }
  const ranks = random() < 0.5;
  const { members, ...portfolio } = portfolioOf(inputs, {
    maxOpenPositions: pick(random, [null, 1, 2]),
    maxGrossExposure: pick(random, [null, 0.5, 2]),
  });
  const weighted = members.map((member): PortfolioMember => {
    const rank = Float64Array.from({ length: member.bars.barCount }, () => (random() < 0.1 ? NaN : random()));
    return { ...member, weight: pick(random, [0.25, 1, 1, 2]), rank: ranks ? rank : null };
  });
  return { ...portfolio, members: weighted };
}

/** The account without the last times. */
function cutMembers({ members, ...portfolio }: PortfolioInput, end: number): PortfolioInput {
  const cut = members.map((member) => ({ ...member, bars: barsBefore(member.bars, end) }));
  return { ...portfolio, members: cut.map((member, m) => ({ ...members[m], ...member })) as PortfolioMember[] };
}

const barsBefore = (bars: BarSeries, end: number): BarSeries =>
  sliceBars(bars, 0, bars.time.filter((time) => time < end).length);

/** Trades that closed before a time, other than by the end of the data. */
const closedBefore = ({ trades, timeline }: PortfolioSimulation, end: number) =>
  trades.filter(({ exitTime, exitReason }) => (timeline.times[exitTime] ?? NaN) < end && exitReason !== 'END');

const profitOf = ({ members }: PortfolioSimulation): number => members.reduce((sum, { profit }) => sum + profit, 0);

function assertNear(actual: number, expected: number, label: string): void {
  assert.ok(Math.abs(actual - expected) <= 1e-8 * Math.max(1, Math.abs(expected)), `${label}: ${actual}, ${expected}`);
}

test('the profits of the members are the change of the account, and the limits hold', () => {
  let denied = 0;
  for (let seed = 1; seed <= runs(60, 5_000); seed++) {
    const input = sharedWorld(seed);
    const run = simulatePortfolio(input);
    assertNear(profitOf(run), (run.equity.at(-1) ?? NaN) - input.initialBalance, `seed ${seed}`);
    denied += run.denials.filter(({ reason }) => reason === 'portfolio_positions').length;
    if (input.maxOpenPositions === null) continue;
    const { times } = run.timeline;
    for (const i of times.keys()) {
      const open = run.trades.filter(({ member, entryBar, exitTime }) => {
        const entry = input.members[member]?.bars.time[entryBar] ?? NaN;
        return entry <= (times[i] ?? NaN) && exitTime > i;
      });
      assert.ok(open.length <= input.maxOpenPositions, `seed ${seed}, time ${i}: ${open.length} open`);
    }
  }
  assert.ok(denied > 0);
});

test('what comes later changes no trade that has closed', () => {
  for (let seed = 1; seed <= runs(60, 5_000); seed++) {
    const input = sharedWorld(seed);
    const whole = simulatePortfolio(input);
    const { times } = whole.timeline;
    const end = times[Math.floor(times.length * 0.7)] ?? NaN;
    const cut = cutMembers(input, end);
    if (cut.members.some(({ bars }) => bars.barCount === 0)) continue;
    const part = simulatePortfolio(cut);
    assert.deepStrictEqual(closedBefore(part, end), closedBefore(whole, end), `seed ${seed}`);
  }
});

function allocationWorld(seed: number): AllocationInput {
  const random = seededRandom(seed);
  const count = pick(random, [1, 2, 5]);
  const weighting = pick(random, ['equal', 'inverse_volatility', 'fixed'] as const);
  const barCount = pick(random, [5, 60, 200]);
  const isRanked = random() < 0.5;
  const assets = Array.from({ length: count }, (_, a) => {
    const options = { start: pick(random, [10, 3000]), tick: 1e-6, volatility: 0.03, flatChance: 0.02 };
    const bars = randomBars({
      ...{ ...options, seed: 100 * seed + a, intervalMs: 4 * HOUR_MS, startMs: Date.UTC(2024, 0, 3), barCount },
      gapChance: pick(random, [0, 0.05]),
    });
    return {
      bars,
      rank: isRanked
        ? Float64Array.from({ length: bars.barCount }, () => (random() < 0.2 ? NaN : random() - 0.5))
        : null,
      where: random() < 0.4 ? randomMask(bars.barCount, 0.7, random) : null,
    };
  });
  return {
    assets,
    rule: {
      top: pick(random, [null, 1, 3]),
      weighting,
      weights: weighting === 'fixed' ? assets.map((_, a) => (a === 0 ? 1 : pick(random, [0, 1, 2]))) : null,
      reserve: pick(random, [0, 0.1]),
      volatilityWindow: 5,
    },
    every: pick(random, rebalancePeriods),
    band: pick(random, [0, 0.02, 0.2]),
    guards: {
      max_drawdown: pick(random, [null, 0.05]),
      daily_loss: pick(random, [null, 0.03]),
      group_stop: pick(random, [null, 0.05]),
      pause_bars: pick(random, [0, 3]),
    },
    start: Date.UTC(2024, 0, 4),
    config: configOf({ fee_pct: pick(random, [0, 0.002]), slippage_pct: pick(random, [0, 0.001]) }, 4 * HOUR_MS),
  };
}

test('an allocation spends no more than it has, and its profits are the change of the account', () => {
  let rebalanced = 0;
  for (let seed = 1; seed <= runs(200, 10_000); seed++) {
    const input = allocationWorld(seed);
    const run = simulateAllocation(input);
    if (run.equity.length === 0) continue;
    assert.ok(Math.min(...run.cash) > -1e-6, `seed ${seed}: cash ${Math.min(...run.cash)}`);
    assertNear(profitOf(run), (run.equity.at(-1) ?? NaN) - input.config.initial_balance, `seed ${seed}`);
    assert.ok(run.largestGrossExposure <= 1 + 1e-9, `seed ${seed}`);
    rebalanced += run.trades.filter(({ exitReason }) => exitReason === 'REBALANCE').length;
    const { times } = run.timeline;
    const end = times[Math.floor(times.length * 0.7)] ?? NaN;
    const assets = input.assets.map((asset) => ({ ...asset, bars: barsBefore(asset.bars, end) }));
    const part = simulateAllocation({ ...input, assets });
    assert.deepStrictEqual(closedBefore(part, end), closedBefore(run, end), `seed ${seed}`);
  }
  assert.ok(rebalanced > 0);
});
