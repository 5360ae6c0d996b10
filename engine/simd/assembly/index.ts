export {
  add,
  combine,
  divide,
  growth,
  mark,
  meanOfThree,
  moneyFlow,
  multiply,
  percent,
  position,
  subtract,
  total,
} from './arithmetic';
export { greater, greaterOrEqual } from './compare';
export { bucketExtremes, bucketSums } from './buckets';
export { runFacts } from './run';
export { drawBlocks, raiseMaxima, resampleMeans, resampleStretches } from './resample';
export { adx, atr, macd, smooth } from './recursive';
export { fill, meanAndDeviation, rollingMax, rollingMin, sinceMax, sma, sum } from './rolling';
export { meanDistance, weighted } from './weighted';
export { splitBests, splitRanks } from './splits';
