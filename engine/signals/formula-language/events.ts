import { type Column, close, columnOf, defineKernel, source } from '../../indicators/column.js';
import { Frame } from '../../indicators/frame.js';
import { getBit } from '../../series/bits.js';
import { type Condition, columnsOfCondition, type Operand } from '../condition.js';
import { evaluateCondition } from '../masks.js';

/** 1 on the bars on which a condition holds, 0 on the others, also while it is warming up. */
function truth(condition: Condition): Column {
  const columns = columnsOfCondition(condition);
  // Short names keep the text of nested conditions from growing with every level.
  const names = new Map(columns.map(({ key }, i) => [key, `x${i}`]));
  const renamed = overSources(condition, names);
  const kernel = defineKernel(`TRUTH${JSON.stringify(renamed)}`, (inputs, _, [out]) => {
    const sources = new Map(columns.map((_column, i) => [`x${i}`, inputs[i + 1]]));
    const mask = evaluateCondition(renamed, Frame.over(sources, out.length));
    for (let t = 0; t < out.length; t++) out[t] = Number(getBit(mask, t));
  });
  return columnOf(kernel, [close, ...columns]);
}

/** The same condition over sources of other names. */
function overSources(condition: Condition, names: ReadonlyMap<string, string>): Condition {
  const operand = (value: Operand): Operand =>
    typeof value === 'number' ? value : { ...value, column: source(names.get(value.column.key) ?? value.column.key) };
  const inner = (part: Condition) => overSources(part, names);
  switch (condition.kind) {
    case 'compare':
    case 'cross':
      return { ...condition, left: operand(condition.left), right: operand(condition.right) };
    case 'all':
    case 'any':
      return { kind: condition.kind, parts: condition.parts.map(inner) };
    case 'none':
      return { kind: condition.kind, defined: condition.defined.map(operand), parts: condition.parts.map(inner) };
    case 'recent':
      return { ...condition, part: inner(condition.part) };
  }
}

const sinceKernel = defineKernel('BARS_SINCE', ([holds], _, [out]) => {
  let since = NaN;
  for (let t = 0; t < out.length; t++) {
    since = holds[t] === 1 ? 0 : since + 1;
    out[t] = since;
  }
});

/** Bars since a condition was last true, 0 where it is; undefined before the first time. */
export const barsSince = (condition: Condition): Column => columnOf(sinceKernel, [truth(condition)]);

const whenKernel = defineKernel('VALUE_WHEN', ([holds, x], _, [out]) => {
  let value = NaN;
  for (let t = 0; t < out.length; t++) {
    if (holds[t] === 1) value = x[t];
    out[t] = value;
  }
});

/** The value of a column where a condition was last true; undefined before the first time. */
export const valueWhen = (condition: Condition, x: Column): Column => columnOf(whenKernel, [truth(condition), x]);

const rankKernel = defineKernel('PERCENT_RANK', ([x], [n], [out]) => {
  for (let t = 0; t < out.length; t++) {
    let [known, atMost] = [0, 0];
    for (let k = Math.max(0, t - n); k < t; k++) {
      if (Number.isNaN(x[k])) continue;
      known++;
      if (x[k] <= x[t]) atMost++;
    }
    out[t] = t < n || known < n || Number.isNaN(x[t]) ? NaN : 100 * (atMost / n);
  }
});

/** Percent of the n values before this one that are at most it; undefined where one is missing. */
export const percentRank = (x: Column, n: number): Column => columnOf(rankKernel, [x], [n]);
