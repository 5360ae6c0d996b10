import { amount, count, minute, money, NONE, percent, signed } from './format.js';

/** What a column of the trades table holds; it determines how the cells are written. */
export type CellKind = 'time' | 'price' | 'size' | 'amount' | 'gain' | 'gainPercent' | 'percent' | 'count' | 'text';

/** Ten digits are more than a reader needs and take half the bytes. */
export const short = (value: number): number => Number(value.toPrecision(10));

type Form = (value: number, priceDigits: number) => string;

const forms: Readonly<Record<Exclude<CellKind, 'text'>, Form>> = {
  time: minute,
  price: amount,
  size: (value) => amount(value, 6),
  amount: (value) => money(value),
  gain: (value) => signed(value, money(value)),
  gainPercent: (value) => signed(value, percent(value)),
  percent: (value) => percent(value),
  count,
};

/** Text of a cell, used by the page and by its script. Times are epoch ms. */
export function cellText(value: string | number | null | undefined, kind: CellKind, priceDigits: number): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  return kind === 'text' ? String(value) : forms[kind](kind === 'time' ? value : short(value), priceDigits);
}

/** Text is aligned left, numbers right. */
export const isTextual = (kind: CellKind): boolean => kind === 'text' || kind === 'time';

/** Class of a cell; gains and losses differ in colour. */
export function cellClass(kind: CellKind, isGain: boolean): string {
  if (isTextual(kind)) return 'text';
  if (!kind.startsWith('gain')) return '';
  return isGain ? 'gain' : 'loss';
}
