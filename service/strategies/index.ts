export { readRules } from './definition.js';
export { strategyMethods } from './methods.js';
export { Strategies } from './strategies.js';
