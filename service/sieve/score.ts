import { normaliseAsset } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import {
  anyColumn,
  EngineError,
  featuresOf,
  MARKET_BARS,
  type MarketBefore,
  marketBefore,
  planStrategy,
  type Sieve,
  type SieveScore,
} from '../../engine/index.js';
import { ApiError } from '../api-error.js';
import { readItems, readWindowBars, type SieveItem } from './request.js';

/** The model of the sieve, ready to score. */
interface LoadedSieve {
  readonly sieve: Sieve;
  readonly version: string;
}

export interface SieveDeps {
  readonly market: Pick<MarketData, 'bars' | 'nowMs' | 'resolveSource'>;
  /** Loads the model at the first call; null without a model. */
  readonly loadSieve: () => Promise<LoadedSieve | null>;
  readonly codeVersion: string;
}

/** Says of each strategy whether it is likely to trade and how it is likely to end. */
export async function scoreStrategies(
  request: Readonly<Record<string, unknown>>,
  { market, loadSieve, codeVersion }: SieveDeps,
) {
  const windowBars = readWindowBars(request.window_bars);
  const items = readItems(request);
  const loaded = await loadSieve();
  if (loaded === null) throw new ApiError('ENGINE_BUSY', 'the sieve has no trained model on this server');
  const known = new Map<string, Promise<KnownMarket>>();
  const marketOf = ({ asset, intervalMs }: SieveItem): Promise<KnownMarket> => {
    const key = `${normaliseAsset(asset)} ${intervalMs}`;
    const found = known.get(key) ?? readMarket(asset, intervalMs, market);
    known.set(key, found);
    return found;
  };
  const predictions = [];
  for (const item of items) {
    const { no_trades, losing, wash, winning } = scoreItem(item, windowBars, await marketOf(item), loaded.sieve);
    predictions.push({
      binary: { p_no_trades: no_trades, p_trades: 1 - no_trades },
      four_class: { losing, no_trades, wash, winning },
    });
  }
  return { predictions, count: predictions.length, model_version: loaded.version, code_version: codeVersion };
}

/** What is known of an asset at an interval before a window that begins now. */
interface KnownMarket {
  readonly columns: Iterable<string> | typeof anyColumn;
  readonly before: MarketBefore | null;
}

/** Room for holes in the bars. */
const LOOK_BACK = 2 * MARKET_BARS;

async function readMarket(asset: string, intervalMs: number, market: SieveDeps['market']): Promise<KnownMarket> {
  try {
    const { entry } = await market.resolveSource(asset, intervalMs);
    const nowMs = await market.nowMs(asset, entry.intervalMs);
    const bars = await market.bars(asset, intervalMs, nowMs - LOOK_BACK * intervalMs);
    return { columns: entry.beside, before: marketBefore(bars, bars.barCount) };
  } catch (error) {
    if (error instanceof EngineError) return { columns: anyColumn, before: null }; // there are no bars of it
    throw error;
  }
}

const idle: SieveScore = { no_trades: 1, losing: 0, wash: 0, winning: 0 };

/** A strategy that provably cannot trade needs no model. */
function scoreItem(
  { strategy, intervalMs, config }: SieveItem,
  windowBars: number,
  { columns, before }: KnownMarket,
  sieve: Sieve,
): SieveScore {
  const { entry, exit } = planStrategy(strategy, intervalMs, columns);
  if (entry === null || config.max_open_positions === 0 || config.max_trades_per_day === 0) return idle;
  return sieve.score(featuresOf({ entry, exit: exit ?? [], config, intervalMs, windowBars, market: before }));
}
