import { createHash, hash } from 'node:crypto';

/** SHA-256 of a text, in hex digits. */
export const sha256 = (text: string): string => hash('sha256', text);

/** SHA-256 of lines, each but the last followed by a line feed, in hex digits. */
export function sha256OfLines(lines: Iterable<string>): string {
  const running = createHash('sha256');
  let separator = '';
  for (const line of lines) {
    running.update(separator + line);
    separator = '\n';
  }
  return running.digest('hex');
}

/**
 * An id in UUID form (version 8, derived from a SHA-256 hash), so that the same run gives its
 * trades the same ids on every machine.
 */
export function derivedUuid(...parts: readonly (string | number)[]): string {
  const hex = sha256(parts.join('\n')).slice(0, 32).split('');
  hex[12] = '8';
  // biome-ignore lint/style/noNonNullAssertion: the hash has 32 digits, and the two low bits index four letters
  hex[16] = '89ab'[Number.parseInt(hex[16]!, 16) & 3]!;
  const text = hex.join('');
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}
