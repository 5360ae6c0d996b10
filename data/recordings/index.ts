export { type RecordedQuotes, type RecordedTrades, readRecordedQuotes, readRecordedTrades } from './market.js';
export { readRecordedSeries, recordedSeriesNames } from './series.js';
