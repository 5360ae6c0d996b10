export { aggregateBars, type CoarseBars } from './aggregate.js';
export * from './bars.js';
export * from './bits.js';
export * from './intervals.js';
export { isBareDate, isoTime, parseIsoTime, parseTimestamp } from './time.js';
export { validateBars } from './validate.js';
