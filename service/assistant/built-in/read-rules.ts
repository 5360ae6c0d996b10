import {
  findSignal,
  indicatorCatalogue,
  requireSignal,
  type Signal,
  type SignalType,
  signals,
} from '../../../engine/index.js';
import type { PlannedRule } from '../candidate.js';
import { canonicalOf } from './canonical.js';
import { ruleOf } from './propose.js';
import type { Say } from './sentences/say.js';
import { catalogueWords, isTelling, type NamedWord, unreadIn } from './unread.js';

type Direction = 'up' | 'down';

/** One condition, as a fragment of a message says it. */
interface Condition {
  readonly rule: PlannedRule;
  readonly isEvent: boolean;
  /** What the next fragment means by "it". */
  readonly subject: string;
}

interface ReadRules {
  readonly entry: readonly PlannedRule[];
  readonly exit: readonly PlannedRule[];
  /** What no rule has: conditions, numbers and names, in canonical words. */
  readonly unread: readonly string[];
}

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

const oscillators: readonly Oscillator[] = [
  {
    words: 'stochastic rsi|stoch ?rsi',
    key: 'stochrsi',
    period: 14,
    formula: (n) => `stoch_rsi(${n})`,
    hasStates: false,
  },
  { words: 'rsi', key: 'rsi', period: 14, formula: (n) => `rsi(close, ${n})`, hasStates: false },
  { words: 'stochastic', key: 'stoch', period: 14, formula: (n) => `stoch(${n})`, hasStates: true },
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
const averages = ['dema', 'tema', 'trima', 'vwma', 'wma', 'hma', 'sma', 'ema'] as const;
const AVERAGE = `(?:${averages.join('|')})`;
const ofBars: ReadonlySet<string> = new Set(['vwma']);

/** Channels by their word: first part of their signals, and the formulas of their lines. */
const channels: readonly {
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
const others: readonly (readonly [string, string])[] = [
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
  ['atr', 'atr_trailing_stop'],
  ['squeeze', 'ttm_squeeze_fired'],
];

const EVENT = /\b(?:cross|breakout|event)\b/;
const UP = /\b(?:above|overbought|bullish|positive|upper)\b/g;
const DOWN = /\b(?:below|oversold|bearish|negative|lower)\b/g;
const NUMBERS = /(?<![\w.])-?\d{1,6}(?:\.\d{1,6})?(?![\w.]|\s?%)/g;

const words = (signal: Signal): string => signal.name.replaceAll('_', ' ');
const isPlain = ({ category }: Signal): boolean => category !== 'user';
const named = signals
  .filter(isPlain)
  .map((signal) => ({ signal, words: words(signal) }))
  .sort((a, b) => b.words.length - a.words.length);
const patterns = named
  .filter(({ signal }) => signal.name.endsWith('_trigger'))
  .map(({ signal, words: all }) => ({ signal, words: all.replace(/ trigger$/, '') }))
  .filter(({ words: all }) => all !== 'bullish' && all.length > 3);

/** Which way a relation points; the last word counts where both are said. */
function directionIn(text: string): Direction | null {
  const up = [...text.matchAll(UP)].at(-1)?.index ?? -1;
  const down = [...text.matchAll(DOWN)].at(-1)?.index ?? -1;
  return up < 0 && down < 0 ? null : up > down ? 'up' : 'down';
}

const formula = (when: string, timeframe: string): PlannedRule => ({
  name: 'formula',
  signal_type: 'FILTER',
  timeframe,
  params: { when },
});
const signalRule = (
  name: string,
  timeframe: string,
  given: Readonly<Record<string, number | string>> = {},
): PlannedRule => {
  const signal = requireSignal(name);
  const rule = ruleOf(signal, signal.type, timeframe);
  const known = Object.entries(given).filter(([key]) => key in signal.params);
  return { ...rule, params: { ...rule.params, ...Object.fromEntries(known) } };
};
const numbersIn = (text: string): number[] => [...text.matchAll(NUMBERS)].map(([digits]) => Number(digits));

const UP_ENDS =
  /_(?:up|bullish|positive|long|above|overbought|upper_breakout|up_trend|bullish_cross|flip_up|shift|reversal|crossover|strong_trend|cross)$|_high_/;
const DOWN_ENDS = /_(?:down|bearish|negative|short|below|oversold|lower_breakout|down_trend|bearish_cross|flip_down)$/;

/** The signal of an indicator for an event or a state in a direction; null without one. */
function byDirection(key: string, isEvent: boolean, direction: Direction, timeframe: string): PlannedRule | null {
  const type: SignalType = isEvent ? 'TRIGGER' : 'FILTER';
  const own = signals.filter(
    (signal) => isPlain(signal) && signal.type === type && (signal.name.startsWith(`${key}_`) || signal.name === key),
  );
  const both = own.find(({ bias }) => bias === 'by_direction');
  if (both !== undefined)
    return {
      ...signalRule(both.name, timeframe),
      params: { ...signalRule(both.name, timeframe).params, direction: direction === 'up' ? 'bullish' : 'bearish' },
    };
  const found = own.find(({ name }) => (direction === 'up' ? UP_ENDS : DOWN_ENDS).test(name));
  return found === undefined ? null : signalRule(found.name, timeframe);
}

interface Scope {
  readonly timeframe: string;
  readonly role: 'entry' | 'exit';
  /** The fragment of which "it" speaks. */
  readonly subject: string | null;
}

/** Reads one fragment; null where it has no condition. */
function conditionIn(fragment: string, { timeframe, role, subject }: Scope): Condition | null {
  const usual: Direction = role === 'entry' ? 'up' : 'down';
  const direct = exactName(fragment, timeframe);
  if (direct !== null) return direct;
  const text = fragment
    .replace(/\b(upper|lower) (?=bollinger|donchian|keltner)/g, '$1_')
    .replace(/\b(bollinger|donchian|keltner)( \(?[\d., ]+\)?)? (upper|lower)(?: band)?\b/g, '$3_$1$2');
  const isEvent = EVENT.test(text);
  const direction = directionIn(text.replace(/\b(?:upper|lower)_/g, ' '));
  const cross = golden(text, timeframe);
  if (cross !== null) return cross;
  for (const read of [
    readMiddle,
    readChannel,
    readMacd,
    readOscillator,
    readAverage,
    readOther,
    readPattern,
    readVolume,
    readExtreme,
    readCatalogue,
    readLevel,
  ]) {
    const found = read(text, { isEvent, direction, usual, timeframe, role, subject });
    if (found !== null) return found;
  }
  const isMore =
    subject !== null &&
    (isEvent || direction !== null) &&
    /\b(?:it|er|sie|es|il|elle|lo|la|cross|above|below)\b/.test(text) &&
    !/^(?:above|below)(?: (?:the|el|le|la|das|den))?$/.test(text);
  if (!isMore) return null;
  return conditionIn(`${subjectOnly(subject, text)} ${text.replace(/\b(?:it|back)\b/g, ' ')}`, {
    timeframe,
    role,
    subject: null,
  });
}

/** The subject without its relation; its threshold only where the new fragment has none. */
function subjectOnly(subject: string, fragment: string): string {
  const bare = subject.replace(/\b(?:cross|above|below|breakout|buy|sell|when)\b|\b(?:upper|lower)(?:_| )/g, ' ');
  return numbersIn(fragment).length === 0
    ? bare
    : bare.replace(/(?<![(\w.,])-?\d+(?:\.\d+)?(?![)\w.,]| ?(?:day|period|bars|ema|sma))/g, ' ');
}

interface Relation {
  readonly isEvent: boolean;
  readonly direction: Direction | null;
  readonly usual: Direction;
  readonly timeframe: string;
  readonly role: 'entry' | 'exit';
  readonly subject: string | null;
}

let called: readonly { readonly signal: Signal; readonly words: string }[] | null = null;

/** The signal whose name, in canonical words, is all that a fragment says beside small words. */
function calledIn(text: string): Signal | undefined {
  called ??= named.map((each) => ({ signal: each.signal, words: bareWords(canonicalOf(each.words, 'en')) }));
  const own = bareWords(text);
  const pointed = bareWords(text.replace(DIRECTED, ' '));
  const found =
    called.find((each) => each.words === own) ??
    called.find((each) => each.words === pointed && each.signal.bias === 'by_direction');
  return found?.signal;
}

const DIRECTED = /\b(?:is|bullish|bearish|above|below)\b/g;

const bareWords = (text: string): string =>
  text
    .replace(/\b(?:buy|sell|on|the|a|an|at|signal|event)\b/g, ' ')
    .replace(/[^a-z0-9_]+/g, ' ')
    .trim();

/** A signal called by its name, with underscores or without. */
function exactName(text: string, timeframe: string): Condition | null {
  const spelled = /\b[a-z0-9]+(?:_[a-z0-9]+)+\b/.exec(text)?.[0];
  const signal = (spelled === undefined ? undefined : findSignal(spelled)) ?? calledIn(text);
  if (signal === undefined || !isPlain(signal)) return null;
  const rule = ruleOf(signal, signal.type, timeframe);
  const rest = text.replace(spelled ?? '', ' ');
  const given: Record<string, unknown> = {};
  const direction = directionIn(rest);
  if (signal.bias === 'by_direction' && direction !== null)
    given.direction = direction === 'up' ? 'bullish' : 'bearish';
  for (const [key, spec] of Object.entries(signal.params)) {
    const stated = new RegExp(`\\b${key}(?: of|=|:)? ?(-?\\d+(?:\\.\\d+)?)`).exec(rest);
    if (stated !== null && (spec.type === 'int' || spec.type === 'float')) given[key] = Number(stated[1]);
  }
  return { rule: { ...rule, params: { ...rule.params, ...given } }, isEvent: signal.type === 'TRIGGER', subject: text };
}

function golden(text: string, timeframe: string): Condition | null {
  const name = /golden_cross/.test(text) ? 'sma_cross_up' : /death_cross/.test(text) ? 'sma_cross_down' : null;
  if (name === null) return null;
  const [fast, slow] = numbersIn(text).sort((a, b) => a - b);
  const type = /\bema\b/.test(text) ? name.replace('sma', 'ema') : name;
  return {
    rule: signalRule(type, timeframe, { window_fast: fast ?? 50, window_slow: slow ?? 200 }),
    isEvent: true,
    subject: text,
  };
}

function readChannel(text: string, { isEvent, direction, usual, timeframe }: Relation): Condition | null {
  const channel = channels.find(({ word }) => new RegExp(`${word}\\b`).test(text));
  if (channel === undefined) return null;
  const sideWord =
    new RegExp(`\\b(upper|lower)_${channel.word}`).exec(text)?.[1] ?? /\b(upper|lower)\b/.exec(text)?.[1];
  const side = (sideWord ?? ((direction ?? usual) === 'up' ? 'upper' : 'lower')) as 'upper' | 'lower';
  const [n = channel.n, m = 2] = numbersIn(text).map((value) => Math.abs(value));
  const out: Direction = side === 'upper' ? 'up' : 'down';
  const way = direction ?? out;
  const event = isEvent || direction === null;
  const params = { window: n, window_dev: m, multiplier: m };
  const name = event
    ? `${channel.key}_${side}_breakout`
    : `${channel.key}_${side === 'upper' ? 'above_upper' : 'below_lower'}`;
  if (way === out && findSignal(name) !== undefined)
    return { rule: signalRule(name, timeframe, params), isEvent: event, subject: text };
  const line = channel.line(side, n, m);
  const when = event
    ? `crosses_${way === 'up' ? 'above' : 'below'}(close, ${line})`
    : `close ${way === 'up' ? '>' : '<'} ${line}`;
  return { rule: formula(when, timeframe), isEvent: event, subject: text };
}

/** The middle of the Bollinger bands, which is the simple average of their window. */
function readMiddle(text: string, { isEvent, direction, timeframe, role, subject }: Relation): Condition | null {
  if (!/\bmiddle_band\b/.test(text)) return null;
  const isBands = subject !== null && /bollinger/.test(subject);
  const n = numbersIn(text)[0] ?? (isBands ? numbersIn(subject)[0] : undefined) ?? 20;
  // "Sell at the middle band" comes from the side where the position was opened.
  const fromAbove = role === 'exit' && /upper/.test(subject ?? '');
  const isUp = direction === null ? !fromAbove : direction === 'up';
  const isCross = isEvent || (direction === null && role === 'entry');
  const line = `sma(close, ${n})`;
  const when = isCross ? `crosses_${isUp ? 'above' : 'below'}(close, ${line})` : `close ${isUp ? '>' : '<'} ${line}`;
  return { rule: formula(when, timeframe), isEvent: isCross, subject: text };
}

function readMacd(text: string, { isEvent, direction, usual, timeframe }: Relation): Condition | null {
  if (!/\bmacd\b/.test(text)) return null;
  const given = /macd ?\(? ?(\d+)[ ,/]+(\d+)(?:[ ,/]+(\d+))?/.exec(text);
  const [fast, slow, sign] = given === null ? [12, 26, 9] : [Number(given[1]), Number(given[2]), Number(given[3] ?? 9)];
  const way = direction ?? usual;
  const rest = given === null ? text : text.replace(given[0], 'macd');
  const isZero = /(?<![\d.])0(?![\d.])|\b(?:positive|negative)\b/.test(rest);
  const windows = { window_fast: fast, window_slow: slow, window_sign: sign };
  const line = `macd_line(${fast}, ${slow}, ${sign})`;
  const other = isZero ? '0' : `macd_signal(${fast}, ${slow}, ${sign})`;
  if (isEvent || direction === null) {
    if (isZero)
      return {
        rule: formula(`crosses_${way === 'up' ? 'above' : 'below'}(${line}, 0)`, timeframe),
        isEvent: true,
        subject: text,
      };
    return {
      rule: signalRule(way === 'up' ? 'macd_bullish_cross' : 'macd_bearish_cross', timeframe, windows),
      isEvent: true,
      subject: text,
    };
  }
  if (isZero && way === 'up')
    return { rule: signalRule('macd_positive', timeframe, windows), isEvent: false, subject: text };
  return { rule: formula(`${line} ${way === 'up' ? '>' : '<'} ${other}`, timeframe), isEvent: false, subject: text };
}

function readOscillator(text: string, { isEvent, direction, usual, timeframe }: Relation): Condition | null {
  const own = oscillators.find((each) => new RegExp(`(?<![a-z_])(?:${each.words})(?![a-z_])`).test(text));
  if (own === undefined) return null;
  const before = `(\\d{1,3})[- ]?(?:(?:period|day|bars|hour)[- ])?(?:${own.words})(?![a-z_])`;
  const after = `(?<![a-z_])(?:${own.words}) ?(?:\\( ?(\\d{1,3})(?: ?, ?[\\d.]+)* ?\\)|(?:of |de |a |von |\\- ?)(\\d{1,3})(?!\\d|\\.)|(\\d{1,3})(?= (?:.*)\\d))`;
  const windowed = new RegExp(after).exec(text) ?? new RegExp(before).exec(text);
  const stated = /\b(?:period (?:of )?(\d{1,3})|(\d{1,3}) (?:period|bars))\b/.exec(text);
  const period = Number(
    windowed?.slice(1).find((each) => each !== undefined) ?? stated?.[1] ?? stated?.[2] ?? own.period,
  );
  const rest = [windowed?.[0], stated?.[0]].reduce<string>(
    (left, part) => (part === undefined ? left : left.replace(part, ` ${own.key.slice(0, 0)} `)),
    text,
  );
  const threshold = numbersIn(rest)[0];
  const extreme = /\b(oversold|overbought)\b/.exec(text)?.[1];
  const isState = extreme !== undefined && !isEvent;
  if (isState) {
    const name = `${own.key}_${extreme}`;
    if (findSignal(name) !== undefined)
      return {
        rule: signalRule(name, timeframe, { window: period, ...(threshold === undefined ? {} : { threshold }) }),
        isEvent: false,
        subject: text,
      };
  }
  if (threshold === undefined) {
    const fallback =
      byDirection(own.key, isEvent || direction === null, direction ?? usual, timeframe) ??
      byDirection(own.key, false, direction ?? usual, timeframe);
    if (fallback === null) return null;
    const isTrigger = requireSignal(fallback.name).type === 'TRIGGER';
    return {
      rule: {
        ...fallback,
        params: 'window' in fallback.params ? { ...fallback.params, window: period } : fallback.params,
      },
      isEvent: isTrigger,
      subject: text,
    };
  }
  const way = direction ?? (isEvent ? usual : 'up');
  const params = { window: period, threshold };
  if (isEvent) {
    const name = own.key === 'rsi' ? `rsi_cross_${way}` : null;
    if (name !== null) return { rule: signalRule(name, timeframe, params), isEvent: true, subject: text };
    return {
      rule: formula(`crosses_${way === 'up' ? 'above' : 'below'}(${own.formula(period)}, ${threshold})`, timeframe),
      isEvent: true,
      subject: text,
    };
  }
  const state =
    own.key === 'adx'
      ? way === 'up'
        ? 'adx_strong_trend'
        : null
      : own.hasStates
        ? `${own.key}_${way === 'up' ? 'overbought' : 'oversold'}`
        : null;
  if (state !== null) return { rule: signalRule(state, timeframe, params), isEvent: false, subject: text };
  return {
    rule: formula(`${own.formula(period)} ${way === 'up' ? '>' : '<'} ${threshold}`, timeframe),
    isEvent: false,
    subject: text,
  };
}

const average = (type: string, n: number): string => (ofBars.has(type) ? `${type}(${n})` : `${type}(close, ${n})`);

function readAverage(text: string, { isEvent, direction, usual, timeframe }: Relation): Condition | null {
  const type = new RegExp(`\\b(${averages.join('|')})\\b`).exec(text)?.[1];
  if (type === undefined) return null;
  const found = numbersIn(text).filter((value) => value >= 1 && Number.isInteger(value));
  const [one, other] = found;
  const way = direction ?? usual;
  if (one !== undefined && other !== undefined && one !== other) {
    const first = isEvent && one > other && direction !== null ? (way === 'up' ? 'down' : 'up') : way;
    const [fast, slow] = [Math.min(one, other), Math.max(one, other)];
    if (isEvent || direction === null || !/\bis\b/.test(text))
      return {
        rule: signalRule(`${type}_cross_${first}`, timeframe, { window_fast: fast, window_slow: slow }),
        isEvent: true,
        subject: text,
      };
    return {
      rule: formula(`${average(type, one)} ${way === 'up' ? '>' : '<'} ${average(type, other)}`, timeframe),
      isEvent: false,
      subject: text,
    };
  }
  if (one === undefined) {
    if (!isEvent && direction === null) return null;
    // A price crosses one average; two of them cross each other.
    if (isEvent && /\bprice\b/.test(text))
      return {
        rule: formula(`crosses_${way === 'up' ? 'above' : 'below'}(close, ${average(type, 50)})`, timeframe),
        isEvent,
        subject: text,
      };
    const name = `${type}_cross_${way}`;
    const rule =
      isEvent && findSignal(name) !== undefined
        ? signalRule(name, timeframe)
        : byDirection(type, isEvent, way, timeframe);
    return rule === null ? null : { rule, isEvent, subject: text };
  }
  if (isEvent)
    return {
      rule: formula(`crosses_${way === 'up' ? 'above' : 'below'}(close, ${average(type, one)})`, timeframe),
      isEvent: true,
      subject: text,
    };
  if (way === 'up' || direction === null) {
    const name = type === 'ema' ? 'price_above_ema' : `is_above_${type}`;
    if (findSignal(name) !== undefined)
      return { rule: signalRule(name, timeframe, { window: one }), isEvent: false, subject: text };
  }
  return {
    rule: formula(`close ${way === 'up' ? '>' : '<'} ${average(type, one)}`, timeframe),
    isEvent: false,
    subject: text,
  };
}

function readOther(text: string, { isEvent, direction, usual, timeframe }: Relation): Condition | null {
  const found = others.find(([pattern]) => new RegExp(`(?<![a-z_])(?:${pattern})(?![a-z_])`).test(text));
  if (found === undefined) return null;
  const way = direction ?? usual;
  const isTrigger = isEvent || direction === null;
  const rule = byDirection(found[1], isTrigger, way, timeframe) ?? byDirection(found[1], !isTrigger, way, timeframe);
  if (rule === null) return null;
  const multiplier = /\bmultiplier(?: of)? (\d+(?:\.\d+)?)/.exec(text);
  const given = new RegExp(`(?:${found[0]}) ?\\( ?(\\d+)(?:[ ,]+(\\d+(?:\\.\\d+)?))?`).exec(text);
  const params: Record<string, unknown> = { ...rule.params };
  const many = multiplier?.[1] ?? given?.[2];
  if (many !== undefined && 'multiplier' in params) params.multiplier = Number(many);
  if (given?.[1] !== undefined && 'window' in params) params.window = Number(given[1]);
  return { rule: { ...rule, params }, isEvent: requireSignal(rule.name).type === 'TRIGGER', subject: text };
}

function readPattern(text: string, { direction, usual, timeframe }: Relation): Condition | null {
  const found = patterns.find(({ words: all }) => new RegExp(`\\b${all}s?\\b`).test(text));
  const way = direction ?? usual;
  const either = /\b(engulfing|harami|pin bar|marubozu)\b/.exec(text)?.[1]?.replace(' ', '_');
  const name =
    found?.signal.name ??
    (either === undefined
      ? undefined
      : [
          `${way === 'up' ? 'bullish' : 'bearish'}_${either}_trigger`,
          `${either}_${way === 'up' ? 'bullish' : 'bearish'}_trigger`,
        ].find((each) => findSignal(each) !== undefined));
  return name === undefined ? null : { rule: signalRule(name, timeframe), isEvent: true, subject: text };
}

function readVolume(text: string, { direction, timeframe }: Relation): Condition | null {
  if (!/\bvolume\b/.test(text) || direction === null) return null;
  const n = numbersIn(text).find((value) => value >= 2) ?? 20;
  return {
    rule: formula(`volume ${direction === 'up' ? '>' : '<'} sma(volume, ${n})`, timeframe),
    isEvent: false,
    subject: text,
  };
}

/** `10 bar low`, `a new high of 20 days` */
function readExtreme(text: string, { usual, timeframe }: Relation): Condition | null {
  const found =
    /(\d{1,4})[- ]?(?:bars|day|period|hour)[- ](low|high)s?\b|\b(low|high)s? of (?:the last )?(\d{1,4})/.exec(text);
  if (found === null) return null;
  const [n, side] = [found[1] ?? found[4] ?? '20', found[2] ?? found[3] ?? (usual === 'up' ? 'high' : 'low')];
  const when = side === 'high' ? `close > highest(high, ${n})[1]` : `close < lowest(low, ${n})[1]`;
  return { rule: formula(when, timeframe), isEvent: true, subject: text };
}

const ENDS =
  /(?:_(?:cross|flip|up|down|bullish|bearish|positive|negative|long|short|above|below|upper|lower|breakout|overbought|oversold|shift|reversal|crossover|zero|trigger|regime|trend))+$/;

let titled: readonly { readonly words: RegExp; readonly key: string }[] | null = null;

/** Signals by what their names begin with, and by the title of their indicator; the longest first. */
function titledSignals() {
  if (titled !== null) return titled;
  const own = signals.filter(isPlain).map(({ name, indicators: codes }) => ({ key: name.replace(ENDS, ''), codes }));
  const stems = own.map(({ key }) => ({ key, text: key.replaceAll('_', ' ') }));
  const titles = own.flatMap(({ key, codes: [code] }) => {
    const title = Object.entries(indicatorCatalogue).find(([each]) => each === code)?.[1].title;
    return title === undefined ? [] : [{ key, text: canonicalOf(title.toLowerCase(), 'en') }];
  });
  titled = [...stems, ...titles]
    .filter(({ text }) => isTelling(text))
    .sort((a, b) => b.text.length - a.text.length)
    .map(({ key, text }) => ({ key, words: new RegExp(`(?<![a-z_])${text.replace(/[^a-z0-9 ]/g, '.')}(?![a-z_])`) }));
  return titled;
}

/** `the Klinger volume oscillator is positive`, by the names of the registry alone */
function readCatalogue(text: string, { isEvent, direction, timeframe }: Relation): Condition | null {
  if (direction === null) return null;
  const found = titledSignals().find(({ words: pattern }) => pattern.test(text));
  if (found === undefined) return null;
  const rule =
    byDirection(found.key, isEvent, direction, timeframe) ?? byDirection(found.key, !isEvent, direction, timeframe);
  if (rule === null) return null;
  const [window] = numbersIn(text.replace(found.words, ' '));
  const params = window !== undefined && 'window' in rule.params ? { ...rule.params, window } : rule.params;
  return { rule: { ...rule, params }, isEvent: requireSignal(rule.name).type === 'TRIGGER', subject: text };
}

/** `price above 2000` */
function readLevel(text: string, { isEvent, direction, timeframe }: Relation): Condition | null {
  const [level] = [...text.matchAll(LEVEL)].map(([, digits]) => Number(digits));
  if (level === undefined || direction === null || !/\bprice\b/.test(text)) return null;
  const isUp = direction === 'up';
  const when = isEvent ? `crosses_${isUp ? 'above' : 'below'}(close, ${level})` : `close ${isUp ? '>' : '<'} ${level}`;
  return { rule: formula(when, timeframe), isEvent, subject: text };
}

const LEVEL =
  /(?:above|below) (?:the |[$\u20ac] ?)?(\d{1,9}(?:\.\d{1,6})?)(?![\d.]*\d| ?%| (?:day|period|bars|sma|ema))/g;

// Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
const PAIR = new RegExp(
  `(${AVERAGE}|\\d+)( ?\\(? ?\\d+ ?\\)?)? (?:and|und|y|et|/) (?=(?:the )?(?:\\d+|${AVERAGE})\\b)`,
  'g',
);
// Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
const SPLIT =
  /(?:\b(?:and|und|y|et|while|with|con|avec|mit|but|plus|aber|pero|mais|filter)\b|(?=\bwhen\b)|[|;:?!]|\.(?!\d)|,(?![^(]*\)))/;

/**
 * The conditions of a text in canonical words: what buys and what sells, each exactly the signal
 * that it names, with its numbers, or a formula that says the same.
 */
export function readRules(text: string, timeframe: string): ReadRules {
  const entry: Condition[] = [];
  const exit: Condition[] = [];
  const unread: string[] = [];
  let role: 'entry' | 'exit' = 'entry';
  let subject: string | null = null;
  let hasVerb = false;
  // Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
  const whole = text
    .replace(/([^,.;|]*\b(?:above|below|cross|oversold|overbought)\b[^,.;|]*?) (buy|sell)(?= ?(?:[,;|.]|$))/g, '$2 $1')
    .replace(/\b(?:only )?(?:if|when)\b[ |]*/g, 'when ')
    .replace(PAIR, '$1$2 / ')
    .replace(
      new RegExp(
        `((?:${oscillators.map(({ words: all }) => all).join('|')})[^|;]{0,40}?\\d) (?=(?:above|below) (?:the )?(?:\\d+ |price )?(?:day |period )?${AVERAGE}\\b)`,
        'g',
      ),
      '$1 ; price ',
    )
    .replace(/\b(buy|sell|without|decline)\b/g, ' | $1 ');
  for (const part of whole.split(SPLIT)) {
    const fragment = part.replace(/\s+/g, ' ').trim();
    if (fragment === '') continue;
    const isExcluding = /^(?:without|decline)\b/.test(fragment);
    if (isExcluding) {
      unread.push(...unreadIn(fragment, [], null));
      continue;
    }
    if (/\bbuy\b/.test(fragment)) [role, hasVerb] = ['entry', true];
    if (/\bsell\b/.test(fragment)) [role, hasVerb] = ['exit', true];
    const found = conditionIn(fragment.replace(/^when /, ''), { timeframe, role, subject });
    if (found !== null) {
      const rule = sameWindows(found, role === 'exit' ? entry : []);
      (role === 'entry' ? entry : exit).push(rule);
      unread.push(...unreadIn(fragment, names, rule.rule));
      subject = found.subject;
      continue;
    }
    const list = role === 'entry' ? entry : exit;
    const last = list.at(-1);
    const given = last === undefined ? null : withGiven(last, fragment);
    if (given !== null) list[list.length - 1] = given;
    else if ((hasVerb && isClause(fragment)) || /^when (?=.*[a-z]{3})/.test(fragment))
      unread.push(fragment.replace(/\b(?:buy|sell)\b/g, '').trim());
    else unread.push(...unreadIn(fragment, names, null));
  }
  return { entry: composed(entry), exit: composed(exit), unread };
}

/** A condition with a parameter that the next fragment gives; null where it gives none of its own. */
function withGiven(condition: Condition, fragment: string): Condition | null {
  const { rule } = condition;
  const [, name, digits] = /\b(multiplier|period|threshold) (?:of )?(\d{1,9}(?:\.\d{1,9})?)(?!\d)/.exec(fragment) ?? [];
  const key = name === 'period' ? 'window' : (name ?? '');
  if (!(key in rule.params)) return null;
  return { ...condition, rule: { ...rule, params: { ...rule.params, [key]: Number(digits) } } };
}

/** Whether a fragment after "buy" and "when" looks like a condition: more than a few small words. */
const isClause = (fragment: string): boolean =>
  /[a-z]{4,}/.test(
    fragment.replace(
      /\b(?:buy|sell|appears?|then|please|agree|instead|only|bitcoin|ethereum|when|price|trend|breakout|mean_reversion|momentum|flows|bars|daily|hour|chart|without|quiero|from|that|want|choose|rest|euro)\b/g,
      '',
    ),
  ) &&
  /\b(?:pattern|cross|above|below|forms?|completes?|appears?|indicator|signal|band|bands|line|average)\b/.test(
    fragment,
  );

const stemOf = ({ name }: PlannedRule): string => name.replace(/_(?:up|down|bullish_cross|bearish_cross)$/, '');

/** An exit of the kind of the entry has its windows, unless it names others. */
function sameWindows(exit: Condition, entries: readonly Condition[]): Condition {
  const like = entries.find(({ rule }) => stemOf(rule) === stemOf(exit.rule));
  if (like === undefined || numbersIn(exit.subject).length > 0) return exit;
  const { threshold: _, direction: __, ...windows } = like.rule.params;
  return { ...exit, rule: { ...exit.rule, params: { ...exit.rule.params, ...windows } } };
}

const isSame = (one: PlannedRule, other: PlannedRule): boolean =>
  one.name === other.name && JSON.stringify(one.params) === JSON.stringify(other.params);

/** One trigger, the first event or else the first state, and filters. */
function composed(found: readonly Condition[]): PlannedRule[] {
  const first = found.findIndex(({ isEvent }) => isEvent);
  const trigger = found[Math.max(0, first)];
  if (trigger === undefined) return [];
  const filters = found
    // The same said twice is one rule.
    .filter((each, place) => each !== trigger && found.findIndex(({ rule }) => isSame(rule, each.rule)) === place)
    .filter(({ rule }) => !isSame(rule, trigger.rule))
    .map(({ rule }): PlannedRule => ({ ...rule, signal_type: 'FILTER' }));
  return [{ ...trigger.rule, signal_type: 'TRIGGER' }, ...filters];
}

/** Indicators by their words, with the first part of the names of their signals. */
const indicators: readonly (readonly [string, string])[] = [
  ...oscillators.map(({ words: own, key }) => [own, key] as const),
  ...channels.map(({ word, key }) => [word, key] as const),
  ...averages.map((each) => [each, each] as const),
  ['macd', 'macd'],
  ...others,
];

/** The same with all that rules may have for them; a word such as `volume` is named by formulas alone. */
const names: readonly NamedWord[] = [
  ...indicators.map(
    ([own, key]): NamedWord => [
      own,
      [`${key}_`, ...(own === 'donchian' ? ['highest', 'lowest'] : []), key, ...(own.match(/[a-z]{3,}/g) ?? [])],
    ],
  ),
  ['volume', ['volume']],
  ...catalogueWords,
];

/** First parts of the names of signals that a text says are not wanted. */
export function excludedIn(text: string): string[] {
  return indicators
    .filter(([own]) =>
      new RegExp(
        `\\b(?:without|decline) (?:(?:the|any|use|using|want|need|like|el|le|la|usar|utiliser) )*(?:${own})(?![a-z_])`,
      ).test(text),
    )
    .map(([, key]) => key);
}

/** First part of the names of the signals of the indicator that a text names. */
export const indicatorIn = (text: string): string | undefined =>
  indicators.find(([own]) => new RegExp(`(?<![a-z_])(?:${own})(?![a-z_])`).test(text))?.[1];

const FORMULA_PERIOD_MAX = 2_000;

/** Sentences about numbers that the parameters of rules may not have. */
export function outOfBounds(rules: readonly PlannedRule[], say: Say): string[] {
  return rules.flatMap(({ name, params }) => {
    const signal = requireSignal(name);
    if (name === 'formula') {
      const periods = [...String(params.when).matchAll(/\((?:close, |volume, |high, |low, )?(\d+)(?=[,)])/g)]
        .filter(({ index }) => !/crosses_(?:above|below)$/.test(String(params.when).slice(0, index)))
        .map(([, digits]) => Number(digits));
      const wild = periods.find((value) => value < 1 || value > FORMULA_PERIOD_MAX);
      return wild === undefined ? [] : [say('periodOutside', { most: FORMULA_PERIOD_MAX, value: wild })];
    }
    const wrong = Object.entries(signal.params).flatMap(([param, spec]) => {
      const value = params[param];
      if ((spec.type !== 'int' && spec.type !== 'float') || typeof value !== 'number') return [];
      const isSound = value >= spec.min && value <= spec.max && (spec.type === 'float' || Number.isInteger(value));
      const sentence = spec.type === 'int' ? 'wholeParamOutside' : 'paramOutside';
      return isSound ? [] : [say(sentence, { param, signal: name, low: spec.min, high: spec.max, value })];
    });
    const order = signal.constraints.flatMap(([left, operator, right]) => {
      const [value, beside] = [Number(params[left]), Number(params[right])];
      const isSound = operator === '<' ? value < beside : value <= beside;
      return isSound ? [] : [say('paramOrder', { param: left, signal: name, operator, other: right, value, beside })];
    });
    return [...wrong, ...order];
  });
}
