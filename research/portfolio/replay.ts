import { differencesBetween } from '../backtest/index.js';
import type { RunServices } from '../backtest/run-backtest.js';
import { type PortfolioResult, type PortfolioRun, RUN_PREFIX, runPortfolio } from './run-portfolio.js';

type Json = Readonly<Record<string, unknown>>;

export interface PortfolioReplay {
  readonly run: PortfolioRun;
  /** True if all results are equal bit for bit; with the same version and data, the whole record. */
  readonly isReproduced: boolean;
  /** One line per difference: results first, then version and data. */
  readonly changes: readonly string[];
}

/** The manifest of a portfolio in a record; null for a record of anything else. */
export function findPortfolioManifest(record: unknown): PortfolioResult['manifest'] | null {
  const holder = (record as { readonly manifest?: unknown } | null)?.manifest ?? record;
  const { run_id, request, window, interval } = (holder ?? {}) as Partial<PortfolioResult['manifest']>;
  const isPortfolio = typeof run_id === 'string' && run_id.startsWith(RUN_PREFIX);
  if (!isPortfolio || request?.portfolio === undefined || window === undefined || interval === undefined) return null;
  return holder as PortfolioResult['manifest'];
}

/**
 * Runs a recorded portfolio again over the same window and lists the differences.
 * @param result the whole result of the run, if it was stored with the manifest
 */
export async function replayPortfolio(
  recorded: PortfolioResult['manifest'],
  services: RunServices,
  result: Json | null = null,
): Promise<PortfolioReplay> {
  const { interval, window, request } = recorded;
  const config = request.config as Readonly<Record<string, unknown>>;
  const run = await runPortfolio({ portfolio: request.portfolio, interval, window, config }, services);
  const { manifest } = run.result;
  const now = {
    ...run.result,
    ...(result !== null && 'equity' in result && { equity: Array.from(run.simulation.equity) }),
  };
  // The id follows from data, window, definition and settings.
  const isSameGround = manifest.run_id === recorded.run_id && manifest.engine_version === recorded.engine_version;
  const findings = isSameGround
    ? differencesBetween({ ...result, manifest: recorded }, result === null ? { manifest } : now)
    : [
        ...differencesBetween({ result_hash: recorded.result_hash }, { result_hash: manifest.result_hash }),
        ...(result === null ? [] : differencesBetween(withoutInputs(result), withoutInputs(now), { ignored: ids })),
      ];
  return { run, isReproduced: findings.length === 0, changes: [...findings, ...circumstances(recorded, manifest)] };
}

/** Ids of trades derive from the run id, and that derives from the data. */
const ids: ReadonlySet<string> = new Set(['trade_id', 'position_id']);

/** The results of a run, without its inputs. */
function withoutInputs(record: Json): Json {
  const { data: _, window: __, execution_config: ___, warnings: ____, manifest: _____, ...results } = record;
  return results;
}

function circumstances(before: PortfolioResult['manifest'], now: PortfolioResult['manifest']): string[] {
  return [
    ...(before.engine_version === now.engine_version
      ? []
      : [`version was ${before.engine_version}, is ${now.engine_version}`]),
    ...(before.run_id === now.run_id ? [] : [`data or settings changed: it is run ${now.run_id} now`]),
  ];
}
