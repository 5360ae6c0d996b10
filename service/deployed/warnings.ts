import { anyColumn, EngineError, planStrategy } from '../../engine/index.js';
import type { Deployed, DeployedDefinition } from './definition.js';
import type { DeployedMarket } from './next-bar.js';

/**
 * Warns of deprecated settings of a strategy, and of generated columns that it reads; of a portfolio,
 * with the asset in front.
 */
export async function warningsOf(
  deployed: Deployed,
  market: Pick<DeployedMarket, 'generatedColumns'>,
): Promise<readonly string[]> {
  const { warnings } = deployed;
  if (!('portfolio' in deployed)) return [...warnings, ...(await generatedRead(deployed, market))];
  const { portfolio } = deployed;
  if (portfolio.kind === 'allocation') return warnings;
  const lists = await Promise.all(
    portfolio.members.map(async (member) =>
      (await generatedRead(member, market)).map((warning) => `${member.baseAsset}: ${warning}`),
    ),
  );
  return [...warnings, ...lists.flat()];
}

async function generatedRead(
  { baseAsset, intervalMs, strategy }: Pick<DeployedDefinition, 'baseAsset' | 'intervalMs' | 'strategy'>,
  market: Pick<DeployedMarket, 'generatedColumns'>,
): Promise<readonly string[]> {
  const generated = await market.generatedColumns(baseAsset, intervalMs).catch((error: unknown) => {
    if (error instanceof EngineError && error.code === 'NOT_FOUND') return []; // no bars yet
    throw error;
  });
  return planStrategy({ ...strategy, asset: baseAsset }, intervalMs, anyColumn, generated).warnings;
}
