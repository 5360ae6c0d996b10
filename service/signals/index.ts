export { evaluateMultipleSeries, SERIES_BARS_MAX, SERIES_SIGNALS_MAX } from './evaluate-series.js';
export { evaluateSuppliedBars } from './evaluate-signal.js';
export {
  isListed,
  listSignals,
  searchSignals,
} from './list-signals.js';
export { MATCHES_MAX, matchSignals } from './match-signals.js';
export { getSignal, paramRecord, signalNamed, signalRecord } from './records.js';
export { searchTexts } from './signal-index.js';
export { CODE_CHARACTERS_MAX, validateSignalCode, validateSignalParams } from './validate.js';
