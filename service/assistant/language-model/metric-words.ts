/** Metrics of the figures that a verdict states in words: plain ones, and those in percent. */
export const STATED = 'stated';
export const STATED_SHARE = 'stated_share';

/** How people speak of the figures of a run. */
export const metricWords: Readonly<Record<string, RegExp>> = {
  sharpe_ratio: /\bsharpe\b/i,
  max_drawdown: /\bdraw-?downs?\b/i,
  win_rate: /\bwin(?:ning)?[ -](?:rate|ratio|share)|\bwon\b|\bwinners?\b|\bwins?\b|\bhit rate\b/i,
  trade_count: /\btrades\b|\btraded\b/i,
  total_return: /\breturn(?:s|ed|ing)?\b|\bprofits?\b|\bgain(?:s|ed)?\b|\bearn(?:s|ed)?\b|\bmade\b|\blost\b|\bgrew\b/i,
  market_return: /\bhold(?:ing)?\b|\bmarket\b|\bbuy[- ]and[- ]hold\b/i,
  luck_p: /\bluck\b|\bprobability\b|\bchance\b/i,
};

/** Figures that are fractions, so that they may be said in percent. */
export const shares: ReadonlySet<string> = new Set([
  ...['total_return', 'max_drawdown', 'win_rate', 'market_return', 'luck_p', STATED_SHARE],
]);

/** Words by which a sentence speaks of results, so that its numbers must be figures of runs. */
export const RESULT_WORDS =
  /\b(?:return(?:s|ed|ing)?|sharpe|sortino|calmar|draw-?downs?|win(?:ning|s|ners?)?|won|lost|loss(?:es)?|losing|profits?|profitable|gain(?:s|ed)?|earn(?:s|ed|ings)?|made|makes?|grew|grows?|growth|yield(?:s|ed)?|performance|performed|outperform\w*|underperform\w*|beats?|beat(?:en)?|trades|traded|luck|probability|chance|cagr|annuali[sz]ed|alpha|balance|equity|expectancy|volatility|result(?:s|ed)?|doubl\w+|tripl\w+)\b|\b(?:up|down)\s+(?:by\s+)?(?=\d)|p-value/i;

export const LOSS_WORDS =
  /\b(?:lost|loses?|loss(?:es)?|losing|fell|fall(?:s|en)?|down|negative|declin\w+|minus|below|draw-?downs?|shrank|cost)\b/i;

/** Words that may stand around a number that only the user has named. */
export const USER_WORDS =
  /\b(?:you|your|asked|want(?:ed)?|risk\w*|stop|target|fees?|costs?|slippage|windows?|periods?|thresholds?|levels?|below|above|under|over|since|from|until|between|months?|years?|days?|bars?|hours?|minutes?|weeks?|capital|instead|cannot|not)\b/i;

/** Words by which a verdict speaks of all runs together. */
export const SWEEP_WORDS = /\b(?:luck|tries|try|sweeps?|random|odds)\b/i;

/** A number before one of these is a length, not a result. */
export const UNIT_AFTER = /^[\s-]*(?:days?|months?|years?|bars?|hours?|weeks?|minutes?)\b/i;

/** A number after one of these is a parameter. */
export const PARAMETER_BEFORE =
  /(?:\b(?:windows?|periods?|lengths?|thresholds?|levels?|lookback|rsi|[se]ma|macd|adx|atr|roc|obv|cci|mfi|vwap|kama|hma|wma|bollinger(?: bands?)?|donchian(?: channels?)?|keltner(?: channels?)?|supertrend|stochastic)|_\w+)[\s(=:/,of-]*(?:\d+(?:\.\d+)?(?:\s*[,/]\s*|\s+and\s+))*$/i;

/** A number before one of these counts what was made. */
export const COUNTED_AFTER =
  /^\s+(?:\w+\s+)?(?:candidates?|runs?|backtests?|triggers?|filters?|signals?|rules?|combinations?|strateg(?:y|ies)|variants?)\b/i;
