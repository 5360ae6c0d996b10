export { aggregateBars, type CoarseBars, newestVisible } from './aggregate.js';
export { bucketExtremes, coarseWindow, type Extremes } from './buckets.js';
