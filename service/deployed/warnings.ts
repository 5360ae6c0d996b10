import { barsFor, drawnNote } from '../../data/bars/index.js';
import { EngineError } from '../../engine/errors.js';
import { anyColumn, planStrategy } from '../../engine/strategy/index.js';
import type { Deployed, DeployedDefinition } from './definition.js';
import type { DeployedMarket } from './next-bar.js';

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
