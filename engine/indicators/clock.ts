import { DAY_MS, HOUR_MS, MINUTE_MS } from '../series/intervals.js';
import { type Column, columnOf, defineKernel, source } from './column.js';
import { ofOneBar } from './stream.js';

/**
 * Close of each bar, epoch ms. Its name is none that a column beside the bars may have; frames and
 * streams make it of open time and interval.
 */
export const CLOSE_TIME = 'close time';

/** Parts of a close, in UTC. A bar that closes at midnight has hour 0 of the new day. */
const parts = {
  hour: (time: number) => Math.floor((time % DAY_MS) / HOUR_MS),
  minute: (time: number) => Math.floor((time % HOUR_MS) / MINUTE_MS),
  /** Monday is 1; 1970-01-01 was a Thursday. */
  weekday: (time: number) => ((Math.floor(time / DAY_MS) + 3) % 7) + 1,
  day: (time: number) => new Date(time).getUTCDate(),
  month: (time: number) => new Date(time).getUTCMonth() + 1,
} as const;

export type ClockPart = keyof typeof parts;

export const clockParts = Object.keys(parts) as ClockPart[];

const kernels = Object.fromEntries(
  clockParts.map((part) => {
    const read = parts[part];
    return [
      part,
      defineKernel(part.toUpperCase(), ofOneBar, ([time], _, [out]) => {
        for (let t = 0; t < out.length; t++) out[t] = read(time[t]);
      }),
    ];
  }),
) as Record<ClockPart, ReturnType<typeof defineKernel>>;

export const CLOCK = (part: ClockPart): Column => columnOf(kernels[part], [source(CLOSE_TIME)]);
