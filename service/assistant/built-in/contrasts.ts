import type { Collected, ShareName } from '../mind.js';

/** What is known and may be named as no longer wanted. */
type Held = Partial<Pick<Collected, 'settings' | 'max_risk_per_trade' | 'reward_factor' | 'timeframe'>>;

const NUMBER = '(-?\\d{1,9}(?:\\.\\d{1,9})?)(?![\\d.]*\\d)';
const OF = "(?: (?:of|de|d'|que|than|von|le|la|el))*";

/** Ways to say "25 instead of 30", as patterns with the places of both numbers. */
const contrasts: readonly (readonly [pattern: RegExp, written: string])[] = [
  // "not 30 but 25", "nicht 30, sondern 25"
  [
    new RegExp(
      `\\b(?:without|decline|not|nicht|pas|no) ${NUMBER} ?,? ?(?:sondern|sino|mais|but|aber|and|rather|instead) ${NUMBER}`,
      'g',
    ),
    '$2 instead $1',
  ],
  // "rather 25 than 30"
  [new RegExp(`\\binstead ${NUMBER} (?:als|que|than|de|of) ${NUMBER}`, 'g'), '$1 instead $2'],
  // "30 should be 25"
  [
    new RegExp(
      `(?<![\\d.-])${NUMBER} (?:should be|has to be|ought to be|soll|sollte|deberia ser|debe ser|devrait etre|doit etre) ${NUMBER}`,
      'g',
    ),
    '$2 instead $1',
  ],
  // "the slower one should be 100, not 50"
  [
    new RegExp(
      `\\b(?:should be|has to be|ought to be|must be|soll|sollte|deberia ser|debe ser|devrait etre|doit etre) ${NUMBER} ?,? ?(?:and |und |y |et )?(?:without|decline|not|nicht|pas|no) ${NUMBER}`,
      'g',
    ),
    '$1 instead $2',
  ],
  // "2 % is nuts, make it 1 %"
  [
    new RegExp(
      `${NUMBER} % (?:is|seems|feels|sounds|ist|es|est|parece|semble) [a-z ]{1,30}[,.;!] ?(?:so |then )?instead ${NUMBER} %`,
      'g',
    ),
    '$2 % instead $1 %',
  ],
  // "change 30 to 25"
  [new RegExp(`\\binstead (?:the )?${NUMBER} (?:to|a|en|in|auf|por|vers|into|zu) ${NUMBER}`, 'g'), '$2 instead $1'],
];

/** Words of the shares that a message may name. */
export const shareWords = {
  max_risk_per_trade: 'risk',
  fixed_stop_pct: 'stop',
  fee_pct: 'fee',
  slippage_pct: 'slippage',
} as const satisfies Partial<Record<ShareName, string>>;
const NAMED = /\b(?:risk|stop|fee|slippage|target|reward|trailing|borrow)\b/;
const OLD_SHARE = new RegExp(
  `(?<= %|\\d) ?,? ?instead${OF} ${NUMBER} %|\\binstead${OF} ${NUMBER} % ?,?(?= ?(?:use |instead )*\\d)`,
);
const OLD_REWARD = new RegExp(`\\binstead${OF} ${NUMBER} ?(?:r\\b|times(?: the)? risk)`);
const OLD_FRAME =
  /\b(?:instead|without|not|nicht|pas)(?: (?:of|de|d'|von|the|le|la|el|1))* (\d{1,2}[ -]?(?:m|min|minute|h|hour|d|day)s?|hour|daily)(?![a-z0-9])/;
const SWAPPED = new RegExp(`(?<![\\d.])${NUMBER} ?,? ?instead${OF} ${NUMBER}(?! ?%)`);
const frames: Readonly<Record<string, string>> = { hour: '1h', daily: '1d' };

/**
 * A text without the values that are known and no longer wanted: "5 % instead of 4 %" is "stop 5 %"
 * where the stop is 4 %. What nobody knows stays, and is named.
 */
export function withoutOld(canonical: string, known: Held): string {
  const text = contrasts.reduce((rest, [pattern, written]) => rest.replace(pattern, written), canonical);
  return [withoutShare, withoutReward, withoutFrame, withoutAccount].reduce((rest, each) => each(rest, known), text);
}

function withoutShare(text: string, { settings = {}, max_risk_per_trade = null }: Held): string {
  const found = OLD_SHARE.exec(text);
  const old = Number(found?.[1] ?? found?.[2]) / 100;
  if (found === null) return text;
  const held: Readonly<Record<string, unknown>> = { ...settings, max_risk_per_trade };
  const name = (Object.keys(shareWords) as (keyof typeof shareWords)[]).find(
    (each) => Math.abs(Number(held[each] ?? Number.NaN) - old) < 1e-9,
  );
  if (name === undefined) return text;
  // "Risk 2 instead of 1 %" has its sign once.
  const rest = text.replace(/(\d)( ?,? ?instead)/, (all, digit: string, joint: string) =>
    found[1] === undefined ? all : `${digit} %${joint}`,
  );
  const bare = rest.replace(OLD_SHARE, ' ');
  return NAMED.test(text) ? bare : `${shareWords[name]} ${bare}`;
}

const withoutReward = (text: string, { reward_factor = null }: Held): string =>
  Number(OLD_REWARD.exec(text)?.[1]) === reward_factor ? text.replace(OLD_REWARD, 'instead') : text;

function withoutFrame(text: string, { timeframe = null }: Held): string {
  const found = OLD_FRAME.exec(text)?.[1]?.replace(/^(\d+)[ -]?([mhd]).*$/, '$1$2');
  return found !== undefined && (frames[found] ?? found) === timeframe ? text.replace(OLD_FRAME, 'instead') : text;
}

function withoutAccount(text: string, { settings = {} }: Held): string {
  const found = SWAPPED.exec(text);
  return found !== null && Number(found[2]) === settings.initial_balance ? text.replace(SWAPPED, 'account $1') : text;
}
