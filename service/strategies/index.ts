export { strategyMethods } from './methods.js';
export { StrategyStore } from './store.js';
export { Strategies } from './strategies.js';
