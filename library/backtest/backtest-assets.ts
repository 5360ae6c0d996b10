import { openTries } from '../../data/tries/index.js';
import { EngineError } from '../../engine/errors.js';
import { isRankingMetric, notRankable } from '../../engine/sweep/index.js';
import { refuseUnknownKeys, unknownKeys } from '../../engine/unknown-keys.js';
import {
  type AcrossAssets,
  type AssetAudits,
  auditAssets as auditEach,
  type BacktestRun,
  backtestAssets as conduct,
} from '../../research/backtest/index.js';
import { type AuditOptions, CUTS, checkAssets, checkWhole, SEED } from '../bounds.js';
import { countTry, homeServices, resolveHome } from '../home.js';
import { completeStrategy, toOwnSignals } from '../strategy.js';
import type { BacktestOptions } from './run-backtest.js';

/** A strategy over many assets, on bars that this machine holds. */
export interface AssetsOptions
  extends Omit<BacktestOptions, 'asset' | 'bars' | 'otherBars' | 'detailBars' | 'interval'> {
  /** Names, or `all` assets with stored bars. Of `all`, assets that cannot run are left out. */
  readonly assets: readonly string[] | 'all';
  /** Such as `1h`. */
  readonly interval: string;
}

export interface BacktestAssetsOptions extends AssetsOptions {
  /** Metric that ranks the assets, the better end first. Default: `sharpe_ratio`. */
  readonly by?: string;
}

export interface AuditAssetsOptions extends AssetsOptions, AuditOptions {}

const RUN_OPTIONS = [
  ...(['strategy', 'assets', 'interval', 'start', 'end', 'lookbackMonths', 'config', 'signals', 'home'] as const),
] satisfies readonly (keyof AssetsOptions)[];

/**
 * Runs one strategy on many assets, one after the other, and judges each as one picked from all of
 * them, with all that was ever tried on it, as `barline backtest --asset BTC,ETH,SOL` does.
 *
 * @example
 * const { ranked, together } = await backtestAssets({ strategy, assets: 'all', interval: '1d' });
 * @throws EngineError with a message that names field, bound and value, for anything that the
 *   caller can fix; an asset of a list that cannot run ends it
 */
export async function backtestAssets(options: BacktestAssetsOptions): Promise<AcrossAssets> {
  refuseUnknownKeys(unknownKeys('backtestAssets', options, [...RUN_OPTIONS, 'by']));
  const { by = 'sharpe_ratio' } = options;
  if (!isRankingMetric(by)) throw new EngineError('INVALID_FIELD', notRankable('by', by), { field: 'by' });
  const assets = checkAssets(options.assets);
  const ledger = openTries(resolveHome(options));
  const sweeps = await ledger.sweeps();
  const triedOn = async (asset: string) => ({ tries: await ledger.read(asset), sweeps: sweeps.get(asset) ?? [] });
  const onRun = async ({ tried }: BacktestRun) => {
    if (tried !== null) countTry(options, [tried.asset], tried.identity);
  };
  return conduct(toRequest(options), { assets, by, triedOn, onRun }, homeServices(options));
}

/**
 * Audits one strategy on many assets, as `barline audit --asset` does.
 * @throws EngineError as `backtestAssets` does
 */
export async function auditAssets(options: AuditAssetsOptions): Promise<AssetAudits> {
  refuseUnknownKeys(unknownKeys('auditAssets', options, [...RUN_OPTIONS, 'cuts', 'seed']));
  const { cuts = CUTS, seed = SEED } = options;
  checkWhole({ cuts, seed });
  const assets = checkAssets(options.assets);
  return auditEach(toRequest(options), assets, { cutCount: cuts, seed }, homeServices(options));
}

const toRequest = ({ strategy, interval, start, end, lookbackMonths, config, signals }: AssetsOptions) => ({
  strategy: completeStrategy(strategy),
  interval,
  window: { start, end, lookbackMonths },
  config: config ?? {},
  own: toOwnSignals(signals),
});
