export { MarketReads } from './market-data.js';
export { marketDataMethods } from './methods.js';
export { PeriodBars } from './period-bars.js';
