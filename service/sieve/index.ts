export { SieveMarkets } from './markets.js';
export { sieveMethods } from './methods.js';
export { type SieveDeps, scoreStrategies } from './score.js';
