import { type PlannedRule, type Role, roles } from '../../candidate.js';
import type { Sides } from '../../mind.js';
import { withParameter } from '../change.js';
import { mirroredAll } from '../sides.js';
import { unreadIn } from '../unread.js';
import { type Condition, numbersIn } from './condition.js';
import { AVERAGE, indicatorIn, names, oscillators } from './indicator-words.js';
import { withBackCrosses, withExitLevels } from './levels.js';
import { conditionIn, negated } from './read-condition.js';
import { patternWords, statedIn } from './read-names.js';
import { subjectOf } from './subject.js';

interface ReadRules extends Readonly<Record<Role, readonly PlannedRule[]>> {
  /** What no rule has: conditions, numbers and names, in canonical words. */
  readonly unread: readonly string[];
}

/** Verbs of canonical words, and the lists of rules that they fill. */
const verbs: Readonly<Record<string, Role>> = {
  buy: 'entry',
  sell: 'exit',
  short: 'short_entry',
  reverse: 'short_entry',
  cover: 'short_exit',
};
const VERB = `(?:${Object.keys(verbs).join('|')})`;
const VERBS = new RegExp(`\\b${VERB}\\b`);

// Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
const PAIR = new RegExp(
  `(${AVERAGE}|\\d+)( ?\\(? ?\\d+ ?\\)?)? (?:and|und|y|et|/) (?=(?:the )?(?:\\d+|${AVERAGE})\\b)`,
  'g',
);
// Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
const SPLIT =
  /(?:\b(?:and|und|y|et|while|with|con|avec|mit|but|plus|aber|pero|mais|filter)\b|(?=\b(?:when|unless)\b)|[|;:?!]|\.(?!\d)|,(?![^(]*\)))/;

/** Lines that are of the indicator which was spoken of. */
const NAMELESS =
  /\bmiddle_band\b|\b(?:upper|lower) (?:band|line|banda|bande|channel|canal|kanal)\b|\b(?:banda|bande|band) (?:upper|lower)\b/;
/** What speaks of the event that was said: "back", "the cross down", "on a cross below". */
const THE_EVENT =
  /\bback\b|\b(?:the|a|an|el|la|le|al|der|das|dem|bei|beim|au|un|une) cross\b(?! (?:of|de|von)\b)(?!.*\d)/;
/** A band without a name is a Bollinger band. */
const BAND = /\b(?:(?:upper|lower) (?:band|banda|bande)|(?:banda|bande|band) (?:upper|lower))\b/;

/** Rules of which another one may be the way back, by its role. */
const likes: Readonly<Record<Role, readonly Role[]>> = {
  entry: [],
  exit: ['entry', 'short_entry'],
  short_entry: ['entry'],
  short_exit: ['short_entry', 'entry'],
};

/** "Sell above 70. Only above the EMA 200" bounds what opens a position, and no exit. */
const ONLY_SENTENCE = /(\.(?!\d)|[;!]) ?(?:(?:and|but|also|please) )?only (?=when\b|above\b|below\b)/g;

const SCRATCH = 'scratch_that';

const RELATION =
  /\b(?:when|above|below|cross|oversold|overbought|breakout|middle_band|bullish|bearish|touch)\b|\bformula_[a-z]\b/;
const LONE_VERB =
  /^(?:(?:then|please|and|we|i|and|is|my|->|=|to) ?)*(buy|sell|short|reverse|cover)(?: ?(?:it|signal|then|please))*$/;

/** "RSI below 30, buy; over 70, sell": a verb that follows its conditions is put before them. */
function verbsFirst(text: string): string {
  return text
    .split(/(?<=[;|!?]|\.(?!\d))/)
    .map((sentence) => {
      // Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
      const parts = sentence.split(/(,(?![^(]*\))|[;|!?.]$)/);
      let from = 0;
      for (const [place, part] of parts.entries()) {
        if (place % 2 === 1) continue;
        const bare = part.trim();
        const verb = LONE_VERB.exec(bare)?.[1];
        const before = parts.slice(from, place).join('');
        if (verb !== undefined && RELATION.test(before) && !VERBS.test(before)) {
          const start = parts.findIndex((each, i) => i >= from && i % 2 === 0 && RELATION.test(each));
          parts[start] = ` ${verb} ${parts[start] ?? ''}`;
          parts[place] = ' ';
          from = place + 1;
        } else if (VERBS.test(bare)) from = place;
      }
      return parts.map(afterWords).join('');
    })
    .join('');
}

const TITLE = ' is_title ';

/** "RSI de 7", "an RSI of 7" */
const OF_PERIOD = new RegExp(
  `\\b((?:${oscillators.map(({ words: all }) => all).join('|')})) (?:de|of|von|with|con|mit|a|avec) (\\d{1,3})(?![\\d.]*%|\\d)`,
  'g',
);

/** "VWAP reclaim: buy when ...": what stands before the colon names the idea, and no rule beside one. */
function titled(said: string): string {
  // "RSI 7: below 20 buy" has no title, but its subject once.
  const text = said.replace(/ ?: ?(?=(?:when )?(?:above|below|cross)\b)/g, ' ');
  const at = text.indexOf(':');
  const title = text.slice(0, Math.max(0, at));
  const isOne = at > 0 && at < 60 && !/[;|.!?]/.test(title) && !VERBS.test(title) && VERBS.test(text.slice(at));
  return isOne ? `${title}${TITLE};${text.slice(at + 1)}` : text;
}

const ONE_VERB = new RegExp(`\\b(${VERB})\\b`);

/** "RSI < 30 buy RSI > 70 sell": each verb stands after its condition, so the last word is one. */
function afterWords(part: string): string {
  const [first = '', ...pieces] = part.split(ONE_VERB);
  const isLast = pieces.length >= 4 && pieces.at(-1)?.trim() === '';
  if (!isLast || !RELATION.test(first)) return part;
  const conditions = [first, ...pieces.filter((_, i) => i % 2 === 1)];
  const own = pieces.filter((_, i) => i % 2 === 0);
  return own.map((verb, i) => ` ${verb} ${conditions[i] ?? ''} `).join(';');
}

/** The rules of a message that corrects itself: "a Bollinger breakout, no wait, a Keltner one". */
function corrected(was: ReadRules, is: ReadRules): ReadRules {
  const isCorrected = roles.some((role) => is[role].length > 0);
  const of = (role: Role) => (is[role].length > 0 ? is[role] : was[role]);
  return {
    ...{ entry: of('entry'), exit: of('exit'), short_entry: of('short_entry'), short_exit: of('short_exit') },
    unread: isCorrected ? is.unread : [...was.unread, ...is.unread],
  };
}

/** Rules that were known before a message. */
type KnownRules = Readonly<Partial<Record<Role, readonly PlannedRule[]>>> & { readonly sides?: Sides };

/**
 * The conditions of a text in canonical words: what buys and what sells, each exactly the signal
 * that it names, with its numbers, or a formula that says the same. "Sell when it crosses back"
 * speaks of the rule that is known.
 */
export function readRules(
  text: string,
  timeframe: string,
  known: KnownRules = {},
  written: readonly string[] = [],
): ReadRules {
  const at = text.lastIndexOf(SCRATCH);
  if (at >= 0) {
    const [was, is] = [text.slice(0, at), text.slice(at + SCRATCH.length)].map((part) =>
      readRules(part, timeframe, known, written),
    );
    return corrected(was as ReadRules, is as ReadRules);
  }
  const found: Record<Role, Condition[]> = { entry: [], exit: [], short_entry: [], short_exit: [] };
  const unread: string[] = [];
  // After "short BTC" a condition without a verb sells short.
  const sellsShort = (known.short_entry ?? []).length > 0 || known.sides === 'short';
  const isOnlyShort = (known.entry ?? []).length === 0 && sellsShort;
  let role: Role = isOnlyShort ? 'short_entry' : 'entry';
  const before = subjectOf(known.entry?.[0] ?? known.short_entry?.[0]);
  let subject: string | null = null;
  let levelled: string | null = null;
  const events: { entry: string | null; short_entry: string | null } = { entry: null, short_entry: null };
  let backs = false;
  let hasVerb = false;
  const whole = withExitLevels(withBackCrosses(text.replace(OF_PERIOD, '$1 $2')), known).replace(
    ONLY_SENTENCE,
    `$1 ${/\b(?:buy|short)\b/.exec(text)?.[0] ?? ''} `,
  );
  // Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
  const parted = verbsFirst(titled(whole))
    .replace(
      /([^,.;|]*\b(?:above|below|cross|oversold|overbought|middle_band)\b[^,.;|]*?) (buy|sell|short|cover)(?: (?:it|them|then|please|instead|that|again))?(?= ?(?:[,;|.]|$))/g,
      '$2 $1',
    )
    .replace(/\b(?:only )?(?:if|when)\b[ |]*/g, 'when ')
    .replace(PAIR, '$1$2 / ')
    // "I close the long when ... and the short when ..."
    .replace(/(\bsell\b[^.;!?|]*\b(?:the|el|los|den|le|les|my|mi|meinen)) short (?=(?:when|at|bei|on)\b)/g, '$1 cover ')
    .replace(
      new RegExp(
        `((?:${oscillators.map(({ words: all }) => all).join('|')})[^|;]{0,40}?\\d) (?=(?:above|below) (?:the )?(?:\\d+ |price )?(?:day |period )?${AVERAGE}\\b)`,
        'g',
      ),
      '$1 ; price ',
    )
    .replace(
      new RegExp(
        `(\\b(?:${patternWords.join('|')})s?\\b[^|;,]{0,20}?) (?=(?:above|below) (?:the )?(?:\\d+ |price )?(?:day |period )?${AVERAGE}\\b)`,
        'g',
      ),
      '$1 ; price ',
    )
    .replace(/\b(buy|sell|short|cover|reverse|without|decline)\b/g, ' | $1 ');
  for (const part of parted.split(SPLIT)) {
    const isTitle = part.includes(TITLE);
    const fragment = part.replace(TITLE, ' ').replace(/\s+/g, ' ').trim();
    if (fragment === '') continue;
    const isExcluding = /^(?:without|decline)\b/.test(fragment);
    if (isExcluding) {
      unread.push(...unreadIn(fragment, [], null));
      continue;
    }
    const verb = VERBS.exec(fragment)?.[0];
    if (verb !== undefined) [role, hasVerb] = [verbs[verb] ?? role, true];
    const scope = {
      timeframe,
      role,
      written,
      // The cross that goes back is that of the event, whatever was said since, and so is "the cross down".
      subject:
        (THE_EVENT.test(fragment) ? eventOf(events, role) : null) ??
        (isLevelAlone(fragment) ? levelled : null) ??
        subject ??
        (hasVerb || NAMELESS.test(fragment) ? before : null) ??
        (BAND.test(fragment) ? 'bollinger' : null),
    };
    const channel = found[role].at(-1);
    const ofChannel = channel === undefined ? null : withLines(channel, fragment);
    if (ofChannel !== null) {
      found[role][found[role].length - 1] = ofChannel;
      continue;
    }
    const isUnless = /^unless\b/.test(fragment);
    const said = conditionIn(withWindow(fragment.replace(/^(?:when|unless) (?:when )?/, ''), text), scope);
    const read = said === null || !isUnless ? said : / (?:or|oder|o|ou) /.test(fragment) ? null : negated(said);
    if (read !== null) {
      const rule = sameWindows(
        read,
        likes[role].flatMap((each) => [...found[each].map((own) => own.rule), ...(known[each] ?? [])]),
      );
      found[role].push(isTitle ? { ...rule, isVague: true } : rule);
      unread.push(...unreadIn(fragment, names, rule.rule));
      subject = read.subject;
      if (isOfOscillator(subject)) levelled = subject;
      if (role === 'exit' && /\bback\b/.test(fragment)) backs = true;
      if (read.isEvent && (role === 'entry' || role === 'short_entry')) events[role] = read.subject;
      continue;
    }
    // The condition without its "unless" would be the opposite.
    if (isUnless) {
      unread.push(fragment);
      continue;
    }
    const list = found[role];
    const last = list.at(-1);
    const given = last === undefined ? null : withGiven(last, fragment);
    if (given !== null) list[list.length - 1] = given;
    else if ((hasVerb && isClause(fragment)) || demands(fragment))
      unread.push(fragment.replace(/\b(?:buy|sell|short|cover|reverse)\b/g, '').trim());
    else unread.push(...unreadIn(fragment, names, null));
  }
  // "Exit on the opposite signal" is said of both sides, where both are opened.
  const isOfBoth =
    backs && found.short_entry.length > 0 && found.short_exit.length + (known.short_exit ?? []).length === 0;
  const covered = isOfBoth ? (mirroredAll(composed(found.exit)) ?? []) : [];
  const isShort =
    found.entry.length + (known.entry ?? []).length === 0 &&
    found.short_entry.length + (known.short_entry ?? []).length > 0;
  return {
    entry: composed(found.entry),
    // Where nothing is bought, "exit" is said of the short.
    exit: isShort ? [] : composed(found.exit),
    short_entry: composed(found.short_entry),
    short_exit:
      isOfBoth && !isShort ? covered : composed(isShort ? [...found.short_exit, ...found.exit] : found.short_exit),
    unread,
  };
}

const OSCILLATOR = new RegExp(`(?<![a-z_])(?:${oscillators.map(({ words }) => words).join('|')})(?![a-z_])`);
const isOfOscillator = (text: string): boolean => OSCILLATOR.test(text);

/** "It is above 70" is said of the oscillator, though an average was spoken of since. */
const isLevelAlone = (fragment: string): boolean =>
  /\b(?:above|below) -?\d{1,3}(?:\.\d{1,4})?$/.test(fragment) &&
  !/\bprice\b/.test(fragment) &&
  indicatorIn(fragment) === undefined;

/** What opened the side that a role leaves, or else the other side. */
const eventOf = (
  { entry, short_entry }: Readonly<Record<'entry' | 'short_entry', string | null>>,
  role: Role,
): string | null => (role === 'short_exit' ? (short_entry ?? entry) : (entry ?? short_entry));

const ONLY_AT = /^only (?:bei|beim|an|am|on|at|in|with|con|mit|en|a|au|aux|avec|during|pendant|durante|por|for) [a-z]/;

/** Whether a fragment demands something: what does and has no rule is named. */
const demands = (fragment: string): boolean =>
  /^when [a-z ]*[a-z]{3}/.test(fragment) ||
  ONLY_AT.test(fragment) ||
  (/\bmust\b/.test(fragment) && /[a-z]{3}/.test(fragment.replace(/\bmust\b/g, ' ')));

/** "Keltner, EMA 20, ATR 10": the lines of which a channel is made. */
function withLines(condition: Condition, fragment: string): Condition | null {
  const { rule } = condition;
  const given = /^(ema|sma|atr) ?\(? ?(\d{1,3}) ?\)?$/.exec(fragment);
  if (given === null || !/^(?:kc|bb|starc)_/.test(rule.name)) return null;
  const key = given[1] === 'atr' ? 'window_atr' : 'window';
  if (!(key in rule.params)) return null;
  return { ...condition, rule: { ...rule, params: { ...rule.params, [key]: Number(given[2]) } } };
}

/** "Below the Hull" is of the Hull average that the message has with its period. */
function withWindow(fragment: string, text: string): string {
  const average = new RegExp(`\\b${AVERAGE}\\b`).exec(fragment)?.[0];
  if (average === undefined || !/\bprice\b/.test(fragment) || numbersIn(fragment).length > 0) return fragment;
  const given = new RegExp(
    `\\b${average} ?\\(? ?(\\d{1,4})(?![\\d.%])|(?<![\\d.])(\\d{1,4}) (?:day |period |bars )?${average}\\b`,
  ).exec(text);
  const period = given?.[1] ?? given?.[2];
  return period === undefined ? fragment : fragment.replace(average, `${average} ${period}`);
}

/** A condition with a parameter that the next fragment gives; null where it gives none of its own. */
function withGiven(condition: Condition, fragment: string): Condition | null {
  const { rule } = condition;
  const stated = statedIn(fragment, rule.name);
  if (Object.keys(stated).length > 0) return { ...condition, rule: { ...rule, params: { ...rule.params, ...stated } } };
  const given = GIVEN.exec(fragment);
  const name = (given?.[1] ?? given?.[4]) as 'multiplier' | 'period' | 'threshold' | undefined;
  if (name === undefined) return null;
  const changed = withParameter(rule, { name, value: Number(given?.[2] ?? given?.[3]) }, 'entry');
  return changed === rule ? null : { ...condition, rule: changed };
}

const GIVEN =
  /\b(multiplier|period|threshold) (?:of )?(\d{1,9}(?:\.\d{1,9})?)(?!\d)|(?<![\d.])(\d{1,9}(?:\.\d{1,9})?) (multiplier|period|threshold)\b/;

/** Whether a fragment after "buy" and "when" looks like a condition: more than a few small words. */
const isClause = (fragment: string): boolean =>
  /[a-z]{4,}/.test(
    fragment.replace(
      /\b(?:buy|sell|short|cover|reverse|appears?|then|please|agree|instead|only|bitcoin|ethereum|when|price|trend|breakout|mean_reversion|momentum|flows|bars|daily|hour|chart|without|quiero|from|that|want|choose|rest|euro)\b/g,
      '',
    ),
  ) &&
  /\b(?:pattern|cross|above|below|forms?|completes?|appears?|indicator|signal|band|bands|line|average)\b/.test(
    fragment,
  );

const stemOf = ({ name }: PlannedRule): string => name.replace(/_(?:up|down|bullish_cross|bearish_cross)$/, '');

/** An exit of the kind of the entry has its windows, unless it names others. */
function sameWindows(exit: Condition, entries: readonly PlannedRule[]): Condition {
  const like = entries.find((rule) => rule.name !== 'formula' && stemOf(rule) === stemOf(exit.rule));
  if (like === undefined || numbersIn(exit.subject).length > 0) return exit;
  const { threshold: _, direction: __, ...windows } = like.params;
  return { ...exit, rule: { ...exit.rule, params: { ...exit.rule.params, ...windows } } };
}

const isSame = (one: PlannedRule, other: PlannedRule): boolean =>
  one.name === other.name && JSON.stringify(one.params) === JSON.stringify(other.params);

/** One trigger, the first event or else the first state, and filters. */
function composed(found: readonly Condition[]): PlannedRule[] {
  const of = ({ subject }: Condition) => indicatorIn(subject.replace(/\b(?:upper|lower)_/g, ' '));
  const isRange = ({ rule }: Condition) => /\b(?:highest|lowest)\(/.test(String(rule.params.when ?? ''));
  const exact = found.filter(
    (each) =>
      // "A Donchian breakout: above the highest high of 55 days"
      !(/^dc_/.test(each.rule.name) && !/\d/.test(each.subject) && found.some(isRange)) &&
      (each.isVague !== true ||
        !found.some((other) => other !== each && other.isVague !== true && of(other) === of(each))),
  );
  return composedOf(exact);
}

function composedOf(found: readonly Condition[]): PlannedRule[] {
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
