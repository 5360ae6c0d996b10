import type { MarketData } from '../../data/providers/index.js';
import type { DeployedProgress } from '../../data/state/index.js';
import {
  anyColumn,
  type BarSeries,
  bucketStart,
  columnsRead,
  DAY_MS,
  EngineError,
  evaluateRules,
  firstBarFrom,
  fullConfig,
  planStrategy,
  type RuleMasks,
  type SidedBar,
  type StepBar,
  sidedBar,
  sliceBars,
  stepBar,
  withinReach,
} from '../../engine/index.js';
import { neededHistoryMs } from '../../research/backtest/index.js';
import {
  closedUpTo,
  columnsOfOthers,
  type FurtherBars,
  furtherUpTo,
  isComplete,
  isSidedStrategy,
  readFurther,
} from '../further-bars.js';
import type { DeployedDefinition } from './definition.js';
import type { Replay } from './replay.js';

/** The part of the market-data port that deployed strategies need. */
export type DeployedMarket = Pick<MarketData, 'nowMs' | 'bars' | 'generatedColumns'>;

/**
 * Most bars that rules look back on, so that evaluating them takes milliseconds even for a strategy
 * that has run for years.
 */
const WINDOW_BARS_MAX = 50_000;

/** Open time from which a strategy trades bars. @throws EngineError NOT_FOUND without bars */
export async function startOf(
  { baseAsset, intervalMs }: DeployedDefinition,
  market: DeployedMarket,
  { msPerHour, days }: Replay,
): Promise<number> {
  const now = await market.nowMs(baseAsset, intervalMs);
  return msPerHour === 0 ? now : Math.max(0, now - days * DAY_MS);
}

/** Number of bars after the next one for which rules are evaluated in advance. */
const AHEAD_BARS = 1_000;

/** Rules at the closes of the first `barCount` bars of a window. */
interface EvaluatedRules {
  /** Start of the window in its buffer. */
  readonly byteOffset: number;
  readonly barCount: number;
  readonly masks: RuleMasks;
}

/** The next bar of a strategy that buys only, paid in full. */
export type LongBar = Omit<StepBar, 'index'>;

/** The next bar, in the form in which the account of its strategy takes it. */
export type NextBar = { readonly long: LongBar } | { readonly sided: SidedBar };

/**
 * Finds the next bar of deployed strategies. A rule at a close depends only on the bars up to it.
 * So rules are evaluated once for a stretch of held bars and then looked up, and stepping through
 * these bars builds no series and no columns. Only the resulting bits are kept, and only as long as
 * the bars.
 */
export class NextBars {
  /** By the buffer of the bars, then by strategy. */
  readonly #evaluated = new WeakMap<ArrayBufferLike, Map<string, EvaluatedRules>>();

  constructor(private readonly market: DeployedMarket) {}

  /**
   * The bar after the last evaluated one, with the rules at its close; null if it has not closed
   * yet. The answer depends only on the bars up to this one, as far back as a backtest from the
   * same start would read them.
   * @throws EngineError NOT_FOUND without such bars; INVALID_STRATEGY if the data lacks a column
   *   that a rule needs
   */
  async next(deployed: DeployedDefinition, { account }: DeployedProgress, startMs: number): Promise<NextBar | null> {
    const { baseAsset, intervalMs, strategy, config } = deployed;
    const nextMs = account.lastBarTime === null ? startMs : account.lastBarTime + 1;
    const history = neededHistoryMs(planStrategy(strategy, intervalMs, anyColumn), config);
    const fromMs = Math.max(0, startMs - history, nextMs - Math.max(history, WINDOW_BARS_MAX * intervalMs));
    const wholeFromMs = bucketStart(fromMs, DAY_MS); // aggregated bars stay whole
    const held = await this.market.bars(baseAsset, intervalMs, wholeFromMs, columnsRead(strategy));
    const i = firstBarFrom(held, nextMs);
    if (i >= held.barCount) return null;
    const further = await readFurther(this.market, deployed, held, wholeFromMs);
    // biome-ignore lint/style/noNonNullAssertion: i is a bar of the series
    const closeMs = held.time[i]! + intervalMs;
    // A bar of another asset may come a little later; once there is a newer bar, it is missing.
    if (i === held.barCount - 1 && !isComplete(further, closeMs)) return null;
    const { entry, exit, short } = this.#rulesAt(deployed, held, i, further).masks;
    const bars = sliceBars(held, 0, i + 1);
    if (!isSidedStrategy(deployed)) return { long: stepBar({ bars, first: 0, entry, exit, config }, i) };
    const sides = short && { shortEntry: short.entry, shortExit: short.exit };
    const { detail } = furtherUpTo(further, closeMs);
    return { sided: sidedBar({ bars, entry, exit, ...sides, detail, config }, i, fullConfig(config)) };
  }

  #rulesAt({ id, strategy }: DeployedDefinition, held: BarSeries, i: number, further: FurtherBars): EvaluatedRules {
    const { buffer, byteOffset } = held.close;
    const byStrategy = this.#evaluated.get(buffer) ?? new Map<string, EvaluatedRules>();
    this.#evaluated.set(buffer, byStrategy);
    const known = byStrategy.get(id);
    if (known?.byteOffset === byteOffset && i < known.barCount) return known;
    const columns = Object.keys(held.columns);
    const plan = planStrategy(strategy, held.intervalMs, columns, [], columnsOfOthers(further));
    const [denied] = plan.denied;
    if (denied !== undefined) throw new EngineError('INVALID_STRATEGY', `${denied.side}: ${denied.message}`);
    // Ahead only as far as nothing that the rules read can still arrive.
    const arrived = firstBarFrom(held, closedUpTo(further) - held.intervalMs + 1);
    const barCount = Math.max(i + 1, Math.min(held.barCount, i + 1 + AHEAD_BARS, arrived));
    const read = sliceBars(held, 0, barCount);
    // biome-ignore lint/style/noNonNullAssertion: the last bar of the slice
    const { others } = furtherUpTo(further, read.time[barCount - 1]! + read.intervalMs);
    const masks = withinReach(read, (bars) => {
      const own = Object.entries(further.others).filter(([, series]) => series === held);
      return evaluateRules(plan, bars, { ...others, ...Object.fromEntries(own.map(([name]) => [name, bars])) });
    });
    const rules = { byteOffset, barCount, masks };
    byStrategy.set(id, rules);
    return rules;
  }
}
