import type { PlannedRule } from '../../candidate.js';
import { oscillators } from './indicator-words.js';

/** Of an oscillator; a price has more digits. */
const LEVEL = '(-?\\d{1,3}(?:\\.\\d{1,4})?)(?![\\w.]|,\\d| ?(?:%|bars|day|hour|week|month|times|atr|[$\\u20ac]))';
const JOINING =
  '(?:[ ,]+(?:and|please|then|it|comes?|goes|gets|turns?|moves|climbs?|falls?|later|again|y|et|und|luego|dann|puis))*';
const backs = [
  ['below', 'above', '(?:back (?:cross )?above|cross (?:back )?above|recovers?|recovered|bounces?)'],
  ['above', 'below', '(?:back (?:cross )?below|cross (?:back )?below|rolls over)'],
].map(([from, to, back]) => ({
  // Bounded because a message is read to 4,000 characters.
  pattern: new RegExp(`(?:cross )?(?:${from} )+${LEVEL}${JOINING}[ ,]+${back}(?: (?:it|that|\\1))?(?! ?-?\\d)`, 'g'),
  cross: `cross ${to}`,
}));

/** "CCI drops below -100 and comes back above it" is one event, the cross that it ends with. */
export const withBackCrosses = (text: string): string =>
  backs.reduce((rest, { pattern, cross }) => rest.replace(pattern, `${cross} $1`), text);

const OUT_AT = new RegExp(
  `\\b(sell|cover)((?: (?:it|when|if|at|on|once|touch|the|rsi|to|is|a|el|la|le|bei|beim|en))*) ${LEVEL}(?=\\W*(?:$|[;,|!?.]|and|instead|please))`,
);

/** The level of an oscillator in the same message. */
const BOUGHT = new RegExp(
  `\\b(?:${oscillators.map(({ words }) => words).join('|')})(?: ?\\( ?\\d+ ?\\)| \\d+(?= (?:cross|above|below|is)))?(?: [a-z_]+){0,4}? (?:above|below) ${LEVEL}`,
);

/** "Sell at 60" is a level of the oscillator that bought, on the side that lies beyond its own. */
export function withExitLevels(text: string, { entry = [] }: { readonly entry?: readonly PlannedRule[] }): string {
  const found = OUT_AT.exec(text);
  if (found === null) return text;
  const said = BOUGHT.exec(text.slice(0, found.index))?.[1];
  const bought = said === undefined ? entry.map(levelOf).find((level) => level !== null) : Number(said);
  if (bought === undefined || bought === null) return text;
  const [all, verb = '', , level = ''] = found;
  return text.replace(all, `${verb} when it ${Number(level) > bought ? 'above' : 'below'} ${level}`);
}

/** The level that an oscillator is compared with; null where a rule has none. */
function levelOf({ params }: PlannedRule): number | null {
  if (typeof params.threshold === 'number') return params.threshold;
  const when = /^(?:crosses_(?:above|below)\()?(?!close|open|high|low|volume).*(?:[<>]|,) (-?\d+(?:\.\d+)?)\)?$/.exec(
    String(params.when ?? ''),
  );
  return when === null ? null : Number(when[1]);
}
