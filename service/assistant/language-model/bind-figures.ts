import type { Figure, KnownRun } from '../mind.js';
import type { Evidence } from './evidence.js';
import { isObject, type MetricMention, type SubjectMention } from './mentions.js';
import { LOSS_WORDS, RATE_AFTER, shares } from './metric-words.js';
import type { NumberInText } from './read-numbers.js';

/** A sentence in plain signs without names and places, and what it speaks of. */
export interface Speech {
  readonly text: string;
  /** Whom the sentences before speak of; null for no run in particular. */
  readonly before: SubjectMention | null;
  readonly subjects: readonly SubjectMention[];
  readonly metrics: readonly MetricMention[];
  /** Those that may be figures. */
  readonly numbers: readonly NumberInText[];
  readonly evidence: Evidence;
}

/** A rounded figure may be off by this share of it, so that 1 cannot stand for 0.6. */
const ROUNDED_MAX = 0.05;
const DUST = 1e-9;
/** Characters before a number that say what it is. */
const NEAR = 40;

/** What may stand between a number and the metric after it: `12.3 % of total return`. */
const BEFORE_METRIC = /^\s*(?:(?:of|in|the|its|their|them|all|total|overall|net|was|is|as|from|winning|losing)\s+)*$/i;
/** What may stand between a metric and its number where the metric is meant for certain. */
const AFTER_METRIC = /^\s*(?:(?:ratio|of|is|was|at|a|an|only|about|around|by|to|reached)\s+|[:=(-]\s*)*$/i;
/** What may stand between a number and the run after it: `12.3 % for candidate 1`. */
// Bounded because an answer has at most 8,000 characters, and no run of white space.
const BEFORE_SUBJECT =
  /^\s*(?:[\w-]+\s+){0,4}?(?:for|of|by|from|in|that|which)\s+(?:the\s+)?$|^\s*,?\s*(?:(?:belong(?:s|ed)|goes|went)\s+)?to\s+(?:the\s+)?$/i;
/** What may stand between a run with which a sentence compares and its number. */
// Bounded because an answer has at most 8,000 characters, and no run of white space.
const AFTER_OBJECT = /^(?:['\u2019]s?)?(?:\s+(?!with\b|by\b)[\w-]+){0,3}\s*\(?\s*$|^,?\s+(?:which|that)\b[^,]*$/i;
const COMPARES = /^\s*(?:against|versus|vs\.?|compared)\b/i;
const IN_BRACKETS = /^(?:['\u2019]s?)?\s*\([^)]*$/;
/** The number after one of these is of what the sentence compares with. */
const COMPARED = /\b(?:against|versus|vs\.?|than|instead of|from|to|compared (?:to|with))\s+(?:only\s+|about\s+)?$/i;
const AGAINST = /\b(?:against|versus|vs\.?|instead of|compared (?:to|with))\s+(?:only\s+|about\s+)?$/i;
const PRONOUN = /^\W*(?:it|its|this|that|the (?:strategy|run|candidate|drawdown|return|sharpe|trade))\b/i;
/** A part of a sentence has a loss of its own. */
const PART = /,\s|\s(?:and|but|with|while|whereas|against|versus|vs)\s/gi;

/**
 * Whether a number is a figure of the run and of the metric that its sentence names. Where the
 * sentence names no run, the one before it counts; where none has, any run does. Without a metric
 * any metric does.
 *
 * Prose is checked, and not placeholders that the service fills in: `candidate 1 returned
 * {{candidate_2.sharpe_ratio}}` is as wrong, so the words around a placeholder would need the same
 * reading, and each model would have to learn the form.
 */
export function isFigure(number: NumberInText, speech: Speech): boolean {
  const { text, evidence } = speech;
  if (RATE_AFTER.test(text.slice(number.end))) return false;
  const metrics = metricsOf(number, speech);
  const saysLoss = LOSS_WORDS.test(partAround(text, number.start, number.end));
  const isSaidBy = (figures: readonly Figure[]) =>
    figures.some((figure) => (metrics === null || metrics.includes(figure.metric)) && says(number, figure, saysLoss));
  const { runs, isMarket, isEach } = subjectOf(number, speech);
  if (isMarket) {
    const ofMarket = evidence.figures.filter(({ metric }) => metric === 'market_return');
    return ofMarket.some(({ value }) => isSaidBy([{ metric: 'total_return', value }]));
  }
  const ofRuns = (runs ?? evidence.runs).map(({ figures }) => figures);
  if (isEach ? ofRuns.length > 0 && ofRuns.every(isSaidBy) : ofRuns.some(isSaidBy)) return true;
  return isSaidBy(evidence.figures.filter(({ metric }) => metrics !== null && metric !== 'market_return'));
}

interface Subject {
  /** Null for any run. */
  readonly runs: readonly KnownRun[] | null;
  readonly isMarket: boolean;
  /** Whether the number must be of every one of them. */
  readonly isEach: boolean;
}

const anyRun: Subject = { runs: null, isMarket: false, isEach: false };
const only = ({ runs, isMarket }: Pick<SubjectMention, 'runs' | 'isMarket'>): Subject => ({
  runs,
  isMarket,
  isEach: false,
});

/** The run that a number is said of. */
function subjectOf(number: NumberInText, { text, before, subjects, numbers, evidence }: Speech): Subject {
  const between = (from: number, to: number) => text.slice(from, to);
  const isCompared = COMPARED.test(between(Math.max(0, number.start - NEAR), number.start));
  const isFree = (from: number, to: number) => !numbers.some(({ start, end }) => start >= from && end <= to);
  const next = subjects.find(({ start, isTrait }) => start >= number.end && !isTrait);
  if (next !== undefined && isFree(number.end, next.start) && BEFORE_SUBJECT.test(between(number.end, next.start))) {
    return only(next);
  }
  const earlier = subjects.filter(({ end }) => end <= number.start);
  const objects = earlier.filter((each) => isObject(text, each));
  const object = objects.at(-1);
  if (object !== undefined) {
    const since = between(object.end, number.start);
    const isNear = isFree(object.end, number.start) && AFTER_OBJECT.test(since);
    const isItsOwn = (isNear || IN_BRACKETS.test(since)) && !COMPARES.test(text.slice(number.end));
    if (isItsOwn || isCompared) return only(object);
  }
  const main = earlier.filter((each) => !objects.includes(each));
  if (
    isCompared &&
    (main.every(({ isTrait }) => isTrait) || AGAINST.test(between(Math.max(0, number.start - NEAR), number.start)))
  )
    return anyRun;
  const isSame = before !== null && PRONOUN.test(text) && main.every(({ isTrait }) => isTrait);
  if (main.length > 0) return joined(isSame ? [before, ...main] : main, number, numbers);
  if (next !== undefined && !PRONOUN.test(text) && !isObject(text, next)) return only(next);
  if (before === null) return traitIn(subjects) ?? anyRun;
  const others = evidence.runs.filter(({ candidate }) => candidate === null);
  return only({ runs: before.runs === null ? null : [...before.runs, ...others], isMarket: false });
}

const traitIn = (subjects: readonly SubjectMention[]): Subject | null => {
  const trait = subjects.find(({ isTrait }) => isTrait);
  return trait === undefined ? null : only(trait);
};

/** Several words for one run narrow it down; a new one after a figure begins another. */
function joined(mentions: readonly SubjectMention[], number: NumberInText, numbers: readonly NumberInText[]): Subject {
  let current = mentions[0] as SubjectMention;
  for (const mention of mentions.slice(1)) {
    const isNew = !mention.isTrait && numbers.some(({ start }) => start >= current.end && start < mention.start);
    if (mention.runs === null && !isNew) continue;
    const both = (current.runs ?? mention.runs ?? []).filter((run) => mention.runs?.includes(run) ?? true);
    const isNarrower = !isNew && !mention.isMarket && !current.isMarket && both.length > 0 && mention.runs !== null;
    current = isNarrower ? { ...mention, isTrait: current.isTrait, isList: current.isList, runs: both } : mention;
  }
  if (!current.isList || current.runs === null) return only(current);
  const own = numbers.filter(({ start }) => start >= current.end);
  const run = current.runs[own.indexOf(number)];
  if (own.length === current.runs.length && run !== undefined) return only({ runs: [run], isMarket: false });
  return { ...only(current), isEach: own.length === 1 };
}

/** The metrics that a number may be of; null where no word says it. */
function metricsOf(number: NumberInText, { text, metrics, numbers }: Speech): readonly string[] | null {
  const isLikely = (each: readonly string[]) =>
    !number.isPercent || each.includes('unknown') || each.some((metric) => shares.has(metric));
  const next = metrics.find(({ start }) => start >= number.end);
  if (next !== undefined && isLikely(next.metrics) && BEFORE_METRIC.test(text.slice(number.end, next.start)))
    return next.metrics;
  const earlier = metrics.filter(({ start }) => start < number.start);
  const last = earlier.at(-1);
  if (last === undefined) return null;
  if (AFTER_METRIC.test(text.slice(last.end, number.start))) {
    const pair = paired(number, earlier, metrics, numbers);
    return pair ?? last.metrics;
  }
  return (
    paired(number, earlier, metrics, numbers) ?? earlier.findLast((each) => isLikely(each.metrics))?.metrics ?? null
  );
}

/** `The return and the drawdown were 12.3 % and 8.1 %`: as many metrics as numbers after them. */
function paired(
  number: NumberInText,
  earlier: readonly MetricMention[],
  metrics: readonly MetricMention[],
  numbers: readonly NumberInText[],
): readonly string[] | null {
  const last = earlier.at(-1) as MetricMention;
  const stop = metrics.find(({ start }) => start > last.start)?.start ?? Infinity;
  const row = numbers.filter(({ start }) => start >= last.end && start < stop);
  const from = Math.max(0, ...numbers.filter(({ end }) => end <= last.start).map(({ end }) => end));
  const named = earlier.filter(({ start }) => start >= from);
  const isPaired = named.length > 1 && named.length === row.length;
  return isPaired ? (named[row.indexOf(number)]?.metrics ?? null) : null;
}

function says(
  { value, isPercent, hasMinus, places }: NumberInText,
  { metric, value: figure }: Figure,
  saysLoss: boolean,
): boolean {
  const isShare = shares.has(metric);
  if (isPercent && !isShare) return false;
  const exact = isPercent ? 100 * figure : figure;
  const off = Math.abs(Math.abs(value) - Math.abs(exact));
  const isNear = off <= 0.5 * 10 ** -places + DUST && (off <= ROUNDED_MAX * Math.abs(exact) + DUST || value === 0);
  if (!isNear) return false;
  if (exact < 0) return hasMinus || saysLoss || value === 0;
  return !hasMinus || metric === 'max_drawdown' || value === 0;
}

/** The part of a sentence, between commas and conjunctions, that has a number. */
function partAround(sentence: string, start: number, end: number): string {
  let from = 0;
  let to = sentence.length;
  for (const { index, 0: split } of sentence.matchAll(PART)) {
    if (index + split.length <= start) from = index + split.length;
    else if (index >= end) {
      to = index;
      break;
    }
  }
  return sentence.slice(from, to);
}
