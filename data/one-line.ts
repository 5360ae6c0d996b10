import { clipMarked } from '../engine/text.js';

const LENGTH_MAX = 160;

/**
 * The first line of a foreign text (a library's error, a file name), cleaned and shortened for a
 * message.
 */
export function oneLine(text: string): string {
  // biome-ignore lint/style/noNonNullAssertion: split returns at least one part
  const line = text
    .split('\n', 1)[0]!
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return clipMarked(line, LENGTH_MAX);
}
