/** What the world can do wrong. Our own bugs are ordinary exceptions, never one of these. */
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
 * A failure that the caller can mend. The message is one line that names the field or row, the
 * bound and the value; `details` carries the same facts for programs.
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

/**
 * What is wrong with a value, by name and bound. An absent one has no value to name: it is said to
 * be required.
 */
export const mustBe = (field: string, bound: string, value: unknown): string =>
  value === undefined ? `${field} is required` : `${field} must be ${bound}, was ${quote(value)}`;

/** The same as a refusal: MISSING_FIELD or INVALID_FIELD. */
export const wrongField = (field: string, bound: string, value: unknown): EngineError =>
  new EngineError(value === undefined ? 'MISSING_FIELD' : 'INVALID_FIELD', mustBe(field, bound, value), { field });

/** A value as it appears in a message: short, on one line, whatever the caller sent. */
export function quote(value: unknown): string {
  let text: string | undefined;
  try {
    text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  } catch {
    text = undefined; // cyclic or BigInt: say what it is instead
  }
  text ??= String(typeof value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
