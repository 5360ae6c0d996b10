import { LRUCache } from 'lru-cache';
import { normaliseAsset } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { readSieve } from '../../data/sieve/index.js';
import { EngineError } from '../../engine/errors.js';
import {
  extractFeatures,
  MARKET_BARS,
  type MarketBefore,
  marketBefore,
  type Sieve,
  type SieveScore,
} from '../../engine/sieve/index.js';
import { anyColumn, planStrategy, type StrategyPlan } from '../../engine/strategy/index.js';
import { ApiError } from '../api-error.js';
import type { Capability, Foundation } from '../capability.js';
import { readItems, readWindowBars, type SieveItem } from './request.js';

export function openSieve({ market, sampleDir, version }: Foundation): Capability<'Sieve'> {
  const loadSieve = lazySieve(sampleDir);
  const deps: SieveDeps = { markets: new SieveMarkets(market), loadSieve, codeVersion: version };
  return { methods: { 'Sieve.Score': (request) => scoreStrategies(request, deps) } };
}

/** Reads the model of the sieve at the first call; a folder without one is looked at again. */
function lazySieve(sampleDir: string) {
  let stored: ReturnType<typeof readSieve> = null;
  return () => {
    stored ??= readSieve(sampleDir);
    return stored;
  };
}

/** The model of the sieve, ready to score. */
interface LoadedSieve {
  readonly sieve: Sieve;
  readonly version: string;
}

export interface SieveDeps {
  readonly markets: Pick<SieveMarkets, 'of'>;
  /** Null without a model. */
  readonly loadSieve: () => LoadedSieve | null;
  readonly codeVersion: string;
}

/**
 * Says of each strategy whether it is likely to trade and how it is likely to end.
 * @throws VALIDATION_ERROR, MISSING_FIELD, PAYLOAD_TOO_LARGE; ENGINE_BUSY without a model
 */
export async function scoreStrategies(
  request: Readonly<Record<string, unknown>>,
  { markets, loadSieve, codeVersion }: SieveDeps,
) {
  const windowBars = readWindowBars(request.window_bars);
  const items = readItems(request);
  const loaded = loadSieve();
  if (loaded === null) throw new ApiError('ENGINE_BUSY', 'the sieve has no trained model on this server');
  const known = await Promise.all(items.map(({ asset, intervalMs }) => markets.of(asset, intervalMs)));
  const predictions = items.map((item, i) => {
    // biome-ignore lint/style/noNonNullAssertion: there is a market for each item
    const { columns, before } = known[i]!;
    const plan = planStrategy(item.strategy, item.intervalMs, columns);
    const { no_trades, losing, wash, winning } = scoreItem(item, plan, windowBars, before, loaded.sieve);
    return {
      binary: { p_no_trades: no_trades, p_trades: 1 - no_trades },
      four_class: { losing, no_trades, wash, winning },
      denied_signals: plan.denied,
      warnings: [...item.warnings, ...plan.warnings],
    };
  });
  return { predictions, count: predictions.length, model_version: loaded.version, code_version: codeVersion };
}

const idle: SieveScore = { no_trades: 1, losing: 0, wash: 0, winning: 0 };

/** A strategy that provably cannot trade needs no model. */
function scoreItem(
  { intervalMs, config }: SieveItem,
  { entry, exit }: StrategyPlan,
  windowBars: number,
  market: Awaited<ReturnType<SieveMarkets['of']>>['before'],
  sieve: Sieve,
): SieveScore {
  if (entry === null || config.max_open_positions === 0 || config.max_trades_per_day === 0) return idle;
  return sieve.score(extractFeatures({ entry, exit: exit ?? [], config, intervalMs, windowBars, market }));
}

/** The market facts of an asset at an interval, before a window that begins now. */
interface KnownMarket {
  /** Columns beside its bars, which rules may read. */
  readonly columns: Iterable<string> | typeof anyColumn;
  /** Null where there are too few bars. */
  readonly before: MarketBefore | null;
}

/** Room for holes in the bars. */
const LOOK_BACK = 2 * MARKET_BARS;
const MARKETS_MAX = 500;
/** How far a score may lag behind new bars: reading them takes longer than all the rest. */
const KEPT_MS = 30_000;

/** The newest bars of assets, in the figures that the sieve reads. */
export class SieveMarkets {
  readonly #known = new LRUCache<string, Promise<KnownMarket>>({ max: MARKETS_MAX, ttl: KEPT_MS });

  constructor(private readonly market: Pick<MarketData, 'bars' | 'resolveSource'>) {}

  of(asset: string, intervalMs: number): Promise<KnownMarket> {
    const key = `${normaliseAsset(asset)} ${intervalMs}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      known = this.#read(asset, intervalMs);
      this.#known.set(key, known);
      known.catch(() => this.#known.delete(key)); // the caller is told, the next one reads again
    }
    return known;
  }

  async #read(asset: string, intervalMs: number): Promise<KnownMarket> {
    try {
      const { entry } = await this.market.resolveSource(asset, intervalMs);
      const bars = await this.market.bars(asset, intervalMs, entry.lastMs - LOOK_BACK * intervalMs);
      return { columns: entry.beside, before: marketBefore(bars, bars.barCount) };
    } catch (error) {
      // There are no bars of this asset.
      if (error instanceof EngineError) return { columns: anyColumn, before: null };
      throw error;
    }
  }
}
