export { type IndicatorName, indicatorCatalogue } from './catalogue.js';
export { type Column, source } from './column.js';
export { ColumnStreams, isStreamed, Recent } from './column-streams.js';
export { Frame, withFrame } from './frame.js';
export { type IndicatorFunction, indicatorFunctions } from './functions.js';
