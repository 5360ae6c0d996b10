import { moneyDigits } from './money-digits.js';
import type { Figure } from './sheet.js';

/** Shown for a value that is not defined. */
export const NONE = '\u2013';
const MINUS = '\u2212';

/**
 * Groups thousands, with a true minus sign and independent of the locale. NaN and infinities give a
 * dash.
 */
export function amount(value: number, digits = 2): string {
  if (!Number.isFinite(value)) return NONE;
  if (Math.abs(value) >= 1e15) return value.toExponential(3).replace('-', MINUS);
  const [whole, fraction] = Math.abs(value).toFixed(digits).split('.') as [string, string?];
  // Bounded because a number has at most 310 digits.
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction === undefined ? '' : `.${fraction}`);
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

/** An amount of money or a price, with the digits that its size needs. */
export const money = (value: number): string => amount(value, moneyDigits(value));

export const count = (value: number): string => amount(value, 0);

export const percent = (fraction: number, digits = 2): string =>
  Number.isFinite(fraction) ? `${amount(100 * fraction, digits)}\u00a0%` : NONE;

/** Decimals of a percentage that show its first digit: none from 1 % on, and one for 0.3 %. */
export function percentDigits(fraction: number): number {
  const share = Math.abs(100 * fraction);
  return share < 1e-6 || share >= 1 || !Number.isFinite(share) ? 0 : Math.ceil(-Math.log10(share));
}

/** A whole percentage, or the first digit of a smaller one. */
export const roundPercent = (fraction: number): string => percent(fraction, percentDigits(fraction));

/** Adds a plus sign to gains, so that they differ from losses by more than colour. */
export function signed(value: number, text: string): string {
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

export const plural = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;

/** Decimals that show about six significant digits of a price, at least two. */
export function priceDigits(price: number): number {
  if (!(price > 0)) return 2;
  return Math.min(10, Math.max(2, 5 - Math.floor(Math.log10(price))));
}

/** Rounds to six digits: an axis has no room for more, and rounding hides binary noise. */
export const numberLabel = (value: number | string): string =>
  typeof value === 'number' ? String(Number(value.toPrecision(6))).replace('-', MINUS) : value;

const isTimeInRange = (ms: number): boolean => Math.abs(ms) <= 8.64e15;

/** `2024-03-01 14:00`, UTC. */
export const minute = (ms: number): string =>
  isTimeInRange(ms) ? new Date(ms).toISOString().slice(0, 16).replace('T', ' ') : NONE;

/** `2024-03-01`, UTC. */
export const day = (ms: number): string => (isTimeInRange(ms) ? new Date(ms).toISOString().slice(0, 10) : NONE);

const terms: Readonly<Record<string, string>> = {
  irr: 'IRR',
  pnl: 'profit and loss',
  avg: 'average',
  num: 'whole',
  mae: 'MAE',
  mfe: 'MFE',
};

/** The name of a metric in words: `max_drawdown` gives `Max drawdown`. */
export const label = (name: string): string => {
  const words = name.split('_').map((word) => terms[word] ?? word);
  const text = words.join(' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The name of a metric in words; of a figure of bars that has a daily form, it says so. */
export const labelIn = (figures: Readonly<Record<string, Figure>>, name: string): string =>
  `${label(name)}${`${name}_daily` in figures ? ', of bars' : ''}`;

export function figure({ value, unit, why }: Figure): string {
  if (value === null || !Number.isFinite(value)) return why ?? NONE;
  if (unit.startsWith('fraction'))
    return percent(value, value !== 0 && Math.abs(value) < 0.001 ? 4 : 2) + unit.slice('fraction'.length);
  if (unit === 'amount') return money(value);
  if (unit === 'ratio') return amount(value, 3);
  const text = Number.isInteger(value) ? count(value) : amount(value);
  return `${text} ${value === 1 ? unit.replace(/s$/, '') : unit}`;
}

/** The last value of a column; NaN for an empty one. */
export const lastValue = (column: ArrayLike<number>): number => column[column.length - 1] ?? NaN;
