export { readRecordedSeries, recordedSeriesNames } from './series.js';
