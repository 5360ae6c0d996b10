import { requireSignal } from '../../../../engine/index.js';
import type { PlannedRule } from '../../candidate.js';
import type { Say } from '../sentences/say.js';

const FORMULA_PERIOD_MAX = 2_000;

/** Sentences about numbers that the parameters of rules may not have. */
export function outOfBounds(rules: readonly PlannedRule[], say: Say): string[] {
  return rules.flatMap(({ name, params }) => {
    const signal = requireSignal(name);
    if (name === 'formula') {
      const periods = [...String(params.when).matchAll(/\((?:close, |volume, |high, |low, )?(\d+)(?=[,)])/g)]
        .filter(({ index }) => !/crosses_(?:above|below)$/.test(String(params.when).slice(0, index)))
        .map(([, digits]) => Number(digits));
      const wild = periods.find((value) => value < 1 || value > FORMULA_PERIOD_MAX);
      return wild === undefined ? [] : [say('periodOutside', { most: FORMULA_PERIOD_MAX, value: wild })];
    }
    const wrong = Object.entries(signal.params).flatMap(([param, spec]) => {
      const value = params[param];
      if ((spec.type !== 'int' && spec.type !== 'float') || typeof value !== 'number') return [];
      const isSound = value >= spec.min && value <= spec.max && (spec.type === 'float' || Number.isInteger(value));
      const sentence = spec.type === 'int' ? 'wholeParamOutside' : 'paramOutside';
      return isSound ? [] : [say(sentence, { param, signal: name, low: spec.min, high: spec.max, value })];
    });
    const order = signal.constraints.flatMap(([left, operator, right]) => {
      const [value, beside] = [Number(params[left]), Number(params[right])];
      const isSound = operator === '<' ? value < beside : value <= beside;
      return isSound ? [] : [say('paramOrder', { param: left, signal: name, operator, other: right, value, beside })];
    });
    return [...wrong, ...order];
  });
}
