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
export { type RealityCheck, type RealityCheckOptions, realityCheck } from './reality-check.js';
export {
  deflatedSharpeRatio,
  expectedMaxSharpe,
  minBacktestLengthYears,
  minTrackRecordLength,
  probabilisticSharpeRatio,
  type SharpeSample,
  sharpeSample,
} from './sharpe.js';
export { stationaryBootstrap } from './stationary-bootstrap.js';
export { type EffectiveTrials, effectiveTrials } from './trials.js';
