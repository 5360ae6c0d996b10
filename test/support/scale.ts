/**
 * How large the tests are: `1` in `npm run soak`, which ends within half an hour, `full` in
 * `npm run soak:full`, which takes hours; empty in `npm test`.
 */
const kind = process.env.BARLINE_SOAK ?? '';

/** True in both soaks. */
export const soak = kind !== '';
/** True in the long one, which has a quiet machine for itself. */
export const fullSoak = kind === 'full';

/** The part of a full count that `npm run soak` makes unless a test says otherwise. */
const SOAK_PART = 20;

/**
 * How often to run a property: `quick` in `npm test`, `full` in `npm run soak:full`, and in
 * `npm run soak` a twentieth of that or what `inSoak` says.
 */
export function runs(quick: number, full: number, inSoak = Math.max(quick, Math.ceil(full / SOAK_PART))): number {
  if (!soak) return quick;
  return fullSoak ? full : inSoak;
}
