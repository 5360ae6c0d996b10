import { EngineError, errorMessage } from '../engine/errors.js';

/**
 * The text of JSON in UTF-8 or UTF-16, with or without a byte order mark, as editors and shells of
 * every system write it. JSON begins with an ASCII character, so a zero among the first two bytes
 * tells UTF-16 also without a mark.
 */
export function decodeJson(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    (first === 0xff && second === 0xfe) || second === 0
      ? 'utf-16le'
      : (first === 0xfe && second === 0xff) || first === 0
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(encoding).decode(bytes); // which drops the mark
}

const notNumbers = /([:,[]\s*)-?(?:NaN|Infinity)(?=\s*[,}\]])/g;

/**
 * Parses JSON. `NaN` and `Infinity`, which Python writes for absent numbers, become null.
 * @throws INVALID_DATA naming the file and the problem
 */
export function parseLooseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    try {
      return JSON.parse(text.replaceAll(notNumbers, '$1null'));
    } catch {
      throw new EngineError('INVALID_DATA', `${name} is no valid JSON: ${errorMessage(error)}`);
    }
  }
}
