export { rankingValue, ratioDenominator, stated, whyWithout } from './denominators.js';
export { dailyReturns, marketReturns } from './equity.js';
export { tradeExcursions } from './excursions.js';
export {
  computeExtendedMetrics,
  type ExtendedMetricName,
  type ExtendedMetrics,
  extendedMetricTable,
  extendedMetricUnits,
} from './extended.js';
export {
  betterSide,
  computeMetrics,
  type MetricName,
  type Metrics,
  type MetricsInput,
  metricNames,
  metricTable,
  withAliases,
  writeMeasured,
  writeMetrics,
} from './metrics.js';
export { compounded } from './period-metrics.js';
export { rollingSharpe, sharpeWindow } from './rolling-sharpe.js';
export type { RunMeasures } from './run-facts.js';
export {
  measureSides,
  type SideMetrics,
  type SideResults,
  sideMetricTable,
  sideResultTable,
} from './side-metrics.js';
