import { clipMarked, visible } from './text.js';
/** Failures that come from outside. Our own bugs are ordinary exceptions and carry no code. */
export const engineCodes = [
  'MISSING_FIELD',
  'INVALID_FIELD',
  'INVALID_STRATEGY',
  'INVALID_DATA',
  'NOT_FOUND',
  'EMPTY_WINDOW',
  'CONFLICT',
] as const;

export type EngineCode = (typeof engineCodes)[number];

/**
 * A failure that the caller can fix. The message is one line that names the field or row, the bound
 * and the value; `details` carries the same facts for programs.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError';

  constructor(
    readonly code: EngineCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** The message of a caught value, which need not be an Error. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Message for a wrong value. It names the field, the bound and the value, or says that an absent
 * field is required.
 */
export const mustBe = (field: string, bound: string, value: unknown): string =>
  value === undefined ? `${field} is required` : `${field} must be ${bound}, was ${quote(value)}`;

/** The same message as an error: MISSING_FIELD for an absent value, else INVALID_FIELD. */
export const wrongField = (field: string, bound: string, value: unknown): EngineError =>
  new EngineError(value === undefined ? 'MISSING_FIELD' : 'INVALID_FIELD', mustBe(field, bound, value), { field });

/** Any value as text for a message: one line of at most 60 characters. */
export function quote(value: unknown): string {
  let text: string | undefined;
  try {
    text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  } catch {
    text = undefined; // cyclic or BigInt: name its type instead
  }
  text ??= String(typeof value);
  return clipMarked(visible(text), 60);
}

/** Whether a value is an object with keys, as JSON has it: neither null nor a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
