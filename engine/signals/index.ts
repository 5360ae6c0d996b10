export { type BarObject, evaluateBars } from './bar-objects.js';
export { columnsOfCondition } from './condition.js';
export { evaluateSignal, signalMask } from './evaluate.js';
export { conditionFormula, type FreeFormula, valueFormula } from './formula-values.js';
export * from './own/index.js';
export { findSignal, indicatorNames, requireSignal, signals } from './registry.js';
export { columnsBeside, observedColumn, type Signal, type SignalCategory, type SignalType } from './signal.js';
