import { clockParts } from '../../engine/indicators/clock.js';
import { indicatorFunctions } from '../../engine/indicators/functions.js';

/** A formula of the language with its parameters, drawn from its grammar. */
interface RandomFormula {
  readonly when: string;
  readonly params: Readonly<Record<string, number>>;
}

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!;

const functions = [...indicatorFunctions];

export function randomFormula(random: () => number): RandomFormula {
  const params: Record<string, number> = {};
  const param = (value: number): string => {
    const name = `p${Object.keys(params).length}`;
    params[name] = value;
    return name;
  };
  const constant = () => {
    const value = pick([0, 1, 2, 0.5, 1.5, 30, 70, 1e3], random);
    return random() < 0.2 ? param(value) : String(value);
  };
  const whole = (min: number, spread: number) => {
    const value = min + Math.floor(random() * spread);
    return random() < 0.2 ? param(value) : String(value);
  };
  const call = (depth: number): string => {
    const [name, { takesColumn, params: wanted }] = pick(functions, random);
    const amounts = wanted.map(({ isWhole, min, max }) => {
      if (isWhole) return whole(min, 25);
      const value = Number((min + random() * (Math.min(max, 3) - min)).toFixed(4));
      return String(Math.max(min, value));
    });
    return `${name}(${[...(takesColumn ? [value(depth + 1)] : []), ...amounts].join(', ')})`;
  };
  const remembered = (depth: number): string => {
    const kind = random();
    if (kind < 0.2) return `${pick(clockParts, random)}()`;
    if (kind < 0.25) return 'session_vwap()';
    if (kind < 0.5) return `percentrank(${value(depth + 1)}, ${whole(1, 25)})`;
    const truth = condition(depth + 1);
    return kind < 0.75 ? `barssince(${truth})` : `valuewhen(${truth}, ${value(depth + 1)})`;
  };
  const value = (depth: number): string => {
    const kind = random();
    if (depth > 3 || kind < 0.3) return pick(['open', 'high', 'low', 'close', 'volume', constant()], random);
    if (kind < 0.55) return call(depth);
    if (kind < 0.6) return remembered(depth);
    if (kind < 0.75) return `(${value(depth + 1)} ${pick(['+', '-', '*', '/'], random)} ${value(depth + 1)})`;
    if (kind < 0.9) return `${value(depth + 1)}[${whole(0, 9)}]`;
    if (kind < 0.95) return `${pick(['abs', 'last'], random)}(${value(depth + 1)})`;
    return `-${pick(['max', 'min'], random)}(${value(depth + 1)}, ${value(depth + 1)})`;
  };
  const condition = (depth: number): string => {
    const kind = random();
    if (depth > 2 || kind < 0.4) return `${value(1)} ${pick(['<', '<=', '>', '>=', '==', '!='], random)} ${value(1)}`;
    if (kind < 0.55) return `${pick(['crosses_above', 'crosses_below'], random)}(${value(1)}, ${value(1)})`;
    if (kind < 0.7) return `not (${condition(depth + 1)})`;
    if (kind < 0.8) return `recently(${condition(depth + 1)}, ${whole(1, 8)})`;
    if (kind < 0.85) return `(${condition(depth + 1)})[${whole(0, 9)}]`;
    return `(${condition(depth + 1)} ${pick(['and', 'or'], random)} ${condition(depth + 1)})`;
  };
  const when = condition(0);
  return { when, params };
}

const scraps = [
  '(',
  ')',
  '[',
  ']',
  ',',
  ' and ',
  ' or ',
  ' not ',
  '-',
  '1e9',
  '1e999',
  'close',
  'sma',
  'é',
  '\u0000',
  '"',
  ';',
  'x',
  '..',
];

/** The same text with some characters lost, doubled or replaced. */
export function damaged(text: string, random: () => number): string {
  let result = text;
  for (let change = 0; change <= random() * 3; change++) {
    const at = Math.floor(random() * (result.length + 1));
    const lost = random() < 0.5 ? Math.floor(random() * 4) : 0;
    result = result.slice(0, at) + (random() < 0.7 ? pick(scraps, random) : '') + result.slice(at + lost);
  }
  return result;
}
