export { type BestOfManyTests, luckyShare, luckyT, testBestOfMany } from './best-of-many.js';
export { correlation } from './correlation.js';
export { type ImpliedSpread, impliedSpread } from './implied-spread.js';
export type { BestOfMany, Step } from './lucky-maxima.js';
export {
  bootstrapReturns,
  type MonteCarlo,
  reshuffleTrades,
} from './monte-carlo.js';
export { inverseNormalCdf, normalCdf } from './normal.js';
export { backtestOverfitting, type Overfitting } from './overfitting.js';
export { percentileBands } from './percentiles.js';
export { SplitMix64 } from './random.js';
export { stationaryBootstrap } from './resample-means.js';
export {
  deflatedSharpeRatio,
  expectedMaxNormal,
  expectedMaxSharpe,
  type FindableEdge,
  findableEdge,
  independentShare,
  independentTrials,
  type MarketLine,
  marketLine,
  minBacktestLengthYears,
  minTrackRecordLength,
  probabilisticSharpeRatio,
  sharpeSample,
} from './sharpe.js';
export { type HeldBars, type HeldShare, sharedTimingTest, type Timing, timingTest } from './timing.js';
export {
  type RowRange,
  returnPeriods,
  sumByPeriod,
  type TrialReturns,
  tValue,
} from './trial-returns.js';
export {
  type AssessedTrials,
  assessInParts,
  type LuckQuestion,
  type PerformTrialWork,
  type TrialWork,
  trialWork,
} from './trial-work.js';
