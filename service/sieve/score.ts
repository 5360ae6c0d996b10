import { extractFeatures, type Sieve, type SieveScore } from '../../engine/sieve/index.js';
import { planStrategy, type StrategyPlan } from '../../engine/strategy/index.js';
import { ApiError } from '../api-error.js';
import type { SieveMarkets } from './markets.js';
import { readItems, readWindowBars, type SieveItem } from './request.js';

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
