import { findSignal, requireSignal } from '../../../../engine/index.js';
import type { PlannedRule } from '../../candidate.js';
import { mirrored } from '../sides.js';
import {
  byDirection,
  type Condition,
  type Direction,
  directionIn,
  directionOf,
  EVENT,
  formula,
  numbersIn,
  type Relation,
  type Scope,
  signalRule,
} from './condition.js';
import { average, averages, channels, oscillators, others } from './indicator-words.js';
import { exactName, readCatalogue, readPattern, statedIn } from './read-names.js';

/** A state that holds where another does not; null for an event, and where no formula says it. */
export function negated({ rule, isEvent, subject }: Condition): Condition | null {
  if (isEvent) return null;
  const when = stateFormula(rule);
  const opposite = when === null ? null : /^([^<>=]+) (<|>) ([^<>=]+)$/.exec(when);
  if (opposite === null) return null;
  const [, left = '', sign = '', right = ''] = opposite;
  return { rule: formula(`${left} ${sign === '<' ? '>=' : '<='} ${right}`, rule.timeframe), isEvent: false, subject };
}

/** What the signal of a state says, as a comparison. */
function stateFormula({ name, params }: PlannedRule): string | null {
  if (name === 'formula') return String(params.when);
  const n = Number(params.window);
  const type = averages.find((each) => name === `is_above_${each}` || name === `price_above_${each}`);
  if (type !== undefined) return `close > ${average(type, n)}`;
  if (name === 'adx_strong_trend') return `adx(${n}) > ${String(params.threshold)}`;
  const own = oscillators.find(({ key }) => name === `${key}_oversold` || name === `${key}_overbought`);
  if (own === undefined || params.threshold === undefined) return null;
  return `${own.formula(n)} ${name.endsWith('_oversold') ? '<' : '>'} ${String(params.threshold)}`;
}

/** A state or a level is said of an indicator without a relation too: "RSI oversold", "ADX 30". */
const LEVELLED = /\b(?:oversold|overbought|middle_band)\b|\badx\b.*\d/;

/** Reads one fragment; null where it has no condition. */
export function conditionIn(fragment: string, { timeframe, role, subject, written }: Scope): Condition | null {
  const usual = usualOf(role);
  const own = /(?<![a-z])formula_([a-z])(?![a-z_])/.exec(fragment)?.[1];
  if (own !== undefined) {
    const when = written[own.charCodeAt(0) - 'a'.charCodeAt(0)] ?? '';
    return { rule: formula(when, timeframe), isEvent: when.includes('crosses_'), subject: when };
  }
  const direct = exactName(fragment, timeframe);
  if (direct !== null) return direct;
  const text = withChannel(fragment, subject)
    .replace(/\b(upper|lower) (?=bollinger|donchian|keltner)/g, '$1_')
    .replace(/\b(bollinger|donchian|keltner)( \(?[\d., ]+\)?)? (upper|lower)(?: band)?\b/g, '$3_$1$2');
  const isEvent = EVENT.test(text);
  const direction = directionIn(text.replace(/\b(?:upper|lower)_/g, ' '));
  const cross = golden(text, timeframe);
  if (cross !== null) return cross;
  for (const read of [
    readBody,
    readAtrShare,
    readMiddle,
    readPair,
    readChannel,
    readMacd,
    readOscillator,
    readVolume,
    readAverage,
    readVwap,
    readOther,
    readPattern,
    readExtreme,
    readCatalogue,
    readLevel,
  ]) {
    const found = read(text, { isEvent, direction, usual, timeframe, role, subject });
    if (found !== null)
      return isEvent || direction !== null || LEVELLED.test(text) ? found : { ...found, isVague: true };
  }
  const isMore =
    subject !== null &&
    (isEvent || direction !== null) &&
    /\b(?:it|er|sie|es|il|elle|lo|la|cross|above|below)\b/.test(text) &&
    !/^(?:above|below)(?: (?:the|el|le|la|das|den))?$/.test(text);
  if (!isMore) return null;
  // "Back" is the other way than the subject went.
  const isBack = direction === null && /\bback\b/.test(text);
  const other = isBack ? ({ up: 'below', down: 'above' } as const)[directionIn(subject) ?? usualOf('entry')] : '';
  const whole = `${subjectOnly(subject, text, isBack)} ${text.replace(/\b(?:it|back)\b/g, ' ')} ${other}`.trim();
  const found = conditionIn(whole, { timeframe, role, subject: null, written });
  return found === null ? null : turned(found, subject, direction);
}

/** "Above the cloud, ... below": a subject that is the name of a signal has its side in the name. */
function turned(found: Condition, subject: string, direction: Direction | null): Condition | null {
  const name = /\b[a-z0-9]+(?:_[a-z0-9]+)+\b/.exec(subject)?.[0];
  const own = directionOf(name ?? '');
  if (name !== found.rule.name || own === null || direction === null || own === direction) return found;
  const rule = mirrored(found.rule);
  return rule === null ? null : { ...found, rule, subject: subject.replace(name, rule.name) };
}

/** "The upper band" is of the channel that was spoken of, or of the Bollinger bands. */
function withChannel(fragment: string, subject: string | null): string {
  if (!/\b(?:upper|lower) (?:band|line|banda|bande|channel|canal|kanal)\b/.test(fragment)) return fragment;
  if (channels.some(({ word }) => fragment.includes(word))) return fragment;
  const spoken = channels.find(({ word }) => subject?.includes(word) === true);
  const given = spoken === undefined ? null : new RegExp(`${spoken.word} ?(\\([\\d., ]+\\))`).exec(subject ?? '');
  return fragment.replace(
    /\b(upper|lower) (?:band|line|banda|bande|channel|canal|kanal)\b/,
    `$1 ${spoken?.word ?? 'bollinger'}${given === null ? '' : ` ${given[1]}`}`,
  );
}

/** What opens a long position or closes a short one is usually a rise. */
const usualOf = (role: Scope['role']): Direction => (role === 'entry' || role === 'short_exit' ? 'up' : 'down');

/** "RSI 7 is below 20": the first number is no threshold, and stays with "above 80". */
const PERIOD_BEFORE_LEVEL = new RegExp(
  `\\b((?:${oscillators.map(({ words }) => words).join('|')})) (\\d{1,3}) (?=(?:[a-z]+ ){0,3}(?:above|below|cross)\\b)`,
  'g',
);

/** The subject without its relation; its threshold only where the new fragment has none. */
function subjectOnly(subject: string, fragment: string, isBack: boolean): string {
  // The way back crosses the same band.
  const relation = subject
    .replace(PERIOD_BEFORE_LEVEL, '$1 ($2) ')
    .replace(/\b(?:cross|above|below|breakout|buy|sell|when)\b/g, ' ');
  const bare = isBack ? relation : relation.replace(/\b(?:upper|lower)(?:_| )/g, ' ');
  return numbersIn(fragment).length === 0
    ? bare
    : bare.replace(/(?<![(\w.,])-?\d+(?:\.\d+)?(?![)\w.,]| ?(?:day|period|bars|ema|sma))/g, ' ');
}

const isExit = (role: Scope['role']): boolean => role === 'exit' || role === 'short_exit';

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
  // The ATR of a Keltner channel has a period of its own.
  const ofAtr = /\batr ?\(? ?(\d{1,3})\b|(?<![\d.])(\d{1,3}) atr\b/.exec(text);
  const bare = (ofAtr === null ? text : text.replace(ofAtr[0], ' ')).replace(/(?<=\d) ?x(?![a-z])/g, ' ');
  const [n = channel.n, m = 2] = numbersIn(bare).map((value) => Math.abs(value));
  const atr = ofAtr === null ? {} : { window_atr: Number(ofAtr[1] ?? ofAtr[2]) };
  const out: Direction = side === 'upper' ? 'up' : 'down';
  const way = direction ?? out;
  const event = isEvent || direction === null;
  const params = { window: n, window_dev: m, multiplier: m, ...atr };
  const name = event
    ? `${channel.key}_${side}_breakout`
    : `${channel.key}_${side === 'upper' ? 'above_upper' : 'below_lower'}`;
  const signal = findSignal(name);
  // Some channels take a whole width only; a formula takes any.
  const isWhole = Number.isInteger(m) || signal?.params.window_dev?.type !== 'int';
  if (way === out && signal !== undefined && isWhole)
    return { rule: signalRule(name, timeframe, params), isEvent: event, subject: text };
  const line = channel.line(side, n, m);
  const when = event
    ? `crosses_${way === 'up' ? 'above' : 'below'}(close, ${line})`
    : `close ${way === 'up' ? '>' : '<'} ${line}`;
  return { rule: formula(when, timeframe), isEvent: event, subject: text };
}

/** Lines of one indicator that are compared with each other, by their words and in formulas. */
const pairsOfLines: readonly (readonly [up: RegExp, down: RegExp, upLine: string, downLine: string])[] = [
  [/\bplus_di\b/, /\bminus_di\b/, 'plus_di(14)', 'minus_di(14)'],
  [/\baroon above\b/, /\baroon below\b/, 'aroon_up(25)', 'aroon_down(25)'],
  [/\btenkan\b/, /\bkijun\b/, 'midpoint(9)', 'midpoint(26)'],
];

/** `+DI above -DI` */
function readPair(text: string, { isEvent, usual, timeframe }: Relation): Condition | null {
  for (const [up, down, upLine, downLine] of pairsOfLines) {
    const [one, other] = [up.exec(text), down.exec(text)];
    if (one === null || other === null) continue;
    const isUpFirst = one.index < other.index;
    const between = text.slice(Math.min(one.index, other.index) + (isUpFirst ? one : other)[0].length);
    const way = directionIn(between.slice(0, Math.abs(one.index - other.index))) ?? usual;
    const isUp = (way === 'up') === isUpFirst;
    if (!isEvent && isUp && upLine === 'plus_di(14)')
      return { rule: signalRule('adx_bullish_di', timeframe), isEvent, subject: text };
    const when = isEvent
      ? `crosses_${isUp ? 'above' : 'below'}(${upLine}, ${downLine})`
      : `${upLine} ${isUp ? '>' : '<'} ${downLine}`;
    return { rule: formula(when, timeframe), isEvent, subject: text };
  }
  return null;
}

/** The middle of the Bollinger bands, which is the simple average of their window. */
function readMiddle(text: string, { isEvent, direction, timeframe, role, subject }: Relation): Condition | null {
  if (!/\bmiddle_band\b/.test(text)) return null;
  const width = subject === null ? null : /bollinger ?\(? ?(\d+)/.exec(subject);
  const n = numbersIn(text)[0] ?? (width === null ? 20 : Number(width[1]));
  // "Sell at the middle band" comes from the side where the position was opened: one that was
  // bought above the band waits until the price falls to its middle.
  const fromAbove = isExit(role) && subject !== null && /upper|bollinger.*\babove\b|\babove\b.*bollinger/.test(subject);
  const fromBelow = role === 'exit' || (subject !== null && /lower|\bbelow\b/.test(subject));
  const isUp = direction === null ? !fromAbove && (fromBelow || role !== 'short_exit') : direction === 'up';
  const isCross = isEvent || (direction === null && !isExit(role));
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
  // A level without a side is one only where low values say nothing, as those of the ADX.
  if (direction === null && !isEvent && own.key !== 'adx' && own.key !== 'natr') return null;
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
  const level = state === null ? undefined : findSignal(state)?.params.threshold;
  const mayBe =
    level === undefined || !('min' in level) || (threshold >= Number(level.min) && threshold <= Number(level.max));
  if (state !== null && mayBe) return { rule: signalRule(state, timeframe, params), isEvent: false, subject: text };
  return {
    rule: formula(`${own.formula(period)} ${way === 'up' ? '>' : '<'} ${threshold}`, timeframe),
    isEvent: false,
    subject: text,
  };
}

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

/** A price beside its volume-weighted average: a state is a signal, a cross a formula. */
function readVwap(text: string, { isEvent, direction, usual, timeframe }: Relation): Condition | null {
  if (!/\bvwap\b/.test(text) || (direction === null && !isEvent)) return null;
  const way = direction ?? usual;
  const [n = 14] = numbersIn(text);
  const rule = isEvent
    ? formula(`crosses_${way === 'up' ? 'above' : 'below'}(close, vwap(${n}))`, timeframe)
    : signalRule(`vwap_${way === 'up' ? 'above' : 'below'}`, timeframe, { window: n });
  return { rule, isEvent, subject: text };
}

function readOther(text: string, { isEvent, direction, usual, timeframe }: Relation): Condition | null {
  const found = others.find(([pattern]) => new RegExp(`(?<![a-z_])(?:${pattern})(?![a-z_])`).test(text));
  // An ATR alone is a distance.
  if (found === undefined || (found[1] === 'atr_trailing_stop' && direction === null && !isEvent)) return null;
  const way = direction ?? usual;
  const isTrigger = isEvent || direction === null;
  const rule = byDirection(found[1], isTrigger, way, timeframe) ?? byDirection(found[1], !isTrigger, way, timeframe);
  if (rule === null) return null;
  const multiplier = /\bmultiplier(?: of)? (\d+(?:\.\d+)?)/.exec(text);
  const given = new RegExp(
    `(?:${found[0]}) ?(?:\\( ?|of |with )?(\\d{1,5})(?![\\d.]{0,9}[a-z%])(?:[ ,/]{1,3}(\\d{1,5}(?:\\.\\d{1,5})?))?`,
  ).exec(text);
  const params: Record<string, unknown> = { ...rule.params };
  const many = multiplier?.[1] ?? given?.[2];
  if (many !== undefined && 'multiplier' in params) params.multiplier = Number(many);
  if (given?.[1] !== undefined && 'window' in params) params.window = Number(given[1]);
  const stated = statedIn(text, rule.name);
  return {
    rule: { ...rule, params: { ...params, ...stated } },
    isEvent: requireSignal(rule.name).type === 'TRIGGER',
    subject: text,
  };
}

function readVolume(text: string, { direction, timeframe }: Relation): Condition | null {
  if (!/\bvolume\b(?! weighted)/.test(text) || /\bprice\b/.test(text)) return null;
  const many = TIMES_VOLUME.exec(text);
  // "Volume twice its average" is at least as much.
  const way = direction ?? (many === null ? null : 'up');
  if (way === null) return null;
  const rest = many === null ? text : text.replace(many[0], ' ');
  const n = numbersIn(rest).find((value) => value >= 2) ?? 20;
  const share = many?.[2] === undefined ? undefined : 1 + (way === 'up' ? 1 : -1) * (Number(many[2]) / 100);
  const times = Number(many?.[1] ?? share ?? 1);
  const line = `${times === 1 ? '' : `${Number(times.toPrecision(6))} * `}sma(volume, ${n})`;
  return {
    rule: formula(`volume ${way === 'up' ? '>' : '<'} ${line}`, timeframe),
    isEvent: false,
    subject: text,
  };
}

/** `1.5x its average`, `50 % above its average` */
const TIMES_VOLUME =
  /(?<![\d.])(\d{1,3}(?:\.\d{1,3})?) ?(?:x|\*|times|mal|veces|fois)(?![a-z])|(?<![\d.])(\d{1,3}(?:\.\d{1,3})?) % (?=above|below)/;

const BODY =
  /\b(?:price|close|it)(?: is| cross)* (above|below) (?:the |its |own |that )*open\b(?! interest)|\b(?:price|bars?|candle)s?(?: (?:is|cross))* (green|red|white|black)\b|\b(green|red) (?:bars?|candle|price)\b/;

/** A bar that ends above or below its open. */
function readBody(text: string, { timeframe }: Relation): Condition | null {
  const found = BODY.exec(text);
  if (found === null) return null;
  const isUp = /above|green|white/.test(found[1] ?? found[2] ?? found[3] ?? '');
  return { rule: formula(`close ${isUp ? '>' : '<'} open`, timeframe), isEvent: false, subject: text };
}

const ATR_SHARE = /\batr ?(?:\( ?(\d{1,3}) ?\))?[^|;%]{0,30}?(above|below)[^|;%\d]{0,15}?(\d{1,3}(?:\.\d{1,4})?) %/;

/** `ATR above 1 % of the price` */
function readAtrShare(text: string, { timeframe }: Relation): Condition | null {
  const found = ATR_SHARE.exec(text);
  if (found === null) return null;
  const when = `natr(${found[1] ?? 14}) ${found[2] === 'above' ? '>' : '<'} ${Number(found[3])}`;
  return { rule: formula(when, timeframe), isEvent: false, subject: text };
}

const NEW_HIGH = /\bbreakout (?:of|de|von|der) (?:the |los |las |les |last )*(\d{1,4}) ?(?:day|bars|hour|period)\b/;

/** `10 bar low`, `a new high of 20 days` */
function readExtreme(text: string, { usual, timeframe }: Relation): Condition | null {
  const high = NEW_HIGH.exec(text);
  if (high !== null)
    return { rule: formula(`close > highest(high, ${high[1]})[1]`, timeframe), isEvent: true, subject: text };
  const found =
    /(\d{1,4})[- ]?(?:bars|day|period|hour)(?:'s?)?[- ](low|high)s?\b|\b(low|high)s? (?:of|der|de|des|du) (?:the |los |las |les |der |den )?(?:last )?(\d{1,4})/.exec(
      text,
    );
  if (found === null) return null;
  const [n, side] = [found[1] ?? found[4] ?? '20', found[2] ?? found[3] ?? (usual === 'up' ? 'high' : 'low')];
  const when = side === 'high' ? `close > highest(high, ${n})[1]` : `close < lowest(low, ${n})[1]`;
  return { rule: formula(when, timeframe), isEvent: true, subject: text };
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
