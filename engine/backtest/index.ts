export {
  type AliasedMetrics,
  type BacktestWork,
  detailRun,
  planWork,
  type RunDetails,
  type RunOutcome,
  runWork,
} from './compute.js';
export { type Diagnostics, diagnose, undefinedWarnings } from './diagnose.js';
export { limitWarnings, sidedWarnings, sizeLimitNames, sizeLimits, sizeWarnings } from './size-limits.js';
export { cutWindow, emptyWindow, type Window, type WindowBars } from './window.js';
