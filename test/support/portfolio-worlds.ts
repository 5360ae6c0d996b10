import { fullConfig, type SimulationInput } from '../../engine/execution/index.js';
import {
  type AllocationInput,
  type EndedAssets,
  type PortfolioInput,
  type PortfolioMember,
  rebalancePeriods,
} from '../../engine/portfolio/index.js';
import { getBit, HOUR_MS } from '../../engine/series/index.js';
import type { RefAllocation } from '../reference/allocation.js';
import type { RefPortfolio } from '../reference/sides.js';
import { configOf } from './execution.js';
import { type MixedWorld, mixedWorld, pick, randomMask } from './mixed-worlds.js';
import { randomBars, seededRandom } from './random.js';
import { executionBars } from './reference.js';

function guardsOf(config: SimulationInput['config']): PortfolioInput['guards'] {
  const full = fullConfig(config);
  return {
    max_drawdown: full.guard_max_drawdown,
    daily_loss: full.guard_daily_loss,
    group_stop: full.guard_group_stop,
    pause_bars: full.guard_pause_bars,
  };
}

/** Ends soon in small worlds; drawn beside their own numbers, which stay. */
function endedOf(seed: number): EndedAssets {
  return { ended_after: 1 + (seed % 4), ended_price: seed % 3 === 0 ? 'zero' : 'last_close' };
}

const refEnded = ({ ended }: Pick<PortfolioInput, 'ended'>): RefPortfolio['ended'] => {
  return { after: ended?.ended_after ?? Infinity, isWrittenOff: ended?.ended_price === 'zero' };
};

/** One account over the inputs of single runs, with the limits and guards of the first. */
export function portfolioOf(inputs: readonly SimulationInput[], limits: Partial<PortfolioInput> = {}): PortfolioInput {
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

/** An account as the engine and as the reference take it. */
interface SharedWorld {
  readonly input: PortfolioInput;
  readonly reference: RefPortfolio;
}

const orNulls = (rank: Float64Array | null): (number | null)[] | null =>
  rank && Array.from(rank, (value) => (Number.isNaN(value) ? null : value));

const refGuards = ({ max_drawdown, daily_loss, group_stop, pause_bars }: PortfolioInput['guards']) => {
  return { maxDrawdown: max_drawdown, dailyLoss: daily_loss, groupStop: group_stop, pauseBars: pause_bars };
};

/** Worlds of one interval that share an account; some of them are of one asset. */
export function sharedWorld(seed: number): SharedWorld {
  const random = seededRandom(seed);
  const worlds: MixedWorld[] = [];
  const count = pick(random, [2, 3, 5]);
  for (let next = 1000 * seed; worlds.length < count; next++) {
    const world = mixedWorld(next);
    const { input } = world;
    const interval = worlds[0]?.input.bars.intervalMs ?? input.bars.intervalMs;
    if (input.bars.intervalMs === interval && input.bars.barCount > 2 && input.first < 2) worlds.push(world);
  }
  const ranks = random() < 0.5;
  const { members, ...portfolio } = portfolioOf(
    worlds.map(({ input }) => input),
    {
      maxOpenPositions: pick(random, [null, 1, 2]),
      maxGrossExposure: pick(random, [null, 0.5, 2]),
      ended: endedOf(seed),
    },
  );
  const weighted = members.map((member): PortfolioMember => {
    const rank = Float64Array.from({ length: member.bars.barCount }, () => (random() < 0.1 ? NaN : random()));
    return { ...member, weight: pick(random, [0.25, 1, 1, 2]), rank: ranks ? rank : null };
  });
  return {
    input: { ...portfolio, members: weighted },
    reference: {
      members: worlds.map(({ request }, m) => {
        const { weight, rank } = weighted[m] as PortfolioMember; // one for each world
        return { request, weight, rank: orNulls(rank) };
      }),
      start: portfolio.start,
      initialBalance: portfolio.initialBalance,
      minBalanceThreshold: portfolio.minBalanceThreshold,
      maxOpenPositions: portfolio.maxOpenPositions,
      maxGrossExposure: portfolio.maxGrossExposure,
      guards: refGuards(portfolio.guards),
      ended: refEnded(portfolio),
    },
  };
}

/** Assets with weights that are rebalanced: with holes, listed late, ended early. */
export function allocationWorld(seed: number): AllocationInput {
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
    ended: endedOf(seed),
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

/** The same as the reference takes it. */
export function referenceOf(input: AllocationInput): RefAllocation {
  const { assets, rule, every, band, guards, config, start } = input;
  const isRanked = assets.some(({ rank }) => rank !== null);
  return {
    assets: assets.map(({ bars, rank, where }) => ({
      bars: executionBars(bars),
      rank: isRanked ? orNulls(rank) : null,
      where: where && Array.from({ length: bars.barCount }, (_, i) => getBit(where, i)),
    })),
    ...{ every, top: rule.top, weighting: rule.weighting, band, reserve: rule.reserve },
    weights: rule.weights && [...rule.weights],
    volatilityWindow: rule.volatilityWindow,
    guards: refGuards(guards),
    ended: refEnded(input),
    initialBalance: config.initial_balance,
    fee: config.fee_pct,
    slippage: config.slippage_pct,
    intervalMs: assets[0]?.bars.intervalMs ?? Number.NaN,
    start,
  };
}
