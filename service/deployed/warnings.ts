import { anyColumn, EngineError, planStrategy } from '../../engine/index.js';
import type { DeployedDefinition } from './definition.js';
import type { DeployedMarket } from './next-bar.js';

/** Warns of deprecated settings of a strategy, and of generated columns that it reads. */
export async function warningsOf(
  { baseAsset, intervalMs, strategy, warnings }: DeployedDefinition,
  market: Pick<DeployedMarket, 'generatedColumns'>,
): Promise<readonly string[]> {
  const generated = await market.generatedColumns(baseAsset, intervalMs).catch((error: unknown) => {
    if (error instanceof EngineError && error.code === 'NOT_FOUND') return []; // no bars yet
    throw error;
  });
  const plan = planStrategy({ ...strategy, asset: baseAsset }, intervalMs, anyColumn, generated);
  return [...warnings, ...plan.warnings];
}
