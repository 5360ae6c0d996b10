import { apiTimeframes, tryParseInterval } from '../../../engine/index.js';
import type { Change, Collected } from '../mind.js';
import { isDay, outsideBounds } from './check-change.js';
import type { ConsumedText } from './consumed-text.js';
import type { Say } from './sentences/say.js';

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december'.split('|');
const MONTH = `(?:${MONTHS.join('|')})`;
const OF = '(?:,? (?:of|de|del|en|the) |,? )';
const POINT = `\\d{4}-\\d{2}-\\d{2}|\\d{4}-\\d{2}(?!\\d)|(?:(?<![\\d.]|above |below )\\d{1,2}(?:st|nd|rd|th|\\.|er)? ?(?:de |of )?)?${MONTH}${OF}20[0-3]\\d|20[0-3]\\d(?![\\d-])`;
const TO =
  '(?: ?- ?| ?\\.\\. ?| (?:to|until|and|und|y|et|a|al|au|bis|hasta|through) | to the )(?:the |el )?(?:(?:end|start|ende|fin|final|finales) (?:of |de )?)?';
/** "Over 2021" is a year, unless it is said of a price or a value. */
const OVER =
  '(?<!(?:price|cross|is|it|at|value|trades|closes?|band|rsi|cci|sma|ema|adx|mfi|volume|\\)) ?)above(?= (?:the )?(?:year )?20[1-3]\\d)';
const unitMonths: Readonly<Record<string, number>> = { day: 1 / 30, week: 1 / 4, month: 1, quarter: 3, year: 12 };

const pad = (value: number): string => String(value).padStart(2, '0');
const lastOf = (year: number, month: number): string =>
  `${year}-${pad(month)}-${pad(new Date(Date.UTC(year, month, 0)).getUTCDate())}`;
const firstOf = (year: number, month: number): string => `${year}-${pad(month)}-01`;

/** How long a window is that begins on a day: `for 18 month` */
// Bounded because a message is read to 4,000 characters.
const LENGTH =
  /(?:(?:and|then|y|und|et|,) ?)*(?<![\d.])(?:(?:for|over|above|fur|por|pour|in|of|with|next|the) )*(\d{1,3}) (month|year|quarter)(?! (?:ago|old|back))(?: (?:lang|long))?/;

/** The last day of so many months that begin on a day. */
function dayAfter(start: string, months: number): string {
  const [year = 0, month = 1, day = 1] = start.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months, 1));
  const days = Number(lastOf(last.getUTCFullYear(), last.getUTCMonth() + 1).slice(8));
  last.setUTCDate(Math.min(day, days) - 1);
  return last.toISOString().slice(0, 10);
}

/** First and last day of a day, a month or a year; null for a day that no calendar has. */
function periodOf(text: string): readonly [string, string] | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    return isDay(text) ? [text, text] : null;
  }
  const named = new RegExp(`(?:(\\d{1,2})(?:st|nd|rd|th|\\.|er)? ?(?:de |of )?)?(${MONTH})\\D*(20\\d\\d)`).exec(text);
  if (named !== null) {
    const [, day, name = '', year] = named;
    const month = MONTHS.indexOf(name) + 1;
    const whole = [firstOf(Number(year), month), lastOf(Number(year), month)] as const;
    if (day === undefined) return whole;
    const exact = `${year}-${pad(month)}-${pad(Number(day))}`;
    return periodOf(exact);
  }
  const short = /^(\d{4})-(\d{2})$/.exec(text);
  if (short !== null) {
    const month = Number(short[2]);
    return month >= 1 && month <= 12 ? [firstOf(Number(short[1]), month), lastOf(Number(short[1]), month)] : null;
  }
  return [`${text}-01-01`, `${text}-12-31`];
}

/** The window of a message, or why it cannot be one. */
interface ReadDates {
  readonly dates?: NonNullable<Change['dates']>;
  readonly refused: readonly string[];
}

/** Days of the window that is known, the other of which stays where one end is moved. */
type KnownDays = Partial<Pick<Collected, 'start_date' | 'end_date'>>;

/** One end of the window: "start in June 2022", "the end should be 2024" */
const edge = (word: string): RegExp =>
  new RegExp(`\\b${word}(?: (?:it|the|el|le|la|den|dem|de|del|instead|rather|in|at|on|a|to|end|start|of))* (${POINT})`);
const [EDGE_START, EDGE_END] = [edge('edge_start'), edge('edge_end')];

/** The dates of a message, which are taken out of it. */
export function takeDates(text: ConsumedText, say: Say, known: KnownDays = {}): ReadDates {
  const read = (dates: NonNullable<Change['dates']>): ReadDates => ({ dates, refused: [] });
  const refuse = (...refused: string[]): ReadDates => ({ refused });
  const noDay = (day: string) => refuse(say('noSuchDay', { day }));
  const back = (amount: number, unit: string): ReadDates => {
    const months = Math.max(1, Math.ceil(amount * (unitMonths[unit] ?? 1)));
    const refusal = outsideBounds('lookback_months', months, say);
    return refusal === null ? read({ lookback_months: months }) : refuse(refusal);
  };
  const part = text.take(
    new RegExp(
      `(?:(?:only|in|over|above|for|fur|para|por|pour|sur|the|el|le|das|dem|du|del) )*(?:(\\d|last)(?:st|nd|rd|th|\\.|er)? (quarter|half)|(q|h)(\\d))${OF}(20[0-3]\\d)(?: only)?`,
    ),
  );
  if (part !== null) {
    const length = (part[2] ?? part[3] ?? '').startsWith('q') ? 3 : 6;
    const place = part[1] === 'last' ? 12 / length : Number(part[1] ?? part[4]);
    const year = Number(part[5]);
    if (place < 1 || place * length > 12) return noDay(part[0].trim());
    return read({ start_date: firstOf(year, (place - 1) * length + 1), end_date: lastOf(year, place * length) });
  }
  const range = text.take(
    new RegExp(
      `(?:(?:since|start_with|from|form|de|del|du|le|vom|only|between|in|von|entre|all|of|whole|above|ganz|toute?|todo) )*(?:the |el )?(${POINT}|${MONTH})${TO}(${POINT})(?: only)?`,
    ),
  );
  if (range !== null) {
    const [, from = '', to = ''] = range;
    const end = periodOf(to);
    const start = periodOf(MONTHS.includes(from) ? `${from} ${/20\d\d/.exec(to)?.[0] ?? ''}` : from);
    if (start === null || end === null) return noDay(start === null ? from : to);
    if (start[0] >= end[1]) return refuse(say('endsBefore', { start: start[0], end: end[1] }));
    return read({ start_date: start[0], end_date: end[1] });
  }
  const [opens, closes] = [text.take(EDGE_START)?.[1], text.take(EDGE_END)?.[1]];
  if (opens !== undefined || closes !== undefined) {
    const [from, to] = [opens, closes].map((point) => (point === undefined ? undefined : periodOf(point)));
    if (from === null || to === null) return noDay((from === null ? opens : closes) ?? '');
    const start = from?.[0] ?? known.start_date ?? null;
    const end = to?.[1] ?? known.end_date ?? null;
    if (start !== null && end !== null && start >= end) return refuse(say('endsBefore', { start, end }));
    const isOpenEnd = end === null && start !== null;
    return read({ ...(from == null ? {} : { start_date: start }), ...(isOpenEnd ? {} : { end_date: end }) });
  }
  const since = text.take(
    new RegExp(
      `(?:since|start_with|from|form(?= 20))(?: in)?(?: the)?(?: (?:start|beginning) of)?(?: the| el| le| dem)? (${POINT})(?! only)`,
    ),
  );
  const until = text.take(
    new RegExp(
      `(?:until|before)(?: the)?(?: (?:end|ende|fin|final) (?:of|de))? (${POINT})|\\bto (?:the )?end of (${POINT})`,
    ),
  );
  const [first, last] = [since?.[1], until?.[1] ?? until?.[2]];
  const start = first === undefined ? undefined : periodOf(first);
  const end = last === undefined ? undefined : periodOf(last);
  if (start === null || end === null) return noDay((start === null ? first : last) ?? '');
  if (start !== undefined && end !== undefined && start[0] >= end[1])
    return refuse(say('endsBefore', { start: start[0], end: end[1] }));
  if (start !== undefined && end === undefined) {
    const length = text.take(LENGTH);
    const days = { start_date: start[0] };
    // "Sorry, I meant from 2021" moves this end alone.
    const { end_date: end = null } = known;
    const isMoved = /\b(?:instead|scratch_that)\b/.test(text.rest) && end !== null && end > start[0];
    if (length === null) return read(isMoved ? { ...days, end_date: end } : days);
    const months = Math.ceil(Number(length[1]) * (unitMonths[length[2] ?? ''] ?? 1));
    const refusal = outsideBounds('lookback_months', months, say);
    return refusal === null ? read({ ...days, end_date: dayAfter(start[0], months) }) : refuse(refusal);
  }
  if (start !== undefined && end !== undefined) return read({ start_date: start[0], end_date: end[1] });
  if (end !== undefined) return read({ end_date: end[1] });
  const ago = text.take(
    /(?<!\b(?:low|high)s? (?:of |der |de |des |du )?(?:the |los |las |les |der |den )?)(?:since |over |for |the |der |den |die )*(?<!\b(?:low|high)s? (?:of |der |de |des |du )?(?:the |los |las |les |der |den )?)last (?:the )?(\d{1,4})?\s*(day|week|month|quarter|year)s?(?![a-z])|(?<![\d.])(\d{1,4}) ?(?:last )?(day|week|month|quarter|year) (?:back|last)|(?<![\d.])(\d{1,4}) last (day|week|month|quarter|year)(?![a-z])/,
  );
  if (ago !== null) return back(Number(ago[1] ?? ago[3] ?? ago[5] ?? 1), ago[2] ?? ago[4] ?? ago[6] ?? '');
  const length = text.take(/(?:(?:over|for|with|of) )*(\d{1,3}) (month|year)(?! (?:ago|old))/);
  if (length !== null) return back(Number(length[1]), length[2] ?? '');
  const within =
    text.take(
      new RegExp(
        `(?:only |in |over |for |during |and )*(?:only|in|over|for|fur|para|por|pour|sur|during|throughout|whole|all|ganz(?:es)?|tou(?:te?|s)|todo|year|${OVER})(?: (?:of|the|year|el|la|das|l'|de|en|l'year))* (${POINT})`,
      ),
    ) ??
    text.take(new RegExp(`(${POINT}) (?:only|instead)`)) ??
    text.take(new RegExp(`^\\W*(?:(?:and|what_if|without|agree|please|instead)[ ,]*)*(${POINT})\\W*$`)) ??
    // A clause that is a date and nothing else.
    text.take(new RegExp(`(?<=[,;|] ?|[.!] )(${POINT})(?= ?(?:[,;|]|\\.(?!\\d)|$))`));
  if (within === null) return refuse();
  const period = periodOf(within[1] ?? '');
  return period === null ? noDay(within[1] ?? '') : read({ start_date: period[0], end_date: period[1] });
}

const END = '(?![a-z0-9_])';
const patterns: readonly (readonly [string, RegExp])[] = [
  [
    '15m',
    new RegExp(`\\b(?:quarter[- ](?:of an? )?hour|viertelstund\\w*)${END}|\\b(?:15[- ]?m(?:in(?:ute)?s?)?|m15)${END}`),
  ],
  ['30m', new RegExp(`\\b(?:30[- ]?m(?:in(?:ute)?s?)?|m30|half[- ]hour)${END}`)],
  ['5m', new RegExp(`\\b(?:5[- ]?m(?:in(?:ute)?s?)?|m5)${END}`)],
  ['4h', new RegExp(`\\b(?:240[- ]?m(?:in(?:ute)?s?)?|4[- ]?h(?:ours?|rs?)?|h4)${END}`)],
  [
    '1h',
    new RegExp(
      `\\b(?:60[- ]?m(?:in(?:ute)?s?)?|1[- ]?h(?:ours?|r)?|h1)${END}|(?<!\\d[ -]?)\\bhour${END}(?! (?:ago|back))`,
    ),
  ],
  ['1d', new RegExp(`\\b(?:1[- ]?d(?:ay)?|d1)${END}|\\bdaily${END}`)],
];
/** Words that only hint at a timeframe. */
const hints: readonly (readonly [string, RegExp])[] = [
  ['5m', /\bscalp\w*\b/],
  ['15m', /\b(?:day[- ]?trad\w*|intraday)\b/],
  ['4h', /\bswing\b/],
  ['1d', /\b(?:long[- ]term|invest\w*|position trad\w*|hodl\w*|savings?|retire\w*|(?:50|100|200)[- ]day)\b/],
];

/** The timeframe of a message, or one that the service does not have. */
export function takeTimeframe(text: ConsumedText): {
  readonly known?: string;
  readonly unknown?: string;
  readonly hint?: string;
} {
  for (const [timeframe, pattern] of patterns) if (text.take(pattern) !== null) return { known: timeframe };
  const other = text.take(/\b(\d{1,3})[- ]?(m|min|minute|h|hour)s?(?![a-z])(?! (?:ago|back|last|hold))/);
  if (other !== null) {
    const spelled = `${other[1]}${other[2]?.startsWith('h') ? 'h' : 'm'}`;
    if (tryParseInterval(spelled) !== null) return { unknown: spelled };
  }
  const long = text.take(/\b(weekly|monthly)\b/);
  if (long !== null) return { unknown: long[1] ?? '' };
  const hint = hints.find(([, pattern]) => pattern.test(text.rest))?.[0];
  return hint === undefined ? {} : { hint };
}

/** The timeframe that a text names, which stays in it. */
export const timeframeIn = (text: string): string | null =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

export const timeframeRefusal = (unknown: string, say: Say): string =>
  say('noTimeframe', {
    timeframe: unknown === 'weekly' || unknown === 'monthly' ? say(unknown) : unknown,
    timeframes: apiTimeframes.join(', '),
  });
