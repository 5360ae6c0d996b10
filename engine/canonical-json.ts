import { isRecord } from './errors.js';

/**
 * JSON with sorted keys and no spaces: equal values give equal texts, in any order of their keys.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, entry: unknown) =>
    isRecord(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : entry,
  );
}
