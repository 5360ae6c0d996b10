/**
 * Pattern of a number of a few digits that begins where digits begin. One that tried every digit of
 * a long row as a beginning would take the square of its length.
 */
export const NUMBER = '(?<![\\d.])(\\d{1,9}(?:\\.\\d{1,9})?)(?!\\d)';
