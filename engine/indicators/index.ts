export { type IndicatorName, indicatorCatalogue, indicatorFamilies, indicatorFamily } from './catalogue.js';
export { type Column, source } from './column.js';
export { computeIndicator, lineNames } from './compute.js';
export { Frame, withFrame } from './frame.js';
export { type IndicatorFunction, indicatorFunctions } from './functions.js';
export {
  legacyParamNames,
  type ParamSpec,
  type ParamValue,
  type ParamValues,
  paramsFor,
  resolveParams,
} from './params.js';
export { ColumnStreams, isStreamed, Recent } from './stream.js';
