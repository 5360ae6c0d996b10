export { type BarObject, evaluateBars } from './bar-objects.js';
export { evaluateSignal, signalMask } from './evaluate.js';
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
