export { type BarObject, evaluateBars } from './bar-objects.js';
export { evaluateSignal, signalMask } from './evaluate.js';
export {
  type Constraint,
  legacyParamNames,
  type ParamSpec,
  type ParamSpecs,
  type ParamValue,
  type ParamValues,
  resolveParams,
} from './params.js';
export { findSignal, requireSignal, signals } from './registry.js';
export { observedColumn, type Signal, type SignalCategory, type SignalType } from './signal.js';
