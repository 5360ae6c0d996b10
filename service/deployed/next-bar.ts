import type { MarketData } from '../../data/providers/index.js';
import type { DeployedProgress } from '../../data/state/index.js';
import {
  bucketStart,
  DAY_MS,
  EngineError,
  evaluateRules,
  firstBarFrom,
  onchainColumns,
  planStrategy,
  type StepBar,
  sliceBars,
  stepBar,
} from '../../engine/index.js';
import { neededHistoryMs } from '../prepare-run.js';
import type { DeployedDefinition } from './definition.js';
import type { Replay } from './replay.js';

/** The part of the market-data port that deployed strategies need. */
export type DeployedMarket = Pick<MarketData, 'nowMs' | 'bars'>;

/** Bars that rules look at, at most: the work of a bar stays a few milliseconds however long a strategy has been running. */
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

/**
 * The bar after the last one that was evaluated, with the rules at its close; null where it has not closed yet. The rules see the
 * bars up to this one and none after it, from as far back as a backtest from the same start would read them.
 *
 * @throws EngineError NOT_FOUND without such bars; INVALID_STRATEGY where the data lacks a column that a rule needs
 */
export async function nextBar(
  { baseAsset, intervalMs, strategy, config }: DeployedDefinition,
  { account }: DeployedProgress,
  startMs: number,
  market: DeployedMarket,
): Promise<Omit<StepBar, 'index'> | null> {
  const nextMs = account.lastBarTime === null ? startMs : account.lastBarTime + 1;
  const history = neededHistoryMs(planStrategy(strategy, intervalMs, onchainColumns), config);
  const fromMs = Math.max(0, startMs - history, nextMs - Math.max(history, WINDOW_BARS_MAX * intervalMs));
  const held = await market.bars(baseAsset, intervalMs, bucketStart(fromMs, DAY_MS)); // coarse bars begin whole
  const i = firstBarFrom(held, nextMs);
  if (i >= held.barCount) return null;
  const bars = sliceBars(held, 0, i + 1);
  const plan = planStrategy(strategy, intervalMs, Object.keys(bars.onchain));
  const [denied] = plan.denied;
  if (denied !== undefined) throw new EngineError('INVALID_STRATEGY', `${denied.side}: ${denied.message}`);
  const { entry, exit } = evaluateRules(plan, bars);
  return stepBar({ bars, first: 0, entry, exit, config }, i);
}
