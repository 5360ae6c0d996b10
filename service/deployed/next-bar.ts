import type { MarketData } from '../../data/providers/index.js';
import type { DeployedProgress } from '../../data/state/index.js';
import {
  type BarSeries,
  bucketStart,
  DAY_MS,
  EngineError,
  evaluateRules,
  firstBarFrom,
  type Mask,
  onchainColumns,
  planStrategy,
  type StepBar,
  sliceBars,
  stepBar,
  withinReach,
} from '../../engine/index.js';
import { neededHistoryMs } from '../../research/backtest/index.js';
import type { DeployedDefinition } from './definition.js';
import type { Replay } from './replay.js';

/** The part of the market-data port that deployed strategies need. */
export type DeployedMarket = Pick<MarketData, 'nowMs' | 'bars'>;

/**
 * Bars that rules look back on, at most: evaluating them takes milliseconds however long a strategy
 * has been running.
 */
const WINDOW_BARS_MAX = 50_000;

/** Bars that open then or later are traded. @throws EngineError NOT_FOUND without bars */
export async function startOf(
  { baseAsset, intervalMs }: DeployedDefinition,
  market: DeployedMarket,
  { msPerHour, days }: Replay,
): Promise<number> {
  const now = await market.nowMs(baseAsset, intervalMs);
  return msPerHour === 0 ? now : Math.max(0, now - days * DAY_MS);
}

/** Bars after the next one whose rules are evaluated along with it. */
const AHEAD_BARS = 1_000;

/** Rules at the closes of the first `barCount` bars of a window. */
interface EvaluatedRules {
  /** Where the window begins in its buffer. */
  readonly byteOffset: number;
  readonly barCount: number;
  readonly entry: Mask;
  readonly exit: Mask;
}

/**
 * Finds the next bar of deployed strategies. What a rule says at a close follows from the bars up
 * to it, whatever bars come after, so rules are evaluated for a stretch of bars that are held
 * already and looked up from then on: stepping through them builds no series and no columns. Only
 * the bits are kept, and only while the bars are.
 */
export class NextBars {
  /** By the buffer of the bars, then by strategy. */
  readonly #evaluated = new WeakMap<ArrayBufferLike, Map<string, EvaluatedRules>>();

  constructor(private readonly market: DeployedMarket) {}

  /**
   * The bar after the last one that was evaluated, with the rules at its close; null where it has
   * not closed yet. The answer follows from the bars up to this one alone, from as far back as a
   * backtest from the same start would read them.
   *
   * @throws EngineError NOT_FOUND without such bars; INVALID_STRATEGY where the data lacks a column
   *   that a rule needs
   */
  async next(
    deployed: DeployedDefinition,
    { account }: DeployedProgress,
    startMs: number,
  ): Promise<Omit<StepBar, 'index'> | null> {
    const { baseAsset, intervalMs, strategy, config } = deployed;
    const nextMs = account.lastBarTime === null ? startMs : account.lastBarTime + 1;
    const history = neededHistoryMs(planStrategy(strategy, intervalMs, onchainColumns), config);
    const fromMs = Math.max(0, startMs - history, nextMs - Math.max(history, WINDOW_BARS_MAX * intervalMs));
    const held = await this.market.bars(baseAsset, intervalMs, bucketStart(fromMs, DAY_MS)); // coarse bars begin whole
    const i = firstBarFrom(held, nextMs);
    if (i >= held.barCount) return null;
    const { entry, exit } = this.#rulesAt(deployed, held, i);
    return stepBar({ bars: sliceBars(held, 0, i + 1), first: 0, entry, exit, config }, i);
  }

  #rulesAt({ id, strategy }: DeployedDefinition, held: BarSeries, i: number): EvaluatedRules {
    const { buffer, byteOffset } = held.close;
    const byStrategy = this.#evaluated.get(buffer) ?? new Map<string, EvaluatedRules>();
    this.#evaluated.set(buffer, byStrategy);
    const known = byStrategy.get(id);
    if (known?.byteOffset === byteOffset && i < known.barCount) return known;
    const plan = planStrategy(strategy, held.intervalMs, Object.keys(held.onchain));
    const [denied] = plan.denied;
    if (denied !== undefined) throw new EngineError('INVALID_STRATEGY', `${denied.side}: ${denied.message}`);
    const barCount = Math.min(held.barCount, i + 1 + AHEAD_BARS);
    const { entry, exit } = withinReach(sliceBars(held, 0, barCount), (bars) => evaluateRules(plan, bars));
    const rules = { byteOffset, barCount, entry, exit };
    byStrategy.set(id, rules);
    return rules;
  }
}
