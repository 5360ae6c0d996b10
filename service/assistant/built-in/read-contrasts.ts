import { type Role, roles } from '../candidate.js';
import type { Change, Collected, ParameterChange } from '../mind.js';
import { distanceOf, fits } from './change.js';
import type { ConsumedText } from './consumed-text.js';
import { type Known, roleIn, START } from './read-parameters.js';
import { AVERAGE, indicatorIn } from './rules/indicator-words.js';

/** What a message puts in the place of something that is known. */
interface Contrasted {
  readonly parameters: readonly ParameterChange[];
  readonly change: Pick<Change, 'reward_factor' | 'count' | 'settings' | 'max_risk_per_trade'>;
}

const NUMBER = '-?\\d{1,9}(?:\\.\\d{1,9})?';
const END = '(?![\\w%]|\\.\\d| ?%)';
/** One number or a few that belong together: `9`, `9/21`, `12, 26 and 9`. */
const TUPLE = `(?<![\\w.(-])(${NUMBER}(?: ?(?:/|,|-|and|und|y|et) ?${NUMBER}){0,2})(?: ?(?:r|x)(?![a-z]))?${END}`;
const NOT =
  '(?:without|decline|instead)(?: (?:of|than|of the|the|of|de|que|von|des|del|le|la|el|les|los|las|instead))*';
const WORDS = '[^\\d;|!?.%]{0,40}?';
const BUT =
  '(?:[ ,.]*(?:but|sondern|sino|mais|instead|use|rather|then|aber|and|agree|it|is|make|nimm|usa|mets|lieber|please))*[ ,]*';

/** Ways to say that one number takes the place of another, with the places of the new and the old. */
const patterns: readonly (readonly [pattern: RegExp, is: 1 | 2])[] = [
  // "21 instead of 14", "21, not 14"
  [new RegExp(`${TUPLE}${WORDS},? ?${NOT} ${TUPLE}`), 1],
  // "not 14, 21", "instead of 14 use 21"
  [new RegExp(`${NOT} ${TUPLE}${BUT} ?${TUPLE}`), 2],
  // "rather 30 than 35"
  [new RegExp(`\\binstead\\b[^\\d;|!?.%]{0,25}?${TUPLE} (?:than|que|als|de) ${TUPLE}`), 1],
  // "adx threshold 20 to 25", "from 20 to 25"
  [new RegExp(`${TUPLE} (?:to|auf|a|en|in|vers|zu|should be) ${TUPLE}`), 2],
];

const RULE_WORDS = /\b(?:above|below|cross|when|breakout|oversold|overbought)\b/;

/** Numbers that take the place of known ones, which are taken out. What nobody knows stays. */
export function takeContrasts(text: ConsumedText, known: Known): Contrasted {
  const parameters: ParameterChange[] = [];
  let change: Contrasted['change'] = {};
  for (let left = 8; left > 0; left--) {
    const found = contrastIn(text.rest, known);
    if (found === null) break;
    text.take(found.pattern);
    parameters.push(...(found.parameters ?? []));
    change = { ...change, ...found.change, settings: { ...change.settings, ...found.change?.settings } };
  }
  const { settings = {}, ...rest } = change;
  return { parameters: inOrder(parameters), change: Object.keys(settings).length === 0 ? rest : { ...rest, settings } };
}

interface Contrast extends Partial<Contrasted> {
  readonly pattern: RegExp;
}

function contrastIn(text: string, known: Known): Contrast | null {
  const all = patterns.flatMap(([pattern, is]) => {
    const found = pattern.exec(text);
    return found === null ? [] : [{ found, pattern, is }];
  });
  all.sort((a, b) => a.found.index - b.found.index);
  for (const { found, pattern, is } of all) {
    const [news, olds] = [numbersOf(found[is] ?? ''), numbersOf(found[3 - is] ?? '')];
    if (news.length !== olds.length) continue;
    const clause = clauseAround(text, found);
    if (pattern === patterns[3]?.[0] && RULE_WORDS.test(clause)) continue;
    const pairs = news.map((value, i) => [value, olds[i] as number] as const);
    const parameters = ofRules(pairs, clause, known);
    const own = parameters === null && pairs.length === 1 ? ofSettings(pairs[0] as Pair, clause, known) : null;
    if (parameters === null && own === null) continue;
    const whole = new RegExp(`${escaped(clause)}`);
    return { pattern: whole, parameters: parameters ?? [], ...(own === null ? {} : { change: own }) };
  }
  return null;
}

type Pair = readonly [value: number, was: number];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const numbersOf = (text: string): number[] =>
  [...text.matchAll(new RegExp(`(?<![\\d.])${NUMBER}`, 'g'))].map(([digits]) =>
    Number(digits.replace(/^(?<=\d)-/, '')),
  );

/** The clause of a match: from the sign or joint before it to the one after it. */
function clauseAround(text: string, { index, 0: whole }: RegExpExecArray): string {
  // Bounded because a message is read to 4,000 characters.
  const before = /[^;|!?.:,]*$/.exec(text.slice(0, index))?.[0] ?? '';
  const after = /^(?:[^;|!?.,]|\.(?=\d))*/.exec(text.slice(index + whole.length))?.[0] ?? '';
  const own = / (?:and|und|y|et) .*\d/.exec(after);
  return `${before}${whole}${own === null ? after : after.slice(0, own.index)}`;
}

/** The changes of rules that have all old numbers; null where none has. */
function ofRules(pairs: readonly Pair[], clause: string, known: Known): readonly ParameterChange[] | null {
  const of = indicatorIn(clause);
  const role = roleIn(clause);
  const named = of === undefined ? {} : { of };
  // "100-day" is the period of a line, where a level has the same number.
  const kinds = /\d[ -]?(?:day|period|bars|hour)\b/.test(clause)
    ? (['period', 'number'] as const)
    : (['number'] as const);
  for (const name of kinds) {
    for (const where of [{ ...named, ...(role === undefined ? {} : { role }) }, named]) {
      const changes = pairs.map(([value, was]): ParameterChange => ({ name, value, was, ...where }));
      if (changes.every((each) => fits(known, each))) return changes;
    }
  }
  return null;
}

/** A change whose value another one replaces comes after that one. */
function inOrder(changes: readonly ParameterChange[]): readonly ParameterChange[] {
  const left = [...changes];
  const ordered: ParameterChange[] = [];
  while (left.length > 0) {
    const free = left.findIndex((each) => !left.some((other) => other !== each && other.was === each.value));
    ordered.push(...left.splice(Math.max(0, free), 1));
  }
  return ordered;
}

const near = (one: number, other: unknown): boolean => typeof other === 'number' && Math.abs(one - other) < 1e-9;

/** The one setting that has the old number. */
function ofSettings([value, was]: Pair, clause: string, known: Known): Contrasted['change'] | null {
  const { settings = {} } = known as Known & Pick<Collected, 'settings'>;
  const shares = [
    ['stop', 'fixed_stop_pct'],
    ['fee', 'fee_pct'],
    ['slippage', 'slippage_pct'],
  ] as const;
  const share = Number((value / 100).toPrecision(12));
  const found: Contrasted['change'][] = [
    ...(known.reward_factor === was ? [{ reward_factor: value }] : []),
    ...(known.count === was ? [{ count: value }] : []),
    ...(['initial_balance', 'max_hold_bars', 'leverage', 'atr_volatility_factor'] as const)
      .filter((name) => settings[name] === was)
      .map((name) => ({ settings: { [name]: value } })),
  ];
  const named = shares.find(
    ([word, name]) => new RegExp(`\\b${word}\\b`).test(clause) && near(was / 100, settings[name]),
  );
  if (named !== undefined) return { settings: { [named[1]]: share } };
  if (/\brisk\b/.test(clause) && near(was / 100, known.max_risk_per_trade)) return { max_risk_per_trade: share };
  return found.length === 1 ? (found[0] ?? null) : null;
}

const OF_SIDES = new RegExp(
  `${START}(?<![\\w.(-])(${NUMBER}) ?(?:/|and|und|y|et) ?(${NUMBER})${END}(?:[ ,]*(?:for|fur|para|pour|on|in|bei|en|the|los|las|les|el|la|le|die|den|der|of|my|levels?|threshold|both_rules))*(?: (short|buy|both_sides)(?: (?:side|only|sell|cover|and|buy|exit))*)?(?=[ ,.]*(?:(?:only|please|instead|agree)[ ,.]*)*(?:$|[;|!?]))`,
);

const BARS = '(?: (?:day|bars|period|hour))?(?: (?:for|fur|para|pour|to|zum|the|den|el|la|le))*';
/** "55 days in and 20 days out" */
const IN_AND_OUT = new RegExp(
  `(?<![\\w.(-])(${NUMBER})${BARS} (buy|short)(?:[ ,]|and|y|und|et)+(${NUMBER})${BARS} (?:sell|cover)(?![a-z_])`,
);

/** Both levels of a side that is known: "75/25 for the shorts", "55 days in and 20 days out". */
export function takeLevels(text: ConsumedText, known: Known): readonly ParameterChange[] {
  const inAndOut = IN_AND_OUT.exec(text.rest);
  const found = inAndOut ?? OF_SIDES.exec(text.rest);
  if (found === null || /\b(?:without|decline|halt)\b/.test(found[0])) return [];
  const side = inAndOut === null ? found[3] : found[2];
  const isShort = side === 'short' || ((known.entry ?? []).length === 0 && (known.short_entry ?? []).length > 0);
  const [opens, closes] = isShort ? (['short_entry', 'short_exit'] as const) : (['entry', 'exit'] as const);
  const [one, other] = [Number(found[1]), Number(inAndOut === null ? found[2] : found[3])];
  // Levels, or else the periods of rules that have none.
  const waysOf = (name: 'threshold' | 'period') =>
    [
      [one, other],
      [other, one],
    ].map(([first, second]) =>
      [
        { name, value: first as number, role: opens } as const,
        { name, value: second as number, role: closes } as const,
      ].filter((each) => fits(known, each)),
    );
  const levels = waysOf('threshold');
  const hasNone = levels[0]?.length === 0 && hasNoCross(known);
  const ways = hasNone ? waysOf('period') : levels;
  const off = (changes: readonly ParameterChange[]) => changes.reduce((sum, each) => sum + distanceOf(known, each), 0);
  const [plain = [], swapped = []] = ways;
  if (plain.length < 2) return [];
  text.take(inAndOut === null ? OF_SIDES : IN_AND_OUT);
  return inAndOut === null && off(swapped) < off(plain) ? swapped : plain;
}

/** Whether no rule is a cross of two averages, which has two periods itself. */
const hasNoCross = (known: Known): boolean =>
  roles.every((role) => (known[role] ?? []).every(({ params }) => !('window_fast' in params)));

const OF = '(?: (?:of|than|the|de|que|von|des|del|le|la|el|les|los|las|den|dem|der|die|an?|einen?|1|instead))*';
const averages: readonly (readonly [pattern: RegExp, to: number, from: number])[] = [
  // "EMA, not SMA", "EMA instead of SMA"
  [new RegExp(`\\b(${AVERAGE})\\b[^\\d;|!?.]{0,20}?(?:without|decline|instead)${OF} (${AVERAGE})\\b`), 1, 2],
  // "not SMA but EMA"
  [new RegExp(`(?:without|decline|instead)${OF} (${AVERAGE})\\b${BUT}${OF}[ ,]*(${AVERAGE})\\b`), 2, 1],
  // "make the EMA 200 an SMA 200", "turn the SMA into an EMA"
  [
    new RegExp(
      `\\b(${AVERAGE})(?: \\d{1,4})?(?: (?:to|into|in|a|zu|en|por|for|with|by|par|durch|gegen|con|con la|an?|einen?|1|1a?))+ (${AVERAGE})\\b(?: \\d{1,4})?`,
    ),
    2,
    1,
  ],
];
/** "Las dos", "les deux", after a kind of average. */
const BOTH = /(?:las|los|les) 2(?=\W*(?:$|[;|!?]))/;
const ALONE = new RegExp(
  `${START}(?:(?:type|line|average|simple) )*(${AVERAGE})\\b(?:[ ,]*(?:(?:and|y|et|und|of|de|von|a|auf|period|with|mit|con|avec)[ ,]*)*(\\d{1,4})(?![\\d.%]))?(?=(?:[ ,.]*(?:instead|please|agree|both_rules|(?:las|los|les) 2|for|fur|para|pour|buy|sell|and))*\\W*(?:$|[;|!?]))`,
);

/** Another kind of moving average for the rules that are known: "EMA, not SMA". */
export function takeAverages(
  text: ConsumedText,
  known: Known,
): { readonly averages?: Change['averages']; readonly parameters: readonly ParameterChange[] } {
  const held = (type: string) =>
    roles.some((role: Role) => (known[role] ?? []).some((rule) => fitsAverage(rule, type)));
  for (const [pattern, to, from] of averages) {
    const found = pattern.exec(text.rest);
    if (found === null || RULE_WORDS.test(clauseAround(text.rest, found))) continue;
    const [is, was] = [found[to] ?? '', found[from] ?? ''];
    if (is === was || !held(was)) continue;
    text.take(pattern);
    return { averages: { from: was, to: is }, parameters: [] };
  }
  const alone = ALONE.exec(text.rest);
  const is = alone?.[1];
  if (alone === null || is === undefined || held(is)) return { parameters: [] };
  const others = AVERAGE.slice(3, -1)
    .split('|')
    .filter((type) => held(type));
  const [was] = others;
  if (was === undefined || others.length > 1) return { parameters: [] };
  text.take(ALONE);
  text.take(BOTH);
  const period = alone[2] === undefined ? [] : [{ name: 'period', value: Number(alone[2]), of: is } as const];
  return { averages: { from: was, to: is }, parameters: period };
}

const fitsAverage = ({ name, params }: { readonly name: string; readonly params: object }, type: string): boolean =>
  `_${name}_`.includes(`_${type}_`) ||
  new RegExp(`\\b${type}\\(`).test(String((params as { when?: unknown }).when ?? ''));
