export { type IndicatorName, indicatorCatalogue } from './catalogue.js';
export { Frame } from './frame.js';
