import type { Signal } from '../../../engine/index.js';
import { evenly, NUMBER } from './number-form.js';

/** How people call what the first part of a signal's name stands for. */
const spoken: Readonly<Record<string, string>> = {
  sma: '(?:simple )?moving average|sma|ma',
  ema: 'exponential moving average|ema',
  bb: 'bollinger(?: bands?)?|bb',
  dc: 'donchian(?: channels?)?|dc',
  kc: 'keltner(?: channels?)?|kc',
  atr: 'average true range|atr',
};

/** Parts of names that stand for no indicator. */
const plainWords = new Set([
  'is',
  'above',
  'price',
  'cross',
  'up',
  'down',
  'bullish',
  'bearish',
  'positive',
  'trigger',
]);

/**
 * Numbers that a description states for the indicator of a signal: `200 day moving average`,
 * `RSI(7)`, `ema 10 and 30`, `RSI below 25`. A number outside the bounds of its parameter, or one
 * that would break their order, is left out.
 */
export function statedNumbers(
  { name, params, constraints }: Pick<Signal, 'name' | 'params' | 'constraints'>,
  description: string,
  usual: Readonly<Record<string, unknown>>,
): Record<string, number> {
  const part = name.split('_').find((each) => !plainWords.has(each));
  if (part === undefined) return {};
  const word = `(?:${(Object.hasOwn(spoken, part) ? spoken[part] : undefined) ?? part.replace(/\W/g, '')})`;
  const text = evenly(description);
  const found: Record<string, number> = {};
  const take = (param: string, digits: string | undefined): void => {
    const spec = params[param];
    const value = Number(digits);
    if (spec === undefined || (spec.type !== 'int' && spec.type !== 'float') || digits === undefined) return;
    if (value >= spec.min && value <= spec.max && (spec.type === 'float' || Number.isInteger(value)))
      found[param] = value;
  };
  // Bounded because `evenly` leaves one space between words, and NUMBER begins where digits begin.
  const two = new RegExp(`\\b${word}s?\\s*\\(?\\s*${NUMBER}\\s*(?:,|/|and|&|over|x|above|-)\\s*${NUMBER}`).exec(text);
  // Bounded because `evenly` leaves one space between words, and NUMBER begins where digits begin.
  const twoBefore = new RegExp(
    `\\b${NUMBER}\\s*(?:,|/|and|&|over|x|-)\\s*${NUMBER}[- ]*(?:day|bar|period|hour)?s?\\s*${word}`,
  ).exec(text);
  const pair = two ?? twoBefore;
  if (pair !== null && 'window_fast' in params) {
    const [fast, slow] = [pair[1], pair[2]].sort((a, b) => Number(a) - Number(b));
    take('window_fast', fast);
    take('window_slow', slow);
  } else {
    // Bounded because `evenly` leaves one space between words, and NUMBER begins where digits begin.
    const after = new RegExp(
      `\\b${word}s?\\s*\\(\\s*${NUMBER}\\s*\\)|\\b${NUMBER}[- ]*(?:day|bar|period|hour)s?[- ]*${word}\\b|\\b${NUMBER}[- ]${word}\\b`,
    ).exec(text);
    take('window', after?.[1] ?? after?.[2] ?? after?.[3]);
  }
  // Bounded because `evenly` leaves one space between words, and NUMBER begins where digits begin.
  const level = new RegExp(
    `\\b${word}\\b[^.;\\d]{0,20}?(?:below|under|above|over|crosses|at|<|>)[^.;\\d]{0,12}${NUMBER}`,
  ).exec(text);
  take('threshold', level?.[1]);
  const all: Record<string, unknown> = { ...usual, ...found };
  const isSound = constraints.every(([left, operator, right]) =>
    operator === '<' ? Number(all[left]) < Number(all[right]) : Number(all[left]) <= Number(all[right]),
  );
  return isSound ? found : {};
}
