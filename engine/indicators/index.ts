export { type IndicatorName, indicatorCatalogue } from './catalogue.js';
export { Frame, withFrame } from './frame.js';
