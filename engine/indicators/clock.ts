import { CLOSE_TIME, type Column, columnOf, defineKernel, source } from './column.js';

/** What the clock shows at a moment, in UTC. A bar that closes at midnight has hour 0 of the new day. */
const readings = {
  hour: (at: Date) => at.getUTCHours(),
  minute: (at: Date) => at.getUTCMinutes(),
  /** Monday is 1, Sunday 7. */
  weekday: (at: Date) => at.getUTCDay() || 7,
  /** Of the month, from 1. */
  day: (at: Date) => at.getUTCDate(),
  month: (at: Date) => at.getUTCMonth() + 1,
} as const;

export type ClockPart = keyof typeof readings;

export const clockParts = Object.keys(readings) as ClockPart[];

const kernels = new Map(
  clockParts.map((part) => [
    part,
    defineKernel(part.toUpperCase(), ([time], _, [out]) => {
      for (let t = 0; t < out.length; t++) out[t] = Number.isNaN(time[t]) ? NaN : readings[part](new Date(time[t]));
    }),
  ]),
);

/** A part of the time at which each bar closes. */
export function CLOCK(part: ClockPart): Column {
  const kernel = kernels.get(part);
  if (kernel === undefined) throw new RangeError(`the clock has no ${part}`);
  return columnOf(kernel, [source(CLOSE_TIME)]);
}
