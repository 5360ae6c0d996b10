/** Cuts and shows texts that others wrote. Nothing here throws, whatever the text holds. */

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/**
 * The start of a text, at most `lengthMax` code units long. A pair of surrogates, such as an emoji,
 * is left out whole where it does not fit, since half of one cannot be encoded.
 */
export function clip(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(lengthMax - 1)) ? lengthMax - 1 : lengthMax);
}

/** The same, with `mark` as the end of a text that was cut; the mark counts. */
export const clipMarked = (text: string, lengthMax: number, mark = '...'): string =>
  text.length <= lengthMax ? text : `${clip(text, lengthMax - mark.length)}${mark}`;

/**
 * What a terminal or a page would obey rather than show: control characters, marks that turn the
 * direction of writing, separators of lines, and halves of surrogate pairs.
 */
const OBEYED = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A text with every such character as its escape, such as `\u001b`. */
export const visible = (text: string): string =>
  text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A text without the run of `character` at its end. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
