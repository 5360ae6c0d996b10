export { SieveMarkets } from './markets.js';
export { sieveMethods } from './capability.js';
export { type SieveDeps, scoreStrategies } from './score.js';
