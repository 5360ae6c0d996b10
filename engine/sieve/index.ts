export { exponential } from './exponential.js';
export { extractFeatures, ruleFeatures, setupFeatures } from './features.js';
export { SieveForecaster } from './forecast.js';
export { MARKET_BARS, type MarketBefore, marketBefore } from './market.js';
export { SIEVE_HEADS, Sieve, type SieveModel, type SieveScore, WEIGHT_UNIT } from './sieve.js';
