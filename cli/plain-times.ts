import type { TimeZoneMark } from '../data/tables/index.js';

export interface TimeOptions {
  readonly plainTimes?: boolean;
}

/** The option of commands that write tables. */
export const plainTimes = [
  '--plain-times',
  'write times of these files in UTC without saying so, such as 2023-06-01 01:00:00, as spreadsheets read them',
] as const;

export const marking = ({ plainTimes: isPlain }: TimeOptions): TimeZoneMark => (isPlain === true ? 'none' : 'utc');
