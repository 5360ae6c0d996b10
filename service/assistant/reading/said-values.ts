import type { Change } from '../plan/plan.js';

/** A clause that fits the grammar and says something that cannot be. */
export class NotRead extends Error {}

/** A share as a fraction, without the noise of the division. */
export const fraction = (percent: number): number => Number((percent / 100).toPrecision(12));

/** The first and the last day of `2023`, `march 2023` or `2023-03-05`. */
export function readDays(text: string): readonly [first: string, last: string] {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return [text, text];
  const [word = '', year = word] = text.split(' ');
  if (word === year) return [`${year}-01-01`, `${year}-12-31`];
  const month = MONTHS.indexOf(word) + 1;
  const last = new Date(Date.UTC(Number(year), month, 0)).getUTCDate();
  const of = (day: number) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return [of(1), of(last)];
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** A day so many days later. */
export function dayAfter(day: string, days: number): string {
  const time = new Date(`${day}T00:00:00Z`).getTime();
  if (!Number.isFinite(time)) throw new NotRead(`there is no day ${day}`);
  return new Date(time + days * 86_400_000).toISOString().slice(0, 10);
}

export const readSetting = (text: string): number | string | boolean =>
  text === 'true' ? true : text === 'false' ? false : /^-?\d/.test(text) ? readAmount(text) : text;

/** `10,000`, `12.5`, `25k` */
export function readAmount(text: string): number {
  const digits = Number(text.replaceAll(',', '').replace('k', ''));
  return text.endsWith('k') ? digits * 1_000 : digits;
}

/** `4h` of `4h bars`, `1d` of `daily` */
export function readInterval(text: string): Change['interval'] {
  const word = text.split(' ')[0] as string;
  return ((word === 'daily' ? '1d' : word === 'hourly' ? '1h' : word) as Change['interval']) ?? null;
}
