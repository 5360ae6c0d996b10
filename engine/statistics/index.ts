export { type BestOfManyTests, luckyShare, luckyT, testBestOfMany } from './best-of-many.js';
export type { BestOfMany, Step } from './lucky-maxima.js';
export { type MarketLine, marketLine } from './market-skill.js';
export {
  type BootstrapOptions,
  bootstrapReturns,
  type FanPoint,
  type MonteCarlo,
  type MonteCarloOptions,
  reshuffleTrades,
} from './monte-carlo.js';
export { inverseNormalCdf, normalCdf } from './normal.js';
export { backtestOverfitting, type Overfitting } from './overfitting.js';
export { type PercentileBands, percentileBands } from './percentiles.js';
export { bestPlateau, type Plateau, plateauAt } from './plateau.js';
export { SplitMix64 } from './random.js';
export {
  deflatedSharpeRatio,
  expectedMaxNormal,
  expectedMaxSharpe,
  independentShare,
  independentTrials,
  minBacktestLengthYears,
  minTrackRecordLength,
  probabilisticSharpeRatio,
  type SharpeSample,
  sharpeSample,
} from './sharpe.js';
export { stationaryBootstrap } from './stationary-bootstrap.js';
export { type HeldBars, type Timing, timingTest } from './timing.js';
export {
  type ReturnPeriods,
  type RowRange,
  returnPeriods,
  rowOf,
  sumByPeriod,
  type TrialReturns,
} from './trial-returns.js';
export {
  type JudgedTrials,
  judgeInParts,
  type LuckQuestion,
  type PerformTrialWork,
  type TrialWork,
  trialWork,
} from './trial-work.js';
