import { isRecord } from '../../engine/errors.js';
import { axisColumn } from '../../engine/sweep/index.js';
import { sqlName, sqlText } from '../duckdb.js';

/** The rules of a run, by the name of their column without `_json`. */
const sides = ['entry', 'exit', 'short_entry', 'short_exit'] as const;

/** A parameter of a rule that a sweep varies. */
interface SweptParameter {
  readonly side: (typeof sides)[number];
  readonly signal: string;
  /** The timeframe that the rule names; null for the dataset's timeframe. */
  readonly timeframe: string | null;
  readonly parameter: string;
  /** Whether a value is text, such as the condition of a formula. */
  readonly isText: boolean;
  /** Whether the side is a choice of lists (`any`), which its column then holds. */
  readonly isChoice: boolean;
}

const listAt = (value: unknown, key: string): readonly unknown[] => {
  const list = isRecord(value) ? value[key] : undefined;
  return Array.isArray(list) ? list : [];
};

/** The swept parameters of the rules, by the record of a sweep, in the order of its configuration. */
function sweptIn(record: unknown): SweptParameter[] {
  const sweep = isRecord(record) ? record.sweep : null;
  return sides.flatMap((side) => {
    const selection = isRecord(sweep) ? sweep[`${side}_signals`] : null;
    const any = listAt(selection, 'any');
    const isChoice = any.length > 1;
    const groups = any.length === 0 ? [selection] : any;
    const rules = groups.flatMap((group) => [...listAt(group, 'triggers'), ...listAt(group, 'filters')]);
    return rules.flatMap((rule) => {
      if (!isRecord(rule) || typeof rule.name !== 'string' || !isRecord(rule.params_sweep)) return [];
      const timeframe = typeof rule.timeframe === 'string' ? rule.timeframe : null;
      const { name: signal } = rule;
      return Object.entries(rule.params_sweep).map(([parameter, range]) => {
        const isText = listAt(range, 'values').some((value) => typeof value === 'string');
        return { side, signal, timeframe, parameter, isText, isChoice };
      });
    });
  });
}

/**
 * SQL terms for the swept parameters of rules by the name of their column: `sma_cross_up_window_fast`. A parameter
 * that two sides or timeframes have is named with them: `entry_rsi_cross_up_threshold_4h`. Runs
 * without the rule have null. Of one rule that a side lists twice, the first in the run counts.
 *
 * @param records of the sweeps whose rows are read together
 * @param taken names of columns that the rows have
 */
export function sweptColumns(records: readonly unknown[], taken: ReadonlySet<string>): ReadonlyMap<string, string> {
  const found = new Map<string, SweptParameter>();
  for (const one of records.flatMap(sweptIn)) {
    found.set([one.side, one.signal, one.timeframe, one.parameter].join('\0'), one);
  }
  const all = [...found.values()];
  const short = ({ signal, parameter }: SweptParameter) => `${signal}_${parameter}`;
  const isShared = (one: SweptParameter, differs: (other: SweptParameter) => boolean) =>
    all.some((other) => short(other) === short(one) && differs(other));
  const terms = new Map<string, string>();
  for (const one of all) {
    const side = isShared(one, (other) => other.side !== one.side) ? `${one.side}_` : '';
    const isTimed = isShared(one, (other) => other.side === one.side && other.timeframe !== one.timeframe);
    const name = `${side}${short(one)}${isTimed && one.timeframe !== null ? `_${one.timeframe}` : ''}`;
    if (!taken.has(name) && !terms.has(name)) terms.set(name, `${sqlFor(one, isTimed)} AS ${sqlName(name)}`);
  }
  return terms;
}

/** A number, or text where a value is text. Only columns that a query names are computed. */
function sqlFor({ side, signal, timeframe, parameter, isText, isChoice }: SweptParameter, isTimed: boolean): string {
  const conditions = [
    `json_extract_string(rule, '$.name') = ${sqlText(signal)}`,
    ...(isTimed && timeframe !== null ? [`json_extract_string(rule, '$.timeframe') = ${sqlText(timeframe)}`] : []),
  ];
  const plain = `CAST(CAST(${side}_json AS JSON) AS JSON[])`;
  const held = isChoice
    ? `CASE WHEN ${side}_json LIKE '{%' THEN json_extract(${side}_json, '$.any[*][*]') ELSE ${plain} END`
    : plain;
  const rules = `list_filter(${held}, lambda rule: ${conditions.join(' AND ')})`;
  const value = `json_extract_string(list_extract(${rules}, 1), ${sqlText(`$.params.${JSON.stringify(parameter)}`)})`;
  return isText ? value : `TRY_CAST(${value} AS DOUBLE)`;
}

/** The columns of the axes over settings, by the record of a sweep, in the order of its configuration. */
export function axesIn(record: unknown): string[] {
  const config = isRecord(record) && isRecord(record.sweep) ? record.sweep.execution_config : null;
  return listAt(config, 'sweep_axes').flatMap((axis) =>
    isRecord(axis) && typeof axis.param === 'string' ? [axisColumn(axis.param.split('.')).name] : [],
  );
}

/** The columns of the window, where sweeps run over one series in several windows. */
export function windowsIn(records: readonly unknown[]): string[] {
  const datasets = records.flatMap((record) => listAt(record, 'datasets')).filter(isRecord);
  const columns = ['start_date', 'end_date'];
  const series = new Set(datasets.map(({ asset, timeframe }) => `${asset} ${timeframe}`));
  const windows = new Set(
    datasets.map((one) => [one.asset, one.timeframe, ...columns.map((name) => one[name])].join(' ')),
  );
  return windows.size > series.size ? columns : [];
}
