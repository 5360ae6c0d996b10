export { strategyMethods } from './capability.js';
export { StrategyStore } from './store.js';
export { Strategies } from './strategies.js';
