import type { Style } from '../mind.js';

/** The first group whose pattern a message has names the style. */
export const styleWords: readonly (readonly [Style, RegExp])[] = [
  [
    'flows',
    /\b(whales?|on-?chain|funding|smart money|exchange (?:in|out)flows?|etf|unlocks?|treasur(?:y|ies)|lending)\b/,
  ],
  [
    'mean_reversion',
    /\b(dips?|oversold|revers\w*|bounces?|pull-?backs?|mean[- ]rever\w*|cheap|buy low|washed out|crash(?:es)?)\b/,
  ],
  ['breakout', /\b(break-?\s?outs?|breaks? (?:out|above|through)|new highs?|squeezes?|donchian|range expansion)\b/],
  [
    'trend',
    /\b(trend\w*|moving averages?|golden cross|ema|sma|supertrend|ichimoku|ride|cross(?:es|over)?|long[- ]term)\b/,
  ],
  ['momentum', /\b(momentum|macd|rate of change|strength|accelerat\w*|rsi|stochastic|pump\w*|fast movers?)\b/],
];

/**
 * Words of languages without a table of phrases for the words that this assistant reads. A message
 * keeps its own words; these are added to it.
 */
export const translations: readonly (readonly [RegExp, string])[] = [
  [/биткоин|биткойн|比特币|比特幣|ビットコイン|비트코인|بيتكوين|बिटकॉइन|ביטקוין|μπιτκόιν/, 'bitcoin'],
  [/эфир|эфириум|以太坊|イーサリアム|이더리움|إيثريوم|इथेरियम/, 'ethereum'],
  [/тренд|趋势|趨勢|トレンド|추세|tendência|اتجاه/, 'trend'],
  [/перепродан|откат|просадк|超卖|超賣|抄底|押し目|売られ過ぎ|과매도|ipervendut/, 'mean_reversion'],
  [/пробо[йи]|突破|ブレイク|돌파|rottura/, 'breakout'],
  [/импульс|动量|動量|モメンタム|모멘텀/, 'momentum'],
  [/скользящ|均线|均線|移動平均|이동평균/, 'sma'],
  [/часов|每小时|小时|小時|時間足|시간봉/, '1h'],
  [/дневн|每天|每日|日线|日線|日足|일봉/, '1d'],
  [/осторожн|保守|保守的/, 'conservative'],
];

/** Markets of which there are no bars, since they are no crypto. */
export const FOREIGN_MARKET =
  /(?<![a-z&_-])(?:xau(?:\/?usd)?|gold|oro|l'or|silver|silber|crude oil|oil|brent|wti|dax|mdax|nasdaq|ndx|dow jones|s&p(?: ?500)?|sp ?500|spx|spy|qqq|cac ?40|ibex(?: ?35)?|ftse|nikkei|eur ?\/? ?usd|gbp ?\/? ?usd|usd ?\/? ?jpy|tesla|tsla|apple|aapl|nvidia|nvda|amazon|amzn|microsoft|msft|google|googl|gamestop|gme)(?![a-z&_-])/;

export const sentimentWords = {
  bullish: /\b(bullish|moon\w*|rally|rallies|going up|rise|rising|uptrend|undervalued|to the sky)\b/,
  bearish: /\b(bearish|crash\w*|going down|fall(?:s|ing)?|downtrend|overvalued|dump\w*|collapse)\b/,
  neutral: /\b(sideways|neutral|range-?bound|no idea where|flat market)\b/,
} as const;

export const levelWords = {
  beginner:
    /\b(beginner|new to|newbie|first time|never traded|don'?t know (?:much|anything)|explain|simple|grandm\w+)\b/,
  expert:
    /\b(sharpe|kelly|walk-?forward|overfit\w*|regime|alpha|backtest\w*|quant\w*|drawdown|atr|volatility target\w*)\b/,
} as const;

/** What this assistant never does, whatever a message says. */
export const OUT_OF_REACH =
  /\b(ignore (?:all|any|your|previous|prior|the (?:above|previous|prior|rules?|instructions?|system|prompt))|system prompt|(?:other|another|all) (?:users?|organi[sz]ations?|tenants?|customers?|people)(?:'s|s')?|api keys?|passwords?|secrets?|credentials?|drop table|rm -rf|reveal|(?:delete|erase|wipe|losche|loesche|borra|borrar|elimina|supprime|supprimez|efface) (?:all|every\w*|the|my|all?es|alle|todo|todos|toda|todas|tout|tous|toute|toutes|(?:mis|meine|mes) (?:datos|daten|donnees))|admin(?:istrator)?)\b/i;
