export { inverseNormalCdf, normalCdf } from './normal.js';
export { backtestOverfitting, type Overfitting } from './overfitting.js';
export { type PercentileBands, percentileBands } from './percentiles.js';
export { SplitMix64 } from './random.js';
export {
  deflatedSharpeRatio,
  expectedMaxSharpe,
  minBacktestLengthYears,
  minTrackRecordLength,
  probabilisticSharpeRatio,
  type SharpeSample,
  sharpeSample,
} from './sharpe.js';
export { type EffectiveTrials, effectiveTrials } from './trials.js';
