import { normaliseAsset } from '../../data/bars/index.js';
import type { PortfolioRun } from './run-portfolio.js';
import { portfolioDataset, portfolioTry } from './sweep/identity.js';

/** A portfolio in the ledger of tries, which counts it under each of its assets. */
interface PortfolioTry {
  readonly assets: readonly string[];
  readonly identity: string;
}

/** A run in the ledger of tries, as a sweep that holds it counts it. */
export function tryOfPortfolio({ result, market }: PortfolioRun): PortfolioTry {
  const { portfolio, config } = result.manifest.request;
  const assets = [...new Set(result.data.map(({ asset }) => normaliseAsset(asset)))].sort();
  const hashes = result.data.map(({ content_hash }) => content_hash);
  const dataset = portfolioDataset(assets, market, hashes);
  const isPlain = Object.keys(config as object).length === 0;
  return { assets, identity: portfolioTry(dataset, isPlain ? portfolio : { portfolio, config }) };
}
