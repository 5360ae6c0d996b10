import { HOUR_MS, MINUTE_MS } from '../../engine/series/index.js';

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
  const pattern = new RegExp(`^([1-9]\\d{${digitsMin - 1},${digitsMax - 1}})(?:\\.0*)?$`); // some writers add .0 to whole numbers
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

const datePart = String.raw`(\d{4})-(\d\d)-(\d\d)`;
const clockPart = String.raw`[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?`;
const zonePart = String.raw` ?(Z|UTC|[+-]\d\d(?::?\d\d)?)`;

/** ISO 8601, computed from the calendar fields and never through the machine's time zone. */
const calendarFormat = (name: string, pattern: string): TimeFormat => {
  const cellPattern = new RegExp(`^${pattern}$`, 'i');
  return {
    name,
    parse(cell) {
      const match = cellPattern.exec(cell);
      if (match === null) return NaN;
      const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', zone = 'Z'] = match;
      // biome-ignore lint/style/noNonNullAssertion: the pattern matches only with these groups
      return dayMs(+year!, +month!, +day!) + clockMs(+hour, +minute, +second, fraction) - zoneMs(zone);
    },
  };
};

/** Tried in this order on the first cell of a column. */
const timeFormats: readonly TimeFormat[] = [
  epochFormat('seconds', 9, 11, { msPerUnit: 1_000 }),
  epochFormat('milliseconds', 12, 14, {}),
  epochFormat('microseconds', 15, 17, { spareDigits: 3 }),
  epochFormat('nanoseconds', 18, 19, { spareDigits: 6 }),
  calendarFormat('a date such as 2024-01-31', datePart),
  calendarFormat('a date and time such as 2024-01-31 23:00:00', datePart + clockPart),
  calendarFormat('a date and time with a zone such as 2024-01-31T23:00:00Z', datePart + clockPart + zonePart),
];

/** The format of a column, from its first cell; null when the cell is not a time. */
export const detectTimeFormat = (cell: string): TimeFormat | null =>
  timeFormats.find((format) => !Number.isNaN(format.parse(cell))) ?? null;

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function dayMs(year: number, month: number, day: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && isLeap ? 29 : monthDays[month - 1];
  if (days === undefined || day < 1 || day > days || year < 1900) return NaN;
  return Date.UTC(year, month - 1, day);
}

function clockMs(hour: number, minute: number, second: number, fraction: string): number {
  if (hour > 23 || minute > 59 || second > 59 || /[1-9]/.test(fraction.slice(3))) return NaN;
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
