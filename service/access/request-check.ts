import { endpointOf, isMethod } from '../../contract/index.js';
import { executionFieldNames, executionFields } from '../../engine/execution/index.js';
import { clip } from '../../engine/text.js';
import { ApiError } from '../api-error.js';

/**
 * No valid request nests deeper. The limit keeps every later recursion over it within the stack.
 */
const DEPTH_MAX = 32;

/** Most values of one JSON text: the columns of an evaluation of 20,000 bars, with room. */
export const JSON_VALUES_MAX = 500_000;
/** Most lists and objects among them. They cost far more than their two bytes. */
export const JSON_LISTS_MAX = 50_000;

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b] as const;

/**
 * Refuses JSON of so many values that parsing it would hold up other calls. It looks at the bytes
 * only, so that it costs a few ms for the largest request.
 * @throws ApiError PAYLOAD_TOO_LARGE
 */
export function checkJsonSize(json: Uint8Array): void {
  if (json.length <= JSON_LISTS_MAX) return; // a list takes a byte at least
  let [values, lists, isText] = [1, 0, false];
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (isText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values++;
    else if (byte === BRACKET || byte === BRACE) lists++;
  }
  checkJsonCount({ values, lists });
}

/** What the JSON of a request has so far. */
export interface JsonCount {
  values: number;
  lists: number;
}

/** @throws ApiError PAYLOAD_TOO_LARGE */
export function checkJsonCount({ values, lists }: Readonly<JsonCount>): void {
  if (values > JSON_VALUES_MAX) throw tooMuchJson('values', values, JSON_VALUES_MAX);
  if (lists > JSON_LISTS_MAX) throw tooMuchJson('lists and objects', lists, JSON_LISTS_MAX);
}

const tooMuchJson = (kind: string, count: number, limit: number): ApiError =>
  new ApiError('PAYLOAD_TOO_LARGE', `JSON may have at most ${limit} ${kind}, had ${count}`, { limit });

/**
 * Refuses JSON that nests deeper than any valid request. JSON of thousands of levels can be parsed,
 * but what writes it again would overflow the stack.
 * @throws ApiError VALIDATION_ERROR
 */
export function checkDepth(json: object): void {
  if (nestsDeeper(json, DEPTH_MAX)) throw tooDeep();
}

const tooDeep = (): ApiError => invalid('request', `must nest at most ${DEPTH_MAX} levels deep`);

function nestsDeeper(value: object, levels: number): boolean {
  if (levels < 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof item === 'object' && item !== null && nestsDeeper(item, levels - 1)) return true;
  }
  return false;
}

/**
 * Refuses what cannot be stored or validated, at any depth of a request: non-finite numbers, text
 * with NUL characters or lone surrogates, deep nesting, and the key `__proto__`, which copying
 * would turn into a prototype. Other names that objects have, such as `constructor`, are data.
 */
export function checkPlain(request: object): void {
  let level: object[] = [request];
  for (let depth = 0; level.length > 0; depth++) {
    const next: object[] = [];
    const check = (key: string | number, value: unknown): void => {
      if (depth > DEPTH_MAX) throw tooDeep();
      if (typeof value === 'number') {
        if (!Number.isFinite(value)) throw invalid(key, `must be finite, was ${value}`);
      } else if (typeof value === 'string') {
        if (!isStorable(value)) throw invalid(key, 'has characters that cannot be stored');
      } else if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) next.push(value);
    };
    for (const container of level) {
      if (Array.isArray(container)) {
        for (let i = 0; i < container.length; i++) check(i, container[i]);
      } else {
        for (const [key, value] of Object.entries(container)) {
          if (key === '__proto__') throw invalid('request', 'must not have the key __proto__');
          if (!isStorable(key)) throw invalid('request', 'has a key with characters that cannot be stored');
          check(key, value);
        }
      }
    }
    level = next;
  }
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const invalid = (key: string | number, problem: string) => {
  const field = String(key);
  return new ApiError('VALIDATION_ERROR', `${clip(field, 60)} ${problem}`, { field });
};

/** Execution settings whose description marks them as deprecated. */
const deprecatedKeys: readonly string[] = executionFieldNames.filter((name) =>
  executionFields[name].description.startsWith('deprecated'),
);

/** The deepest that settings are nested: in the base settings of an experiment. */
const LEVELS_MAX = 4;
/** Longer lists hold bars and the like, not strategies or runs. */
const ITEMS_MAX = 99;

/** Deprecated keys to which a request gives a value at any depth; null is not a value. */
export function findDeprecatedKeys(request: object): string[] {
  const found = new Set<string>();
  collect(request, LEVELS_MAX, found);
  return [...found];
}

function collect(value: object, levels: number, found: Set<string>): void {
  if (Array.isArray(value) && value.length > ITEMS_MAX) return;
  for (const [key, written] of Object.entries(value)) {
    if (written === null || written === undefined) continue;
    if (deprecatedKeys.includes(key)) found.add(key);
    const inner = key === 'strategy_json' ? strategyIn(written) : written;
    if (typeof inner === 'object' && inner !== null && levels > 0) collect(inner, levels - 1, found);
  }
}

/** A strategy that is sent as text; null if it can have no deprecated key. */
function strategyIn(text: unknown): unknown {
  if (typeof text !== 'string' || !deprecatedKeys.some((key) => text.includes(`"${key}"`))) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null; // refused when it is read
  }
}

/**
 * Renames a refusal to the code that `method` publishes, since use cases of several services share
 * their checks.
 */
export function asSeenBy(method: string, error: ApiError): ApiError {
  const isField = isMethod(method) && endpointOf(method).badValue === 'INVALID_FIELD';
  if (!isField || error.code !== 'VALIDATION_ERROR') return error;
  return new ApiError('INVALID_FIELD', error.message, error.details);
}
