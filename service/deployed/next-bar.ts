import { barsFor, drawnNote } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { EngineError } from '../../engine/errors.js';
import { type ExecutionConfig, type StepBar, stepBar } from '../../engine/execution/index.js';
import type { AllocationInput, PortfolioInput, PortfolioMember } from '../../engine/portfolio/index.js';
import { type BarSeries, bucketStart, DAY_MS, firstBarFrom, HOUR_MS, sliceBars } from '../../engine/series/index.js';
import type { FreeFormula } from '../../engine/signals/index.js';
import { withinReach } from '../../engine/simd/index.js';
import {
  anyColumn,
  columnsRead,
  evaluateRules,
  neededHistoryMs,
  planStrategy,
  type RuleMasks,
  type StrategyDefinition,
} from '../../engine/strategy/index.js';
import {
  closedUpTo,
  columnsOfOthers,
  type FurtherBars,
  furtherUpTo,
  isComplete,
  readFurther,
} from '../further-bars.js';
import { type Deployed, type DeployedDefinition, deployedAssets } from './definition.js';
import type { DeployedMember, DeployedRules, DeployedWeights } from './portfolio.js';
import type { DeployedProgress } from './stored.js';

/** The part of the market-data port that deployed strategies need. */
export type DeployedMarket = Pick<MarketData, 'nowMs' | 'bars' | 'generatedColumns' | 'drawn'>;

/**
 * Most bars that rules look back on, so that evaluating them takes milliseconds even for a strategy
 * that has run for years.
 */
const WINDOW_BARS_MAX = 50_000;

/** Open time from which a strategy trades bars. @throws EngineError NOT_FOUND without bars */
export async function findStart(
  deployed: Deployed,
  market: DeployedMarket,
  { msPerHour, days }: Replay,
): Promise<number> {
  const { intervalMs, config } = deployed;
  const bars = barsFor(market, config);
  const nows = await Promise.all(deployedAssets(deployed).map((asset) => bars.nowMs(asset, intervalMs)));
  const now = Math.max(...nows);
  return msPerHour === 0 ? now : Math.max(0, now - days * DAY_MS);
}

/** Number of bars after the next one for which rules are evaluated in advance. */
const AHEAD_BARS = 1_000;

/** What was made of the first `barCount` bars of a window. */
interface Evaluated {
  /** Start of the window in its buffer. */
  readonly byteOffset: number;
  readonly barCount: number;
  readonly values: unknown;
}

/** An asset whose bars are read, and how far back. */
interface Watched {
  readonly baseAsset: string;
  readonly intervalMs: number;
  readonly config: ExecutionConfig;
  readonly historyMs: number;
  readonly columns: readonly string[];
}

/** The bars of an asset. */
interface Seen {
  readonly held: BarSeries;
  /** The first bar that was not evaluated yet. */
  readonly next: number;
  /** Time from which they were read. */
  readonly fromMs: number;
}

/** The next bar, or the next time of several assets, in the form in which the account takes it. */
export type NextBar =
  | { readonly bar: StepBar }
  | { readonly members: PortfolioInput }
  | { readonly assets: AllocationInput };

/** Open time of a bar. */
export function openTime(bar: NextBar): number {
  if ('bar' in bar) return bar.bar.time;
  return 'members' in bar ? bar.members.start : bar.assets.start;
}

/**
 * Finds the next bar of deployed strategies. A rule at a close depends only on the bars up to it.
 * So rules are evaluated once for a stretch of held bars and then looked up, and stepping through
 * these bars builds no series and no columns. Only the resulting values are kept, and only as long
 * as the bars.
 */
export class NextBars {
  /** By the buffer of the bars, then by strategy. */
  readonly #evaluated = new WeakMap<ArrayBufferLike, Map<string, Evaluated>>();

  constructor(private readonly market: DeployedMarket) {}

  /**
   * The bar after the last evaluated one, with the rules at its close; null if it has not closed
   * yet. The answer depends only on the bars up to this one, as far back as a backtest from the
   * same start would read them.
   * @throws EngineError NOT_FOUND without such bars; INVALID_STRATEGY if the data lacks a column
   *   that a rule needs
   */
  async next(deployed: Deployed, { account }: DeployedProgress, startMs: number): Promise<NextBar | null> {
    const nextMs = account.lastBarTime === null ? startMs : account.lastBarTime + 1;
    if (!('portfolio' in deployed)) return this.#nextOfOne(deployed, nextMs, startMs);
    const { portfolio } = deployed;
    return portfolio.kind === 'members'
      ? this.#nextOfMembers(portfolio, nextMs, startMs)
      : this.#nextOfAssets(deployed.id, portfolio, nextMs, startMs);
  }

  async #nextOfOne(deployed: DeployedDefinition, nextMs: number, startMs: number): Promise<NextBar | null> {
    const { intervalMs, strategy, config } = deployed;
    const historyMs = neededHistoryMs(planStrategy(strategy, intervalMs, anyColumn), config);
    const seen = await this.#see({ ...deployed, historyMs, columns: columnsRead(strategy) }, nextMs, startMs);
    const { held, next: i } = seen;
    if (i >= held.barCount) return null;
    const rules = await this.#rules(deployed, seen);
    if (rules === null) return null;
    const { entry, exit, short } = rules.masks;
    const bars = sliceBars(held, 0, i + 1);
    const sides = short && { shortEntry: short.entry, shortExit: short.exit };
    const { detail } = rules;
    return { bar: stepBar({ bars, entry, exit, ...sides, detail, config }, i) };
  }

  async #nextOfMembers(
    { members, ranking, rules: shared }: DeployedRules,
    nextMs: number,
    startMs: number,
  ): Promise<NextBar | null> {
    const seen = await Promise.all(members.map((member) => this.#see(member, nextMs, startMs)));
    const start = nextTime(seen);
    if (start === null) return null;
    const inputs: PortfolioMember[] = [];
    for (const [m, member] of members.entries()) {
      const { config, weight, id } = member;
      const own = seen[m] as Seen;
      const { held, next } = own;
      // Nothing is read of the rules of a member that has no bar.
      const none = { entry: NO_ANSWERS, exit: NO_ANSWERS, rank: null };
      if (held.time[next] !== start) {
        inputs.push({ bars: held, config, weight, ...none });
        continue;
      }
      const rules = await this.#rules(member, own);
      if (rules === null) return null;
      const { entry, exit, short } = rules.masks;
      const rank = ranking && this.#evaluate(`${id} rank`, held, next, held.barCount, ranking.evaluate);
      const { detail } = rules;
      const sides = short && { shortEntry: short.entry, shortExit: short.exit };
      inputs.push({ bars: held, config, weight, entry, exit, ...sides, ...(detail && { detail }), rank });
    }
    return { members: { ...shared, members: inputs, start } };
  }

  async #nextOfAssets(
    id: string,
    { assets, ranking, condition, weights }: DeployedWeights,
    nextMs: number,
    startMs: number,
  ): Promise<NextBar | null> {
    const seen = await Promise.all(assets.map((asset) => this.#see(asset, nextMs, startMs)));
    const start = nextTime(seen);
    if (start === null) return null;
    const read = seen.map(({ held, next }) => {
      const newest = Math.min(next, held.barCount - 1);
      const evaluate = <T>(what: string, formula: FreeFormula<T> | null): T | null =>
        formula && this.#evaluate(`${id} ${what}`, held, newest, held.barCount, formula.evaluate);
      return { bars: held, rank: evaluate('rank', ranking), where: evaluate('where', condition) };
    });
    return { assets: { ...weights, assets: read, start } };
  }

  async #see(
    { baseAsset, intervalMs, config, historyMs, columns }: Watched,
    nextMs: number,
    startMs: number,
  ): Promise<Seen> {
    const reach = Math.max(historyMs, WINDOW_BARS_MAX * intervalMs);
    const from = Math.max(0, startMs - historyMs, nextMs - reach);
    const fromMs = bucketStart(from, DAY_MS); // aggregated bars stay whole
    const held = await barsFor(this.market, config).bars(baseAsset, intervalMs, fromMs, columns);
    return { held, next: firstBarFrom(held, nextMs), fromMs };
  }

  /** The rules at the next bar; null while a bar of another asset that they read may still come. */
  async #rules(traded: DeployedMember | DeployedDefinition, { held, next: i, fromMs }: Seen) {
    const { id, strategy, intervalMs } = traded;
    const further = await readFurther(barsFor(this.market, traded.config), traded, held, fromMs);
    // biome-ignore lint/style/noNonNullAssertion: i is a bar of the series
    const closeMs = held.time[i]! + intervalMs;
    // It may come a little later; once there is a newer bar, it is missing.
    if (i === held.barCount - 1 && !isComplete(further, closeMs)) return null;
    // Ahead only as far as nothing that the rules read can still arrive.
    const arrived = firstBarFrom(held, closedUpTo(further) - intervalMs + 1);
    const masks = this.#evaluate(id, held, i, arrived, (read) => rulesOver(read, strategy, held, further));
    return { masks, detail: furtherUpTo(further, closeMs).detail };
  }

  /** The values computed from the bars up to `i` at least, and ahead of it up to `arrived`. */
  #evaluate<T>(key: string, held: BarSeries, i: number, arrived: number, make: (bars: BarSeries) => T): T {
    const { buffer, byteOffset } = held.close;
    const byKey = this.#evaluated.get(buffer) ?? new Map<string, Evaluated>();
    this.#evaluated.set(buffer, byKey);
    const known = byKey.get(key);
    if (known?.byteOffset === byteOffset && i < known.barCount) return known.values as T;
    const barCount = Math.max(i + 1, Math.min(held.barCount, i + 1 + AHEAD_BARS, arrived));
    const values = make(sliceBars(held, 0, barCount));
    byKey.set(key, { byteOffset, barCount, values });
    return values;
  }
}

function rulesOver(read: BarSeries, strategy: StrategyDefinition, held: BarSeries, further: FurtherBars): RuleMasks {
  const columns = Object.keys(held.columns);
  const plan = planStrategy(strategy, held.intervalMs, columns, [], columnsOfOthers(further));
  const [denied] = plan.denied;
  if (denied !== undefined) throw new EngineError('INVALID_STRATEGY', `${denied.side}: ${denied.message}`);
  // biome-ignore lint/style/noNonNullAssertion: the last bar of what is read
  const { others } = furtherUpTo(further, read.time[read.barCount - 1]! + read.intervalMs);
  return withinReach(read, (bars) => {
    const own = Object.entries(further.others).filter(([, series]) => series === held);
    return evaluateRules(plan, bars, { ...others, ...Object.fromEntries(own.map(([name]) => [name, bars])) });
  });
}

/** Answers of rules that are not read. */
const NO_ANSWERS = new Uint32Array(0);

/**
 * The next open time of any of the assets; null while there is none, or one of them may still get a
 * bar of that time. Once any has a newer bar, it is missing.
 */
function nextTime(seen: readonly Seen[]): number | null {
  const time = Math.min(...seen.map(({ held, next }) => held.time[next] ?? Infinity));
  const newest = seen.map(({ held }) => held.time[held.barCount - 1] ?? -Infinity);
  const isComplete = Math.min(...newest) >= time || Math.max(...newest) > time;
  return time < Infinity && isComplete ? time : null;
}

/** How fast strategies go through bars that are already held. */
export interface Replay {
  /**
   * Milliseconds of real time per hour of market time. 0 takes bars as they close, starting with
   * the one that is forming.
   */
  readonly msPerHour: number;
  /** Days before the last held bar at which a strategy starts. */
  readonly days: number;
}

/** Real time between two bars, ms. */
export const barPaceMs = ({ msPerHour }: Replay, intervalMs: number): number => (msPerHour * intervalMs) / HOUR_MS;

type Read = Pick<DeployedDefinition, 'baseAsset' | 'intervalMs' | 'config'>;
type Market = Pick<DeployedMarket, 'generatedColumns' | 'drawn'>;

/**
 * Warns of deprecated settings of a strategy, and of generated columns and bars that it reads; of a
 * portfolio, with the asset in front.
 */
export async function listWarnings(deployed: Deployed, market: Market): Promise<readonly string[]> {
  const { warnings } = deployed;
  if (!('portfolio' in deployed)) return [...warnings, ...(await generatedRead(deployed, market))];
  const { portfolio } = deployed;
  const lists = await Promise.all(
    portfolio.kind === 'allocation'
      ? portfolio.assets.map((asset) => drawnRead(asset, market))
      : portfolio.members.map(async (member) =>
          (await generatedRead(member, market)).map((warning) => `${member.baseAsset}: ${warning}`),
        ),
  );
  return [...warnings, ...lists.flat()];
}

async function generatedRead(
  { strategy, ...read }: Read & Pick<DeployedDefinition, 'strategy'>,
  market: Market,
): Promise<readonly string[]> {
  const { baseAsset, intervalMs, config } = read;
  const generated = await barsFor<Market>(market, config).generatedColumns(baseAsset, intervalMs).catch(noneYet);
  const { warnings } = planStrategy({ ...strategy, asset: baseAsset }, intervalMs, anyColumn, generated);
  return [...warnings, ...(await drawnRead(read, market))];
}

async function drawnRead({ baseAsset, intervalMs, config }: Read, { drawn }: Market): Promise<readonly string[]> {
  if (config.allow_generated_bars !== true || drawn === undefined) return [];
  return drawn.resolveSource(baseAsset, intervalMs).then(({ entry }) => [drawnNote(entry) ?? []].flat(), noneYet);
}

function noneYet(error: unknown): [] {
  if (error instanceof EngineError && error.code === 'NOT_FOUND') return []; // no bars yet
  throw error;
}
