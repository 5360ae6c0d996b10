import { requireSignal } from '../../../../engine/index.js';
import { type PlannedRule, type Role, roles } from '../../candidate.js';
import { isOf } from '../change.js';
import type { ConsumedText } from '../consumed-text.js';
import { START } from '../read-parameters.js';
import { directionOf } from './condition.js';
import { channels, indicatorIn, indicatorKeys, indicatorWords, oscillators } from './indicator-words.js';
import { conditionIn } from './read-condition.js';
import { patternWords } from './read-names.js';

type Rules = Readonly<Partial<Record<Role, readonly PlannedRule[]>>>;

/** One indicator in the place of another: "use the Williams %R instead of the stochastic". */
interface Exchange {
  /** First part of the names of the signals of the old one. */
  readonly was: string;
  /** The rules with the new one, by their roles; null where the message says its own. */
  readonly rules: Rules | null;
  /** The new one in words, where nothing says of it what the old rules say. */
  readonly unread: readonly string[];
}

const NAMES = [...patternWords].sort((a, b) => b.length - a.length).join('|');
const THING = `((?<![a-z_])(?:${NAMES}|${indicatorWords})(?![a-z_])(?: ?\\([\\d., ]{1,20}\\))?)`;
const OF =
  "(?:(?:of|than|the|my|an?|1|bands?|de|que|von|vom|des|du|del|dem|den|der|die|das|le|la|el|les|los|las|un|une|una|ein|eine|einen) |l'|d')*";
const FOR = '(?:for|by|with|to|into|par|pour|contre|durch|gegen|mit|auf|zu|por|con|a|en)';
const USE =
  '(?:[ ,.]*(?:but|sondern|sino|mais|instead|use|rather|then|take|and|y|et|und|aber|it|is|make|nimm|usa|pon|mets|prends|utilise|please|with|mit|con|avec))*[ ,]*';

/** Ways to put one in the place of another, with the places of the new and the old one. */
const patterns: readonly (readonly [pattern: RegExp, is: 1 | 2])[] = [
  // "the Keltner channel instead of the Bollinger bands"
  [new RegExp(`(?<=${THING}[^;|!?.:,]{0,30}? ?)\\b(?:instead|without) ${OF}${THING}`), 1],
  // "rather the stochastic than the MFI"
  [new RegExp(`(?<=\\binstead ${OF}${THING}) (?:than|que|als|de) ${OF}${THING}`), 1],
  // "replace the stochastic by the Williams %R"
  [new RegExp(`\\binstead ${OF}${THING} (?:band |bands )?${FOR} ${OF}(?=${THING})`), 2],
  // "not the stochastic, the stochastic RSI", "instead of the RSI use the MFI"
  [new RegExp(`\\b(?:without|decline|instead) ${OF}${THING}${USE} ?${OF}(?=${THING})`), 2],
];

const CORRECTS = /\b(?:instead|scratch_that)\b/;
/** "Rather the stochastic", where all rules are of one indicator. */
const ALONE = new RegExp(`${START}${OF}${THING}(?:[ ,.]*(?:instead|please|same|threshold))*\\W*$`);

const RELATION = /\b(?:above|below|cross|breakout|oversold|overbought|when)\b/;

/** Takes the words that put an indicator in the place of one of the known rules. */
export function takeExchange(text: ConsumedText, known: Rules, timeframe: string): Exchange | null {
  for (const [pattern, place] of patterns) {
    const found = pattern.exec(text.rest);
    const [is, old] = [found?.[place] ?? '', found?.[3 - place] ?? ''];
    const was = keyOf(old);
    const isKnown = roles.some((role) => (known[role] ?? []).some((rule) => isOf(rule, was)));
    if (found === null || !isKnown || keyOf(is) === was) continue;
    text.take(pattern);
    if (RELATION.test(text.rest)) return { was, rules: null, unread: [] };
    text.take(new RegExp(is.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
    const rules = withOther(known, was, is, timeframe);
    return rules === null ? { was, rules: {}, unread: [is] } : { was, rules, unread: [] };
  }
  const alone = CORRECTS.test(text.rest) ? ALONE.exec(text.rest)?.[1] : undefined;
  const was = soleOf(known);
  if (alone === undefined || was === null || keyOf(alone) === was) return null;
  const rules = withOther(known, was, alone, timeframe);
  if (rules === null) return null;
  text.take(ALONE);
  return { was, rules, unread: [] };
}

/** The rules with another indicator; null where nothing says of it what one of them says. */
function withOther(known: Rules, was: string, is: string, timeframe: string): Rules | null {
  const rules: Partial<Record<Role, readonly PlannedRule[]>> = {};
  for (const role of roles) {
    const before = known[role] ?? [];
    if (!before.some((rule) => isOf(rule, was))) continue;
    const after = before.map((rule) => (isOf(rule, was) ? exchanged(rule, is, role, timeframe) : rule));
    if (after.includes(null)) return null;
    rules[role] = after as PlannedRule[];
  }
  return rules;
}

/** The one indicator of which all known rules are; null where they are of several, or there are none. */
function soleOf(known: Rules): string | null {
  const all = roles.flatMap((role) => known[role] ?? []);
  const keys = indicatorKeys.filter((key) => all.some((rule) => isOf(rule, key)));
  const [key] = keys;
  return keys.length === 1 && key !== undefined && all.every((rule) => isOf(rule, key)) ? key : null;
}

const bare = (words: string): string => (words.split('(')[0] ?? '').trim();
const keyOf = (words: string): string =>
  patternWords.includes(bare(words)) ? bare(words).replaceAll(' ', '_') : (indicatorIn(words) ?? bare(words));

type Range = readonly [low: number, high: number];

/** Where the values of oscillators lie; others have no bounds. */
const ranges: Readonly<Record<string, Range>> = {
  ...{ rsi: [0, 100], stoch: [0, 100], mfi: [0, 100] },
  ...{ stochrsi: [0, 1], williams_r: [-100, 0] },
};

/** What a rule says, of another indicator; null where nothing says it. */
function exchanged(rule: PlannedRule, words: string, role: Role, timeframe: string): PlannedRule | null {
  const { name, signal_type, params } = rule;
  const when = name === 'formula' ? String(params.when) : '';
  const isEvent = name === 'formula' ? when.startsWith('crosses_') : requireSignal(name).type === 'TRIGGER';
  const said = `${when.replace('>', 'above').replace('<', 'below')} ${name} ${String(params.direction ?? '')}`;
  const way = directionOf(said);
  const level = params.threshold ?? /(?:[<>] |, )(-?\d+(?:\.\d+)?)\)?$/.exec(when)?.[1];
  const isLevelled = oscillators.some(({ key }) => isOf(rule, key)) && level !== undefined;
  const oscillator = oscillators.find(({ key }) => key === indicatorIn(words));
  if (way === null && !patternWords.includes(bare(words))) return null;
  // A level says something of an oscillator alone.
  if ((oscillator !== undefined) !== isLevelled) return null;
  const own = oscillators.find(({ key }) => isOf(rule, key))?.key ?? '';
  const value = oscillator === undefined ? '' : scaled(Number(level), ranges[own], ranges[oscillator.key]);
  if (value === null) return null;
  const side = /_(upper|lower)(?![a-z])/.exec(said)?.[1];
  const isChannel = side !== undefined && channels.some(({ word }) => words.includes(word));
  const relation = `${isEvent ? 'cross ' : ''}${way === 'up' ? 'above' : 'below'}`;
  const text = isChannel ? `price ${relation} ${side} ${words}` : `${words} ${relation} ${value}`;
  const found = conditionIn(text.trim(), { timeframe, role, subject: null, written: [] });
  return found === null ? null : { ...found.rule, signal_type };
}

/** A level at the same place of another range. */
function scaled(level: number, from: Range | undefined, to: Range | undefined): number | null {
  if (from === undefined || to === undefined) return null;
  const share = (level - from[0]) / (from[1] - from[0]);
  return Number((to[0] + share * (to[1] - to[0])).toPrecision(6));
}
