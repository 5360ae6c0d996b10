import { anyColumn, EngineError, planStrategy } from '../../engine/index.js';
import type { DeployedDefinition } from './definition.js';
import type { DeployedMarket } from './next-bar.js';

/** What to know of the data of a strategy: which of the columns that it reads are generated. */
export async function warningsOf(
  { baseAsset, intervalMs, strategy }: DeployedDefinition,
  market: Pick<DeployedMarket, 'generatedColumns'>,
): Promise<readonly string[]> {
  const generated = await market.generatedColumns(baseAsset, intervalMs).catch((error: unknown) => {
    if (error instanceof EngineError && error.code === 'NOT_FOUND') return []; // no bars yet
    throw error;
  });
  return planStrategy({ ...strategy, asset: baseAsset }, intervalMs, anyColumn, generated).warnings;
}
