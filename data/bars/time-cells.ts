import { quote } from '../../engine/errors.js';
import { HOUR_MS, MINUTE_MS } from '../../engine/series/index.js';

/** No format has longer texts. A longer one is refused by its length alone. */
export const TIME_LENGTH_MAX = 64;

/** How a column writes its times. A column has one format. */
export interface TimeFormat {
  /** Completes "timestamp must be ...". */
  readonly name: string;
  /** Epoch ms UTC, or NaN when the cell is not in this format. */
  parse(cell: string): number;
}

/**
 * The magnitude tells epoch units apart; for times from 1973 on, that is the number of digits.
 * Shorter numbers are refused: 20240101 is a date without dashes, not a second in 1970.
 */
function epochFormat(
  unit: string,
  digitsMin: number,
  digitsMax: number,
  scale: { msPerUnit?: number; spareDigits?: number },
) {
  // Some writers add .0 to whole numbers.
  const pattern = new RegExp(`^([1-9]\\d{${digitsMin - 1},${digitsMax - 1}})(?:\\.0*)?$`);
  const { msPerUnit = 1, spareDigits = 0 } = scale;
  return {
    name: spareDigits > 0 ? `epoch ${unit} of whole milliseconds` : `epoch ${unit}`,
    parse(cell: string): number {
      const digits = pattern.exec(cell)?.[1];
      if (digits === undefined) return NaN;
      if (spareDigits === 0) return Number(digits) * msPerUnit;
      // Cut as text: nanoseconds do not fit a double.
      return /^0+$/.test(digits.slice(-spareDigits)) ? Number(digits.slice(0, -spareDigits)) : NaN;
    },
  };
}

const isoDate = String.raw`(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)`;
const isoClock = String.raw`[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?)?`;
const zonePart = String.raw` ?(?<zone>Z|UTC|[+-]\d\d(?::?\d\d)?)`;

/** Computed from the calendar fields and never through the machine's time zone. */
const calendarFormat = (name: string, pattern: string): TimeFormat => {
  const cellPattern = new RegExp(`^${pattern}$`, 'i');
  return {
    name,
    parse(cell) {
      const fields = cellPattern.exec(cell)?.groups;
      if (fields === undefined) return NaN;
      const { year, month, day, hour = 0, minute = 0, second = 0, fraction = '', half, zone = 'Z' } = fields;
      // biome-ignore lint/style/noNonNullAssertion: the pattern matches only with these groups
      return dayMs(+year!, +month!, +day!) + clockMs(hourOf(+hour, half), +minute, +second, fraction) - zoneMs(zone);
    },
  };
};

/** The hour of a day of 24; on a clock of 12 hours, 12 AM is the first and 12 PM the noon. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return NaN;
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

/** The orders of `--dates`: dates that the file alone does not tell apart, and without dashes. */
export const dateOrders = ['MM/DD/YYYY', 'DD/MM/YYYY', 'YYYYMMDD'] as const;
export type DateOrder = (typeof dateOrders)[number];

const dividedMonth = String.raw`(?<month>\d{1,2})`;
const dividedDay = String.raw`(?<day>\d{1,2})`;
const divider = '(?<divider>[-/.])';
const datePatterns: Readonly<Record<DateOrder | 'YYYY/MM/DD', string>> = {
  'MM/DD/YYYY': String.raw`${dividedMonth}${divider}${dividedDay}\k<divider>(?<year>\d{4})`,
  'DD/MM/YYYY': String.raw`${dividedDay}${divider}${dividedMonth}\k<divider>(?<year>\d{4})`,
  YYYYMMDD: String.raw`(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)`,
  'YYYY/MM/DD': String.raw`(?<year>\d{4})(?<divider>[/.])${dividedMonth}\k<divider>${dividedDay}`,
};
const looseClock = String.raw`[T ](?<hour>\d{1,2}):?(?<minute>\d\d)(?::?(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?)? ?(?<half>[AP]M)?`;

/** Dates of an order, alone or with a clock and a zone. */
const formatsOf = (order: keyof typeof datePatterns): readonly TimeFormat[] => [
  calendarFormat(`a date as ${order}`, datePatterns[order]),
  calendarFormat(`a date and time as ${order} 23:00`, datePatterns[order] + looseClock),
  calendarFormat(`a date and time with a zone as ${order} 23:00Z`, datePatterns[order] + looseClock + zonePart),
];

/** Tried in this order on the first cell of a column. */
const timeFormats: readonly TimeFormat[] = [
  epochFormat('seconds', 9, 11, { msPerUnit: 1_000 }),
  epochFormat('milliseconds', 12, 14, {}),
  epochFormat('microseconds', 15, 17, { spareDigits: 3 }),
  epochFormat('nanoseconds', 18, 19, { spareDigits: 6 }),
  calendarFormat('a date such as 2024-01-31', isoDate),
  calendarFormat('a date and time such as 2024-01-31 23:00:00', isoDate + isoClock),
  calendarFormat('a date and time with a zone such as 2024-01-31T23:00:00Z', isoDate + isoClock + zonePart),
  ...formatsOf('YYYY/MM/DD'),
];

/**
 * The format of a column, from its first cell; null when the cell is not a time.
 * @param dates the order of day, month and year in dates that are not ISO 8601
 */
export const detectTimeFormat = (cell: string, dates?: DateOrder): TimeFormat | null => {
  if (cell.length > TIME_LENGTH_MAX) return null;
  const formats = [...(dates === undefined ? [] : formatsOf(dates)), ...timeFormats];
  return formats.find((format) => !Number.isNaN(format.parse(cell))) ?? null;
};

/** What a cell must be that `format` does not read, and the flag that reads it, for a message. */
export function timeRule(cell: string, format: TimeFormat | null): string {
  if (cell.length > TIME_LENGTH_MAX) return `must have at most ${TIME_LENGTH_MAX} characters, was ${quote(cell)}`;
  const rule = format === null ? 'an epoch time or an ISO 8601 time' : `${format.name} like the first row`;
  const orders = dateOrders.filter((order) => formatsOf(order).some((other) => !Number.isNaN(other.parse(cell))));
  const isOther = format === null || dateOrders.some((order) => format.name.includes(order));
  const hint = isOther && orders.length > 0 ? `; data import --dates ${orders.join(' or ')} reads it` : '';
  return `must be ${rule}, was ${quote(cell)}${hint}`;
}

/** A time of day in a cell of its own, beside one with the date. */
export const isClock = (cell: string): boolean => /^\d{1,2}:\d\d(:\d\d(\.\d+)?)?( ?[AP]M)?$/i.test(cell);

/** Whether a cell seems to hold a date, with its parts in any order. */
export const looksLikeTime = (cell: string, dates?: DateOrder): boolean =>
  /^(\d{1,4}([-/.])\d{1,2}\2\d{1,4}\b|(19|20)\d{6}( \d{4,6})?$)/.test(cell) || detectTimeFormat(cell, dates) !== null;

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function dayMs(year: number, month: number, day: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && isLeap ? 29 : monthDays[month - 1];
  if (days === undefined || day < 1 || day > days || year < 1900) return NaN;
  return Date.UTC(year, month - 1, day);
}

function clockMs(hour: number, minute: number, second: number, fraction: string): number {
  if (!(hour <= 23) || minute > 59 || second > 59 || /[1-9]/.test(fraction.slice(3))) return NaN;
  return hour * HOUR_MS + minute * MINUTE_MS + second * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
}

function zoneMs(zone: string): number {
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (match === null) return 0; // Z or UTC
  const [, sign, hours, minutes = '0'] = match;
  // biome-ignore lint/style/noNonNullAssertion: the pattern matches only with these groups
  if (+hours! > 14 || +minutes > 59) return NaN;
  // biome-ignore lint/style/noNonNullAssertion: the pattern matches only with these groups
  return (sign === '-' ? -1 : 1) * (+hours! * HOUR_MS + +minutes * MINUTE_MS);
}
