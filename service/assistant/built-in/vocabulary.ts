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
 * Words of other languages for the words that this assistant reads. A message keeps its own words;
 * these are added to it.
 */
export const translations: readonly (readonly [RegExp, string])[] = [
  [/биткоин|биткойн|比特币|比特幣|ビットコイン|비트코인|بيتكوين|बिटकॉइन|ביטקוין|μπιτκόιν/, 'bitcoin'],
  [/эфир|эфириум|以太坊|イーサリアム|이더리움|إيثريوم|इथेरियम/, 'ethereum'],
  [/тренд|趋势|趨勢|トレンド|추세|tendance|tendencia|tendência|اتجاه/, 'trend'],
  [
    /перепродан|откат|просадк|超卖|超賣|抄底|押し目|売られ過ぎ|과매도|survente|sobrevend|überverkauft|rücksetzer|ipervendut/,
    'oversold dip',
  ],
  [/пробо[йи]|突破|ブレイク|돌파|cassure|ruptura|ausbruch|rottura/, 'breakout'],
  [/импульс|动量|動量|モメンタム|모멘텀|impulso|schwung/, 'momentum'],
  [/скользящ|均线|均線|移動平均|이동평균|moyenne mobile|media móvil|gleitende/, 'moving average'],
  [/часов|每小时|小时|小時|時間足|시간봉|horaire|por hora|stündlich|stundenchart/, '1h'],
  [/дневн|每天|每日|日线|日線|日足|일봉|quotidien|journalier|diario|täglich|tageschart/, '1d'],
  [/осторожн|保守|保守的|conservad|prudent|vorsichtig|niedriges risiko/, 'conservative'],
];

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

/** Risk words, as the share of the account that a trade may lose. */
export const riskWords: readonly (readonly [RegExp, number])[] = [
  [/\b(conservative|cautious|careful|safe(?:ly)?|low[- ]risk|small risk|protect|don'?t (?:want to )?lose)\b/, 0.005],
  [/\b(aggressive|high[- ]risk|degen|yolo|all[- ]in|risky|max(?:imum)? (?:gain|profit|risk))\b/, 0.02],
];

export const GOES_ON =
  /^\W*(y|yes|yep|yeah|ok(?:ay)?|go(?: on| ahead)?|continue|sure|proceed|next|do it|please|fine|good|great|looks? (?:good|fine|great)|sounds? (?:good|fine|great)|perfect|correct|right|agreed|run(?: it)?|start|test it|backtest(?: it)?|weiter|ja|oui|sí|si|да|好|是|はい|네)\b/iu;
export const LEAVES_CHOICE =
  /\b(you (?:choose|decide|pick)|up to you|any(?:thing)?(?: is fine| goes)?|whatever|no preference|don'?t (?:care|know|mind)|surprise me|defaults?|your (?:choice|call|pick)|not sure|no idea)\b/i;
export const WANTS_SHORT =
  /\b(short(?:ing|s)?(?: (?:sell|position|it|btc|eth|bitcoin))|sell short|go(?:ing)? short|bet against|puts?)\b/;
/** What this assistant never does, whatever a message says. */
export const OUT_OF_REACH =
  /\b(ignore (?:all|any|your|the|previous|prior)|system prompt|(?:other|another|all) (?:users?|organi[sz]ations?|tenants?|customers?|people)(?:'s|s')?|api keys?|passwords?|secrets?|credentials?|drop table|rm -rf|reveal|delete (?:all|every|the)|admin(?:istrator)?)\b/i;
