import { EngineError } from '../../engine/errors.js';

/** No row of a state comes near. */
const LINE_LENGTH_MAX = 64 * 1024 * 1024;

/**
 * The lines of a text. The lines of `readline` also end at separators that stand within JSON.
 * @throws INVALID_DATA for a line that no state has
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  let count = 0;
  for await (const chunk of chunks) {
    const [first = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
    parts.push(first);
    length += first.length;
    if (length > LINE_LENGTH_MAX) {
      const rule = `must have at most ${LINE_LENGTH_MAX} characters, has more`;
      throw new EngineError('INVALID_DATA', `line ${count + 1} of the state ${rule}`);
    }
    for (const line of lines) {
      count++;
      yield parts.join('');
      parts = [line];
      length = line.length;
    }
  }
  parts.push(decoder.decode());
  const rest = parts.join('');
  if (rest !== '') yield rest;
}
