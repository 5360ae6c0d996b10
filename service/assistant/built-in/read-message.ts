import { requireSignal } from '../../../engine/index.js';
import { type PlannedRule, roles } from '../candidate.js';
import type { Change, Collected, NumberName, ShareName } from '../mind.js';
import { GIVES_UP, refusalOf, unableIn, withoutRefused } from './cannot-act.js';
import { canonicalOf, folded, type Language, LONG_ROW, languageOf } from './canonical.js';
import { type Intent, isEmpty, isOf, type Reading, sideOf, type Topic } from './change.js';
import { refusalsOf } from './check-change.js';
import { ConsumedText } from './consumed-text.js';
import { shareWords, withoutOld } from './contrasts.js';
import { takeAmounts } from './read-amounts.js';
import { takeAverages, takeContrasts, takeLevels } from './read-contrasts.js';
import {
  type Known,
  takeCount,
  takeNumber,
  takeParameters,
  takeScaled,
  takeShare,
  takeWindows,
} from './read-parameters.js';
import { takePortfolio } from './read-portfolio.js';
import { takeSides } from './read-sides.js';
import { takeDates, takeTimeframe, timeframeIn, timeframeRefusal } from './read-window.js';
import { takeExchange } from './rules/exchange.js';
import { excludedIn, indicatorIn } from './rules/indicator-words.js';
import { readRules } from './rules/read-rules.js';
import { withoutFormulas } from './rules/written-formulas.js';
import { type Say, sayIn } from './sentences/say.js';
import { clausesOf, unreadIn } from './unread.js';
import { FOREIGN_MARKET, levelWords, OUT_OF_REACH, sentimentWords, styleWords, translations } from './vocabulary.js';

/** An asset with the names that people have for it. */
interface KnownAsset {
  readonly symbol: string;
  /** In lower case. */
  readonly names: readonly string[];
  readonly isHeld: boolean;
}

/** @param names of assets by symbol, those without bars included */
export const knownAssets = (
  held: readonly string[],
  names: ReadonlyMap<string, readonly string[]>,
): readonly KnownAsset[] =>
  [...new Set([...held, ...names.keys()])].map((symbol) => ({
    symbol,
    names: names.get(symbol) ?? [],
    isHeld: held.includes(symbol),
  }));

/** Longer messages are read up to here: what a user wants stands in fewer words. */
const READ_CHARACTERS_MAX = 4_000;

/** What of a message has a place without its refused wishes: the money of an order is no account. */
function restOf(change: Change): Change {
  if (change.settings === undefined) return change;
  const { initial_balance, ...kept } = change.settings;
  const { settings: _, ...bare } = change;
  return Object.keys(kept).length === 0 ? bare : { ...bare, settings: kept };
}

export interface ReadMessage extends Reading {
  /** The rest of a refused wish, which a later message may take up again. */
  readonly pending: Change | null;
  /** The one share that it names, or of which a refusal offers another. */
  readonly shareOf: ShareName | null;
  /** The one thing that a number alone would be of after it. */
  readonly numberOf: NumberName | null;
  /** The clauses with values of parameters, which a rule that is known may have or not. */
  readonly parameterWords: readonly string[];
}

/**
 * Reads a message: what it changes of what is known, what the user wants, and what cannot be met.
 * @param known what was known before it
 */
export function readMessage(
  message: string,
  known: Pick<Collected, 'timeframe' | 'language' | 'settings'> & Known,
  assets: readonly KnownAsset[],
): ReadMessage {
  const part = message.slice(0, READ_CHARACTERS_MAX);
  const { text: told, formulas: written } = withoutFormulas(part);
  const language = languageOf(part, known.language);
  const say = sayIn(language);
  const lower = folded(part);
  const added = translations.filter(([pattern]) => pattern.test(part.toLowerCase())).map(([, words]) => words);
  const words = canonicalOf(told, language)
    // "A portfolio of 25000" is money.
    .replace(/\bas_portfolio(?= ?[$\u20ac]?\d)/g, 'account')
    // "5 %. Sorry, 4 %"
    .replace(/\d{1,3}(?:\.\d{1,4})? ?%[ .,;]+(?:instead|scratch_that)[ ,:]+(?=\d{1,3}(?:\.\d{1,4})? ?%\W*$)/, '');
  const canonical = [words, ...added].join(' ');
  const level = keyOf(levelWords, lower);
  const sentiment = keyOf(sentimentWords, lower);
  const same = { language, level, sentiment } as const;
  const nothing = {
    change: {},
    topics: [],
    consents: false,
    givesUp: false,
    notUnderstood: [],
    pending: null,
    doubts: false,
    shareOf: null,
    numberOf: null,
    parameterWords: [],
  } as const;
  if (OUT_OF_REACH.test(lower)) {
    return { ...same, ...nothing, intent: 'state', refused: [say('outOfReach')] };
  }
  const unable = GIVES_UP.test(canonical) ? [] : unableIn(canonical);
  const read = readChange({
    message: part,
    language,
    canonical: withoutRefused(canonical),
    written,
    lower,
    known,
    assets,
    say,
  });
  const refused = [...unable.map((wish) => refusalOf(wish, say)), ...read.refused];
  if (refused.length > 0) {
    const rest = unable.length > 0 ? restOf(read.change) : read.change;
    // Days that no calendar has leave a hole: the rest waits for other ones.
    const pending = read.hasNoDates ? { ...rest, dates: {} } : rest;
    return { ...same, ...nothing, intent: 'state', refused, pending, shareOf: askedShare(canonical) };
  }
  const topics = topicsIn(canonical);
  const intent = intentOf(canonical, lower, read.change, topics);
  // A correction after a question is of the share that was named before it.
  const asksFirst = intent === 'ask' && (known.share_of ?? null) === null;
  const isWished = intent !== 'ask' && intent !== 'compare' && /\b(?:what_if|agree)\b/.test(canonical);
  return {
    ...same,
    change: read.change,
    intent,
    topics,
    consents: intent === 'agree' || intent === 'rerun' || isWished,
    refused,
    givesUp: GIVES_UP.test(canonical),
    doubts: /\bdoubt\b/.test(canonical),
    shareOf: shareIn(read.change) ?? (asksFirst ? askedShare(canonical) : null),
    numberOf: numberIn(read.change),
    parameterWords: clausesOf(read.values, part, language),
    notUnderstood: [
      ...clausesOf(read.unread, part, language),
      ...(part.match(LONG_ROW) ?? []).map((row) => say('longRow', { count: row.length })),
      ...(message.length > READ_CHARACTERS_MAX ? [say('longMessage', { count: READ_CHARACTERS_MAX })] : []),
    ],
    pending: null,
  };
}

interface ReadChange {
  readonly change: Change;
  readonly refused: readonly string[];
  /** Numbers, names and conditions that nothing has read, in canonical words. */
  readonly unread: readonly string[];
  readonly hasNoDates: boolean;
  /** Values of parameters. */
  readonly values: readonly string[];
}

interface Told {
  readonly message: string;
  readonly language: Language;
  readonly canonical: string;
  /** Formulas of the message. */
  readonly written: readonly string[];
  readonly lower: string;
  readonly known: Pick<Collected, 'timeframe' | 'settings'> & Known;
  readonly assets: readonly KnownAsset[];
  readonly say: Say;
}

function readChange({ message, language, canonical, written, lower, known, assets, say }: Told): ReadChange {
  const plain = corrected(message, assets, language);
  // "BTC, no, ETH" wants the ETH.
  const unwanted = unwantedIn(plain === message ? canonical : plain, assets);
  const told = otherFirst(assetsIn(plain, canonical, assets), lower, known).filter(
    ({ symbol }) => !unwanted.includes(symbol),
  );
  const held = assets.filter(({ isHeld }) => isHeld).map(({ symbol }) => symbol);
  const text = new ConsumedText(withKnownLine(withYear(withoutOld(canonical, known), known.start_date ?? null), known));
  const portfolio = takePortfolio(
    text,
    told.map(({ symbol }) => symbol),
    unwanted,
    held,
    known,
  );
  const members = portfolio ?? [];
  const [asset, ...otherAssets] =
    members.length === 0 ? told : [undefined, ...told.filter(({ symbol }) => !members.includes(symbol))];
  const { dates, refused: noDates } = takeDates(text, say, known);
  const others = dates === undefined ? [] : takeOtherDates(text, say);
  const frame = timeframeIn(text.rest) ?? known.timeframe ?? '1h';
  const levels = takeLevels(text, known);
  const sided = takeSides(text, frame, say);
  const contrasted = takeContrasts(text, known);
  const kinds = takeAverages(text, known);
  const exchange = takeExchange(text, known, frame);
  const excluded = excludedIn(kinds.averages === undefined && exchange === null ? canonical : text.rest);
  const bare =
    takeScaled(text, known) ??
    takeShare(text, known.share_of ?? null, (known.number_of ?? null) !== null) ??
    takeNumber(text, known.number_of ?? null);
  const amounts = takeAmounts(text, { ...known.settings, ...sided.change.settings }, frame, say);
  const count = takeCount(text, known);
  const named = takeTimeframe(text);
  const later = named.known === undefined ? null : CORRECTED_TIMEFRAME.exec(canonical);
  if (later !== null) takeTimeframe(text);
  const last = later === null ? {} : { known: `${later[1]}${later[2]}` };
  const otherTimeframes = named.known === undefined ? [] : takeOtherTimeframes(text);
  // A hint counts only where nothing is known.
  const hint = known.timeframe === null ? named.hint : undefined;
  const timeframe = { ...named, ...last, ...(hint === undefined ? {} : { known: hint }) };
  const parameters = [...levels, ...contrasted.parameters, ...kinds.parameters, ...takeParameters(text, known)];
  const windows = takeWindows(text, known);
  const bought = withoutNouns(text.rest);
  const kept = (rules: readonly PlannedRule[] = []) => rules.filter((rule) => !excluded.some((key) => isOf(rule, key)));
  const rules = inItsRole(
    readRules(text.rest, timeframe.known ?? known.timeframe ?? '1h', known, written),
    known,
    bought,
  );
  const isAsked = rules.entry.length > 0 && /\?/.test(canonical) && ASKS_FIRST.test(canonical);
  const hasRules = roles.some((role) => rules[role].length > 0);
  // A word such as "cross" beside rules that are known is said of them.
  const hasNamed = (known.entry ?? []).length > 0 && rules.unread.length > 0;
  const style =
    parameters.length === 0 && (excluded.length === 0 || hasRules || (known.entry ?? []).length === 0)
      ? styleIn(
          text.rest,
          lower,
          hasRules || hasNamed,
          (known.entry ?? []).length + (known.short_entry ?? []).length > 0,
        )
      : null;
  const change: Change = {
    ...(asset?.isHeld === true ? { asset: asset.symbol } : {}),
    ...(portfolio === undefined ? {} : { portfolio }),
    ...(timeframe.known === undefined ? {} : { timeframe: timeframe.known }),
    ...(dates === undefined ? {} : { dates }),
    ...withSettings(reversing(sided.change, rules, text.rest), contrasted.change, bare ?? amounts.change),
    ...sidesOf(rules, sided.change, text.rest, known),
    ...count,
    ...(rules.entry.length === 0 || isAsked
      ? {}
      : { entry: inPlace(rules.entry, kept(known.entry), bought, exchange?.was) }),
    ...(DROPS_LAST.test(canonical) && (known.entry ?? []).length > 1 ? { drops_last: true as const } : {}),
    ...(/\brestore\b/.test(canonical) && told.length === 0 && (known.removed ?? []).length > 0
      ? { restores: true as const }
      : {}),
    ...(joins(rules.entry, known.entry ?? [], bought) ? { adds: true as const } : {}),
    ...(rules.exit.length === 0 ? {} : { exit: rules.exit }),
    ...(rules.short_entry.length === 0 || isAsked
      ? {}
      : { short_entry: shortOf(rules.short_entry, kept(known.short_entry), bought, exchange?.was) }),
    ...(rules.short_exit.length === 0 ? {} : { short_exit: rules.short_exit }),
    ...exchange?.rules,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(windows === null ? {} : { windows }),
    ...(kinds.averages === undefined ? {} : { averages: kinds.averages }),
    ...(style === null || (/\?/.test(canonical) && ASKS_FIRST.test(canonical)) ? {} : { style }),
    ...(excluded.length === 0 ? {} : { excluded }),
    ...(/\bchoose\b/.test(canonical) && !/\b(?:halt|forget|decline)\b/.test(canonical)
      ? { leaves_choice: true as const }
      : {}),
  };
  const foreign = told.length === 0 ? FOREIGN_MARKET.exec(lower)?.[0] : undefined;
  const refused = [
    ...(foreign === undefined ? [] : [say('notCrypto', { asset: foreign.toUpperCase(), assets: held.join(', ') })]),
    ...(timeframe.unknown === undefined ? [] : [timeframeRefusal(timeframe.unknown, say)]),
    ...noDates,
    ...amounts.refused,
    ...sided.refused,
    ...refusalsOf({ ...change, ...(asset === undefined ? {} : { asset: asset.symbol }) }, held, say),
  ];
  const unread = [
    ...others,
    ...otherTimeframes,
    ...rules.unread,
    ...(exchange?.unread ?? []),
    ...otherAssets.flatMap((other) => other?.symbol.toLowerCase() ?? []),
  ];
  return {
    change,
    refused,
    unread,
    hasNoDates: noDates.length > 0,
    values: parameters.map(({ value }) => String(value)),
  };
}

/** "Compare ETH and BTC" is a wish for the one that has not run. */
function otherFirst(told: KnownAsset[], lower: string, { asset = null }: Known): KnownAsset[] {
  const others = told.filter(({ symbol }) => symbol !== asset);
  const isCompared = /\b(?:compar|vergleich)/.test(lower) && told.length === 2 && others.length === 1;
  return isCompared ? others : told;
}

/** Assets that a message takes away. */
const unwantedIn = (canonical: string, assets: readonly KnownAsset[]): string[] =>
  [...canonical.matchAll(NOT_WANTED)].flatMap(([words]) =>
    placesIn(words.replace(/^\S+(?: of)? /, ''), assets).map(({ asset }) => asset.symbol),
  );

/** The changes of some readers, with the settings of all. */
function withSettings(
  ...changes: readonly Pick<Change, 'max_risk_per_trade' | 'reward_factor' | 'settings' | 'count' | 'trail'>[]
): Change {
  const settings = Object.assign({}, ...changes.map((change) => change.settings ?? {})) as Change['settings'] & object;
  const { settings: _, ...rest }: Change = Object.assign({}, ...changes);
  return Object.keys(settings).length === 0 ? rest : { ...rest, settings };
}

/** "Drop that last condition" */
const DROPS_LAST =
  /\b(?:without|decline|forget) (?:(?:that|the|this|my|la|el|le|den|die|das) )*(?:last|newest|latest|ultima|ultimo|letzte[ns]?|derniere?) (?:condition|filter|rule|rules|1|part|bit|thing|condicion|filtro|regla|bedingung|regel)\b|\b(?:without|decline|forget) (?:(?:that|the|this|my|la|el|le|den|das) )+filter\b(?! [a-z]*\d)/;

type ReadRoles = ReturnType<typeof readRules>;

/** "Reverse on the cross back" opens the other side with the sale of the one that is open. */
const reversing = (sided: Pick<Change, 'trail' | 'settings'>, { short_entry }: ReadRoles, rest: string) =>
  short_entry.length > 0 && /\breverse\b/.test(rest)
    ? { ...sided, settings: { ...sided.settings, opposite_entry: 'reverse' } }
    : sided;

/** Which sides a message names: by its own words, by its rules, or by "short" without a rule. */
function sidesOf(rules: ReadRoles, wished: Pick<Change, 'sides'>, rest: string, known: Known): Pick<Change, 'sides'> {
  if (wished.sides !== undefined) return { sides: wished.sides };
  if (rules.short_entry.length > 0 || !/(?<![a-z_])short(?![a-z_])/.test(rest) || /\?/.test(rest)) return {};
  const isLong = rules.entry.length + (known.entry ?? []).length > 0 || /\bbuy\b/.test(rest);
  return { sides: isLong ? 'both' : 'short' };
}

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december';
const BARE_MONTHS = new RegExp(`\\b(${MONTHS}) (to|until|and|a|bis|-) (${MONTHS})\\b(?! ?(?:of |de |en )?\\d)`);

/** "Jan 22 to dec 23" has years of two digits, which days of both months would hardly be. */
const SHORT_YEARS = new RegExp(
  `\\b(${MONTHS}) '?([12]\\d) (to|until|a|al|bis|hasta|-) (${MONTHS}) '?([12]\\d)(?![\\d.])(?!,? ?20\\d\\d)`,
);

/** "The first half", "das 2. Quartal", with or without "of the year" */
const BARE_PART =
  /\b((?:[1-4](?:st|nd|rd|th|\.|er)?|last) (?:half|quarter)) (?:(?:of|de|du|del|des) )?(?:(?:the|this|that|same|el|la|le|des|dem|der) |l'|d'|de l')*year\b(?! ?20)|\b([1-4](?:st|nd|rd|th|\.|er)? (?:half|quarter))(?= ?(?:only|please|instead|[,;.!|]|$))/g;

/** "April to June" and "the first half" are of the year that is known. */
const withYear = (text: string, start: string | null): string => {
  const whole = text.replace(SHORT_YEARS, '$1 20$2 $3 $4 20$5').replace(/ '([12]\d)(?![\d.])/g, ' 20$1');
  if (start === null) return whole;
  const year = start.slice(0, 4);
  return whole
    .replace(BARE_MONTHS, `$1 $2 $3 ${year}`)
    .replace(BARE_PART, (_, one, other) => `${one ?? other} of ${year}`);
};

/** "The ATR trailing stop" is the line of a rule that is known, and no setting of the stop beside one. */
const withKnownLine = (text: string, known: Known): string =>
  roles.some((role) => (known[role] ?? []).some((rule) => isOf(rule, 'atr_trailing_stop')))
    ? text.replace(/\batr[ -]trailing(?: stop)?\b/g, 'atr_trailing_stop')
    : text;

/** "For the entry" names a rule that is known, and begins none. */
const withoutNouns = (text: string): string =>
  text.replace(
    /\b(?:to|for|fur|para|pour|in|on|an|zum|beim|a) (?:(?:the|my|el|la|le|les|los|las|den|die|der|dem) |l')?(?:buy|short)\b/g,
    ' ',
  );

/** Rules of the short side after a message that corrects one of them, or adds one. */
const shortOf = (
  said: readonly PlannedRule[],
  known: readonly PlannedRule[],
  text: string,
  was?: string,
): readonly PlannedRule[] =>
  joins(said, known, text)
    ? [...known, ...said.map((rule): PlannedRule => ({ ...rule, signal_type: 'FILTER' }))]
    : inPlace(said, known, text, was);

const JOINS =
  /\b(?:filter|must|also|auch|tambien|aussi|additionally|while|unless)\b|^\W*(?:and|und|y|et|plus)\b|^\W*(?:(?:and|but|please|agree|und|y|et|aber|pero|mais)[ ,]*)*only (?:when\b|above\b|below\b|ichimoku_b)/;

/** "Only longs above the EMA 200", "he only takes it above": a state after "only" bounds what is known. */
const ONLY_WHERE = /\bonly (?:[a-z']+ ){0,4}?(?:when|above|below|ichimoku_b)/;

const isState = ({ name, params }: PlannedRule): boolean =>
  name === 'formula' ? !String(params.when).includes('crosses_') : requireSignal(name).type === 'FILTER';

/** "And require RSI below 60" joins the rules that are known, unless one of them reads the same. */
const joins = (said: readonly PlannedRule[], known: readonly PlannedRule[], text: string): boolean =>
  said.length > 0 &&
  known.length > 0 &&
  ((JOINS.test(text) && !/\b(?:buy|short)\b/.test(text)) || (ONLY_WHERE.test(text) && said.every(isState))) &&
  (!/\binstead\b/.test(text) || /\bfilter\b/.test(text)) &&
  !known.some((each) => said.some((rule) => headOf(each) === headOf(rule)));

/** What a rule reads: `rsi` of a formula, the first part of the name of a signal. */
const headOf = ({ name, params }: PlannedRule): string =>
  name === 'formula'
    ? (/^volume\b/.exec(String(params.when))?.[0] ??
      /(?!crosses_(?:above|below)\()\b([a-z_]+)\(/.exec(String(params.when))?.[1] ??
      '')
    : (name.split('_')[0] ?? '');

/** "10 day low rather" is said of the one role whose rule reads the same, on the same side. */
function inItsRole(said: ReadRoles, known: Known, text: string): ReadRoles {
  const [rule] = said.entry;
  const isAlone = said.entry.length === 1 && roles.every((role) => role === 'entry' || said[role].length === 0);
  if (rule === undefined || !isAlone || /\b(?:buy|short)\b/.test(text) || JOINS.test(text)) return said;
  const side = sideOf(rule);
  if (side === null) return said;
  const isLike = (each: PlannedRule) => headOf(each) === headOf(rule) && sideOf(each) === side;
  const own = roles.filter((role) => (known[role] ?? []).some(isLike));
  return own.length === 1 && own[0] !== undefined && own[0] !== 'entry'
    ? { ...said, entry: [], [own[0]]: [rule] }
    : said;
}

/**
 * "ADX above 30 rather" is said of the one rule that reads the ADX; the others stay.
 * @param was the indicator whose rule the new one takes the place of
 */
function inPlace(
  said: readonly PlannedRule[],
  known: readonly PlannedRule[],
  text: string,
  was?: string,
): readonly PlannedRule[] {
  const [rule] = said;
  if (rule === undefined || said.length > 1 || known.length < 2) return said;
  if (/\b(?:buy|short)\b/.test(text) && !/\binstead\b/.test(text) && was === undefined) return said;
  const key = was ?? indicatorIn(text);
  const own = known.filter((each) => (key === undefined ? headOf(each) === headOf(rule) : isOf(each, key)));
  if (own.length !== 1) return said;
  return known.map((each) => (each === own[0] ? { ...rule, signal_type: each.signal_type } : each));
}

/** Further dates that are taken out; what is left of them stays in the text, and is named. */
const OTHERS_MAX = 20;

/** Numbers and months of further dates, which are taken out: a run has one window. */
function takeOtherDates(text: ConsumedText, say: Say, left = OTHERS_MAX): string[] {
  const before = text.taken.length;
  const { dates, refused } = takeDates(text, say);
  const own = text.taken.slice(before).flatMap((taken) => unreadIn(taken, [], null));
  const isLast = left <= 1 || (dates === undefined && refused.length === 0);
  return isLast ? own : [...own, ...takeOtherDates(text, say, left - 1)];
}

/** A timeframe after a no that corrects the one before it: "15m, no wait, 30m". */
const CORRECTED_TIMEFRAME =
  /\b\d{1,2} ?-?[mhd]\b.*(?:\bscratch_that|[.,;] *instead)[ ,:]*(?:(?:it|on|to|auf|en|a)[ ,]*)*(5|15|30|1|4) ?-?(m|h|d)\b/;

/** Further timeframes, which are taken out: a run has one. */
function takeOtherTimeframes(text: ConsumedText): string[] {
  const before = text.taken.length;
  const { known, unknown } = takeTimeframe(text);
  const own = text.taken.slice(before).map((taken) => taken.trim());
  return known === undefined && unknown === undefined ? [] : [...own, ...takeOtherTimeframes(text)];
}

const SHARES: readonly ShareName[] = ['max_risk_per_trade', 'fixed_stop_pct', 'fee_pct', 'slippage_pct', 'trail'];

/** The one share that a change names. */
function shareIn({ max_risk_per_trade, settings = {}, trail }: Change): ShareName | null {
  const named = SHARES.filter(
    (name) =>
      name in settings ||
      (name === 'trail' && typeof trail?.share === 'number') ||
      (name === 'max_risk_per_trade' && max_risk_per_trade !== undefined),
  );
  return named.length === 1 ? (named[0] ?? null) : null;
}

/** "How much should I risk?": the one share that a question is about. */
function askedShare(canonical: string): ShareName | null {
  const names = Object.keys(shareWords) as (keyof typeof shareWords)[];
  const asked = names.filter((name) => new RegExp(`\\b${shareWords[name]}\\b`).test(canonical));
  return asked.length === 1 ? (asked[0] ?? null) : null;
}

/** The one thing with a bare number that a change names. */
function numberIn({ parameters = [], reward_factor, count, settings = {}, ...rules }: Change): NumberName | null {
  const corrected = new Set(parameters.map(({ role }) => role ?? 'entry'));
  const named: NumberName[] = [
    ...roles.filter((role) => rules[role] !== undefined || corrected.has(role)),
    ...(reward_factor === undefined ? [] : (['reward_factor'] as const)),
    ...(count === undefined ? [] : (['count'] as const)),
    ...(['initial_balance', 'max_hold_bars', 'atr_volatility_factor', 'leverage'] as const).filter(
      (name) => name in settings,
    ),
  ];
  // "55 bars, and 2.5R": a number alone after it is one of a rule.
  const ofRules = named.filter((name) => (roles as readonly string[]).includes(name));
  return named.length === 1 || ofRules.length === 1 ? (ofRules[0] ?? named[0] ?? null) : null;
}

const ASKS_FIRST =
  /^\W*(?:(?:and|but|please|thanked|agree|y|et|und|so|well)[ ,]+)*(?:what|what_then|why|how|origin|dont_understand)(?![a-z_])/;
const ASKS_OF_IT =
  /^\W*(?:(?:and|but|please|thanked|agree|y|et|und|so|well)[ ,]+)*(?:is_it|can_you|good|money|traded|won)(?![a-z_])/;
const REQUESTS = /^\W*(?:(?:and|but|please|thanked|agree|y|et|und|so|well)[ ,]+)*can_you(?![a-z_])/;
const FILLER =
  /\b(?:please|thanked|omg|lol|lmao|haha|bro|bruh|dude|man|mate|cmon|come on|hm+|yo|hey|alr|ffs|wow|it|that|the|a|and|backtest|backtests|them|this|all|test|und|et|y|me|i|do|with|is|es|das|le|la|lo|now|so|thing|to|on|of|in|only|understood|of course|im|my|for|you|we|everything|here|there|es|ca|eso|ist|mir|mit|lo|tout|alles|todo|again|und|der|den|dem|el|for me)\b/g;

/** How a message begins that agrees; what follows may be small talk. */
const STARTS_WITH_YES =
  /^\W*(?:y|ye+s+|ye+p+|yea|yeah|ya+|yup|aye|ok|okay|okey|sure|go|agreed|approved|confirmed|ja+|jo+|jep|jap|jup|alright|all right|great|perfect|klar|si+|sip|vale|dale|claro|oui|ouais|d'accord)(?![a-z'])/;
/** "Yes, start it before my break is over": agreed twice, whatever follows. */
const AGREES_TWICE = /^\W*agree\b\W*(?:please\W*)*agree\b|^\W*agree\b[^?]{0,200}[.!;,] *agree\W*$/;
const CONTRARY =
  /\b(?:halt|decline|doubt|without|forget|unless|instead|scratch_that|dont_understand|change|but|aber|pero|mais|later|spater|tarde|luego|think|denke|pienso|pense|wrong|falsch|mal|faux|cannot|nt|no|not|nicht|pas|never)\b/;
/** "No, do not run anything yet" */
const NOT_NOW = /\bhalt\b|\b(?:decline|without|not) (?:[a-z]+ ){0,2}agree\b/;

function intentOf(canonical: string, lower: string, change: Change, topics: readonly Topic[]): Intent {
  const words = canonical
    .replace(FILLER, ' ')
    .replace(/[^a-z0-9_]+/g, ' ')
    .trim();
  const asks = canonical.includes('?') || ASKS_FIRST.test(canonical) || /\bdont_understand\b/.test(canonical);
  const hasChange = !isEmpty(change);
  if (!hasChange && !asks) {
    if (STARTS_WITH_YES.test(lower) && AGREES_TWICE.test(canonical.replace(FILLER, ' ')) && !CONTRARY.test(canonical))
      return 'agree';
    // "Forget that. Go on" gives up what was said last, and agrees to what is known.
    if (/^(?:forget )*(?:agree ?)+$/.test(words)) return 'agree';
    if (
      /^(?:(?:stop|halt|please) ?)+$/.test(words) ||
      /^(?=.*\b(?:halt|forget)\b)(?:(?:halt|forget|please|choose) ?)+$/.test(words) ||
      NOT_NOW.test(canonical) ||
      /^\W*(?:stop|stopp|alto|arr[eê]te)\W*$/.test(lower)
    )
      return 'stop';
    if (/^(?:(?:decline|without) ?)+(?:agree ?)*$/.test(words)) return 'decline';
  }
  if (topics.includes('advice')) return 'ask';
  if (/\bwhat_if\b/.test(canonical) && hasChange) return 'rerun';
  if (ASKS_FIRST.test(canonical) || /\bdont_understand\b/.test(canonical)) return 'ask';
  if (topics.includes('guarantee')) return 'ask';
  // "Can you test the golden cross?" wishes, however politely.
  if (REQUESTS.test(canonical) && !/\bis_it\b|\bwhat\b|\bhow\b/.test(canonical) && hasChange) return 'state';
  if (ASKS_OF_IT.test(canonical) && topics.length > 0) return /\bcompare\b/.test(canonical) ? 'compare' : 'ask';
  if (hasChange)
    return /\b(?:same|what_if)\b/.test(canonical)
      ? 'rerun'
      : /\b(?:instead|without|decline)\b/.test(canonical)
        ? 'correct'
        : 'state';
  return asks || topics.length > 0 ? 'ask' : 'state';
}

const topicPatterns: readonly (readonly [Topic, RegExp])[] = [
  ['guarantee', /\bguarantee\b/],
  [
    'advice',
    /\badvice\b|\bis_it (?:(?:please|the|a|some|my|it|das|es|ca|lo|mir|me)[ ,]+)*(?:[a-z]+ )?(?:buy|sell|short|live_order)(?! (?:when|bei|on|cuando|with))\b[^;|.!]{0,40}\?/,
  ],
  ['offered', /\boffered\b/],
  ['understood', /\bunderstood\b/],
  ['why_no_trades', /\btraded\b|\bwhy\b.*\bwithout trades\b/],
  ['next', /\bwhat_then\b|^agree ?\?/],
  ['why_lost', /\borigin\b/],
  ['than_before', /\bthan_before\b/],
  ['members', /\bby_asset\b/],
  ['duration', /\bduration\b/],
  ['liquidated', /\bliquidated\b/],
  ['sides', /(?<!without |decline )\b(?:short|both_sides|each_side)\b/],
  ['win_loss', /\bwin_loss\b/],
  ['best_trade', /\bbest_trade\b/],
  ['exposed', /\bexposed\b/],
  ['trades', /\bended_by\b/],
  ['average', /\baverage_trade\b/],
  ['streak', /\bstreak\b/],
  ['drawdown', /\bdrawdown\b/],
  ['worst', /\bworst\b/],
  ['costs', /\b(?:fee|slippage)\b/],
  ['why_lost', /\bwhy\b.*\b(?:lost|money|below|cross below)\b/],
  ['hold', /\bhold\b/],
  ['believe', /\bgood\b/],
  ['won', /\bwon\b/],
  ['trades', /\btrades\b/],
  ['money', /\bmoney\b/],
  ['lost', /\blost\b/],
  ['best', /\bbest\b/],
  ['rules', /\brules\b/],
  ['improve', /\bimprove\b/],
  ['save', /\bsave\b/],
  ['thanked', /\bthanked\b/],
];

const topicsIn = (canonical: string): Topic[] =>
  topicPatterns.filter(([, pattern]) => pattern.test(canonical)).map(([topic]) => topic);

function styleIn(
  canonical: string,
  lower: string,
  hasRules: boolean,
  isKnown: boolean,
): NonNullable<Change['style']> | null {
  const word = /\b(mean_reversion|breakout|momentum|flows|trend)\b/.exec(canonical)?.[1];
  if (hasRules) return null;
  if (word !== undefined) return word as Change['style'] & string;
  // The name of an indicator is no wish for another idea where rules are known.
  if (isKnown) return null;
  return styleWords.find(([, pattern]) => pattern.test(lower))?.[0] ?? null;
}

function keyOf<K extends string>(patterns: Readonly<Record<K, RegExp>>, text: string): K | null {
  const names = Object.keys(patterns) as K[];
  return names.find((name) => patterns[name].test(text)) ?? null;
}

const PLAIN_WORDS = /^(LINK|NEAR|ONE|GAS|TON|OP|SAND|APE|BAND|REN|SUN|MASK)$/;
/** Names beside those of the listings. */
const alsoCalled: Readonly<Record<string, readonly string[]>> = { ETH: ['ether'], BTC: ['xbt', 'bitcoins'] };

/** The asset after a no that corrects the one before it. */
const CORRECTED_ASSET =
  /\b([A-Z]{3,5})\b ?(?:,|\.{2,}|-) ?(?:no|nein|non),? (?:make it |doch |plutot )?([A-Z]{3,5})\b/gi;

/** "Change ETH to BTC", "cambia ETH por BTC" */
const SWAPPED_ASSET =
  /\b(?:change|swap|switch|replace|cambia|cambie|sustituye|reemplaza|ersetze|ersetz|tausche|tausch|wechsle|wechsel|remplace|change|echange) (?:from |von |de )?([A-Z]{3,5}) (?:to|for|with|by|por|a|con|durch|gegen|auf|zu|par|pour|en|contre) ([A-Z]{3,5})\b/gi;

/** "BTC, no, ETH" and "change BTC to ETH" name one asset; "BTC, no ETH" says in Spanish that ETH is not wanted. */
const corrected = (message: string, assets: readonly KnownAsset[], language: Language): string =>
  [SWAPPED_ASSET, ...(language === 'es' ? [] : [CORRECTED_ASSET])].reduce(
    (text, pattern) =>
      text.replace(pattern, (all: string, was: string, is: string) =>
        [was, is].every((each) => assets.some(({ symbol }) => symbol === each.toUpperCase())) ? is : all,
      ),
    message,
  );

const NOT_WANTED =
  /\b(?:not|without|nicht|pas|ohne|sans|sin|instead of|statt|rather than|en vez de|au lieu de|no) (?:the )?[A-Za-z]+/gi;

/** The assets of a message, in their order; a symbol may stand with a $ or with a quote currency. */
function assetsIn(message: string, canonical: string, assets: readonly KnownAsset[]): KnownAsset[] {
  const inMessage = placesIn(message, assets);
  const found = inMessage.length > 0 ? inMessage : placesIn(canonical, assets);
  found.sort((a, b) => a.place - b.place || Number(b.asset.isHeld) - Number(a.asset.isHeld));
  // Of two names at one place the first counts.
  return found
    .filter(({ place }, i) => found.findIndex((each) => each.place === place) === i)
    .map(({ asset }) => asset);
}

function placesIn(whole: string, assets: readonly KnownAsset[]): { asset: KnownAsset; place: number }[] {
  // What is not wanted is not the asset.
  const text = whole.replace(NOT_WANTED, ' ');
  const lower = text.toLowerCase();
  return assets.flatMap((asset) => {
    const symbol = asset.symbol.replace(/\W/g, '\\$&');
    const isWord = asset.symbol.length >= 3 && !PLAIN_WORDS.test(asset.symbol);
    const called = [...asset.names, ...(alsoCalled[asset.symbol] ?? [])];
    const found = [
      text.search(
        new RegExp(`(?<![A-Za-z])\\$?${symbol}(?:[-/ ]?(?:USDT?|USDC|EUR|PERP))?(?![A-Za-z])`, isWord ? 'i' : ''),
      ),
      ...called.map((name) => lower.search(new RegExp(`(?<![a-z])${name.replace(/\W/g, '\\$&')}(?![a-z])`))),
    ].filter((at) => at >= 0);
    return found.length === 0 ? [] : [{ asset, place: Math.min(...found) }];
  });
}

const noFacts = { settings: {}, timeframe: null, language: 'en' as Language } as const;

/** Whether a message does nothing but agree. */
export const agrees = (message: string): boolean => readMessage(message, noFacts, []).intent === 'agree';

/** Whether a message leaves what is open to the assistant. */
export const leavesChoice = (message: string): boolean =>
  readMessage(message, noFacts, []).change.leaves_choice === true;
