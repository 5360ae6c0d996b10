import { requireSignal, type Signal, type SignalType, signals } from '../../../../engine/index.js';
import type { PlannedRule, Role } from '../../candidate.js';
import { ruleOf } from '../propose.js';

export type Direction = 'up' | 'down';

/** One condition, as a fragment of a message says it. */
export interface Condition {
  readonly rule: PlannedRule;
  readonly isEvent: boolean;
  /** What the next fragment means by "it". */
  readonly subject: string;
  /** Whether an indicator was named and nothing said of it: "trade the stochastic". */
  readonly isVague?: boolean;
}

export interface Scope {
  readonly timeframe: string;
  readonly role: Role;
  /** The fragment of which "it" speaks. */
  readonly subject: string | null;
  /** Formulas that the message has as such, for `formula_a` and so on. */
  readonly written: readonly string[];
}

export interface Relation {
  readonly isEvent: boolean;
  readonly direction: Direction | null;
  readonly usual: Direction;
  readonly timeframe: string;
  readonly role: Role;
  readonly subject: string | null;
}

export const EVENT = /\b(?:cross|breakout|event)\b/;
const UP = /\b(?:above|overbought|bullish|positive|upper)\b/g;
const DOWN = /\b(?:below|oversold|bearish|negative|lower)\b/g;
const NUMBERS = /(?<![\w.])-?\d{1,6}(?:\.\d{1,6})?(?![\w.]|\s?%)/g;

export const isPlain = ({ category }: Signal): boolean => category !== 'user';

/** Which way a relation points; the last word counts where both are said. */
export function directionIn(text: string): Direction | null {
  const up = [...text.matchAll(UP)].at(-1)?.index ?? -1;
  const down = [...text.matchAll(DOWN)].at(-1)?.index ?? -1;
  return up < 0 && down < 0 ? null : up > down ? 'up' : 'down';
}

/** Which way the name of a signal points. */
export const directionOf = (name: string): Direction | null =>
  directionIn(
    name
      .replaceAll('_', ' ')
      .replace(/\b(?:up|long)\b/g, 'above')
      .replace(/\b(?:down|short)\b/g, 'below'),
  );

export const formula = (when: string, timeframe: string): PlannedRule => ({
  name: 'formula',
  signal_type: 'FILTER',
  timeframe,
  params: { when },
});
export const signalRule = (
  name: string,
  timeframe: string,
  given: Readonly<Record<string, number | string>> = {},
): PlannedRule => {
  const signal = requireSignal(name);
  const rule = ruleOf(signal, signal.type, timeframe);
  const known = Object.entries(given).filter(([key]) => key in signal.params);
  return { ...rule, params: { ...rule.params, ...Object.fromEntries(known) } };
};
export const numbersIn = (text: string): number[] => [...text.matchAll(NUMBERS)].map(([digits]) => Number(digits));

const UP_ENDS =
  /_(?:up|bullish|positive|long|above|overbought|upper_breakout|up_trend|bullish_cross|flip_up|shift|reversal|crossover|strong_trend|cross)$|_high_/;
const DOWN_ENDS = /_(?:down|bearish|negative|short|below|oversold|lower_breakout|down_trend|bearish_cross|flip_down)$/;

/** The signal of an indicator for an event or a state in a direction; null without one. */
export function byDirection(
  key: string,
  isEvent: boolean,
  direction: Direction,
  timeframe: string,
): PlannedRule | null {
  const type: SignalType = isEvent ? 'TRIGGER' : 'FILTER';
  const own = signals.filter(
    (signal) => isPlain(signal) && signal.type === type && (signal.name.startsWith(`${key}_`) || signal.name === key),
  );
  const both = own.find(({ bias }) => bias === 'by_direction');
  if (both !== undefined)
    return {
      ...signalRule(both.name, timeframe),
      params: { ...signalRule(both.name, timeframe).params, direction: direction === 'up' ? 'bullish' : 'bearish' },
    };
  const found = own.find(({ name }) => (direction === 'up' ? UP_ENDS : DOWN_ENDS).test(name));
  return found === undefined ? null : signalRule(found.name, timeframe);
}
