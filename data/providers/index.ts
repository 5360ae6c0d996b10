export { type CcxtOptions, openCcxt } from './ccxt.js';
export {
  type FetchedBars,
  type FetchRequest,
  type FetchSurroundings,
  fetchBars,
} from './fetch-bars.js';
export type { FoundBars, MarketData } from './market-data.js';
export { type BarProvider, type BarRow, type FaultReason, ProviderFault } from './provider.js';
export { type ProviderName, providers } from './registry.js';
export type { RetryRules, Sleep } from './retry.js';
export { openStoredMarketData } from './stored-market-data.js';
