import type { SettingValue } from '../candidate.js';
import type { Change, Sides, Trail } from '../mind.js';
import type { ConsumedText } from './consumed-text.js';
import { NUMBER } from './number-form.js';
import type { Say } from './sentences/say.js';

/** What a message says of sides, margin and moving levels. */
interface ReadSides {
  readonly change: Pick<Change, 'sides' | 'trail' | 'settings'>;
  /** Sentences about wishes that cannot be met. */
  readonly refused: readonly string[];
}

/** What may stand between a word and its number. */
const BETWEEN =
  '(?: ?(?:of|at|by|is|to|de|del|von|mit|with|con|avec|a|the|factor|multiplier|stop|=|:|um|bei|en|le|la|el))*';
const TIMES = '(?:x|times|\\*|fach|fois|veces)';

const share = (digits: string | undefined): number => Number((Number(digits) / 100).toPrecision(12));

/** Sides, leverage, moving stops and schedules of targets, which are taken out of a message. */
export function takeSides(text: ConsumedText, timeframe: string, say: Say): ReadSides {
  const settings: Record<string, SettingValue> = {};
  const refused: string[] = [];
  const leverage = takeLeverage(text);
  if (leverage !== null) settings.leverage = leverage;
  const trail = takeTrail(text, settings);
  Object.assign(settings, takeBreakEven(text), takeSchedule(text, timeframe, refused, say));
  const sides = text.rest.includes('?') ? null : takeWishedSides(text, settings);
  return {
    change: {
      ...(sides === null ? {} : { sides }),
      ...(trail === undefined ? {} : { trail }),
      ...(Object.keys(settings).length === 0 ? {} : { settings }),
    },
    refused,
  };
}

function takeLeverage(text: ConsumedText): number | null {
  if (text.take(/\b(?:without|decline|0) (?:any |the |a )?leverage\b/) !== null) return 1;
  const found =
    text.take(new RegExp(`\\bleverage(?: since)?${BETWEEN} ?(?:x ?)?${NUMBER} ?${TIMES}?(?![a-z%]| ?%)`)) ??
    text.take(new RegExp(`(?:x ?)?${NUMBER} ?-?${TIMES}?${BETWEEN} ?-?leverage\\b`)) ??
    text.take(new RegExp(`\\bx ?${NUMBER}(?![\\d%])(?= (?:buy|short|both_sides|leverage))`)) ??
    text.take(new RegExp(`${NUMBER} ?x(?= (?:buy|short|both_sides))`)) ??
    text.take(ALONE);
  const value = Number(found?.slice(1).find((each) => each !== undefined));
  return found === null ? null : value;
}

/** "Ok then 3x" */
const ALONE = new RegExp(
  `(?:^|[,;|.] ?)(?:(?:please|agree|use|make|it|instead|try|with|only|what_if|and|a)[ ,]+)*${NUMBER} ?x(?=[ ,]*(?:(?:please|agree|instead)[ ,]*)*(?:$|[,;|!?]|\\.(?!\\d)))`,
);

const WITHOUT_TRAIL = /\b(?:without|decline) (?:any |the |a |le |el |la |den )?trailing(?: stop)?\b/;
/** From which gain on a stop follows. */
const START = '(?:from|since|after|once|when|at|ab|desde|des|offset|start|starts|starting)';
const PERCENT = `${NUMBER} %`;
const FOLLOWS_FROM = new RegExp(
  `(?:,? ?(?:but|only|and|that|it|which))*,? ?\\b${START}(?: (?:of|from|at|since|de|d'un|un|una|une|ein|einem|a|an|the|gain|profit|money|price|is|up|above|with|it))* ?\\+?${PERCENT}(?: (?:of |in )?(?:gain|profit|money|above|plus))*`,
);

function takeTrail(text: ConsumedText, settings: Record<string, SettingValue>): Trail | null | undefined {
  if (text.take(WITHOUT_TRAIL) !== null) return null;
  // A fixed stop is one that stays.
  if (
    /\b(?:fixed|fixe|fester|festen|fijo) stop\b|\bstop (?:fixed|fixe|fijo)\b|\bfixed 1\b|\bfixed one\b/.test(text.rest)
  )
    return null;
  if (!/\btrailing\b/.test(text.rest)) return undefined;
  const byAtr =
    text.take(
      new RegExp(`\\btrailing(?: stop)?(?: since)?${BETWEEN} ?${NUMBER} ?${TIMES}? ?(?:the |de |del |of )?atr\\b`),
    ) ??
    text.take(new RegExp(`${NUMBER} ?${TIMES}? ?-?atr[ -](?:stop )?trailing(?: stop)?\\b`)) ??
    text.take(new RegExp(`\\batr[ -]trailing(?: stop)?${BETWEEN} ?${NUMBER} ?${TIMES}?(?! ?%)`));
  if (byAtr !== null) {
    Object.assign(settings, { stop_loss_calculation: 'dynamic_atr', atr_volatility_factor: Number(byAtr[1]) });
    return { share: null, start: startIn(text) };
  }
  const own =
    text.take(
      new RegExp(
        `\\btrailing(?: stop)?${BETWEEN} ?${PERCENT}(?: (?:behind|below|under|from)(?: the)? (?:price|high|top|peak))?`,
      ),
    ) ??
    text.take(new RegExp(`${PERCENT}${BETWEEN} ?trailing(?: stop)?\\b`)) ??
    // German says "von" for "of" and for "since".
    text.take(new RegExp(`\\btrailing(?: stop)? since ${PERCENT}`)) ??
    text.take(new RegExp(`\\bstop [^\\d,.;%|]{0,20}?${PERCENT}[^\\d,.;%|]{0,12}?\\btrailing\\b`));
  if (own !== null) return { share: share(own[1]), start: startIn(text) };
  text.take(/\btrailing(?: stop)?\b/);
  return { share: null, start: startIn(text) };
}

/** "Trailing ... from 5 % of gain": read where a trail was read just before. */
function startIn(text: ConsumedText): number | null {
  const found = text.take(FOLLOWS_FROM);
  return found === null ? null : share(found[1]);
}

/** "Move the stop to break even at 1R" */
function takeBreakEven(text: ConsumedText): Readonly<Record<string, SettingValue>> {
  const found =
    text.take(
      new RegExp(
        `(?:(?:move|put|set|the|stop|to|a|at|zum|auf|den) )*\\bbreak_even\\b[^\\d,.;%|]{0,30}?${NUMBER} ?(?:r\\b|times the risk)`,
      ),
    ) ?? text.take(/(?:(?:move|put|set|the|stop|to|a|at|zum|auf|den) )*\bbreak_even\b/);
  return found === null ? {} : { break_even_at: Number(found[1] ?? 1) };
}

const unitMinutes: Readonly<Record<string, number>> = { minute: 1, min: 1, m: 1, hour: 60, h: 60, day: 1440, d: 1440 };
const frameMinutes: Readonly<Record<string, number>> = {
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '4h': 240,
  '1d': 1440,
};

const UNIT = '(bars|minutes?|min|hours?|h|days?|d)';
const AFTER = '(?:after|since|from|ab|nach|tras|despues de|apres|desde|au bout de|at|bei)';
const LATER = new RegExp(
  `${PERCENT} (?:(?:${AFTER}) )+${NUMBER} ?${UNIT}(?![a-z])|${AFTER} ${NUMBER} ?${UNIT}(?![a-z]),? ?:? ?(?:only |then )?${PERCENT}`,
  'g',
);
const ANY_PERCENT = new RegExp(`${PERCENT}`);
/** `{"0": 0.1, "60": 0.05}`: minutes and fractions, as freqtrade writes them. */
const TABLE = /\{[^{}]{3,400}\}/;
const TABLE_PAIR = /["']?(\d{1,9})["']? ?: ?(\d{1,3}(?:\.\d{1,9})?)/g;
// Bounded because a message is read to 4,000 characters, and a clause is shorter.
const SCHEDULE = /\b(?:roi|target)\b[^;|!?]*/;

/** Targets that fall with the time, as percent of the entry price from a bar on. */
function takeSchedule(
  text: ConsumedText,
  timeframe: string,
  refused: string[],
  say: Say,
): Readonly<Record<string, SettingValue>> {
  const clause = SCHEDULE.exec(text.rest)?.[0];
  if (clause === undefined) return {};
  const table = /\broi\b/.test(clause) ? TABLE.exec(clause)?.[0] : undefined;
  const bars = (amount: number, unit: string) =>
    unit === 'bars'
      ? amount
      : Math.ceil((amount * (unitMinutes[unit.replace(/s$/, '')] ?? 1)) / (frameMinutes[timeframe] ?? 60));
  const pairs: (readonly [number, number])[] =
    table !== undefined
      ? [...table.matchAll(TABLE_PAIR)].map(
          ([, minutes, part]) => [bars(Number(minutes), 'min'), Number(part)] as const,
        )
      : [...clause.matchAll(LATER)].map(
          ([, first, after, unit, otherAfter, otherUnit, other]) =>
            [bars(Number(after ?? otherAfter), unit ?? otherUnit ?? 'bars'), share(first ?? other)] as const,
        );
  const rest = table === undefined ? clause.replace(LATER, ' ') : '';
  const atOnce = table === undefined ? ANY_PERCENT.exec(rest)?.[1] : undefined;
  if (pairs.length === 0) {
    if (!/\broi\b/.test(clause) || atOnce === undefined) return {};
    text.take(SCHEDULE);
    return { target_calculation: 'fixed', fixed_target_pct: share(atOnce) };
  }
  const all = (atOnce === undefined ? pairs : [[0, share(atOnce)] as const, ...pairs]).sort(([a], [b]) => a - b);
  text.take(SCHEDULE);
  const isSound = all[0]?.[0] === 0 && all.every(([bar], i) => i === 0 || bar > (all[i - 1]?.[0] ?? 0));
  if (!isSound || all.length > 20 || all.some(([, part]) => part > 10)) {
    refused.push(
      say('scheduleWrong', {
        schedule: all.map(([bar, part]) => `${Number((100 * part).toPrecision(6))} % @ ${bar}`).join(', '),
      }),
    );
    return {};
  }
  return { target_calculation: 'schedule', target_schedule: all };
}

/** Sides that are named without a rule: "both sides", "no shorts", "stop and reverse". */
function takeWishedSides(text: ConsumedText, settings: Record<string, SettingValue>): Sides | null {
  if (
    text.take(
      /\b(?:without|decline) (?:any |the |all |more |les? |el |la |los |las |die |den |der |meine? |my |mis? |mes )?(?:short|cover)\b(?! (?:sell |buy )?(?:when|bei)\b)/,
    ) !== null
  )
    return 'long';
  if (
    text.take(
      /\b(?:only (?:the )?buy|buy only)(?: side| positions?| trades?)?(?= ?(?:please|agree|instead)? ?(?:[,;|.!?]|$))/,
    ) !== null
  )
    return 'long';
  const reverses = text.take(/\bstop_and_reverse\b/) !== null;
  if (reverses) settings.opposite_entry = 'reverse';
  if (text.take(/(?:(?:on|in|of|the|trade|auf|en|a|in|dans) )*\bboth_sides\b/) !== null || reverses) return 'both';
  if (
    text.take(
      /\b(?:only (?:the )?short|short only)(?: side| positions?| trades?)?(?= ?(?:please|agree|instead)? ?(?:[,;|.!]|$))/,
    ) !== null
  )
    return 'short';
  return null;
}
