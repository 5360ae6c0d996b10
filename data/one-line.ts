const LENGTH_MAX = 160;

/**
 * The first line of a text from elsewhere (a library's complaint, a file's name), fit to be part of
 * a message.
 */
export function oneLine(text: string): string {
  // biome-ignore lint/style/noNonNullAssertion: a text that is split has a first part
  const line = text
    .split('\n', 1)[0]!
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return line.length > LENGTH_MAX ? `${line.slice(0, LENGTH_MAX - 3)}...` : line;
}
