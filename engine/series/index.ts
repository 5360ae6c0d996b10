export { aggregateBars, type CoarseBars } from './aggregate.js';
export * from './bars.js';
export * from './bits.js';
export * from './intervals.js';
export { isoTime, validateBars } from './validate.js';
