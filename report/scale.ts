import { amount } from './format.js';

/**
 * A range wider than this factor gets a logarithmic axis, on which equal distances are equal
 * returns.
 */
const LOG_FROM = 5;

export interface Tick {
  /** Position on the axis: 0 is the left or bottom end, 1 the right or top end. */
  readonly at: number;
  readonly label: string;
}

export interface Scale {
  readonly isLog: boolean;
  /** Position of a value: 0 at the bottom and 1 at the top. Values outside the range lie beyond. */
  at(value: number): number;
  readonly ticks: readonly Tick[];
}

/** Lowest and highest number of the columns; `[0, 1]` if they have no finite range. */
export function extent(...columns: readonly ArrayLike<number>[]): [low: number, high: number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const column of columns) {
    for (let i = 0; i < column.length; i++) {
      // biome-ignore lint/style/noNonNullAssertion: the loop ends at the length
      const value = column[i]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : [0, 1];
}

/** A step of 1, 2 or 5 times a power of ten that cuts a span into about `parts`. */
export function niceStep(span: number, parts: number): number {
  const raw = span / parts;
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

/** Decimals that tell multiples of a step apart. */
export const stepDigits = (step: number): number => Math.max(0, Math.min(10, -Math.floor(Math.log10(step) + 1e-9)));

type Label = (value: number, digits: number) => string;

/** Linear, with a margin of 4 % above and below. */
export function linearScale(low: number, high: number, label: Label = amount): Scale {
  const air = (high - low || Math.abs(high) || 1) * 0.04;
  return linearBetween(low - air, high + air, label);
}

/** Linear, exactly between the two ends. */
export function linearBetween(low: number, high: number, label: Label = amount): Scale {
  const step = niceStep(high - low, 4);
  const at = (value: number) => (value - low) / (high - low);
  const ticks: Tick[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    ticks.push({ at: at(k * step), label: label(k * step, stepDigits(step)) });
  }
  return { isLog: false, at, ticks };
}

const mantissas = [[1, 2, 5], [1, 3], [1]] as const;

/** Logarithmic for a wide range of positive values, else linear. */
export function valueScale(low: number, high: number): Scale {
  if (!(low > 0 && high / low > LOG_FROM)) return linearScale(low, high);
  const air = Math.log(high / low) * 0.04;
  const bottom = Math.log(low) - air;
  const span = Math.log(high) + air - bottom;
  const at = (value: number) => (Math.log(value) - bottom) / span;
  let ticks: Tick[] = [];
  for (const steps of mantissas) {
    ticks = [];
    for (let power = Math.floor(Math.log10(low)) - 1; power <= Math.log10(high) + 1; power++) {
      for (const lead of steps) {
        const value = lead * 10 ** power;
        const place = at(value);
        if (place >= 0 && place <= 1) ticks.push({ at: place, label: amount(value, Math.max(0, -power)) });
      }
    }
    if (ticks.length <= 7) break;
  }
  return { isLog: true, at, ticks };
}

const DAY_MS = 86_400_000;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200];
const shortSteps = [1 / 1440, 5 / 1440, 1 / 48, 1 / 24, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 7, 14].map((d) => d * DAY_MS);
const TICKS_MAX = 8;

/**
 * Calendar ticks in UTC, at most about eight: years, months, days, hours or minutes, depending on
 * the span.
 */
export function timeTicks(startMs: number, endMs: number): Tick[] {
  const span = endMs - startMs;
  if (!(span > 0)) return [];
  const at = (ms: number) => (ms - startMs) / span;
  const ticks: Tick[] = [];
  const days = span / DAY_MS;
  if (days > 14 * TICKS_MAX) {
    const step = monthSteps.find((n) => days / 30.44 / n <= TICKS_MAX) ?? 1200;
    const first = new Date(startMs);
    let month = Math.ceil((first.getUTCFullYear() * 12 + first.getUTCMonth()) / step) * step;
    for (; ; month += step) {
      const ms = Date.UTC(Math.floor(month / 12), month % 12);
      if (!(ms <= endMs)) break;
      if (ms >= startMs) ticks.push({ at: at(ms), label: monthLabel(month, step) });
    }
    return ticks;
  }
  const step = shortSteps.find((ms) => span / ms <= TICKS_MAX) ?? span;
  for (let ms = Math.ceil(startMs / step) * step; ms <= endMs; ms += step) {
    const text = new Date(ms).toISOString();
    const date = `${Number(text.slice(8, 10))} ${months[Number(text.slice(5, 7)) - 1]}`;
    ticks.push({ at: at(ms), label: step >= DAY_MS || text.slice(11, 16) === '00:00' ? date : text.slice(11, 16) });
  }
  return ticks;
}

function monthLabel(month: number, step: number): string {
  const year = String(Math.floor(month / 12));
  return step >= 12 ? year : `${months[month % 12]} ${year}`;
}

export const monthNames: readonly string[] = months;
