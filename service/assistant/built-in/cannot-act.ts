import { adviceFor } from '../../../engine/index.js';

/** A wish for which the service has no setting. */
interface Inability {
  /** Its form in canonical words. */
  readonly pattern: RegExp;
  /** The word of other tools for it: what Barline says of it, and whether it acts, stands there. */
  readonly word: string;
  readonly instead: string;
  /** What the wish is called when the user gives it up. */
  readonly name: string;
}

/**
 * Wishes that cannot act, in one place. A wish acts, and is refused no longer, once the engine has
 * no advice about its word.
 */
const inabilities: readonly Inability[] = [
  {
    pattern: /(?<![a-z_])short(?![a-z_])(?! term|-term)|(?<![a-z_])sell [a-z ]{0,20}\bshort\b/,
    word: 'short',
    instead:
      'a strategy here holds long positions only, so I can test buying on your condition, or selling a long position on it: say when to buy',
    name: 'short',
  },
  {
    pattern: /(?<!without (?:any )?)(?<![a-z_])leverage(?![a-z_])/,
    word: 'leverage',
    instead: 'a higher risk per trade makes larger positions, up to the whole account: say "without leverage" to go on',
    name: 'leverage',
  },
  {
    pattern: /(?<!without (?:the |a |any )?)(?<![a-z_])trailing(?![a-z_])/,
    word: 'trailing_stop',
    instead:
      'a fixed stop ("a stop of 5 %"), a stop by the average true range, or an exit rule such as a Supertrend flip can end a trade: name one, or say "without the trailing stop"',
    name: 'trailing stop',
  },
];

const isUnable = ({ word }: Inability): boolean => adviceFor(word) !== null;

/** Sentences about wishes in a text in canonical words that cannot be met. */
export const refusalsIn = (text: string): string[] =>
  inabilities
    .filter((each) => isUnable(each) && each.pattern.test(text))
    .map(({ word, instead, name }) => `I cannot do that (${name}): ${adviceFor(word)}. Instead, ${instead}.`);

/** The text without the words of wishes that the user gave up. */
// Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
export const withoutRefused = (text: string): string =>
  inabilities.reduce(
    (rest, { pattern }) =>
      rest.replace(new RegExp(`(?:with |a |\\d+ ?x )*${pattern.source}(?: stop)?(?: of [\\d.]+ %)?`, 'g'), ' '),
    text,
  );

export const GIVES_UP = /(?<![a-z_])without (?:the |a |any )?(?:leverage|trailing|short)(?![a-z_])/;
