import { findingsOf, verdictOf } from '../report/index.js';
import type { Honesty } from '../service/index.js';

const WIDTH = 130;

/** In plain words, what may be believed of the best run. */
export function honestyLines(one: Honesty): string[] {
  const lines = wrap(`${one.asset} ${one.timeframe}: ${verdictOf(one)}`);
  for (const { answer } of findingsOf(one)) lines.push(...wrap(answer));
  return lines;
}

/** Plain signs and lines that fit a terminal. */
function wrap(text: string): string[] {
  const lines: string[] = [];
  // A number stays with its percent sign.
  for (const word of text.replaceAll('\u2212', '-').split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => line.replaceAll('\u00a0', ' '));
}
