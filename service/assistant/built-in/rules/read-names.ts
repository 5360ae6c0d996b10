import { findSignal, indicatorCatalogue, requireSignal, type Signal, signals } from '../../../../engine/index.js';
import { canonicalOf } from '../canonical.js';
import { ruleOf } from '../propose.js';
import { isTelling } from '../unread.js';
import {
  byDirection,
  type Condition,
  directionIn,
  isPlain,
  numbersIn,
  type Relation,
  signalRule,
} from './condition.js';

const words = (signal: Signal): string => signal.name.replaceAll('_', ' ');
const named = signals
  .filter(isPlain)
  .map((signal) => ({ signal, words: words(signal) }))
  .sort((a, b) => b.words.length - a.words.length);
/** The words of canonical texts. */
const canonicalWords = (all: string): string =>
  all
    .replace(/\bthree\b/g, '3')
    .replace(/\btwo\b/g, '2')
    .replace(/\bup\b/g, 'above')
    .replace(/\bdown\b/g, 'below');
const patterns = named
  .filter(({ signal }) => signal.name.endsWith('_trigger'))
  .map(({ signal, words: all }) => ({ signal, words: canonicalWords(all.replace(/ trigger$/, '')) }))
  .filter(({ words: all }) => all !== 'bullish' && all.length > 3);

/** Names of candle patterns. */
export const patternWords: readonly string[] = patterns.map(({ words: all }) => all);

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
export function exactName(text: string, timeframe: string): Condition | null {
  const spelled = /\b[a-z0-9]+(?:_[a-z0-9]+)+\b/.exec(text)?.[0];
  const signal = (spelled === undefined ? undefined : findSignal(spelled)) ?? calledIn(text);
  if (signal === undefined || !isPlain(signal)) return null;
  const rule = ruleOf(signal, signal.type, timeframe);
  const rest = text.replace(spelled ?? '', ' ');
  const given: Record<string, unknown> = {};
  const direction = directionIn(rest);
  if (signal.bias === 'by_direction' && direction !== null)
    given.direction = direction === 'up' ? 'bullish' : 'bearish';
  Object.assign(given, inOrderIn(text, spelled ?? '', signal), statedIn(rest, signal.name));
  return { rule: { ...rule, params: { ...rule.params, ...given } }, isEvent: signal.type === 'TRIGGER', subject: text };
}

/** Parameters in the order of the catalogue, in brackets after the name: `atr_trailing_stop_short (10, 2)`. */
function inOrderIn(text: string, spelled: string, { params }: Signal): Record<string, number> {
  const given = new RegExp(`${spelled} ?\\(([\\d., ]{1,40})\\)`).exec(text)?.[1];
  if (spelled === '' || given === undefined) return {};
  const keys = Object.keys(params).filter((key) => params[key]?.type === 'int' || params[key]?.type === 'float');
  const values = numbersIn(given.replaceAll(',', ' , '));
  return Object.fromEntries(keys.slice(0, values.length).map((key, i) => [key, values[i] ?? 0]));
}

/** Parameters of a signal that a text gives by their keys: `step 0.01`, `max step .1`. */
export function statedIn(text: string, name: string): Record<string, number> {
  const given: Record<string, number> = {};
  // A longer key such as "max step" is none of the shorter one.
  const keys = Object.entries(requireSignal(name).params).sort(([a], [b]) => b.length - a.length);
  let rest = text;
  for (const [key, spec] of keys) {
    if (spec.type !== 'int' && spec.type !== 'float') continue;
    const pattern = new RegExp(`\\b(?:${key}|${wordsOfKey(key)})(?: of|=|:)? ?(-?\\d{1,9}(?:\\.\\d{1,9})?)`);
    const stated = pattern.exec(rest);
    if (stated === null) continue;
    given[key] = Number(stated[1]);
    rest = rest.replace(stated[0], ' ');
  }
  return given;
}

/** How people say a key: `max step`, or `max` where a shorter key is the rest of it. */
const wordsOfKey = (key: string): string =>
  key === 'max_step' ? 'max(?:imum)?(?: step)?' : key.replaceAll('_', ' ').replace(/\bmult\b/, '(?:mult|multiplier)');

export function readPattern(text: string, { direction, usual, timeframe }: Relation): Condition | null {
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
export function readCatalogue(text: string, { isEvent, direction, timeframe }: Relation): Condition | null {
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
