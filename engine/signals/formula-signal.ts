import { EngineError } from '../errors.js';
import type { ParamSpecs, ParamValues } from '../indicators/params.js';
import { nearestName } from '../nearest.js';
import { priceColumns } from '../series/bars.js';
import { FormulaProblem, readFormula } from './formula-language/index.js';
import { published } from './generated/published.js';
import { defineSignal, type Signal } from './signal.js';

/**
 * A condition that the definition of a strategy spells out. It is compiled to the columns that all
 * other signals are made of; nothing of its text is run.
 */

const { params } = published.formula;

/** @throws EngineError for a text that is no formula, with the position of the first error */
function formulaParams(given: Readonly<Record<string, unknown>>): ParamSpecs {
  const { when } = given;
  if (typeof when !== 'string') return params; // refused with the other wrong types
  const formula = parseFormula(when);
  for (const [name, position] of formula.positions) if (!Object.hasOwn(given, name)) throw unknownName(name, position);
  return { ...params, ...formula.params };
}

function parseFormula(when: string) {
  try {
    return readFormula(when);
  } catch (error) {
    if (!(error instanceof FormulaProblem)) throw error;
    const details = { signal: 'formula', field: 'when', position: error.position };
    throw new EngineError('INVALID_FIELD', `formula: when is wrong at ${error.message}`, details);
  }
}

function unknownName(name: string, position: number): EngineError {
  const near = nearestName(name, priceColumns);
  const hint = near === null ? '' : `, did you mean ${near}?`;
  const message = `formula: parameter ${name}, named at character ${position} of when, is required${hint}`;
  return new EngineError('MISSING_FIELD', message, { signal: 'formula', field: name, position });
}

/** The other parameters are numbers, as their specifications demand. */
const parts = (values: ParamValues) => ({
  formula: parseFormula(String(values.when)),
  amounts: values as Readonly<Record<string, number>>,
});

export const formulaSignal: Signal = defineSignal({
  ...published.formula,
  fitsAnyRole: true,
  paramsFor: formulaParams,
  minBars: (values) => {
    const { formula, amounts } = parts(values);
    return formula.minBars(amounts);
  },
  sources: (values) => parts(values).formula.sources,
  condition: (values) => {
    const { formula, amounts } = parts(values);
    return formula.condition(amounts);
  },
});
