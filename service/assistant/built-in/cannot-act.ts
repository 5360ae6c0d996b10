import type { Say } from './sentences/say.js';

/** A wish that the service never meets. */
interface Inability {
  /** Its form in canonical words. */
  readonly pattern: RegExp;
  /** First part of the names of the sentences about it. */
  readonly key: 'live';
}

const EXCHANGE = '(?:binance|kraken|coinbase|bybit|okx|bitget|kucoin|bitstamp|bitfinex|hyperliquid)';
const PUT =
  '(?:place|put|send|execute|submit|deploy|connect|invest|setz|setze|platziere|investiere|verbinde|pon|ponlo|ponle|mete|metelo|invierte|conecta|mets|mets-y|mets-le|place-le|investis|connecte)';

/** Wishes that cannot act, in one place. */
const inabilities: readonly Inability[] = [
  {
    // An exchange is a place of orders only beside a verb for them: "Binance charges 0.1 %" is none.
    pattern: new RegExp(
      `(?<!(?:without|decline|not|nicht|pas|unless) (?:any |the |it |with |de |d'|en |mit )?)(?<![a-z_])live_order(?![a-z_])|(?<![a-z_-])${PUT}(?![a-z_])[^.;!?|]{0,40}\\b(?:on|at|to|auf|bei|en|a|sur|in|mit|with) (?:my |the |mein |mi |mon )?${EXCHANGE}\\b`,
    ),
    key: 'live',
  },
];

/** Wishes of a text in canonical words that cannot be met. */
export const unableIn = (text: string): Inability[] => inabilities.filter(({ pattern }) => pattern.test(text));

export const refusalOf = ({ key }: Inability, say: Say): string =>
  say('cannot', { wish: say(`${key}Name`), reason: say(`${key}Reason`), instead: say(`${key}Instead`) });

/** The text without the words of wishes that the user gave up. */
// Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
export const withoutRefused = (text: string): string =>
  inabilities.reduce(
    (rest, { pattern }) =>
      rest.replace(new RegExp(`(?:with |a |\\d+ ?x )*${pattern.source}(?: stop)?(?: of [\\d.]+ %)?`, 'g'), ' '),
    text,
  );

export const GIVES_UP = /(?<![a-z_])without (?:the |le |la |el |den |a |any )?(?:stop )?live_order(?![a-z_])/;
