import type { KnownRun } from '../mind.js';
import type { Evidence } from './evidence.js';
import { metricWords, PARAMETER_BEFORE } from './metric-words.js';
import { NAME, numbersIn } from './read-numbers.js';

/** Characters before a number that say what it is; few, so that no text makes the search slow. */
const NEAR = 80;

/** Words of a sentence that name a metric. */
export interface MetricMention {
  readonly start: number;
  readonly end: number;
  readonly metrics: readonly string[];
}

/** Words of a sentence that name runs, or what the asset itself did. */
export interface SubjectMention {
  readonly start: number;
  readonly end: number;
  /** Null stands for any run. */
  readonly runs: readonly KnownRun[] | null;
  readonly isMarket: boolean;
  /** Whether the candidates are listed one by one, in the order of `runs`. */
  readonly isList: boolean;
  /** Whether it says how a run was made, which narrows what it belongs to. */
  readonly isTrait: boolean;
}

const blank = (text: string): string => ' '.repeat(text.length);

export function metricsIn(sentence: string): MetricMention[] {
  const found: MetricMention[] = [];
  let left = sentence;
  for (const { metrics, pattern } of metricWords) {
    left = left.replace(pattern, (words: string, start: number) => {
      found.push({ start, end: start + words.length, metrics });
      // Bounded because an answer has at most 8,000 characters, and no run of white space.
      return words.replace(/\d+ trades|\S/g, (part) => (/\d/.test(part) ? part : ' '));
    });
  }
  const ordered = found.sort((a, b) => a.start - b.start);
  return ordered.filter((each, i) => !isMovement(each, ordered[i - 1], sentence));
}

/** `the Sharpe ratio fell`: the verb belongs to the metric before it. */
function isMovement({ start, end }: MetricMention, before: MetricMention | undefined, sentence: string): boolean {
  if (before === undefined || !/^(?:rose|fell|grew|up|down)$/i.test(sentence.slice(start, end))) return false;
  return !/[\d,;]/.test(sentence.slice(before.end, start));
}

const ordinals = 'first second third fourth fifth sixth seventh eighth'.split(' ');
const cardinals = 'one two three four five six seven eight'.split(' ');
const NOUN = '(?:candidates?|runs?|options?|numbers?|no\\.|variants?|strateg(?:y|ies)|tests?)';
const ONE = new RegExp(
  `\\b${NOUN}\\s+#?(\\d{1,2}|${cardinals.join('|')})\\b(?!\\s*%|[.,]\\d|\\s+trades)|#(\\d{1,2})\\b`,
  'gi',
);
const SEVERAL =
  /\b(?:(?:candidates|runs|options|numbers|variants)\s+(?=#?\d)|(?=candidate\s+\d{1,2}\s*(?:,|and|or)\s+candidate\s))((?:candidate\s+)?#?\d{1,2}(?:(?:,\s?|(?:\s?,)?\s(?:and|or|to|&)\s)(?:candidate\s+)?#?\d{1,2}(?!\s*%|\.\d|\d))+)/gi;
const ORDINAL = new RegExp(`\\b(${ordinals.join('|')})\\s+(?:candidate|one|run|option|strategy)\\b`, 'gi');
const MARKET =
  /\b(?:[Bb]uy(?:ing)?[- ](?:and|&)[- ]hold(?:ing)?|[Hh]old(?:ing)?(?=\W*(?:$|the\b|it\b|[Bb]itcoin|[A-Z]{2,5}\b|return|made|earned|gain|alone|over|would|had|was|did|simply|instead))|(?:[Tt]he|[Ii]ts) market\b|[Tt]he (?:asset|coin)\b|[Bb]enchmark|(?:[Bb]itcoin|[A-Z]{2,5}) itself)/g;
const BEST =
  /\b(?:the )?(?:best|top|leading|strongest|winning) (?:candidate|one|run|option|strategy|performer|of (?:the|all|these|them))\b|\bthe (?:winner|leader)\b|\bthe best (?=returned|made|earned|gained|lost|had|won)/gi;
const WORST =
  /\b(?:the )?(?:worst|weakest|poorest) (?:candidate|one|run|option|strategy|performer|of (?:the|all|these|them))\b|\bthe loser\b/gi;
const OTHERS = /\b(?:variants?|variation|versions?)\b/gi;
const ANY =
  /\b(?:all|both|neither|none|every|each|they|their|others?|rest|any|returns|draw-?downs|ratios|win rates|ranged|candidates(?!\s+#?\d))\b/gi;

/** Blanks out the numbers by which a sentence names candidates and runs, up to the highest. */
export const withoutPlaces = (sentence: string, highest: number): string =>
  [SEVERAL, ONE].reduce(
    (text, pattern) =>
      text.replace(pattern, (words: string, ...parts: unknown[]) =>
        placesIn(words, parts.find((part) => typeof part === 'string') as string).every((place) => place <= highest)
          ? blank(words)
          : words,
      ),
    sentence,
  );

/** Whom a sentence speaks of, in the order of its words. */
export function subjectsIn(sentence: string, { runs, best }: Evidence): SubjectMention[] {
  const candidates = runs.filter(({ candidate }) => candidate !== null);
  const numbered = (place: number, words: string): KnownRun[] =>
    runs.filter(({ candidate }, i) =>
      candidate === null ? !/^candidate/i.test(words) && placeAmongOthers(runs, i) === place : candidate === place,
    );
  const found: SubjectMention[] = [];
  let left = sentence;
  const take = (pattern: RegExp, of: (match: RegExpMatchArray) => Partial<SubjectMention> | null): void => {
    for (const match of left.matchAll(pattern)) {
      const mention = of(match);
      if (mention === null) continue;
      const { index: start, 0: words } = match;
      found.push({
        start,
        end: start + words.length,
        runs: null,
        isMarket: false,
        isList: false,
        isTrait: false,
        ...mention,
      });
      left = left.slice(0, start) + blank(words) + left.slice(start + words.length);
    }
  };
  take(SEVERAL, ([words, list = '']) => ({
    runs: placesIn(words, list).flatMap((place) => numbered(place, words)),
    isList: !/\bto\b/.test(list),
  }));
  take(ONE, ([words, digits, hash]) => {
    const named = numbered(placeOf(digits ?? hash ?? ''), words);
    return named.length === 0 ? null : { runs: named }; // the number itself is refused
  });
  take(ORDINAL, ([words, ordinal = '']) => ({
    runs: numbered(ordinals.indexOf(ordinal.toLowerCase()) + 1, words.replace(/^\w+ /, '')),
  }));
  take(BEST, () => ({ runs: candidates.filter(({ candidate }) => best === null || candidate === best) }));
  take(WORST, () => ({ runs: lowest(candidates) }));
  take(MARKET, () => ({ runs: [], isMarket: true }));
  take(NAME, ([name]) => traitOf(runs.filter(({ signals }) => signals.includes(name.toLowerCase()))));
  take(OTHERS, () => ({ runs: runs.filter(({ candidate }) => candidate === null) }));
  take(ANY, () => ({}));
  for (const { value, start, end } of numbersIn(left)) {
    if (!PARAMETER_BEFORE.test(left.slice(Math.max(0, start - NEAR), start))) continue;
    const trait = traitOf(runs.filter(({ values }) => values.includes(value)));
    if (trait !== null) found.push({ start, end, isMarket: false, isList: false, ...trait });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Place of a run among those of its kind, from 1. */
const placeAmongOthers = (runs: readonly KnownRun[], i: number): number =>
  runs.slice(0, i + 1).filter(({ candidate }) => candidate === null).length;

const traitOf = (runs: readonly KnownRun[]) => (runs.length === 0 ? null : { runs, isTrait: true });

const placeOf = (text: string): number => {
  const word = cardinals.indexOf(text.toLowerCase());
  return word < 0 ? Number(text) : word + 1;
};

/** `1, 2 and 4`, or `1 to 4` with all between. */
function placesIn(words: string, list: string): number[] {
  // Bounded because an answer has at most 8,000 characters, and no run of white space.
  const places = (list.match(/\d+|[a-z]{3,}(?=$)/gi) ?? []).map(placeOf);
  const [from = 0, to = 0] = places;
  return /\bto\b/.test(words) ? Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i) : places;
}

/** The lowest by return and the lowest by Sharpe ratio. */
function lowest(candidates: readonly KnownRun[]): KnownRun[] {
  const figureOf = ({ figures }: KnownRun, of: string) =>
    figures.find(({ metric }) => metric === of)?.value ?? Infinity;
  return ['total_return', 'sharpe_ratio'].flatMap((metric) => {
    const least = Math.min(...candidates.map((run) => figureOf(run, metric)));
    return candidates.filter((run) => figureOf(run, metric) === least);
  });
}

/** Whether a sentence compares with these runs, and speaks of others. */
export const isObject = (sentence: string, { start }: SubjectMention): boolean =>
  OBJECT_BEFORE.test(sentence.slice(Math.max(0, start - NEAR), start));
const OBJECT_BEFORE =
  /\b(?:than|beats?|beat|beaten by|outperform\w*|over|versus|vs\.?|against|compared (?:to|with)|behind|ahead of|unlike|below|above|exceed\w*)\s+(?:the\s+|that of\s+)?$/i;
