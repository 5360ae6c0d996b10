import { EngineError } from '../errors.js';
import type { SourceName } from '../indicators/column.js';
import { withFrame } from '../indicators/frame.js';
import { type BarSeries, isColumnName } from '../series/bars.js';
import { clearBefore, getBit, type Mask } from '../series/bits.js';
import { undefinedFor } from './condition.js';
import { FormulaProblem, readFormula, readValueFormula } from './formula-language/index.js';
import { evaluateCondition } from './masks.js';

/** A formula outside a strategy, such as the rank of a portfolio. It has no parameters. */
export interface FreeFormula<Values> {
  /** Columns beside the bars that it reads. */
  readonly columns: readonly string[];
  /** Bars that it needs until it has a value. */
  readonly minBars: number;
  readonly evaluate: (bars: BarSeries) => Values;
  /** The first bar at whose close it has a value, also where a condition is false; -1 without one. */
  readonly firstValue: (bars: BarSeries) => number;
}

/**
 * A formula of a number: its value at the close of each bar, NaN where it has none.
 * @param field that gives the text, for errors
 * @throws EngineError INVALID_FIELD with the position of the first error
 */
export const valueFormula = (field: string, text: string): FreeFormula<Float64Array> =>
  located(field, () => {
    const { sources, minBars, column } = readValueFormula(text);
    const evaluate = (bars: BarSeries) =>
      withFrame(bars, (frame) => Float64Array.from(frame.column(column)).fill(NaN, 0, Math.max(0, minBars - 1)));
    return {
      ...{ columns: besideBars(sources), minBars, evaluate },
      firstValue: (bars) => evaluate(bars).findIndex((value) => !Number.isNaN(value)),
    };
  });

/** A formula of a condition: whether it holds at the close of each bar. @throws as `valueFormula` */
export const conditionFormula = (field: string, text: string): FreeFormula<Mask> =>
  located(field, () => {
    const { params, positions, sources, minBars, condition } = readFormula(text);
    for (const name of Object.keys(params)) {
      const said = `${name} is no column and no function, and nothing gives it a value`;
      throw new FormulaProblem(positions.get(name) ?? 1, said);
    }
    const needed = minBars({});
    const holds = condition({});
    return {
      ...{ columns: besideBars(sources), minBars: needed },
      evaluate: (bars) =>
        withFrame(bars, (frame) => {
          const mask = evaluateCondition(holds, frame).slice();
          clearBefore(mask, Math.min(needed - 1, bars.barCount));
          return mask;
        }),
      firstValue: (bars) =>
        withFrame(bars, (frame) => {
          const missing = evaluateCondition(undefinedFor(holds), frame);
          let bar = Math.max(0, needed - 1);
          while (bar < bars.barCount && getBit(missing, bar)) bar++;
          return bar < bars.barCount ? bar : -1;
        }),
    };
  });

const besideBars = (sources: readonly SourceName[]): string[] => sources.filter(isColumnName);

function located<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FormulaProblem)) throw error;
    throw new EngineError('INVALID_FIELD', `${field} is wrong at ${error.message}`, {
      field,
      position: error.position,
    });
  }
}
