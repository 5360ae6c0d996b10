import { catalogueWords, type NamedWord } from '../unread.js';

/** An indicator with a value that a threshold can be compared with, as a formula. */
interface Oscillator {
  readonly words: string;
  /** First part of the names of its signals. */
  readonly key: string;
  readonly period: number;
  readonly formula: (period: number) => string;
  /** Whether the signals of a state stand for any threshold, or a formula is plainer. */
  readonly hasStates: boolean;
}

export const oscillators: readonly Oscillator[] = [
  {
    words: 'stochastic rsi|stoch ?rsi',
    key: 'stochrsi',
    period: 14,
    formula: (n) => `stoch_rsi(${n})`,
    hasStates: false,
  },
  { words: 'rsi', key: 'rsi', period: 14, formula: (n) => `rsi(close, ${n})`, hasStates: false },
  { words: 'stochastic|stoch', key: 'stoch', period: 14, formula: (n) => `stoch(${n})`, hasStates: true },
  {
    words: 'cci|commodity channel(?: index)?',
    key: 'cci',
    period: 20,
    formula: (n) => `cci(${n}, 0.015)`,
    hasStates: false,
  },
  { words: 'mfi|money flow(?: index)?', key: 'mfi', period: 14, formula: (n) => `mfi(${n})`, hasStates: true },
  { words: 'williams ?%?r|%r', key: 'williams_r', period: 14, formula: (n) => `williams_r(${n})`, hasStates: false },
  { words: 'cmo|chande', key: 'cmo', period: 14, formula: (n) => `cmo(close, ${n})`, hasStates: false },
  { words: 'roc', key: 'roc', period: 12, formula: (n) => `roc(close, ${n})`, hasStates: false },
  { words: 'adx', key: 'adx', period: 14, formula: (n) => `adx(${n})`, hasStates: true },
  { words: 'cmf|chaikin money', key: 'cmf', period: 20, formula: (n) => `cmf(${n})`, hasStates: false },
  { words: 'natr', key: 'natr', period: 14, formula: (n) => `natr(${n})`, hasStates: false },
];

/** Moving averages by their word, with the name of the function in formulas. */
export const averages = ['dema', 'tema', 'trima', 'vwma', 'wma', 'hma', 'sma', 'ema'] as const;
export const AVERAGE = `(?:${averages.join('|')})`;
const ofBars: ReadonlySet<string> = new Set(['vwma']);

/** Channels by their word: first part of their signals, and the formulas of their lines. */
export const channels: readonly {
  readonly word: string;
  readonly key: string;
  readonly line: (side: 'upper' | 'lower', n: number, m: number) => string;
  readonly n: number;
}[] = [
  { word: 'bollinger', key: 'bb', n: 20, line: (side, n, m) => `bollinger_${side}(${n}, ${m})` },
  { word: 'keltner', key: 'kc', n: 20, line: (side, n, m) => `keltner_${side}(${n}, 10, ${m})` },
  {
    word: 'donchian',
    key: 'dc',
    n: 20,
    line: (side, n) => (side === 'upper' ? `highest(high, ${n})[1]` : `lowest(low, ${n})[1]`),
  },
];

/** Other indicators that have signals by direction only: their words and the first part of the names. */
export const others: readonly (readonly [string, string])[] = [
  ['supertrend', 'supertrend'],
  ['parabolic(?: sar)?|psar|sar', 'psar'],
  ['aroon', 'aroon'],
  ['vortex', 'vortex'],
  ['ichimoku', 'ichimoku'],
  ['kama', 'kama'],
  ['obv|on balance volume', 'obv'],
  ['vwap', 'vwap'],
  ['ppo', 'ppo'],
  ['kst', 'kst'],
  ['trix', 'trix'],
  ['awesome(?: oscillator)?', 'ao'],
  ['balance of power|bop', 'bop'],
  ['alligator', 'alligator'],
  ['heikin[ -]?ashi', 'heikin_ashi'],
  ['atr_trailing_stop', 'atr_trailing_stop'],
  ['atr', 'atr_trailing_stop'],
  ['squeeze', 'ttm_squeeze_fired'],
];

export const average = (type: string, n: number): string =>
  ofBars.has(type) ? `${type}(${n})` : `${type}(close, ${n})`;

/** Indicators by their words, with the first part of the names of their signals. */
const indicators: readonly (readonly [string, string])[] = [
  ...oscillators.map(({ words: own, key }) => [own, key] as const),
  ...channels.map(({ word, key }) => [word, key] as const),
  ...averages.map((each) => [each, each] as const),
  ['macd', 'macd'],
  ...others,
];

/** First parts of the names of the signals of all indicators. */
export const indicatorKeys: readonly string[] = indicators.map(([, key]) => key);

/** The words of all indicators, as a part of a pattern. */
export const indicatorWords = indicators.map(([own]) => own).join('|');

/** The same with all that rules may have for them; a word such as `volume` is named by formulas alone. */
export const names: readonly NamedWord[] = [
  ...indicators.map(
    ([own, key]): NamedWord => [
      own,
      [`${key}_`, ...(own === 'donchian' ? ['highest', 'lowest'] : []), key, ...(own.match(/[a-z]{3,}/g) ?? [])],
    ],
  ),
  ['volume', ['volume']],
  // A word of an indicator above, such as `stochastic`, is known by its own line.
  ...catalogueWords.filter(([word]) => !indicators.some(([own]) => own.split('|').includes(word))),
];

/** First parts of the names of signals that a text says are not wanted. */
export function excludedIn(text: string): string[] {
  return [...indicators, ['volume', 'volume'] as const]
    .filter(([own]) =>
      new RegExp(
        `\\b(?:without|decline) (?:(?:the|any|filter|filtro|filtre|rule|condition|bedingung|regel|condicion|regla|regle|on|use|using|want|need|like|el|le|la|der|die|das|den|de|mi|my|usar|utiliser) |l'|d')*(?:${own})(?![a-z_])`,
      ).test(text),
    )
    .map(([, key]) => key);
}

/** First part of the names of the signals of the indicator that a text names. */
export const indicatorIn = (text: string): string | undefined =>
  indicators.find(([own]) => new RegExp(`(?<![a-z_])(?:${own})(?![a-z_])`).test(text))?.[1];
