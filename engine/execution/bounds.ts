import { EngineError, quote, wrongField } from '../errors.js';
import { nearestName } from '../nearest.js';
import { adviceFor } from '../unknown-keys.js';

/**
 * The values that a setting may hold. `min` and `max` are inclusive, `above` and `below` exclusive.
 */
export interface FieldBounds {
  readonly kind: 'number' | 'integer' | 'boolean' | 'enum' | 'object' | 'pairs' | 'interval';
  readonly min?: number;
  readonly above?: number;
  readonly max?: number;
  readonly below?: number;
  /** Allowed values of an enum. */
  readonly values?: readonly string[];
  readonly nullable?: boolean;
  readonly unit?: string;
  readonly description: string;
}

/** Refuses a value out of its bounds: INVALID_FIELD with name, bound and value. */
export function checkBounds(name: string, field: FieldBounds, value: unknown): void {
  if (value === null && field.nullable) return;
  if (!isWithin(field, value)) throw outOfBounds(name, boundsText(field), value);
}

function isWithin(field: FieldBounds, value: unknown): boolean {
  // biome-ignore lint/style/noNonNullAssertion: a field of kind enum has values
  if (field.kind === 'enum') return field.values!.includes(value as string);
  if (field.kind === 'boolean') return typeof value === 'boolean';
  const { min = -Infinity, above = -Infinity, max = Infinity, below = Infinity } = field;
  return (
    typeof value === 'number' &&
    (field.kind === 'integer' ? Number.isInteger(value) : Number.isFinite(value)) &&
    value >= min &&
    value > above &&
    value <= max &&
    value < below
  );
}

const nouns = {
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  pairs: 'a list of pairs of numbers',
  interval: 'an interval such as 5m',
};

/** The bounds in words: `an integer >= 1`. */
export function boundsText(field: FieldBounds): string {
  // biome-ignore lint/style/noNonNullAssertion: a field of kind enum has values
  if (field.kind === 'enum') return field.values!.join(' or ');
  const ends = Object.entries({ '>=': field.min, '>': field.above, '<=': field.max, '<': field.below });
  const bounds = ends.filter(([, end]) => end !== undefined).map(([sign, end]) => `${sign} ${end}`);
  const text = [nouns[field.kind], bounds.join(' and ')].join(' ').trim();
  return field.nullable ? `${text} or null` : text;
}

export function outOfBounds(field: string, bounds: string, value: unknown): EngineError {
  return wrongField(field, bounds, value);
}

/**
 * Entries of an object that a user wrote, without those whose value is undefined.
 *
 * @throws INVALID_FIELD for anything but an object
 */
export function entriesOf(name: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw outOfBounds(name, 'an object', value);
  return Object.entries(value).filter(([, entry]) => entry !== undefined);
}

/**
 * INVALID_FIELD for an unknown name. The message says how Barline says the word of another tool, or
 * suggests the nearest known name.
 */
export function unknownField(name: string, where: string, known: readonly string[]): EngineError {
  const beginning = known.find((one) => one.startsWith(name)); // `slippage` is slippage_pct
  const nearest = beginning ?? nearestName(name, known);
  const advice = beginning === undefined ? adviceFor(name) : null;
  const hint = advice !== null ? `: ${advice}` : nearest === null ? '' : `, did you mean ${nearest}?`;
  return new EngineError('INVALID_FIELD', `${quote(name)} is not a field of ${where}${hint}`, { field: name, nearest });
}
