import type { Column, SourceName } from '../../indicators/column.js';
import { type Condition, columnsOfCondition } from '../condition.js';
import type { ParamSpecs } from '../params.js';
import { type Amounts, barsOf, conditionOf } from './compile.js';
import { parseFormula } from './parse.js';
import { FormulaProblem } from './problem.js';

/** Most bars that a formula may need with its parameters at their largest. */
const LOOK_BACK_MAX = 20_000;
/**
 * Longest text of a column with the parameters at their largest; other values may have more digits.
 */
const COLUMN_TEXT_MAX = 20_000;
/** Formulas kept: runs of a sweep ask for the same one again and again. */
const KEPT_MAX = 200;

/** A formula that was read without an error. */
interface Formula {
  /** Its parameters by name, each with the position of its first use. */
  readonly params: ParamSpecs;
  readonly positions: ReadonlyMap<string, number>;
  /** Names of the columns that it reads, of the bars and beside them. */
  readonly sources: readonly SourceName[];
  readonly minBars: (amounts: Amounts) => number;
  readonly condition: (amounts: Amounts) => Condition;
}

const kept = new Map<string, Formula>();

/** @throws FormulaProblem with the position of the first error */
export function readFormula(text: string): Formula {
  let formula = kept.get(text);
  if (formula === undefined) {
    formula = readAnew(text);
    if (kept.size >= KEPT_MAX) for (const oldest of kept.keys()) if (kept.delete(oldest)) break;
    kept.set(text, formula);
  }
  return formula;
}

function readAnew(text: string): Formula {
  const { condition, params } = parseFormula(text);
  const largest = Object.fromEntries([...params].map(([name, { max }]) => [name, max]));
  const bars = barsOf(condition, { amounts: largest });
  if (bars > LOOK_BACK_MAX) {
    const lookBack = params.size === 0 ? `${bars}` : `up to ${bars} with its parameters`;
    throw new FormulaProblem(1, `a formula may need at most ${LOOK_BACK_MAX} bars, this one needs ${lookBack}`);
  }
  const specs = [...params].map(([name, { isWhole, min, max }]) => [
    name,
    { type: isWhole ? 'int' : 'float', min: isWhole ? Math.ceil(min) : min, max },
  ]);
  return {
    params: Object.fromEntries(specs),
    positions: new Map([...params].map(([name, { position }]) => [name, position])),
    sources: sourcesOf(conditionOf(condition, { amounts: largest, columnTextMax: COLUMN_TEXT_MAX })),
    minBars: (amounts) => barsOf(condition, { amounts }),
    condition: (amounts) => conditionOf(condition, { amounts, columnTextMax: Infinity }),
  };
}

function sourcesOf(condition: Condition): SourceName[] {
  const seen = new Set<string>();
  const names: SourceName[] = [];
  const visit = (column: Column): void => {
    if (seen.has(column.key)) return;
    seen.add(column.key);
    if (column.kind === 'source') names.push(column.name);
    else column.inputs.forEach(visit);
  };
  columnsOfCondition(condition).forEach(visit);
  return names;
}
