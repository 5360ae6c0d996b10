export { greater, greaterOrEqual } from './compare';
export { bucketExtremes, bucketSums } from './buckets';
export { atr, macd, smooth } from './recursive';
export { meanAndDeviation, rollingMax, rollingMin, sma } from './rolling';
