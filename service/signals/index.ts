export { evaluateMultipleSeries, SERIES_BARS_MAX, SERIES_SIGNALS_MAX } from './evaluate-series.js';
export { evaluateSuppliedBars, MARKET_DATA_BARS_MAX } from './evaluate-signal.js';
export {
  isListed,
  LIST_LIMIT_MAX,
  listSignals,
  SEARCH_LIMIT_MAX,
  SEARCH_QUERY_CHARACTERS_MAX,
  searchSignals,
} from './list-signals.js';
export { DESCRIPTION_CHARACTERS_MAX, MATCHES_MAX, matchSignals } from './match-signals.js';
export { getSignal, paramRecord, signalNamed, signalRecord } from './records.js';
export { searchTexts } from './signal-index.js';
export { CODE_CHARACTERS_MAX, CODE_DESCRIPTION_CHARACTERS_MAX, validateSignalCode } from './validate-code.js';
export { validateSignalParams } from './validate-params.js';
