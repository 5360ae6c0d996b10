import assert from 'node:assert/strict';

/**
 * Asserts that an answer from data on this machine says where it is from and how old the data is.
 * @param asOf ISO 8601; by default any time
 */
export function assertLocal(body: Readonly<Record<string, unknown>>, source: string, asOf = String(body.as_of)): void {
  assert.deepEqual([body.source, body.as_of, body.max_age_seconds, body.is_stale], [source, asOf, 0, false]);
  const ageSeconds = Math.floor((Date.now() - Date.parse(asOf)) / 1_000);
  const late = ageSeconds - Number(body.age_seconds);
  assert.ok(late >= 0 && late < 60, `age_seconds is the time since ${asOf}, was ${body.age_seconds}`);
}

/** An answer without its age, which grows from one call to the next. */
export function ageless(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { age_seconds: _, ...rest } = body;
  return rest;
}
