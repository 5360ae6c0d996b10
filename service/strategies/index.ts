export { readRules } from './definition.js';
export { Strategies } from './strategies.js';
