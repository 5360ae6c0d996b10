export { aggregateBars, type CoarseBars, newestVisible } from './aggregate.js';
export * from './bars.js';
export * from './bits.js';
export { bucketExtremes, type Extremes } from './buckets.js';
export { ColumnMemory } from './column-memory.js';
export { dayEnds } from './days.js';
export * from './intervals.js';
export { isBareDate, isoTime, parseIsoTime, parseTimestamp } from './time.js';
export { validateBars } from './validate.js';
