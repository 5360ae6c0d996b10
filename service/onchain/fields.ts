import type { RowQuery, Window } from '../../data/upstreams/flows/index.js';
import { type Chain, chains, findToken, type Token } from '../../data/upstreams/index.js';
import { isRecord, quote } from '../../engine/errors.js';
import { DAY_MS, isBareDate, isoTime, parseIsoTime } from '../../engine/series/index.js';
import { ApiError, notFound, refuseMissing, wrongValue } from '../api-error.js';
import { readInteger } from '../read-fields.js';

/** Bounds that the endpoints share. */
export const HOURS_BACK = { min: 1, max: 720, ifAbsent: 24 };
export const limitBounds = (ifAbsent: number) => ({ min: 1, max: 1_000, ifAbsent });

const DEFAULT_CHAIN: Chain = 'ethereum';
const RANGE_DAYS_MAX = 366;

/** The body of a request for rows, not yet checked. */
export interface RowsRequest {
  readonly filters?: unknown;
  readonly order_by?: unknown;
  readonly page?: number;
  readonly per_page?: number;
}

export const invalid = (field: string, bound: string, value: unknown): ApiError =>
  wrongValue(field, bound, value, 'INVALID_FIELD');

/** @throws ApiError MISSING_FIELD, RESOURCE_NOT_FOUND */
export function readToken(symbol: string | undefined): { readonly token: Token; readonly symbol: string } {
  if (symbol === undefined || symbol.trim() === '') refuseMissing(['symbol']);
  const found = findToken(symbol ?? '');
  if (found === null) throw notFound('token', symbol ?? '');
  return found;
}

/** @throws ApiError RESOURCE_NOT_FOUND for a chain that the service does not know */
function readChain(name: string): Chain {
  const found = chains.find((chain) => chain === name.trim().toLowerCase());
  if (found !== undefined) return found;
  throw new ApiError('RESOURCE_NOT_FOUND', `chain ${quote(name)} not found, known are ${chains.join(', ')}`);
}

/** The chain of a token. @throws ApiError RESOURCE_NOT_FOUND for a token that is not on it */
export function requireChain(token: Token, chain: string | undefined): Chain {
  const read = readChain(chain ?? DEFAULT_CHAIN);
  if (!(read in token.contracts)) throw notFound('token', `${token.ticker} on ${read}`);
  return read;
}

/** A list as one text, separated by commas. Repetitions count once. */
export function readNames<T extends string>(
  field: string,
  text: string | undefined,
  choices: readonly T[],
  ifAbsent: readonly T[],
): readonly T[] {
  return readList(text, (name) => readName(field, name, choices), ifAbsent);
}

function readList<T>(text: string | undefined, read: (name: string) => T, ifAbsent: readonly T[]): readonly T[] {
  const names = (text ?? '').split(',').map((name) => name.trim());
  const given = names.filter((name) => name !== '');
  return given.length === 0 ? ifAbsent : [...new Set(given.map(read))];
}

/** Chains in a query. */
export const readChainNames = (text: string | undefined): readonly Chain[] =>
  readList(text, readChain, [DEFAULT_CHAIN]);

/** Chains in a body. */
export function readChains(value: unknown): readonly Chain[] {
  if (value === undefined || value === null) return [DEFAULT_CHAIN];
  if (!Array.isArray(value) || value.length === 0) throw invalid('chains', 'an array of 1 or more chains', value);
  const readEach = (name: unknown, i: number): Chain => {
    if (typeof name !== 'string') throw invalid(`chains[${i}]`, `one of ${chains.join(', ')}`, name ?? null);
    return readChain(name);
  };
  return [...new Set(value.map(readEach))];
}

function readName<T extends string>(field: string, name: unknown, choices: readonly T[]): T {
  const found = choices.find(
    (choice) => typeof name === 'string' && choice.toLowerCase() === name.trim().toLowerCase(),
  );
  if (found === undefined) throw invalid(field, `one of ${choices.join(', ')}`, name ?? null);
  return found;
}

export function readUsd(field: string, value: number | undefined, ifAbsent: number): number {
  const usd = value ?? ifAbsent;
  if (!Number.isFinite(usd) || usd < 0) throw invalid(field, 'a number >= 0', usd);
  return usd;
}

interface DateRange {
  /** As answers show it: what was asked for, with the other end filled in. */
  readonly shown: { readonly from: string; readonly to: string };
  readonly window: Window;
}

/**
 * A range of days, the last one included, or of ISO 8601 times.
 * @param days from the start to the end, where one of them is absent
 */
export function readDateRange(value: unknown, nowMs: number, days: number): DateRange {
  const given = value ?? {};
  if (!isRecord(given)) throw invalid('date_range', 'an object {from, to}', value);
  const to = readDay('date_range.to', given.to) ?? utcDay(nowMs);
  const from = readDay('date_range.from', given.from) ?? utcDay(dayStart(to) - days * DAY_MS);
  const window = { fromMs: dayStart(from), toMs: isBareDate(to) ? dayStart(to) + DAY_MS : dayStart(to) };
  if (window.fromMs >= window.toMs) throw invalid('date_range.from', `at or before to (${to})`, from);
  const spanDays = Math.ceil((window.toMs - window.fromMs) / DAY_MS);
  if (spanDays > RANGE_DAYS_MAX) throw invalid('date_range', `at most ${RANGE_DAYS_MAX} days long`, spanDays);
  return { shown: { from, to }, window };
}

function readDay(field: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' && !Number.isNaN(dayStart(value))) return value;
  throw invalid(field, 'a date such as 2024-01-31', value);
}

const dayStart = (day: string): number => parseIsoTime(day);
const utcDay = (timeMs: number): string => isoTime(Math.floor(timeMs / DAY_MS) * DAY_MS).slice(0, 10);

/** What a known filter may be. */
interface FilterCheck {
  readonly bound: string;
  holds(value: unknown): boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isAbsentOr = (holds: (value: unknown) => boolean, value: unknown): boolean =>
  value === undefined || value === null || holds(value);

export const aRange: FilterCheck = {
  bound: 'an object {min, max} of numbers',
  holds: (value) => isRecord(value) && isAbsentOr(isNumber, value.min) && isAbsentOr(isNumber, value.max),
};
export const anAmount: FilterCheck = { bound: 'a number', holds: isNumber };
export const aFlag: FilterCheck = { bound: 'true or false', holds: (value) => typeof value === 'boolean' };
export const labels: FilterCheck = {
  bound: 'an array of labels',
  holds: (value) => Array.isArray(value) && value.every(isText),
};
export const aTextOrTexts: FilterCheck = {
  bound: 'a text or an array of texts',
  holds: (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
};
export const oneOf = (...choices: readonly string[]): FilterCheck => ({
  bound: `one of ${choices.join(', ')}`,
  holds: (value) => isText(value) && choices.some((choice) => choice.toLowerCase() === String(value).toLowerCase()),
});

interface RowRules {
  /** Known filters by name. Others are passed on as they are. */
  readonly filters: Readonly<Record<string, FilterCheck>>;
  /** Fields that may decide the order; default any. */
  readonly orderFields?: readonly string[];
}

interface ReadRows {
  readonly query: RowQuery;
  /** As answers show it. */
  readonly shown: { readonly filters: object; readonly order_by: RowQuery['orderBy'] };
}

/** @throws ApiError INVALID_FIELD */
export function readRows(request: RowsRequest, rules: RowRules): ReadRows {
  const given = readFilters(request.filters ?? {}, rules);
  const filters = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const orderBy = readOrder(request.order_by ?? [], rules);
  const page = readInteger('page', request.page, { min: 1, max: 1_000_000, ifAbsent: 1 });
  const perPage = readInteger('per_page', request.per_page, limitBounds(100));
  return { query: { filters, orderBy, page, perPage }, shown: { filters, order_by: orderBy } };
}

function readFilters(value: unknown, { filters }: RowRules): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw invalid('filters', 'an object', value);
  for (const [name, given] of Object.entries(value)) {
    const check = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (check !== undefined && given !== null && !check.holds(given)) {
      throw invalid(`filters.${name}`, check.bound, given);
    }
  }
  return value;
}

function readOrder(value: unknown, { orderFields }: RowRules): RowQuery['orderBy'] {
  if (!Array.isArray(value)) throw invalid('order_by', 'an array of {field, direction}', value);
  return value.map((entry: unknown, i) => {
    const at = `order_by[${i}]`;
    if (!isRecord(entry)) throw invalid(at, 'an object {field, direction}', entry);
    const { field, direction = 'DESC' } = entry;
    if (typeof field !== 'string' || field === '') throw invalid(`${at}.field`, 'the name of a field', field ?? null);
    if (orderFields !== undefined && !orderFields.includes(field)) {
      throw invalid(`${at}.field`, `one of ${orderFields.join(', ')}`, field);
    }
    if (direction !== 'ASC' && direction !== 'DESC') throw invalid(`${at}.direction`, 'ASC or DESC', direction);
    return { field, direction };
  });
}
