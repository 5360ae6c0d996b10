import { isRecord, quote } from '../../engine/errors.js';
import { ruleLists, strategyKeys } from '../../engine/strategy/index.js';
import { unknownKeys } from '../../engine/unknown-keys.js';
import { checkPlain } from '../access/request-check.js';
import { ApiError, wrongValue } from '../api-error.js';
import { passUnknownKeys } from '../read-fields.js';
import { asObject, isPresent } from './settings.js';

type Json = Readonly<Record<string, unknown>>;

/** Every trade of a run repeats the name, so it must not be long. */
const NAME_LENGTH_MAX = 200;
const ASSET_LENGTH_MAX = 64;
const RULES_MAX = 32;

const invalid = (field: string, problem: string) => new ApiError('VALIDATION_ERROR', `${field} ${problem}`, { field });

/** Reads a text that must be present, not blank and not too long. */
export function readText(source: Json, field: string, lengthMax = NAME_LENGTH_MAX): string {
  const value = source[field];
  if (typeof value !== 'string' || value.trim() === '') throw wrongValue(field, 'a text', value);
  if (value.length > lengthMax) throw invalid(field, `must be at most ${lengthMax} characters, has ${value.length}`);
  return value;
}

export const readAsset = (asset: unknown): string => readText({ asset }, 'asset', ASSET_LENGTH_MAX);

/**
 * Reads a definition sent as JSON text.
 * @param warnings takes a line for each key that nothing reads
 */
export function parseStrategyJson(text: unknown, field: string, warnings: string[]): Json {
  if (typeof text !== 'string') throw wrongValue(field, 'a text of JSON', text);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid(field, `must be JSON, was ${quote(text)}`);
  }
  if (!isRecord(json)) {
    throw invalid(field, `must hold an object, holds ${quote(json)}`);
  }
  checkPlain(json); // the check of the request did not look inside this text
  return readDefinition(json, warnings);
}

/**
 * A definition with its rules at the top level. Callers send them there or under `rules`, and often
 * serialise whole models: null keys count as absent, and unknown keys are named in the warnings,
 * but for words that ask for something else than what would run, which are refused.
 * @param warnings takes a line for each key that nothing reads
 * @param readElsewhere keys beside the definition that the caller reads
 * @param pass what becomes of keys that nothing reads
 */
export function readDefinition(
  json: Json,
  warnings: string[],
  readElsewhere: readonly string[] = [],
  pass = passUnknownKeys,
): Json {
  const rules = asObject('rules', json.rules);
  const definition: Record<string, unknown> = {};
  for (const field of definitionFields) {
    for (const source of [json, rules]) {
      if (isPresent(source, field) && !Object.hasOwn(definition, field)) definition[field] = source[field];
    }
  }
  const known = [...definitionFields, ...readElsewhere];
  pass(warnings)([
    ...unknownKeys('strategy', withoutNulls(json), ['rules', ...known]),
    ...unknownKeys('strategy', withoutNulls(rules), known),
  ]);
  if (definition.entry === undefined && definition.short_entry === undefined) {
    throw invalid('strategy', 'must have entry, an array of rules');
  }
  for (const [side] of ruleLists) {
    const count = countRules(definition[side]);
    if (count > RULES_MAX) throw invalid(side, `must have at most ${RULES_MAX} rules, has ${count}`);
  }
  return definition;
}

/** Rules of a side as written, before any check: of a list, or of all lists of a choice. */
function countRules(side: unknown): number {
  if (Array.isArray(side)) return side.length;
  const groups = isRecord(side) ? side.any : null;
  if (!Array.isArray(groups)) return 0;
  return groups.reduce((count: number, group) => count + (Array.isArray(group) ? group.length : 1), 0);
}

const withoutNulls = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

/** Includes the ATR fields, so that the engine can refuse them. */
const definitionFields = [...strategyKeys, 'interval'];
