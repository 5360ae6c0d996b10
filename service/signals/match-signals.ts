import { isRecord, quote } from '../../engine/errors.js';
import type { ParamValue } from '../../engine/indicators/index.js';
import { requireSignal, type Signal, type SignalCategory, type SignalType } from '../../engine/signals/index.js';
import { clip } from '../../engine/text.js';
import { requireFields } from '../api-error.js';
import { type QueryTerm, queryDirection, readDescription } from '../words/index.js';
import { invalidField, textWithin, wholeNumber } from './records.js';
import { findByTerms, indexedParts, type TextMatch } from './signal-index.js';

const DESCRIPTION_CHARACTERS_MAX = 2_000;
/** Most results; larger numbers are reduced to it. */
export const MATCHES_MAX = 1_000;
const MATCHES_DEFAULT = 5;
const THRESHOLD_DEFAULT = 0.5;

/** The description and the number of results have two names each; the first takes precedence. */
interface MatchSignalsRequest {
  readonly user_description?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** Default 5; clamped to 1..1000. */
  readonly num_results?: number | null | undefined;
  readonly top_k?: number | null | undefined;
  /** `entry` prefers bullish signals, `exit` bearish ones; a warning names any other text. */
  readonly match_type?: string | null | undefined;
  /** 0..1. Matches below it are left out; without it all are returned. */
  readonly similarity_threshold?: number | null | undefined;
  /** Its texts are read as part of the description, at half the weight. */
  readonly user_intent?: unknown;
}

interface SignalMatch {
  readonly signal_name: string;
  /** 0..1; matches are sorted by it. */
  readonly score: number;
  /**
   * `keyword` if only the caller's own words matched, `semantic` if the thesaurus added some that
   * did.
   */
  readonly match_method: 'semantic' | 'keyword';
  readonly category: SignalCategory;
  readonly signal_type: SignalType;
  readonly description: string;
  readonly reasoning: string;
  readonly similarity_score: number;
  /** Score of the text alone. */
  readonly semantic_score: number;
  /**
   * Score of the direction alone: 1 as wanted, 0 against it, 0.5 neutral; null if no direction is
   * wanted.
   */
  readonly intent_score: number | null;
  /** Always null: signals have no recorded use cases. */
  readonly usecase_score: null;
  /**
   * Values to use the signal with: its defaults in the wanted direction. A parameter without a
   * default is left out.
   */
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly match_reasoning: string;
}

interface MatchedSignals {
  readonly query: string;
  readonly top_k: number;
  readonly similarity_threshold: number;
  readonly matches: readonly SignalMatch[];
  /** Names a `match_type` that has no effect. */
  readonly warnings: readonly string[];
}

/**
 * Finds signals that match a description in words, best first.
 * @throws MISSING_FIELD without a description, VALIDATION_ERROR for fields of a wrong type, length
 *   or bound
 */
export function matchSignals(request: MatchSignalsRequest): MatchedSignals {
  const description = request.user_description ?? request.description;
  requireFields({ user_description: description }, ['user_description']);
  const query = textWithin('user_description', description, DESCRIPTION_CHARACTERS_MAX);
  const wanted = wholeNumber('num_results', request.num_results ?? request.top_k, MATCHES_DEFAULT);
  const top_k = Math.min(Math.max(wanted, 1), MATCHES_MAX);
  const threshold = readThreshold(request.similarity_threshold);
  const terms = mergeTerms(readDescription(query), readIntent(request.user_intent));
  const purpose = readPurpose(request.match_type);
  const direction = queryDirection(terms) + (purpose === null ? 0 : purposes[purpose]);
  const matches = findByTerms(terms)
    .map((match) => judge(match, Math.sign(direction)))
    .filter(({ score }) => threshold === null || score >= threshold)
    .sort((a, b) => b.score - a.score || (a.signal.name < b.signal.name ? -1 : 1))
    .slice(0, top_k)
    .map((judged) => describe(judged, terms));
  const warnings =
    purpose === null && isPresent(request.match_type)
      ? [`match_type ${quote(request.match_type)} has no effect; it may be ${Object.keys(purposes).join(' or ')}`]
      : [];
  return { query, top_k, similarity_threshold: threshold ?? THRESHOLD_DEFAULT, matches, warnings };
}

function readThreshold(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw invalidField('similarity_threshold', 'a number 0..1', value);
  }
  return value;
}

/**
 * What the signals are for, and the direction that prefers: the caller's stated purpose outweighs
 * hints in the words of the description.
 */
const purposes = { entry: 3, exit: -3 } as const;

const isPresent = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

/** Null for none, and for a text that is no purpose. */
function readPurpose(value: unknown): keyof typeof purposes | null {
  if (!isPresent(value)) return null;
  if (typeof value !== 'string') throw invalidField('match_type', 'a text such as entry or exit', value);
  const type = value.trim().toLowerCase();
  return type === 'entry' || type === 'exit' ? type : null;
}

const INTENT_WEIGHT = 0.5;

function readIntent(value: unknown): QueryTerm[] {
  if (value === undefined || value === null) return [];
  if (!isRecord(value)) throw invalidField('user_intent', 'an object', value);
  const texts = Object.values(value).filter((entry) => typeof entry === 'string');
  const terms = readDescription(clip(texts.join('\n'), DESCRIPTION_CHARACTERS_MAX));
  return terms.map((term) => ({ ...term, weight: term.weight * INTENT_WEIGHT }));
}

/** Each term once, with the larger of its weights. */
function mergeTerms(own: readonly QueryTerm[], others: readonly QueryTerm[]): QueryTerm[] {
  const merged = new Map(others.map((term) => [term.term, term]));
  for (const term of own) if ((merged.get(term.term)?.weight ?? 0) <= term.weight) merged.set(term.term, term);
  return [...merged.values()];
}

/** The relevance that scores 0.5. */
const HALF_RELEVANCE = 12;
/** Share of the relevance that the direction adds or takes away. */
const DIRECTION_SHARE = 0.2;

interface JudgedMatch {
  readonly match: TextMatch;
  readonly signal: Signal;
  readonly direction: number;
  readonly agreement: number;
  readonly score: number;
}

function judge(match: TextMatch, direction: number): JudgedMatch {
  const signal = requireSignal(match.name);
  const agreement = directionAgreement(signal, direction);
  const score = toScore(match.relevance * (1 + DIRECTION_SHARE * agreement));
  return { match, signal, direction, agreement, score };
}

function describe(
  { match, signal, direction, agreement, score }: JudgedMatch,
  terms: readonly QueryTerm[],
): SignalMatch {
  const { sentences, isLiteral } = explain(match, terms);
  const reasoning = [...sentences, ...directionSentence(signal, direction, agreement)].join(' ');
  return {
    signal_name: signal.name,
    score,
    match_method: isLiteral ? 'keyword' : 'semantic',
    category: signal.category,
    signal_type: signal.type,
    description: signal.description,
    reasoning,
    similarity_score: score,
    semantic_score: toScore(match.relevance),
    intent_score: direction === 0 ? null : (agreement + 1) / 2,
    usecase_score: null,
    params: paramsFor(signal, direction),
    match_reasoning: reasoning,
  };
}

const toScore = (relevance: number): number => Math.round((1e4 * relevance) / (relevance + HALF_RELEVANCE)) / 1e4;

/**
 * 1 if the signal has the wanted direction, -1 if it has the opposite one, 0 if either has none.
 */
function directionAgreement({ bias }: Signal, direction: number): number {
  if (bias === 'bullish') return direction;
  return bias === 'bearish' ? -direction : 0;
}

/** Default values; a `direction` parameter gets the wanted direction. */
function paramsFor(signal: Signal, direction: number): Record<string, ParamValue> {
  const values: Record<string, ParamValue> = {};
  for (const [name, spec] of Object.entries(signal.params)) if (spec.default !== undefined) values[name] = spec.default;
  if (signal.bias === 'by_direction' && direction !== 0) values.direction = direction > 0 ? 'bullish' : 'bearish';
  return values;
}

/** Sentences that say which words matched which part of the record. */
function explain({ found }: TextMatch, terms: readonly QueryTerm[]): { sentences: string[]; isLiteral: boolean } {
  const asked = new Map(terms.map((term) => [term.term, term]));
  const reasons = new Map<string, Set<string>>();
  let isLiteral = true;
  for (const [term, parts] of found) {
    const { said, isOwnWord } = asked.get(term) ?? { said: null, isOwnWord: true };
    if (!isOwnWord) isLiteral = false;
    const how = said === null ? `A word close to "${term}" is in` : `"${said}" ${isOwnWord ? 'is in' : 'points to'}`;
    const titles = reasons.get(how) ?? new Set();
    for (const part of parts) titles.add(indexedParts[part].title);
    reasons.set(how, titles);
  }
  return { sentences: [...reasons].map(([how, titles]) => `${how} ${[...titles].join(', ')}.`), isLiteral };
}

function directionSentence({ bias }: Signal, direction: number, agreement: number): string[] {
  if (direction === 0) return [];
  const wanted = direction > 0 ? 'upwards' : 'downwards';
  if (agreement === 0) return [`It fits any direction, including ${wanted}.`];
  return [`It is ${bias}, which ${agreement > 0 ? 'fits' : 'contradicts'} the wanted direction, ${wanted}.`];
}
