export { openCcxt } from './ccxt.js';
export {
  type FetchedBars,
  type FetchRequest,
  type FetchSurroundings,
  fetchBars,
} from './fetch-bars.js';
export type { BarProvider, BarRow, OpenProvider } from './provider.js';
export { type ProviderName, providers } from './registry.js';
export type { RetryRules } from './retry.js';
export { type CacheUse, type MarketData, openStoredMarketData } from './stored-market-data.js';
