import type { Column, SourceName } from '../../indicators/column.js';
import type { ParamSpecs } from '../../indicators/params.js';
import { type Condition, columnsOfCondition } from '../condition.js';
import { type Amounts, compileColumn, compileCondition, countBarsNeeded } from './compile.js';
import { parseFormula, parseValueFormula } from './parse.js';
import { FormulaProblem } from './reader.js';

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

/** A formula of a number, without parameters. */
interface ValueFormula {
  readonly sources: readonly SourceName[];
  readonly minBars: number;
  readonly column: Column;
}

/**
 * Reads a formula of a number that names no parameter.
 * @throws FormulaProblem with the position of the first error
 */
export function readValueFormula(text: string): ValueFormula {
  const { value, params } = parseValueFormula(text);
  for (const [name, { position }] of params) {
    throw new FormulaProblem(position, `${name} is no column and no function, and nothing gives it a value`);
  }
  const minBars = countBarsNeeded(value, { amounts: {} });
  checkLookBack(minBars, `${minBars}`);
  const column = compileColumn(value, { amounts: {}, columnTextMax: COLUMN_TEXT_MAX });
  return { sources: sources([column]), minBars, column };
}

function checkLookBack(bars: number, needed: string): void {
  if (bars <= LOOK_BACK_MAX) return;
  throw new FormulaProblem(1, `a formula may need at most ${LOOK_BACK_MAX} bars, this one needs ${needed}`);
}

function readAnew(text: string): Formula {
  const { condition, params } = parseFormula(text);
  const largest = Object.fromEntries([...params].map(([name, { max }]) => [name, max]));
  const bars = countBarsNeeded(condition, { amounts: largest });
  checkLookBack(bars, params.size === 0 ? `${bars}` : `up to ${bars} with its parameters`);
  const specs = [...params].map(([name, { isWhole, min, max }]) => [
    name,
    { type: isWhole ? 'int' : 'float', min: isWhole ? Math.ceil(min) : min, max },
  ]);
  return {
    params: Object.fromEntries(specs),
    positions: new Map([...params].map(([name, { position }]) => [name, position])),
    sources: sources(
      columnsOfCondition(compileCondition(condition, { amounts: largest, columnTextMax: COLUMN_TEXT_MAX })),
    ),
    minBars: (amounts) => countBarsNeeded(condition, { amounts }),
    condition: (amounts) => compileCondition(condition, { amounts, columnTextMax: Infinity }),
  };
}

function sources(columns: readonly Column[]): SourceName[] {
  const seen = new Set<string>();
  const names: SourceName[] = [];
  const visit = (column: Column): void => {
    if (seen.has(column.key)) return;
    seen.add(column.key);
    if (column.kind === 'source') names.push(column.name);
    else column.inputs.forEach(visit);
  };
  columns.forEach(visit);
  return names;
}
