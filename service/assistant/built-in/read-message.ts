import { apiTimeframes, tryParseInterval } from '../../../engine/index.js';
import { clip } from '../../../engine/text.js';
import type { Collected } from '../mind.js';
import { evenly, NUMBER } from './number-form.js';
import {
  LEAVES_CHOICE,
  levelWords,
  OUT_OF_REACH,
  riskWords,
  sentimentWords,
  styleWords,
  translations,
  WANTS_SHORT,
} from './vocabulary.js';

/** What one message says. Fields that it does not speak of are null. */
interface Reading extends Collected {
  /** The message with the English words of what it says in another language. */
  readonly text: string;
  /** Sentences about what the message asks for and does not get. */
  readonly refused: readonly string[];
}

/** An asset with the names that people have for it. */
export interface KnownAsset {
  readonly symbol: string;
  /** In lower case. */
  readonly names: readonly string[];
  readonly isHeld: boolean;
}

const INTENTION_LENGTH_MAX = 500;
const TRADE_RISK_MAX = 0.1;
const REWARD_MAX = 100;
const MONTHS_MAX = 240;

/** Reads asset, timeframe, style, risk and dates from a message, by words and patterns. */
export function readMessage(message: string, assets: readonly KnownAsset[]): Reading {
  const added = translations.filter(([pattern]) => pattern.test(message.toLowerCase())).map(([, words]) => words);
  const text = [message, ...added].join(' ');
  const lower = evenly(text);
  const asset = assetIn(text, assets);
  const timeframe = timeframeIn(lower);
  const refused = [
    ...(WANTS_SHORT.test(lower) ? ['Barline holds long positions only, so I cannot sell short.'] : []),
    ...(OUT_OF_REACH.test(lower)
      ? ['I only make and test strategies with what your own account may read; the rest of your message I leave alone.']
      : []),
    ...(asset !== null && !asset.isHeld ? [`There are no bars of ${asset.symbol} here.`] : []),
    ...(timeframe.unknown === null
      ? []
      : [`I cannot use ${timeframe.unknown}: timeframes are ${apiTimeframes.join(', ')}.`]),
  ];
  return {
    text,
    refused,
    user_intention: clip(message.trim(), INTENTION_LENGTH_MAX) || null,
    user_sentiment: keyOf(sentimentWords, lower),
    user_knowledge_level: keyOf(levelWords, lower),
    asset: asset?.isHeld === true ? asset.symbol : null,
    timeframe: timeframe.known,
    style: styleWords.find(([, pattern]) => pattern.test(lower))?.[0] ?? null,
    ...datesIn(lower),
    max_risk_per_trade: riskIn(lower),
    reward_factor: rewardIn(lower),
    leaves_choice: LEAVES_CHOICE.test(lower),
  };
}

function keyOf<K extends string>(patterns: Readonly<Record<K, RegExp>>, text: string): K | null {
  const names = Object.keys(patterns) as K[];
  return names.find((name) => patterns[name].test(text)) ?? null;
}

/** The asset that is named first; a symbol may stand with a $ or with a quote currency. */
function assetIn(text: string, assets: readonly KnownAsset[]): KnownAsset | null {
  const lower = text.toLowerCase();
  let best: KnownAsset | null = null;
  let place = Number.POSITIVE_INFINITY;
  for (const asset of assets) {
    const symbol = asset.symbol.replace(/\W/g, '\\$&');
    const isWord =
      asset.symbol.length >= 3 && !/^(LINK|NEAR|ONE|GAS|TON|OP|SAND|APE|BAND|REN|SUN|MASK)$/.test(asset.symbol);
    const found = [
      text.search(
        new RegExp(`(?<![A-Za-z])\\$?${symbol}(?:[-/ ]?(?:USDT?|USDC|EUR|PERP))?(?![A-Za-z])`, isWord ? 'i' : ''),
      ),
      ...asset.names.map((name) => lower.search(new RegExp(`(?<![a-z])${name.replace(/\W/g, '\\$&')}(?![a-z])`))),
    ].filter((at) => at >= 0);
    const first = Math.min(...found);
    if (first < place || (first === place && asset.isHeld && best?.isHeld !== true)) [best, place] = [asset, first];
  }
  return place === Number.POSITIVE_INFINITY ? null : best;
}

const timeframePatterns: readonly (readonly [string, RegExp])[] = [
  ['5m', /\b(?:5[- ]?m(?:in(?:ute)?s?)?|m5|five[- ]minutes?)\b/],
  ['15m', /\b(?:15[- ]?m(?:in(?:ute)?s?)?|m15|fifteen[- ]minutes?)\b/],
  ['30m', /\b(?:30[- ]?m(?:in(?:ute)?s?)?|m30|half[- ]hour(?:ly)?)\b/],
  ['4h', /\b(?:4[- ]?h(?:(?:ou)?rs?)?|h4|four[- ]hours?)\b/],
  ['1h', /\b(?:1[- ]?h(?:(?:ou)?r)?|h1|hourly|one[- ]hour|hourly candles?|every hour)\b/],
  ['1d', /\b(?:1[- ]?d(?:ay)?|d1|daily|one[- ]day|every day|day candles?)\b/],
];
/** Words that only hint at a timeframe. */
const timeframeHints: readonly (readonly [string, RegExp])[] = [
  ['5m', /\bscalp\w*\b/],
  ['15m', /\b(?:day[- ]?trad\w*|intraday)\b/],
  ['4h', /\bswing\b/],
  ['1d', /\b(?:long[- ]term|invest\w*|position trad\w*|hodl\w*|savings?|retire\w*|(?:50|100|200)[- ]day)\b/],
];

function timeframeIn(text: string): { readonly known: string | null; readonly unknown: string | null } {
  const known = timeframePatterns.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
  if (known !== null) return { known, unknown: null };
  const other = /\b(\d{1,3}) ?(m|min|minutes?|h|hours?|hourly)\b(?! (?:ago|of history|back))/.exec(text);
  const spelled = other === null ? null : `${other[1]}${other[2]?.startsWith('h') ? 'h' : 'm'}`;
  if (spelled !== null && tryParseInterval(spelled) !== null) return { known: null, unknown: spelled };
  if (/\b(weekly|monthly)\b/.test(text))
    return { known: null, unknown: /\bweekly\b/.test(text) ? 'weekly' : 'monthly' };
  return { known: timeframeHints.find(([, pattern]) => pattern.test(text))?.[0] ?? null, unknown: null };
}

const unitMonths: Readonly<Record<string, number>> = { day: 1 / 30, week: 1 / 4, month: 1, quarter: 3, year: 12 };
const amounts: Readonly<Record<string, number>> = {
  a: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  twelve: 12,
};
const DAY = '\\d{4}-\\d{2}-\\d{2}';
const YEAR = '20[12]\\d';

function datesIn(text: string): Pick<Collected, 'start_date' | 'end_date' | 'lookback_months'> {
  const none = { start_date: null, end_date: null, lookback_months: null };
  const span = new RegExp(`\\b(${DAY}|${YEAR})\\s*(?:-|–|to|until|till|and|through)\\s*(${DAY}|${YEAR})\\b`).exec(text);
  if (span !== null && isDay(firstDay(span[1])) && isDay(lastDay(span[2])) && firstDay(span[1]) < lastDay(span[2])) {
    return { ...none, start_date: firstDay(span[1]), end_date: lastDay(span[2]) };
  }
  const since = new RegExp(`\\b(?:since|from|after|starting(?: in)?)\\s+(?:the start of\\s+)?(${DAY}|${YEAR})\\b`).exec(
    text,
  );
  if (since !== null && isDay(firstDay(since[1]))) return { ...none, start_date: firstDay(since[1]) };
  const within = new RegExp(`\\b(?:in|during|over|for)\\s+(${YEAR})\\b`).exec(text);
  if (within !== null) return { ...none, start_date: firstDay(within[1]), end_date: lastDay(within[1]) };
  // Bounded because `readMessage` leaves no run of white space, and no long one of digits.
  const back =
    /\b(?:last|past|previous|recent)\s+(\d{1,4}|a|one|two|three|four|five|six|twelve)?\s*(day|week|month|quarter|year)s?\b/.exec(
      text,
    );
  if (back === null) return none;
  const amount = back[1] === undefined ? 1 : (amounts[back[1]] ?? Number(back[1]));
  const months = Math.ceil(amount * (unitMonths[back[2] ?? ''] ?? 1));
  return { ...none, lookback_months: Math.min(Math.max(months, 1), MONTHS_MAX) };
}

const firstDay = (text = ''): string => (text.length === 4 ? `${text}-01-01` : text);
const lastDay = (text = ''): string => (text.length === 4 ? `${text}-12-31` : text);
const isDay = (text: string): boolean => !Number.isNaN(Date.parse(text));

const RISK = new RegExp(
  `\\brisk\\w*\\D{0,25}?${NUMBER}\\s?%|${NUMBER}\\s?%\\s?(?:of \\w{1,40} \\w{1,40} )?(?:risk|per trade|a trade|of (?:my|the) account)`,
);
const REWARD = new RegExp(`\\breward\\w*\\D{0,20}?${NUMBER}\\b|${NUMBER}\\s?(?::\\s?1|r)\\b(?! ?(?:si|oc))`);

/** A percentage beside the word risk, or a word for it. */
function riskIn(text: string): number | null {
  const near = RISK.exec(text);
  const share = near === null ? Number.NaN : Number(near[1] ?? near[2]) / 100;
  if (share > 0 && share <= TRADE_RISK_MAX) return share;
  return riskWords.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

function rewardIn(text: string): number | null {
  const found = REWARD.exec(text);
  const factor = found === null ? Number.NaN : Number(found[1] ?? found[2]);
  return factor > 0 && factor <= REWARD_MAX ? factor : null;
}

/** What is known after a message: what it says, and what was known before. */
export function mergeCollected(before: Collected, said: Reading): Collected {
  const saysDates = said.start_date !== null || said.lookback_months !== null;
  const dates = saysDates ? said : before;
  return {
    user_intention: before.user_intention ?? said.user_intention,
    user_sentiment: said.user_sentiment ?? before.user_sentiment,
    user_knowledge_level: said.user_knowledge_level ?? before.user_knowledge_level,
    asset: said.asset ?? before.asset,
    timeframe: said.timeframe ?? before.timeframe,
    style: said.style ?? before.style,
    start_date: dates.start_date,
    end_date: dates.end_date,
    lookback_months: dates.lookback_months,
    max_risk_per_trade: said.max_risk_per_trade ?? before.max_risk_per_trade,
    reward_factor: said.reward_factor ?? before.reward_factor,
    leaves_choice: before.leaves_choice || said.leaves_choice,
  };
}
