/**
 * Pattern of a number of a few digits that begins where digits begin. One that tried every digit of
 * a long row as a beginning would take the square of its length.
 */
export const NUMBER = '(?<![\\d.])(\\d{1,9}(?:\\.\\d{1,9})?)(?!\\d)';

/** A text in lower case, with one space between words, so that no pattern walks over long gaps. */
export const evenly = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ');
