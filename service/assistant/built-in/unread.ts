import { indicatorCatalogue, requireSignal, type Signal, signals } from '../../../engine/index.js';
import type { PlannedRule } from '../candidate.js';
import { canonicalOf, type Language } from './canonical.js';

/** Words that name something of which a rule, or nothing, is made; with how rules have them. */
export type NamedWord = readonly [words: string, keys: readonly string[]];

const CLAUSE_LENGTH_MAX = 80;
const DIGITS = /(?<![a-z_\d.])-?\d+(?:\.\d+)?/g;
const MONTH =
  /\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|(?<=\b(?:in|since|until|of) )may\b/g;

/** Ideas of traders for which no signal and no setting stands. */
const ideas =
  'divergence|fibonacci|elliott|order block|support|resistance|martingale|grid|dca|hedge|arbitrage|funding|sentiment|news|flows|liquidity|pivot|seasonality|correlation|moon|pyramiding|scale in|scale out|limit order|market order|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|binance|kraken|coinbase|bybit|okx|bitget|kucoin|bitstamp|hyperliquid|metatrader';

/**
 * Numbers, months and names of a fragment in canonical words that no rule of it has.
 * @param names words of indicators
 * @param rule what the fragment was read as; null where nothing was found
 */
export function unreadIn(fragment: string, names: readonly NamedWord[], rule: PlannedRule | null): string[] {
  const words = rule === null ? '' : textOf(rule);
  const own = new Set([...words.matchAll(/-?\d+(?:\.\d+)?/g)].map(([digits]) => Math.abs(Number(digits))));
  const numbers = [...fragment.matchAll(DIGITS)].map(([digits]) => digits);
  const unreadNames = [
    ...names,
    ...ideas.split('|').map((word): NamedWord => [`${word}s?`, [word.replace(' ', '_')]]),
  ].flatMap(([pattern, keys]) => {
    const found = new RegExp(`(?<![a-z_])(?:${pattern})(?![a-z_])`).exec(fragment)?.[0];
    return found === undefined || keys.some((key) => words.includes(key)) ? [] : [found];
  });
  return [
    ...numbers.filter((digits) => !own.has(Math.abs(Number(digits)))),
    ...[...fragment.matchAll(MONTH)].map(([month]) => month),
    ...unreadNames,
  ];
}

function textOf({ name, params }: PlannedRule): string {
  const { indicators, description }: Signal = requireSignal(name);
  return [name, ...indicators, description.toLowerCase(), ...Object.values(params).map(String)].join(' ').toLowerCase();
}

/** Where a clause of a message ends, in the words of all languages. */
const CLAUSE =
  /[;!?¿¡\n]|[,.](?!\d)|(?<![\p{L}\d])(?:and|und|y|et)(?![\p{L}\d])|(?<![\p{L}\d])(?=(?:unless|except|but|never|es sei denn|außer|aber|nie|a menos que|salvo|pero|nunca|sauf|à moins|mais|jamais)(?![\p{L}\d]))/iu;

/** Clauses of a message, as the user wrote them, that hold what was not read. */
export function clausesOf(unread: readonly string[], message: string, language: Language): string[] {
  const clauses = message
    .split(CLAUSE)
    .map((text) => ({ text: text.trim(), words: ` ${canonicalOf(text, language)} ` }))
    .filter(({ text }) => text !== '');
  const found = unread.flatMap((item) => {
    const escaped = item.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const whole = new RegExp(`(?<![a-z_\\d.])${escaped}(?![a-z_]|\\.?\\d)`);
    const own =
      clauses.findLast(({ words, text }) => whole.test(words) || whole.test(text.toLowerCase())) ??
      closest(item, clauses);
    // An article such as "un" is no number that somebody wrote.
    if (item === '1' && !/(?<!\d)1(?!\d)/.test(own?.text ?? message)) return [];
    return [own === undefined ? item : around(own.text, item)];
  });
  return [...new Set(found)].filter((part) => !found.some((other) => other !== part && other.includes(part)));
}

/** The clause that has most of the words of an item; none has fewer than half of them. */
function closest<C extends { readonly words: string }>(item: string, clauses: readonly C[]): C | undefined {
  const own = item.split(' ').filter((word) => word.length > 1);
  const shared = ({ words }: C) => own.filter((word) => words.includes(` ${word} `)).length;
  const best = clauses.reduce<C | undefined>(
    (found, each) => (found === undefined || shared(each) > shared(found) ? each : found),
    undefined,
  );
  return own.length < 2 || best === undefined || shared(best) * 2 < own.length ? undefined : best;
}

/** As much of a clause as an answer quotes, in whole words, with the item in it. */
function around(clause: string, item: string): string {
  if (clause.length <= CLAUSE_LENGTH_MAX) return clause;
  const at = clause.toLowerCase().indexOf(item);
  const start = Math.max(0, at - CLAUSE_LENGTH_MAX / 2);
  const from = start === 0 ? 0 : clause.indexOf(' ', start) + 1;
  const end = from + Math.max(CLAUSE_LENGTH_MAX, at - from + item.length);
  return clause
    .slice(from, end < clause.length ? Math.max(clause.lastIndexOf(' ', end), at + item.length) : end)
    .trim();
}

/** Words of names and titles that people also say of other things. */
const plainWords = new Set(
  'absolute accumulation anatomy average balance bearish bullish candle candles chain channel change clean column commodity continuation cumulative cumreturn cycle daily dark detrended directional distribution double ease end evening exchange exit exponential force funding hammer hanging higher highs holder index indecision inside inverted is know lending line long lows mass mom momentum money morning moving movement multi negative normalized observations one-bar oscillator outside percentage point power price range rate return reversal reverse ribbon shooting simple slope smart smoothed smoothing stop strength strong sure swing swings thing three timeframe token treasury trend triple true two ultimate volatility volume weighted whale'.split(
    ' ',
  ),
);

/** Whether words name a thing of the catalogue wherever they stand. */
export const isTelling = (words: string): boolean => words.includes(' ') || !plainWords.has(words);

/** Names of indicators, and words of their titles such as `klinger`, with how rules have them. */
export const catalogueWords: readonly NamedWord[] = [
  ...new Set(signals.filter(({ category }) => category !== 'user').map(({ name }) => name.split('_')[0] ?? '')),
]
  .map((word): NamedWord => [word, [word]])
  .concat(
    Object.entries(indicatorCatalogue).flatMap(([code, { title }]) =>
      [code.toLowerCase(), ...(title.toLowerCase().match(/[a-z-]{5,}/g) ?? [])].map(
        (word): NamedWord => [word, [code.toLowerCase(), word]],
      ),
    ),
  )
  .filter(([word]) => word.length >= 3 && isTelling(word));
