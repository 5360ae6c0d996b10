export { SieveMarkets } from './markets.js';
export { type SieveDeps, scoreStrategies } from './score.js';
