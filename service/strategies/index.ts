export { strategyMethods } from './methods.js';
export { Strategies } from './strategies.js';
