export { inverseNormalCdf, normalCdf } from './normal.js';
export { SplitMix64 } from './random.js';
