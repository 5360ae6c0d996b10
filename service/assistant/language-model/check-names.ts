import { indicatorCatalogue, signals } from '../../../engine/index.js';
import { phrases, rootOf, splitWords, stem, textsOf } from '../../signals/index.js';
import type { Evidence } from './evidence.js';
import { ordinaryWords, properNames } from './plain-words.js';
import { NAME } from './read-numbers.js';

const words = (text: string): string[] => text.split(' ');

/** Names with an underscore that are not of signals. */
const ownNames: ReadonlySet<string> = new Set(
  [
    ...words('collect_user_input plan_signals assemble_strategy total_return sharpe_ratio max_drawdown win_rate'),
    ...words('trade_count start_date end_date lookback_months max_risk_per_trade reward_factor backtest_id luck_p'),
    ...words('market_return mean_reversion signal_type strategy_config save_strategy execution_config signal_name'),
    ...signals.flatMap(({ name, aliases, params, requires }) => [
      name,
      ...aliases,
      ...Object.keys(params),
      ...requires,
    ]),
  ].map((name) => name.toLowerCase()),
);

const rootsOf = (text: string): string[] => splitWords(text).filter(isWord).map(rootOf);
const isWord = (word: string): boolean => /\p{L}/u.test(word);

let rooted: readonly ReadonlySet<string>[] | null = null;

/**
 * What each thing that has a name may be called by: its words, as roots. Built for the first
 * answer, so that no start waits for them.
 */
function vocabularies(): readonly ReadonlySet<string>[] {
  rooted ??= [
    ...signals.map((signal) => {
      const { name, meaning, description, bias, indicators, category, family } = textsOf(signal);
      return new Set(rootsOf([name, meaning, description, bias, indicators, category, family].join(' ')));
    }),
    ...Object.entries(indicatorCatalogue).map(([name, { title }]) => new Set(rootsOf(`${name} ${title}`))),
    ...Object.entries(phrases).map(([phrase, meaning]) => new Set(rootsOf(`${phrase} ${meaning}`))),
  ];
  return rooted;
}

/**
 * With the columns that signals read. By their own stems: a synonym of an ordinary word may be a
 * part of a name.
 */
const ordinary: ReadonlySet<string> = new Set(
  [...ordinaryWords, ...properNames, ...signals.flatMap(({ requires }) => requires)].flatMap(splitWords).map(stem),
);
/** Endings of words that describe and do not name. */
const DESCRIBES = /(?:(?<!f)ly|able|ible|less|ful)$/;

const HEAD = '(?:signals?|triggers?|filters?|indicators?|strateg(?:y|ies)|patterns?|oscillators?)';
const SPEAKS_OF_SIGNALS = new RegExp(`\\b${HEAD}\\b`, 'i');
// Bounded because an answer has at most 8,000 characters, and no run of white space.
const BEFORE_HEAD = new RegExp(`((?:[\\p{L}\\d'\u2019-]+ ){1,5})(?=${HEAD}\\b)`, 'giu');
const AFTER_CALLED =
  /\b(?:called|named|known as|dubbed|titled|labell?ed)\s+(?:the\s+)?((?:[\p{L}\d'\u2019-]+ ?){1,5})/giu;
const CAPITALS = /(?<![\p{L}\d_])\p{Lu}[\p{L}\d'\u2019-]*(?: (?:of )?\p{Lu}[\p{L}\d'\u2019-]*)*/gu;
// Bounded because an answer has at most 8,000 characters, and no run of white space.
const QUOTED = /["\u201c`*]+([A-Za-z][\w -]{2,60}?)["\u201d`*]+/g;
/** Words that no name goes across. */
const STOPS =
  /^(?:an?|the|this|that|these|those|its?|my|your|our|their|his|her|of|with|without|by|and|or|nor|for|as|in|on|at|to|from|than|but|if|when|while|where|which|who|what|is|are|was|were|be|been|has|have|had|do|does|did|will|would|can|could|may|might|should|must|i|you|we|they|he|she|both|each|every|all|any|some|no|not|only|other|another|more|most|few|fewer|less|such|between|per|so|then|because|also|like|there|here|one|two|three|four|five|six|seven|eight)$/i;
const DENIES = /\b(?:no|not|cannot|unknown|isn't|doesn't|there is no|without|instead of)\b/i;
const SENTENCE = /(?<=[.!?;])\s|\n/;

/**
 * Names in a text that nothing backs. A name with an underscore must be of the registry. A name in
 * prose is what begins with capitals, stands in quotes, or stands beside `signal`, `trigger` and
 * the like; its words, but for ordinary ones, must all belong to one signal, indicator or idiom of
 * the registry, or a tool must have returned it. The user's invention may be named to say that it
 * does not exist.
 */
export function unknownNames(text: string, evidence: Evidence): string[] {
  const unknown = new Set<string>();
  for (const sentence of text.split(SENTENCE)) {
    const isDenied = (name: string) => evidence.hasSaid(name) && DENIES.test(sentence);
    for (const name of sentence.match(NAME) ?? []) {
      if (!ownNames.has(name.toLowerCase()) && !isDenied(name)) unknown.add(name);
    }
    for (const phrase of phrasesIn(sentence.replace(NAME, '.'))) {
      const isKnown = isResolved(phrase) || evidence.hasReturned(phrase);
      if (!isKnown && !isDenied(phrase)) unknown.add(phrase);
    }
  }
  return [...unknown];
}

/** What may be a name in a sentence without underscores. */
function* phrasesIn(sentence: string): Iterable<string> {
  const start = /^[\s\W\d]*/.exec(sentence)?.[0].length ?? 0;
  for (const { 0: phrase, index } of sentence.matchAll(CAPITALS)) {
    const isFirst = index <= start;
    const name = trimmed(phrase.split(' ').filter((word, i) => !(isFirst && i === 0 && /(?:ing|ed)$/.test(word))));
    // The first word of a sentence has a capital anyway.
    if (name !== '' && !(isFirst && !name.includes(' '))) yield name;
  }
  if (!SPEAKS_OF_SIGNALS.test(sentence)) return;
  for (const [, name = ''] of sentence.matchAll(QUOTED)) yield name;
  for (const [, before = ''] of sentence.matchAll(BEFORE_HEAD)) {
    const all = before.trim().split(' ');
    const stop = all.findLastIndex((word) => STOPS.test(word));
    if (stop + 1 < all.length) yield all.slice(stop + 1).join(' ');
  }
  for (const [, after = ''] of sentence.matchAll(AFTER_CALLED)) {
    const all = after.trim().split(' ');
    const stop = all.findIndex((word) => STOPS.test(word));
    if (stop !== 0) yield all.slice(0, stop < 0 ? all.length : stop).join(' ');
  }
}

/** Without words at the beginning that no name has. */
function trimmed(all: readonly string[]): string {
  const first = all.findIndex((word) => !STOPS.test(word));
  return first < 0 ? '' : all.slice(first).join(' ');
}

function isResolved(phrase: string): boolean {
  const parts = splitWords(phrase).filter(isWord);
  const named = parts.filter((word) => !STOPS.test(word) && !DESCRIBES.test(word) && !ordinary.has(stem(word)));
  const roots = named.map(rootOf);
  return roots.length === 0 || vocabularies().some((known) => roots.every((root) => known.has(root)));
}
