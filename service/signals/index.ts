export { type LoadBars, storedBarLoader } from '../load-bars.js';
export {
  type ChartBar,
  type EvaluateSeriesRequest,
  evaluateMultipleSeries,
  SERIES_BARS_MAX,
  SERIES_SIGNALS_MAX,
  type SeriesEvaluation,
  type SignalSeries,
} from './evaluate-series.js';
export {
  type EvaluateSignalRequest,
  evaluateSuppliedBars,
  MARKET_DATA_BARS_MAX,
  type SignalEvaluation,
} from './evaluate-signal.js';
export {
  LIST_LIMIT_MAX,
  type ListSignalsRequest,
  listSignals,
  SEARCH_LIMIT_MAX,
  SEARCH_QUERY_CHARACTERS_MAX,
  type SearchSignalsRequest,
  type SearchType,
  type SignalPage,
  type SignalSearchPage,
  searchSignals,
} from './list-signals.js';
export {
  DESCRIPTION_CHARACTERS_MAX,
  MATCHES_MAX,
  type MatchedSignals,
  type MatchSignalsRequest,
  matchSignals,
  type SignalMatch,
} from './match-signals.js';
export { getSignal, type ParamRecord, type SignalRecord, type UsageCounts } from './records.js';
export { type RuleNames, signalUsage } from './usage.js';
export {
  CODE_CHARACTERS_MAX,
  CODE_DESCRIPTION_CHARACTERS_MAX,
  type CodeVerdict,
  type ValidateCodeRequest,
  validateSignalCode,
} from './validate-code.js';
export {
  PARAMETERS_MAX,
  type ParamsVerdict,
  type ValidateParamsRequest,
  validateSignalParams,
} from './validate-params.js';
