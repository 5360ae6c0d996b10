import { type PlannedRule, type Role, roles } from '../candidate.js';
import type { Change, Collected, NumberName, ParameterChange, ShareName } from '../mind.js';
import { distanceOf, fits } from './change.js';
import { ConsumedText } from './consumed-text.js';
import { indicatorIn } from './rules/indicator-words.js';

/** What a correction may mean, where it is known. */
export type Known = Partial<
  Pick<
    Collected,
    | Role
    | 'sides'
    | 'asset'
    | 'portfolio'
    | 'settings'
    | 'start_date'
    | 'end_date'
    | 'max_risk_per_trade'
    | 'reward_factor'
    | 'share_of'
    | 'number_of'
    | 'removed'
    | 'count'
  >
>;

/** Small words about a correction. */
const SMALL_WORDS =
  'do|say|sagen|disons|mettons|digamos|pongamos|machen|loosen|tighten|widen|relax|lockere|lockerer|locker|enger|verscharfe|afloja|aflojalo|ajusta|aprieta|assouplis|resserre|desserre|scratch_that|agree|please|instead|what_if|same|use|a|an|the|with|only|and|set|of|de|von|den|auf|el|le|la|les|una?|es|que|than|then|decline|without|halt|forget|hm+|but|no|make|it|to|on|uso|usa|usar|usamos|con|mit|avec|nimm|nehmen|utilise|prends|take|lets|we|i|wir|ich|like|change|rather|lower|raise|both_rules|forgot|actually|always|scratch_that|ah|eh|hmm|oh|ok|well|for|fur|pour|para|per|that|this|das|ca|eso|must|meant|mean|meinte|mets|met|mettre|pon|poner|setz|setze|put|doch|eher|sondern|sino|mais|et|y|und|now';
const small = (words: string) => `(?:(?:(?:${words})(?![a-z_])|1(?! ?[%\\d.]))[ ,.]*)*`;
const SMALL = small(SMALL_WORDS);

const VALUE = '(-?\\d{1,9}(?:\\.\\d{1,9})?)(?![\\w%]| ?%|[\\d.]*\\d)';
// A minus belongs to the number.
const CLAUSE_START = `(?:^|(?<=[;|!?]))[^\\w-]*${SMALL}`;
const CLAUSE_END = '(?:[ ,.]*(?:please|instead|agree))*\\W*(?=[;|!?]|$)';

/** A clause that corrects one parameter has its word, and no relation that a rule would have. */
// Bounded because a message is read to 4,000 characters.
const PARAMETER_CLAUSE =
  /(?:^|(?<=[;|!?]))(?=[^;|!?]*\d)[^;|!?]*\b(?:multiplier|period|threshold|fast|slow)\b[^;|!?]*(?=[;|!?]|$)/;
/** A value before its word, and nothing else: `with a 55 day channel`. */
const BEFORE = new RegExp(
  `${CLAUSE_START}(?:with |avec |con |mit )?${VALUE} (multiplier|period|threshold|fast|slow|bars)(?:(?: (?:for|of|fur|para|pour|on))?(?: (?:the|el|la|le|den|die|das))? [a-z%_]+)?${CLAUSE_END}`,
);
const RELATION = /\b(?:above|below|cross|breakout|when|oversold|overbought|stop|target|reward)\b/;
/** The value that is no longer wanted: `instead of 25`, `not 25`. */
const OLD = /\b(?:instead|without|decline)(?: (?:of|than|de|que|von))? (-?\d{1,9}(?:\.\d{1,9})?)(?![\d.]*\d)/;

const NAMES = ['multiplier', 'period', 'threshold', 'fast', 'slow'] as const;
const NAMED = new RegExp(`\\b(?:${NAMES.join('|')})\\b`);
const PAIR = new RegExp(`\\b(${NAMES.join('|')})(?: (?:of|to|is|=|auf|de|a|von))*:? ${VALUE}`, 'g');

/** What parts clauses of a correction: "sorry, 50 EMA. and cover at 35". */
const CLAUSES = /[;|!?:]|[,.](?!\d)|(?<![\d] )\b(?:and|und|y|et|pero|but|aber|mais)\b/;

/** Parameters of rules that are known, which are taken out; empty where the text has none. */
export function takeParameters(text: ConsumedText, known: Known): ParameterChange[] {
  const whole = takeParametersOf(text, known);
  const clauses = text.rest.split(CLAUSES).filter((clause) => /\d/.test(clause));
  if (clauses.length < 2 && whole.length > 0) return whole;
  const others = clauses.flatMap((clause) => {
    const own = new ConsumedText(clause);
    const found = takeParametersOf(own, known);
    if (found.length > 0) text.take(new RegExp(clause.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
    return found;
  });
  return [...whole, ...others];
}

function takeParametersOf(text: ConsumedText, known: Known): ParameterChange[] {
  const ofBand = takeOfBand(text, known);
  if (ofBand.length > 0) return ofBand;
  const named = takeNamed(text);
  if (named.length > 0) return named;
  const before = BEFORE.exec(text.rest);
  if (before !== null) {
    const of = indicatorIn(before[0]);
    const name = before[2] === 'bars' ? 'period' : (before[2] as ParameterChange['name']);
    const change: ParameterChange = { name, value: Number(before[1]), ...(of === undefined ? {} : { of }) };
    if (before[2] !== 'bars' || fits(known, change)) {
      text.take(BEFORE);
      return [change];
    }
  }
  const replaced = takeReplaced(text, known);
  if (replaced !== null) return [replaced];
  const sided = takeRelation(text, known);
  if (sided.length > 0) return sided;
  const other =
    takeOfRole(text, known) ??
    takeOfIndicator(text, known) ??
    takeOfPeriod(text, known) ??
    takeRestored(text, known) ??
    takeRuleNumber(text, known);
  return other === null ? [] : [other];
}

/** Parameters by their word, by themselves or with their indicator, their side and their value before. */
function takeNamed(text: ConsumedText): ParameterChange[] {
  const clause = PARAMETER_CLAUSE.exec(text.rest)?.[0];
  const name = NAMES.find((each) => each === NAMED.exec(clause ?? '')?.[0]);
  if (clause === undefined || name === undefined || RELATION.test(clause)) return [];
  // Bounded because a message is read to 4,000 characters.
  const plain = clause.replace(/\( ?\d+[^)]*\)/g, ' ');
  const role = roleIn(plain);
  const of = indicatorIn(plain);
  const where = { ...(role === undefined ? {} : { role }), ...(of === undefined ? {} : { of }) };
  const pairs = [...plain.matchAll(PAIR)];
  if (new Set(pairs.map(([, each]) => each)).size > 1 && !/\b(?:buy|sell)\b/.test(plain)) {
    text.take(PARAMETER_CLAUSE);
    return pairs.map(([, each, digits]) => ({
      name: each as ParameterChange['name'],
      value: Number(digits),
      ...where,
    }));
  }
  const numbers = plain.match(PLAIN_NUMBER) ?? [];
  const old = numbers.length > 1 ? (OLD.exec(plain)?.[1] ?? /\bsince (-?\d[\d.]*)/.exec(plain)?.[1]) : undefined;
  const after = plain.slice(plain.indexOf(name)).match(PLAIN_NUMBER) ?? [];
  const value = (after.length > 0 ? after : numbers).find((digits) => digits !== old);
  if (value === undefined) return [];
  const isRule = (/\bbuy\b|\bsell\b/.test(plain) || numbers.length > 2) && of !== undefined && !NAMED.test(plain);
  if (isRule) return [];
  text.take(PARAMETER_CLAUSE);
  return [{ name, value: Number(value), ...where, ...(old === undefined ? {} : { was: Number(old) }) }];
}

const INSTEAD = '(?:(?:instead|without|decline)(?: (?:of|than|de|que|von|le|la|el|the|der|dem|den|die)){0,2})';
const REPLACED = new RegExp(
  `${CLAUSE_START}(?:since )?(?:${VALUE} ?,? ?${INSTEAD} ${VALUE}|${VALUE} (?:to|a|auf|en|vers) ${VALUE}|${INSTEAD} ${VALUE} ?,? ?(?:(?:use|instead|then) )*${VALUE})${CLAUSE_END}`,
);

/** One number in the place of another: "40 instead of 35". */
function takeReplaced(text: ConsumedText, known: Known): ParameterChange | null {
  const found = REPLACED.exec(text.rest);
  if (found === null) return null;
  const [value, was] = [found[1] ?? found[4] ?? found[6], found[2] ?? found[3] ?? found[5]].map(Number) as [
    number,
    number,
  ];
  const change = (['threshold', 'period', 'multiplier', 'number'] as const)
    .map((name): ParameterChange => ({ name, value, was }))
    .find((each) => fits(known, each));
  if (change === undefined) return null;
  text.take(REPLACED);
  return change;
}

const SIDE = `(?:(?:is|if|when|it) )*(?:cross )?(above|below|oversold|overbought) (?:(?:of|the|de|a|von) )*${VALUE}`;
const ONLY_RELATION = new RegExp(
  `${CLAUSE_START}${SIDE}(?:[ ,]*(?:and|y|und|et|or|o|oder|ou|/)[ ,]*${SIDE})?${CLAUSE_END}`,
);

/** A side with a level and no name, "no, below 15", or both, of rules that are known. */
function takeRelation(text: ConsumedText, known: Known): ParameterChange[] {
  const found = ONLY_RELATION.exec(text.rest);
  if (found === null) return [];
  const changes = [found.slice(1, 3), found.slice(3, 5)]
    .filter(([word]) => word !== undefined)
    .map(([word, value]): ParameterChange => {
      const side = word === 'above' || word === 'overbought' ? 'up' : 'down';
      return { name: 'threshold', value: Number(value), side };
    });
  if (!changes.every((change) => fits(known, change))) return [];
  text.take(ONLY_RELATION);
  return changes;
}

const BETWEEN_WORDS =
  'at|to|for|in|with|of|is|the|a|it|should|be|must|on|when|bei|beim|am|auf|fur|zum|zur|der|die|das|den|dem|en|para|por|el|la|los|las|del|pour|le|les|au|de|instead|please';
const BETWEEN = small(BETWEEN_WORDS);
/** The start of a clause, with all small words. */
export const START = `(?:^|(?<=[;|!?]))[^\\w-]*${small(`${SMALL_WORDS}|${BETWEEN_WORDS}`)}`;
const OF_BAND = new RegExp(
  `${START}(supertrend|bollinger|keltner)(?: (?:with|of|at|to|mit|con|avec|de|bands?|channel))* \\(?(\\d{1,4}) ?(?:,|/|and|und|y|et| )+ ?(\\d{1,2}(?:\\.\\d{1,2})?)\\)?${CLAUSE_END}`,
);

/** Period and width of a band that is known: "SuperTrend with 14 and 2.5". */
function takeOfBand(text: ConsumedText, known: Known): ParameterChange[] {
  const found = OF_BAND.exec(text.rest);
  if (found === null) return [];
  const of = indicatorIn(found[1] ?? '') ?? '';
  const changes: ParameterChange[] = [
    { name: 'period', value: Number(found[2]), of },
    { name: 'multiplier', value: Number(found[3]), of },
  ];
  if (!changes.every((change) => fits(known, change))) return [];
  text.take(OF_BAND);
  return changes;
}

const OF_ROLE = new RegExp(
  `${START}(?:(buy|sell|short|cover)[ ,.]*${BETWEEN}${VALUE}|${VALUE}[ ,.]*${BETWEEN}(buy|sell|short|cover))${CLAUSE_END}`,
);
const OF_THRESHOLDS = ['threshold', 'period', 'multiplier'] as const;

/** A number and a side, "the exit at 65 rather", of a rule that is known. */
function takeOfRole(text: ConsumedText, known: Known): ParameterChange | null {
  const found = OF_ROLE.exec(text.rest);
  if (found === null) return null;
  const role = roleOfVerb[found[1] ?? found[4] ?? ''] ?? 'entry';
  const value = Number(found[2] ?? found[3]);
  const change = OF_THRESHOLDS.map((name): ParameterChange => ({ name, value, role })).find((each) =>
    fits(known, each),
  );
  if (change === undefined) return null;
  text.take(OF_ROLE);
  return change;
}

const OF_INDICATOR = new RegExp(`${CLAUSE_START}((?:[a-z%+'_]+ ){0,6}?)${VALUE}((?: [a-z%+'_]+){0,6}?)${CLAUSE_END}`);

/** An indicator and a number without a relation, "rather RSI 25 for the entry", of a rule that is known. */
function takeOfIndicator(text: ConsumedText, known: Known): ParameterChange | null {
  const found = OF_INDICATOR.exec(text.rest);
  if (found === null || RELATION.test(found[0]) || /\b(?:without|decline|what)\b/.test(found[0])) return null;
  const of = indicatorIn(found[0]);
  if (of === undefined) return null;
  const role = roleIn(found[0]);
  const value = Number(found[2]);
  const own = { value, of, ...(role === undefined ? {} : { role }) };
  const fitting = OF_THRESHOLDS.map((name): ParameterChange => ({ name, ...own })).filter((each) => fits(known, each));
  // "RSI 25" of a rule with a level and a period is the one that it is nearer to.
  const change = nearest(known, fitting);
  if (change === undefined) return null;
  text.take(OF_INDICATOR);
  return change;
}

/** The change that is nearest to what it would replace, among those of which a rule has the parameter. */
const nearest = (known: Known, changes: readonly ParameterChange[]): ParameterChange | undefined =>
  changes
    .filter((each) => fits(known, each))
    .reduce<ParameterChange | undefined>(
      (best, each) => (best === undefined || distanceOf(known, each) < distanceOf(known, best) ? each : best),
      undefined,
    );

const OF_PERIOD = new RegExp(`${CLAUSE_START}((?:[a-z%'_]+ ){0,3}[a-z%'_]+) ?\\( ?(\\d{1,4}) ?\\)${CLAUSE_END}`);

/** An indicator with its period and nothing else, "use RSI(7)", of a rule that is known. */
function takeOfPeriod(text: ConsumedText, known: Known): ParameterChange | null {
  const found = OF_PERIOD.exec(text.rest);
  if (found === null || RELATION.test(found[0]) || /\b(?:buy|sell|short|cover|without|decline|what)\b/.test(found[0]))
    return null;
  const of = indicatorIn(found[1] ?? '');
  if (of === undefined) return null;
  const change: ParameterChange = { name: 'period', value: Number(found[2]), of };
  if (!fits(known, change)) return null;
  text.take(OF_PERIOD);
  return change;
}

const RESTORED = new RegExp(`\\brestore\\b[^;|!?.]{0,30}?${VALUE}`);

/** A number of the rule that comes back: "put it back with 100". */
function takeRestored(text: ConsumedText, { removed = [] }: Known): ParameterChange | null {
  const found = RESTORED.exec(text.rest);
  if (found === null || removed.length === 0) return null;
  const value = Number(found[1]);
  const isLevel = RELATION.test(found[0]); // "back, ADX above 20"
  const change = ([...(isLevel ? (['threshold'] as const) : []), 'period', 'threshold', 'multiplier'] as const)
    .map((name): ParameterChange => ({ name, value, ...keyOf(removed) }))
    .find((each) => fits({ entry: removed }, each));
  if (change === undefined) return null;
  text.take(RESTORED);
  return change;
}

const keyOf = ([rule]: Collected['removed']): Pick<ParameterChange, 'of'> => {
  const of =
    rule === undefined
      ? undefined
      : indicatorIn(rule.name.replaceAll('_', ' ').concat(' ', String(rule.params.when ?? '')));
  return of === undefined ? {} : { of };
};

const BARE = new RegExp(`${START}${VALUE}${CLAUSE_END}`);

/** A number alone, "no, 80", of the rule that was spoken of last. */
function takeRuleNumber(text: ConsumedText, known: Known): ParameterChange | null {
  const number_of = roles.find((role) => role === known.number_of);
  if (number_of === undefined) return null;
  const found = BARE.exec(text.rest);
  if (found === null) return null;
  const change = nearest(
    known,
    OF_THRESHOLDS.map((name): ParameterChange => ({ name, value: Number(found[1]), role: number_of })),
  );
  if (change === undefined) return null;
  text.take(BARE);
  return change;
}

const isRole = (of: NumberName): of is Role => (roles as readonly string[]).includes(of);

/** A number alone of what was spoken of last, where that is no rule. */
export function takeNumber(
  text: ConsumedText,
  of: NumberName | null,
): Pick<Change, 'reward_factor' | 'settings' | 'count'> | null {
  if (of === null || isRole(of)) return null;
  const found = BARE.exec(text.rest);
  const value = Number(found?.[1]);
  if (found === null || !(value > 0)) return null;
  text.take(BARE);
  if (of === 'reward_factor' || of === 'count') return { [of]: value };
  return { settings: { [of]: value } };
}

const SCALED = /\b(half_that|double_that)\b/;

/** "Half of that": of what was spoken of last, a share before any other number. */
export function takeScaled(
  text: ConsumedText,
  { share_of: share = null, number_of: number = null, ...known }: Known,
): Pick<Change, 'max_risk_per_trade' | 'reward_factor' | 'settings'> | null {
  const found = SCALED.exec(text.rest);
  const of = share ?? number;
  const isOther = of === null || of === 'trail' || of === 'count' || (roles as readonly string[]).includes(of);
  if (found === null || isOther) return null;
  const before = of === 'max_risk_per_trade' || of === 'reward_factor' ? known[of] : known.settings?.[of];
  if (typeof before !== 'number') return null;
  text.take(SCALED);
  const scaled = Number((before * (found[1] === 'half_that' ? 0.5 : 2)).toPrecision(12));
  const value = of === 'max_hold_bars' ? Math.ceil(scaled) : scaled;
  return of === 'max_risk_per_trade' || of === 'reward_factor' ? { [of]: value } : { settings: { [of]: value } };
}

const PLAIN_NUMBER = /(?<![\w.])-?\d{1,9}(?:\.\d{1,9})?(?![\w]|[\d.]*\d)/g;

const roleOfVerb: Readonly<Record<string, Role>> = {
  buy: 'entry',
  sell: 'exit',
  short: 'short_entry',
  cover: 'short_exit',
};

/** The one role whose verb a text has. */
export const roleIn = (text: string): Role | undefined => {
  const named = Object.keys(roleOfVerb).filter((verb) => new RegExp(`\\b${verb}\\b`).test(text));
  return named.length === 1 ? roleOfVerb[named[0] ?? ''] : undefined;
};

// Bounded because a message is read to 4,000 characters.
const WINDOWS = new RegExp(
  `(?:^|(?<=[;|!?.,]))\\W*${SMALL}(?:ema |sma |macd )?(\\d{1,4}) ?(?:and|y|und|et|[/, -]) ?(\\d{1,4})(?: ?(?:and|y|und|et|[/, -]) ?(\\d{1,3}))?(?: (sma|ema|wma|hma|dema|tema)s?)?(?: instead of (?:the )?(?:usual|default|standard|normal|old) (?:1s?|ones|values|periods?|rules))?(?: (?:for|fur|para|por|pour|in|on))?(?: (?:it|both|both_rules|instead|please|rather|periods?|rules|parameters?|macd|beide|ambos|ambas|los 2|las 2|les 2|buy|sell|the|el|la|le|den))*\\W*(?:$|(?=[;|!?.,]))`,
);

/** Two periods alone, for the crosses of averages that are known. */
export function takeWindows(text: ConsumedText, known: Known): NonNullable<Change['windows']> | null {
  const crosses = roles
    .flatMap((role): readonly PlannedRule[] => known[role] ?? [])
    .filter(({ params }) => 'window_fast' in params);
  const isOfThree = crosses.some(({ params }) => 'window_sign' in params);
  // A third number is the period of a signal line, which most crosses do not have.
  if (crosses.length === 0 || (!isOfThree && WINDOWS.exec(text.rest)?.[3] !== undefined)) return null;
  const type = WINDOWS.exec(text.rest)?.[4];
  // Another kind of average is another rule.
  if (type !== undefined && !crosses.some(({ name }) => name.startsWith(`${type}_`))) return null;
  const found = text.take(WINDOWS);
  if (found === null) return null;
  const [fast, slow] = [Number(found[1]), Number(found[2])].sort((a, b) => a - b) as [number, number];
  const role = roleIn(found[0]);
  const sign = found[3] === undefined ? {} : { sign: Number(found[3]) };
  return { fast, slow, ...sign, ...(role === undefined ? {} : { role }) };
}

const SHARE = new RegExp(
  `^\\W*${SMALL}(?:(?:fixed|fixe|fester|festen|fijo) ?)?${SMALL}(\\d{1,4}(?:\\.\\d{1,6})?)( ?%)?(?: ?[,.]* ?(?:please|instead|fixed|fixe|fijo))*\\W*$`,
);

/** A share alone, of what was spoken of last. */
export function takeShare(
  text: ConsumedText,
  of: ShareName | null,
  isOther = true,
): Pick<Change, 'max_risk_per_trade' | 'settings' | 'trail'> | null {
  const found = of === null ? null : SHARE.exec(text.rest);
  // A number without its sign is one of something else, where something else was spoken of too.
  if (of === null || found === null || (found[2] === undefined && isOther)) return null;
  text.take(SHARE);
  const share = Number((Number(found[1]) / 100).toPrecision(12));
  // "A fixed one of 3 %" after a stop that trails.
  const isFixed = /\b(?:fixed|fixe|fester|festen|fijo)\b/.test(found[0]);
  if (of === 'trail' && !isFixed) return { trail: { share, start: null } };
  if (of === 'max_risk_per_trade') return { max_risk_per_trade: share };
  return {
    settings: {
      ...(of === 'fixed_stop_pct' || of === 'trail' ? { stop_loss_calculation: 'fixed' } : {}),
      [of === 'trail' ? 'fixed_stop_pct' : of]: share,
    },
  };
}

// Bounded because a message is read to 4,000 characters.
const COUNT = new RegExp(`^\\W*(?=.*\\b(?:only|instead|decline|make|agree)\\b)${SMALL}(\\d)\\W*$`);

/** A count alone, "just one", where candidates were counted before. */
export function takeCount(text: ConsumedText, { count = null }: Known): Pick<Change, 'count'> {
  const found = count === null ? null : text.take(COUNT);
  const value = Number(found?.[1]);
  return value >= 1 ? { count: value } : {};
}
