export { aggregateBars, type CoarseBars, newestVisible } from './aggregate.js';
export { bucketExtremes, type Extremes } from './buckets.js';
export { coarseWindow } from './coarse-window.js';
