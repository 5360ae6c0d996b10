import { adviceFor } from '../../../engine/index.js';
import type { Say } from './sentences/say.js';

/** A wish for which the service has no setting. */
interface Inability {
  /** Its form in canonical words. */
  readonly pattern: RegExp;
  /** The word of other tools for it. */
  readonly word: string;
  /** First part of the names of the sentences about it. */
  readonly key: 'short' | 'leverage' | 'trailing';
}

/**
 * Wishes that cannot act, in one place. A wish acts, and is refused no longer, once the engine has
 * no advice about its word.
 */
const inabilities: readonly Inability[] = [
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

const isUnable = ({ word }: Inability): boolean => adviceFor(word) !== null;

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
  /(?<![a-z_])without (?:the |le |la |el |den |a |any )?(?:stop )?(?:leverage|trailing|short)(?![a-z_])/;
