import { requireSignal, type Signal, type SignalCategory } from '../../engine/signals/index.js';
import { requireFields } from '../api-error.js';
import { readDescription } from '../words/index.js';
import {
  invalidField,
  type SignalRecord,
  signalRecord,
  signalsByName,
  textWithin,
  type UsageCounts,
  wholeNumber,
  wholeNumberWithin,
} from './records.js';
import { findByTerms, keywordRing } from './signal-index.js';

const LIST_LIMIT_MAX = 100;
/** Largest page of a search. Larger limits are reduced to it, and the answer echoes it. */
const SEARCH_LIMIT_MAX = 1_000;
export const SEARCH_QUERY_CHARACTERS_MAX = 200;
const LIMIT_DEFAULT = 50;

interface ListSignalsRequest {
  /** 1..100, default 50. */
  readonly limit?: number | null | undefined;
  /** From 0, default 0. */
  readonly offset?: number | null | undefined;
  readonly category?: string | null | undefined;
}

interface SignalPage {
  readonly signals: readonly SignalRecord[];
  /** Number of matches before paging. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

const categories = [...new Set(signalsByName.map(({ category }) => category))].sort();

/** Whether a list has a signal: without a category, signals of the documented six. */
export const isListed = ({ category: own }: Signal, category: SignalCategory | null): boolean =>
  category === null ? own !== 'user' : own === category;

/**
 * Lists signals by name, of one category or of the documented six.
 * @throws VALIDATION_ERROR for a limit or offset out of bounds and for an unknown category
 */
export function listSignals(request: ListSignalsRequest, usageOf?: UsageCounts): SignalPage {
  const limit = wholeNumberWithin('limit', request.limit, LIMIT_DEFAULT, 1, LIST_LIMIT_MAX);
  const offset = wholeNumberWithin('offset', request.offset, 0, 0, Number.MAX_SAFE_INTEGER);
  const category = readCategory(request.category);
  const listed = signalsByName.filter((signal) => isListed(signal, category));
  return page(listed, limit, offset, usageOf);
}

function readCategory(value: unknown): SignalCategory | null {
  if (value === undefined || value === null) return null;
  const meant = categories.find((category) => category === value);
  if (meant === undefined) throw invalidField('category', `one of ${categories.join(', ')}`, value);
  return meant;
}

function page(listed: readonly Signal[], limit: number, offset: number, usageOf?: UsageCounts): SignalPage {
  const shown = listed.slice(offset, offset + limit);
  return { signals: shown.map((signal) => signalRecord(signal, usageOf)), total: listed.length, limit, offset };
}

interface SearchSignalsRequest {
  readonly query?: string | null | undefined;
  /** `name` (the default), `params` or `keywords`. */
  readonly search_type?: string | null | undefined;
  /** Default 50; clamped to 1..1000. */
  readonly limit?: number | null | undefined;
  /** Default 0; negative values are read as 0. */
  readonly offset?: number | null | undefined;
}

type SearchType = 'name' | 'params' | 'keywords';

interface SignalSearchPage extends SignalPage {
  readonly search_type: SearchType;
}

/**
 * 0 where a name has the query as whole words (`sma` in `is_above_sma`), 1 where it is part of one
 * (`rsi` in `stochrsi_oversold`), -1 where no name has it.
 */
function rankIn(names: readonly string[], query: string): number {
  const found = names.filter((name) => name.includes(query));
  if (found.length === 0) return -1;
  return found.some((name) => `_${name}_`.includes(`_${query}_`)) ? 0 : 1;
}

/** How well a signal matches a lower-case query: lower is better, -1 is no match. */
const searches: Readonly<Record<SearchType, (signal: Signal, query: string) => number>> = {
  name: ({ name, aliases }, query) => rankIn([name, ...aliases], query),
  params: ({ params }, query) => rankIn(Object.keys(params), query),
  keywords: keywordRing,
};

const isSearchType = (value: unknown): value is SearchType =>
  typeof value === 'string' && Object.hasOwn(searches, value);

/**
 * Searches signals by name or alias, by parameter name, or by keywords. The first two must contain
 * the query; several words that no name contains are searched as keywords, then as a description,
 * and `search_type` says `keywords`. With keywords, every word must match the name, description,
 * category, parameter names, or the names and long forms of the indicators, or be a synonym of a word there. Whole words come
 * before parts of words, then names decide; signals that only use a matching indicator come last.
 * Case does not matter. An empty page is an answer, not an error.
 */
export function searchSignals(request: SearchSignalsRequest, usageOf?: UsageCounts): SignalSearchPage {
  requireFields(request, ['query']);
  const query = textWithin('query', request.query, SEARCH_QUERY_CHARACTERS_MAX).toLowerCase();
  const search_type = request.search_type ?? 'name';
  if (!isSearchType(search_type)) {
    throw invalidField('search_type', `one of ${Object.keys(searches).join(', ')}`, search_type);
  }
  const limit = Math.min(Math.max(wholeNumber('limit', request.limit, LIMIT_DEFAULT), 1), SEARCH_LIMIT_MAX);
  const offset = Math.max(wholeNumber('offset', request.offset, 0), 0);
  const asNamed = findBy(search_type, query);
  // Several words that no name has are words about a signal.
  const isSpoken = search_type === 'name' && asNamed.length === 0 && /\S\s+\S/.test(query);
  const found = isSpoken ? findSpoken(query.trim()) : asNamed;
  return { ...page(found, limit, offset, usageOf), search_type: isSpoken ? 'keywords' : search_type };
}

/** Of descriptions that no signal has every word of, the signals nearest to the best. */
const NEAREST_SHARE = 0.6;

/** The signals that have every word, or else the signals that fit a description best. */
function findSpoken(query: string): readonly Signal[] {
  const exact = findBy('keywords', query);
  if (exact.length > 0) return exact;
  const near = findByTerms(readDescription(query)).sort((a, b) => b.relevance - a.relevance);
  const least = NEAREST_SHARE * (near[0]?.relevance ?? 0);
  return near.filter(({ relevance }) => relevance >= least).map(({ name }) => requireSignal(name));
}

/** The signals that match, best first. */
const findBy = (search_type: SearchType, query: string): Signal[] =>
  signalsByName
    .map((signal) => ({ signal, rank: searches[search_type](signal, query) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank)
    .map(({ signal }) => signal);
