import { createHash } from 'node:crypto';

/** JSON with sorted keys and no spaces: equal values give equal texts, whatever order their keys were written in. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, entry: unknown) =>
    typeof entry === 'object' && entry !== null && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : entry,
  );
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * An id in UUID form (version 8, name-based by SHA-256): the same run gives its trades the same ids on every machine.
 */
export function derivedUuid(...parts: readonly (string | number)[]): string {
  const hex = sha256(parts.join('\n')).slice(0, 32).split('');
  hex[12] = '8';
  hex[16] = '89ab'[Number.parseInt(hex[16]!, 16) & 3]!;
  const text = hex.join('');
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}
