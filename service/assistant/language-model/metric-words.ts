/** Metrics of the figures that a verdict states in words: plain ones, and those in percent. */
export const STATED = 'stated';
export const STATED_SHARE = 'stated_share';

/** What no tool of the assistant returns, so no number may be said of it. */
const UNKNOWN = 'unknown';

interface MetricWords {
  /** Figures that may stand beside these words. */
  readonly metrics: readonly string[];
  readonly pattern: RegExp;
}

const ofTrades = '\\bof (?:its|the|all|these|their|them|which)(?: \\d+)?(?: trades)?(?: of)?\\s*';

/**
 * How people speak of the figures of a run. The first pattern that has a word decides, so longer
 * expressions stand before the words in them.
 */
export const metricWords: readonly MetricWords[] = [
  {
    metrics: [UNKNOWN],
    pattern: new RegExp(
      `${ofTrades}(?:lost|(?:were|are|was) (?:losers|losing|lost)|ended in (?:a )?loss)|\\b(?:sortino|calmar|(?:information|treynor|sterling|burke|martin|reward|gain) ratio|omega|ulcer|kelly|profit factor|payoff|expectancy|volatility|cagr|alpha|beta|exposure|recovery factor|risk[- ]reward|loss rate|losing trades|(?:average|mean|median|typical|expected|annual(?:i[sz]ed)?|yearly|monthly|weekly|daily)(?: \\w+)? (?:returns?|profits?|gains?|loss(?:es)?|growth|trades?|wins?|draw-?downs?)|(?:average|mean|median) sharpe|on average)\\b`,
      'gi',
    ),
  },
  { metrics: ['sharpe_ratio'], pattern: /\bsharpe(?: ratios?)?\b/gi },
  {
    metrics: ['max_drawdown'],
    pattern: /\b(?:(?:largest|maximum|max\.?|deepest|worst|biggest) )?draw-?downs?\b/gi,
  },
  {
    metrics: ['win_rate'],
    pattern: new RegExp(
      `${ofTrades}(?:won|(?:were|are) (?:winners|profitable|ahead)|ended in (?:a )?profit)|\\b(?:win(?:ning)?[ -](?:rates?|ratio|share)|won|winners|wins?|winning trades|hit rate)\\b`,
      'gi',
    ),
  },
  {
    metrics: ['trade_count'],
    pattern: /\b(?:trade counts?|number of trades|(?:(?:made|took|had) (?:\w+ )?)?trades|traded)\b/gi,
  },
  { metrics: ['luck_p', STATED, STATED_SHARE], pattern: /\b(?:luck|probability|chance|odds|tries|sweeps?|random)\b/gi },
  {
    metrics: ['total_return'],
    pattern:
      /\b(?:returns?|returned|returning|profits?|gain(?:s|ed|ing)?|earn(?:s|ed|ing|ings)?|made|lost|los(?:es|ing)|loss(?:es)?|grew|growth|rose|fell|up(?= \d)|down(?= [-\d])|yield(?:s|ed)?|performance|balance|equity)\b/gi,
  },
];

/** Figures that are fractions, so that they may be said in percent. */
export const shares: ReadonlySet<string> = new Set([
  ...['total_return', 'max_drawdown', 'win_rate', 'luck_p', STATED_SHARE],
]);

/** Words by which a sentence speaks of results, so that its numbers must be figures of runs. */
export const RESULT_WORDS =
  /\b(?:return(?:s|ed|ing)?|sharpe|sortino|calmar|draw-?downs?|win(?:ning|s|ners?)?|won|lost|loss(?:es)?|losing|profits?|profitable|gain(?:s|ed)?|earn(?:s|ed|ings)?|made|makes?|grew|grows?|growth|rose|yield(?:s|ed)?|performance|performed|outperform\w*|underperform\w*|beats?|beat(?:en)?|trades|traded|luck|probability|chance|cagr|annuali[sz]ed|alpha|balance|equity|expectancy|volatility|result(?:s|ed)?|doubl\w+|tripl\w+)\b|\b(?:up|down)\s+(?:by\s+)?(?=\d)|p-value/i;

export const LOSS_WORDS =
  /\b(?:lost|loses?|loss(?:es)?|losing|fell|fall(?:s|en)?|down|negative|declin\w+|minus|below|draw-?downs?|shrank|cost)\b/i;

/** Words that may stand around a number that only the user has named. */
export const USER_WORDS =
  /\b(?:you|your|asked|want(?:ed)?|risk\w*|stop|target|fees?|costs?|slippage|windows?|periods?|thresholds?|levels?|below|above|under|over|since|from|until|between|months?|years?|days?|bars?|hours?|minutes?|weeks?|capital|instead|cannot|not)\b/i;

/** A number before one of these is a length, not a result. */
export const UNIT_AFTER = /^[\s-]*(?:days?|months?|years?|bars?|hours?|weeks?|minutes?)\b/i;

/** A number before one of these would be a rate, and no tool returns any. */
export const RATE_AFTER =
  /^\s*(?:a|an|per|each|every)\s+(?:year|month|week|day|annum|trade|bar)\b|^\s*(?:p\.a\.|yearly|annually|monthly)/i;

/** A number after one of these is a parameter. */
// Bounded because an answer has at most 8,000 characters, and no run of white space.
export const PARAMETER_BEFORE =
  /(?:\b(?:windows?|periods?|lengths?|thresholds?|levels?|averages?|lookback|rsi|[se]ma|macd|adx|atr|roc|obv|cci|mfi|vwap|kama|hma|wma|bollinger(?: bands?)?|donchian(?: channels?)?|keltner(?: channels?)?|supertrend|stochastic)|_\w+)(?:[\s(=:/,-]|\b(?:of|to|from|is|was|at|above|below|over|under|went|goes|moved|changed)\b)*(?:\d+(?:\.\d+)?(?:\s*[,/]\s*|\s+(?:and|to|or)\s+))*$/i;

/** A number before one of these counts what was made. */
export const COUNTED_AFTER =
  /^\s+(?:\w+\s+)?(?:candidates?|runs?|backtests?|triggers?|filters?|signals?|rules?|combinations?|strateg(?:y|ies)|variants?|of them)\b/i;
