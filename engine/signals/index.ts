export { type BarObject, evaluateBars } from './bar-objects.js';
export { calculators, familyOf, type IndicatorFamily, indicatorFamilies } from './calculators.js';
export { COMPUTED_VALUES_MAX, computeIndicator, lineNames, sourcesOf } from './compute.js';
export { columnsOfCondition } from './condition.js';
export { evaluateSignal, signalMask } from './evaluate.js';
export * from './own/index.js';
export {
  type Constraint,
  legacyParamNames,
  type ParamSpec,
  type ParamSpecs,
  type ParamValue,
  type ParamValues,
  paramsFor,
  resolveParams,
} from './params.js';
export { findSignal, requireSignal, signals } from './registry.js';
export { columnsBeside, observedColumn, type Signal, type SignalCategory, type SignalType } from './signal.js';
