import { wrongValue } from '../api-error.js';

export const invalidField = wrongValue;

/** Reads a whole number; `fallback` if absent. The caller checks its bounds. */
export function wholeNumber(field: string, value: unknown, fallback: number): number {
  if (value === undefined || value === null) return fallback;
  if (!Number.isSafeInteger(value)) throw invalidField(field, 'a whole number', value);
  return value as number;
}

export function wholeNumberWithin(field: string, value: unknown, fallback: number, min: number, max: number): number {
  const number = wholeNumber(field, value, fallback);
  if (number < min || number > max) throw invalidField(field, `${min}..${max}`, number);
  return number;
}

/** Reads a text and trims it; it must not be blank. */
export function textWithin(field: string, value: unknown, charactersMax: number): string {
  if (typeof value !== 'string') throw invalidField(field, 'a text', value);
  const text = value.trim();
  if (text === '') throw invalidField(field, 'a text that is not blank', value);
  if (text.length > charactersMax) {
    throw invalidField(field, `at most ${charactersMax} characters`, `${text.length} characters`);
  }
  return text;
}
