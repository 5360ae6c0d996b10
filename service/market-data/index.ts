export { MarketReads } from './market-data.js';
export { PeriodBars } from './period-bars.js';
