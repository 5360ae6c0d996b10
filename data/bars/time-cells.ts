import { quote } from '../../engine/errors.js';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../engine/series/index.js';

/** No format has longer texts. A longer one is refused by its length alone. */
export const TIME_LENGTH_MAX = 64;

/** What a cell leaves open: nothing, the zone of its time of day, or the time of day too. */
export type TimeKind = 'instant' | 'local' | 'day';

/** How a column writes its times. A column has one format; epoch times may change their unit. */
export interface TimeFormat {
  /** Completes "timestamp must be ...". */
  readonly name: string;
  /** Whether cells are UTC by themselves, local times of day, or days. */
  readonly kind: TimeKind;
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
    kind: 'instant' as const,
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
/** `11-AM`, as some archives of hourly bars write it. */
const hourOnly = String.raw`[T ](?<hour>\d{1,2})[- ]?(?<half>[AP]M)`;
const zonePart = String.raw` ?(?<zone>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?|(?:UTC|GMT)[+-]\d{1,2}(?::?\d\d)?)(?: \([\w ]{1,40}\))?`;

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Computed from the calendar fields and never through the machine's time zone. */
const calendarFormat = (name: string, pattern: string): TimeFormat => {
  const cellPattern = new RegExp(`^${pattern}$`, 'i');
  const kind = pattern.includes('<zone>') ? 'instant' : pattern.includes('<hour>') ? 'local' : 'day';
  return {
    name,
    kind,
    parse(cell) {
      const fields = cellPattern.exec(cell)?.groups;
      if (fields === undefined) return NaN;
      const { year, month, named, day, hour = 0, minute = 0, second = 0, fraction = '', half, zone = 'Z' } = fields;
      const monthNumber = named === undefined ? Number(month) : 1 + monthNames.indexOf(named.slice(0, 3).toLowerCase());
      // biome-ignore lint/style/noNonNullAssertion: the pattern matches only with these groups
      const date = dayMs(+year!, monthNumber, +day!);
      return date + clockMs(hourOfDay(+hour, half), +minute, +second, fraction) - zoneMs(zone);
    },
  };
};

/** The hour of a day of 24; on a clock of 12 hours, 12 AM is the first and 12 PM the noon. */
function hourOfDay(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return NaN;
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

/** The day 0 of a spreadsheet from March 1900 on: its calendar has a 29 February 1900. */
const SPREADSHEET_EPOCH_MS = Date.UTC(1899, 11, 30);
const SPREADSHEET_DAY_MIN = 61;

/** Days since 1900 as Excel counts them, with the time of day as a fraction, to the second. */
const spreadsheetDays: TimeFormat = {
  name: 'a number of days as Excel counts them',
  kind: 'local',
  parse(cell) {
    if (!/^\d{2,7}(\.\d{1,20})?$/.test(cell) || Number(cell) < SPREADSHEET_DAY_MIN) return NaN;
    return SPREADSHEET_EPOCH_MS + Math.round((Number(cell) * DAY_MS) / 1_000) * 1_000;
  },
};

/** The choices of `--dates`: dates that the file alone does not tell apart, and without dashes. */
const dividedOrders = ['MM/DD/YYYY', 'DD/MM/YYYY', 'YYYYMMDD'] as const;
export const dateOrders = [...dividedOrders, 'excel'] as const;
export type DateOrder = (typeof dateOrders)[number];

const dividedMonth = String.raw`(?<month>\d{1,2})`;
const dividedDay = String.raw`(?<day>\d{1,2})`;
const divider = '(?<divider>[-/.])';
const datePatterns: Readonly<Record<(typeof dividedOrders)[number] | 'YYYY/MM/DD', string>> = {
  'MM/DD/YYYY': String.raw`${dividedMonth}${divider}${dividedDay}\k<divider>(?<year>\d{4})`,
  'DD/MM/YYYY': String.raw`${dividedDay}${divider}${dividedMonth}\k<divider>(?<year>\d{4})`,
  YYYYMMDD: String.raw`(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)`,
  'YYYY/MM/DD': String.raw`(?<year>\d{4})(?<divider>[/.])${dividedMonth}\k<divider>${dividedDay}`,
};
/** Dates with the month by its English name, which leave no order open. */
const monthName = String.raw`(?<named>${monthNames.join('|')})[a-z]{0,6}\.?`;
const weekday = `(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?`;
const namedDates = [
  String.raw`${weekday}${monthName} (?<day>\d{1,2}),? (?<year>\d{4})`,
  String.raw`${weekday}(?<day>\d{1,2})[-/ ]?${monthName}[-/ ]?(?<year>\d{4})`,
  String.raw`(?<year>\d{4})[-/ ]?${monthName}[-/ ]?(?<day>\d{1,2})`,
];
const looseClock = String.raw`(?:T|,? )(?<hour>\d{1,2}):?(?<minute>\d\d)(?::?(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?)? ?(?<half>[AP]M)?`;

/** A date, alone or with a clock and a zone. */
const formatsOver = (shown: string, date: string): readonly TimeFormat[] => [
  calendarFormat(`a date as ${shown}`, date),
  calendarFormat(`a date and time as ${shown} 23:00`, date + looseClock),
  calendarFormat(`a date and time as ${shown} 11-PM`, date + hourOnly),
  calendarFormat(`a date and time with a zone as ${shown} 23:00Z`, date + looseClock + zonePart),
];

const formats = (order: DateOrder | keyof typeof datePatterns): readonly TimeFormat[] =>
  order === 'excel' ? [spreadsheetDays] : formatsOver(order, datePatterns[order]);

/** By magnitude. Files joined by `cat` may change their unit, so a row is read in its own. */
const epochUnits: readonly TimeFormat[] = [
  epochFormat('seconds', 9, 11, { msPerUnit: 1_000 }),
  epochFormat('milliseconds', 12, 14, {}),
  epochFormat('microseconds', 15, 17, { spareDigits: 3 }),
  epochFormat('nanoseconds', 18, 19, { spareDigits: 6 }),
];

const epochFormats = epochUnits.map((unit) => ({
  ...unit,
  parse(cell: string): number {
    const ms = unit.parse(cell);
    if (!Number.isNaN(ms)) return ms;
    for (const other of epochUnits) {
      const found = other.parse(cell);
      if (!Number.isNaN(found)) return found;
    }
    return NaN;
  },
}));

/** Tried in this order on the first cell of a column, after epoch times. */
const calendarFormats: readonly TimeFormat[] = [
  calendarFormat('a date such as 2024-01-31', isoDate),
  calendarFormat('a date and time such as 2024-01-31 23:00:00', isoDate + isoClock),
  calendarFormat('a date and time with a zone such as 2024-01-31T23:00:00Z', isoDate + isoClock + zonePart),
  calendarFormat('a date and time such as 2024-01-31 11-PM', isoDate + hourOnly),
  ...formats('YYYY/MM/DD'),
  ...namedDates.flatMap((date, k) => formatsOver(['Jan 31, 2024', '31 Jan 2024', '2024-Jan-31'][k] ?? '', date)),
];

/**
 * The format of a column, from its first cell; null when the cell is not a time.
 * @param dates the order of day, month and year in dates that are not ISO 8601
 */
export const detectTimeFormat = (cell: string, dates?: DateOrder): TimeFormat | null => {
  if (cell.length > TIME_LENGTH_MAX) return null;
  const reads = (format: TimeFormat) => !Number.isNaN(format.parse(cell));
  const given = dates === undefined ? undefined : formats(dates).find(reads);
  const unit = epochUnits.findIndex(reads);
  return given ?? epochFormats[unit] ?? calendarFormats.find(reads) ?? null;
};

/** Numbers of days that bars plausibly have; others are no days of a spreadsheet. */
const SPREADSHEET_SEEN_MS = { from: Date.UTC(1970, 0, 1), to: Date.UTC(2100, 0, 1) };

/** What a cell must be that `format` does not read, and the flag that reads it, for a message. */
export function timeRule(cell: string, format: TimeFormat | null): string {
  if (cell.length > TIME_LENGTH_MAX) return `must have at most ${TIME_LENGTH_MAX} characters, was ${quote(cell)}`;
  const rule = format === null ? 'an epoch time or an ISO 8601 time' : `${format.name} like the first row`;
  const day = spreadsheetDays.parse(cell);
  if (format === null && day >= SPREADSHEET_SEEN_MS.from && day < SPREADSHEET_SEEN_MS.to) {
    const fact = `which is ${isoTime(day)} as Excel counts days`;
    return `must be ${rule}, was ${quote(cell)}, ${fact}; data import --dates excel reads it`;
  }
  const orders = dividedOrders.filter((order) => formats(order).some((other) => !Number.isNaN(other.parse(cell))));
  const isOther = format === null || dividedOrders.some((order) => format.name.includes(order));
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
  const match = /^(?:UTC|GMT)?([+-])(\d\d?):?(\d\d)?$/i.exec(zone);
  if (match === null) return 0; // Z, UTC or GMT
  const [, sign, hours, minutes = '0'] = match;
  // biome-ignore lint/style/noNonNullAssertion: the pattern matches only with these groups
  if (+hours! > 14 || +minutes > 59) return NaN;
  // biome-ignore lint/style/noNonNullAssertion: the pattern matches only with these groups
  return (sign === '-' ? -1 : 1) * (+hours! * HOUR_MS + +minutes * MINUTE_MS);
}
