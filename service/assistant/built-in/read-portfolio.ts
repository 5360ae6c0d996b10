import type { ConsumedText } from './consumed-text.js';
import type { Known } from './read-parameters.js';

/** What people call the three majors. */
const MAJORS = ['BTC', 'ETH', 'SOL'];

const WISH = /\b(as_portfolio|majors|all_assets)\b/;
/** "Spread over BTC and ETH"; averages have a spread too. */
const SPREAD = /\bspread_over\b/;
const NOT_WISHED =
  /\b(?:without|decline|not|nicht|pas|no) (?:(?:a|as|ein|eine|en|una|un) )*(?:as_portfolio|all_assets)\b/;
/** Which one of the assets earned is a question about them, and no wish for all. */
const QUESTION = /\?|\bby_asset\b|^\W*(?:what|why|how)\b/;
const JOINS = /\b(?:restore|while|also|filter|add|plus|auch|dazu|noch|tambien|ademas|aussi|too)\b/;

/**
 * Takes the wish for one account over several assets.
 * @param named assets of the message, those without bars included, in their order
 * @param unwanted assets that the message takes away
 * @returns the assets of the account; none where it shall trade one; undefined where nothing is said
 */
export function takePortfolio(
  text: ConsumedText,
  named: readonly string[],
  unwanted: readonly string[],
  held: readonly string[],
  { asset = null, portfolio: known = [] }: Known,
): readonly string[] | undefined {
  const isDeclined = NOT_WISHED.test(text.rest);
  const isAsked = QUESTION.test(text.rest);
  const words = new Set<string>();
  for (let found = text.take(WISH); found !== null; found = text.take(WISH)) words.add(found[1] ?? '');
  while (named.length > 1 && text.take(SPREAD) !== null) words.add('as_portfolio');
  if (isDeclined) return known.length > 0 ? [] : undefined;
  if (words.size > 0 && !isAsked) return wished(words, named, held, asset, known);
  if (known.length === 0 || isAsked) return undefined;
  const isWanted = (symbol: string): boolean => !unwanted.includes(symbol);
  const left = known.filter(isWanted);
  if (left.length < known.length && left.length > 0) return unique([...left, ...named.filter(isWanted)]);
  if (named.length > 0 && JOINS.test(text.rest)) return unique([...known, ...named]);
  return named.length > 1 ? unique(named) : undefined;
}

function wished(
  words: ReadonlySet<string>,
  named: readonly string[],
  held: readonly string[],
  asset: string | null,
  known: readonly string[],
): readonly string[] | undefined {
  if (named.length > 1) return unique(named);
  if (words.has('majors')) return held.length < MAJORS.length ? held : MAJORS;
  if (words.has('all_assets')) return held;
  const [other] = named;
  if (other !== undefined) return asset === null || asset === other ? undefined : [asset, other];
  return known.length > 0 ? undefined : MAJORS;
}

const unique = (symbols: readonly string[]): readonly string[] => [...new Set(symbols)];
