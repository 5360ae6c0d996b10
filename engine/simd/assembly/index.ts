export { combine } from './arithmetic';
export { greater, greaterOrEqual } from './compare';
export { bucketExtremes, bucketSums } from './buckets';
export { adx, atr, macd, smooth } from './recursive';
export { meanAndDeviation, rollingMax, rollingMin, sma } from './rolling';
