export { type IndicatorName, indicatorCatalogue } from './catalogue.js';
export { reuseColumns } from './column-pool.js';
export { Frame } from './frame.js';
