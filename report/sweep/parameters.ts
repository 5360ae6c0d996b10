// biome-ignore-all lint/style/noNonNullAssertion: codes, groups and values come from the same runs and fit together
import { count, numberLabel } from '../format.js';
import type { Explored, SheetParameter } from './sheet.js';

/** Most rows or columns of a readable heat map. */
const GROUPS_MAX = 16;
/** More texts than numbers stay separate, because a group of texts tells the reader nothing. */
const TEXTS_MAX = 24;
/** Most parameters that a page carries. */
export const PARAMETERS_MAX = 40;

/** A parameter with its values joined into groups that a picture can show side by side. */
export interface GroupedParameter extends SheetParameter {
  readonly isNumeric: boolean;
  /**
   * True for a number with more values than groups, drawn to scale; other values are drawn at even
   * distances.
   */
  readonly isContinuous: boolean;
  readonly groups: readonly string[];
  /** Group of each value. */
  readonly groupOf: readonly number[];
  /**
   * Share of the ranking metric's variance that lies between the groups, times the share of runs
   * that have the parameter: 0..1.
   */
  readonly influence: number;
}

/** Groups the parameters, the most influential first, and keeps at most PARAMETERS_MAX of them. */
export function groupParameters({ parameters, metrics }: Explored): GroupedParameter[] {
  const values = metrics[0]!.values;
  return parameters
    .map((parameter) => {
      const isNumeric = typeof parameter.values[0] === 'number';
      const { groups, groupOf } = isNumeric ? joinNumbers(parameter) : joinTexts(parameter);
      const isContinuous = isNumeric && groups.length < parameter.values.length;
      const influence = varianceBetween(parameter.codes, groupOf, groups.length, values);
      return { ...parameter, isNumeric, isContinuous, groups, groupOf, influence };
    })
    .sort((a, b) => b.influence - a.influence || (a.name < b.name ? -1 : 1))
    .slice(0, PARAMETERS_MAX);
}

/** Joins neighbouring values into groups of equal size; the last may be smaller. */
function joinNumbers({ values }: SheetParameter) {
  const size = Math.ceil(values.length / GROUPS_MAX);
  const groups: string[] = [];
  for (let from = 0; from < values.length; from += size) {
    const last = Math.min(from + size, values.length) - 1;
    groups.push(
      last === from ? numberLabel(values[from]!) : `${numberLabel(values[from]!)} to ${numberLabel(values[last]!)}`,
    );
  }
  return { groups, groupOf: values.map((_, i) => Math.floor(i / size)) };
}

/** Keeps the most frequent texts and joins the others into one group. */
function joinTexts({ values, codes }: SheetParameter) {
  if (values.length <= TEXTS_MAX) return { groups: values.map(String), groupOf: values.map((_, i) => i) };
  const frequency = new Float64Array(values.length);
  for (const code of codes) if (code > 0) frequency[code - 1]!++;
  const kept = values
    .map((_, i) => i)
    .sort((a, b) => frequency[b]! - frequency[a]! || a - b)
    .slice(0, TEXTS_MAX - 1)
    .sort((a, b) => a - b);
  const place = new Map(kept.map((value, i) => [value, i]));
  return {
    groups: [...kept.map((i) => String(values[i])), `${count(values.length - kept.length)} others`],
    groupOf: values.map((_, i) => place.get(i) ?? kept.length),
  };
}

/**
 * The pair that a heat map shows first: the most influential parameters that the leader has, or
 * that some run has both of. It takes parameters with three or more groups if it can.
 * @param leader its index among the runs; -1 without one
 */
export function firstPair(parameters: readonly GroupedParameter[], leader = -1): readonly [x: number, y: number] {
  const both = (x: GroupedParameter, y: GroupedParameter) =>
    x.codes.reduce((sum, code, i) => sum + (code > 0 && y.codes[i]! > 0 ? 1 : 0), 0);
  const isOf = ({ codes }: GroupedParameter) => leader === -1 || codes[leader] !== 0;
  for (const groupsMin of [3, 2]) {
    const fit = parameters.flatMap((one, i) => (one.groups.length >= groupsMin && isOf(one) ? [i] : []));
    for (const [place, x] of fit.entries()) {
      const y = fit.slice(place + 1).find((other) => both(parameters[x]!, parameters[other]!) > 0);
      if (y !== undefined) return [x, y];
    }
  }
  return [0, 1];
}

function varianceBetween(
  codes: Uint16Array,
  groupOf: readonly number[],
  groupCount: number,
  values: Float64Array,
): number {
  const sums = new Float64Array(groupCount);
  const counts = new Float64Array(groupCount);
  let [n, mean, squares] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const [value, code] = [values[i]!, codes[i]!];
    if (code === 0 || !Number.isFinite(value)) continue;
    const group = groupOf[code - 1]!;
    sums[group]! += value;
    counts[group]!++;
    n++;
    const step = value - mean;
    mean += step / n;
    squares += step * (value - mean);
  }
  if (!(squares > 0)) return 0;
  let between = 0;
  for (let g = 0; g < groupCount; g++) if (counts[g]! > 0) between += counts[g]! * (sums[g]! / counts[g]! - mean) ** 2;
  return (Math.min(1, between / squares) * n) / values.length;
}
