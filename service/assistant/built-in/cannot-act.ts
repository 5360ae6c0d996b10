import { adviceFor } from '../../../engine/index.js';
import type { Say } from './sentences/say.js';

/** A wish for which the service has no setting. */
export interface Inability {
  /** Its form in canonical words. */
  readonly pattern: RegExp;
  /** The word of other tools for it; null where none will ever do it. */
  readonly word: string | null;
  /** First part of the names of the sentences about it. */
  readonly key: 'live' | 'short' | 'leverage' | 'trailing';
}

/**
 * Wishes that cannot act, in one place. A wish acts, and is refused no longer, once the engine has
 * no advice about its word.
 */
const EXCHANGE = '(?:binance|kraken|coinbase|bybit|okx|bitget|kucoin|bitstamp|bitfinex|hyperliquid)';
const PUT =
  '(?:place|put|send|execute|submit|deploy|connect|invest|setz|setze|platziere|investiere|verbinde|pon|ponlo|ponle|mete|metelo|invierte|conecta|mets|mets-y|mets-le|place-le|investis|connecte)';

const inabilities: readonly Inability[] = [
  {
    // An exchange is a place of orders only beside a verb for them: "Binance charges 0.1 %" is none.
    pattern: new RegExp(
      `(?<!(?:without|decline|not|nicht|pas|unless) (?:any |the |it |with |de |d'|en |mit )?)(?<![a-z_])live_order(?![a-z_])|(?<![a-z_-])${PUT}(?![a-z_])[^.;!?|]{0,40}\\b(?:on|at|to|auf|bei|en|a|sur|in|mit|with) (?:my |the |mein |mi |mon )?${EXCHANGE}\\b`,
    ),
    word: null,
    key: 'live',
  },
  {
    pattern: /(?<![a-z_])short(?![a-z_])(?! term|-term)|(?<![a-z_])sell [a-z ]{0,20}\bshort\b/,
    word: 'short',
    key: 'short',
  },
  { pattern: /(?<!without (?:any |l'|el |den )?)(?<![a-z_])leverage(?![a-z_])/, word: 'leverage', key: 'leverage' },
  {
    pattern: /(?<!without (?:the |a |any |le |el |den )?)(?<![a-z_])trailing(?![a-z_])/,
    word: 'trailing_stop',
    key: 'trailing',
  },
];

const isUnable = ({ word }: Inability): boolean => word === null || adviceFor(word) !== null;

/** Wishes of a text in canonical words that cannot be met. */
export const unableIn = (text: string): Inability[] =>
  inabilities.filter((each) => isUnable(each) && each.pattern.test(text));

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

export const GIVES_UP =
  /(?<![a-z_])without (?:the |le |la |el |den |a |any )?(?:stop )?(?:leverage|trailing|short|live_order)(?![a-z_])/;
