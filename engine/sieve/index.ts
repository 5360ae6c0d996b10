export {
  extractFeatures,
  MARKET_BARS,
  type MarketBefore,
  marketBefore,
  ruleFeatures,
  setupFeatures,
} from './features.js';
export {
  exponential,
  SIEVE_HEADS,
  Sieve,
  SieveForecaster,
  type SieveModel,
  type SieveScore,
  WEIGHT_UNIT,
} from './sieve.js';
