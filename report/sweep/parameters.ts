// biome-ignore-all lint/style/noNonNullAssertion: codes, groups and values are made for one another from the same runs
import { count, numberLabel } from '../format.js';
import type { Explored, SheetParameter } from './sheet.js';

/** Rows or columns that a heat map can show and still be read. */
const GROUPS_MAX = 16;
/** Texts tell nothing when they are joined, so more of them stand for themselves. */
const TEXTS_MAX = 24;
/** Axes of parameters that a page carries. */
export const PARAMETERS_MAX = 40;

/** A parameter with its values joined to groups that a picture can show side by side. */
export interface GroupedParameter extends SheetParameter {
  readonly isNumeric: boolean;
  /** Numbers in more values than groups lie on a scale, all else at even distances. */
  readonly isContinuous: boolean;
  readonly groups: readonly string[];
  /** Group of each value. */
  readonly groupOf: readonly number[];
  /**
   * Share of the variance of the ranking metric between its groups, times the share of the runs
   * that have it: 0..1.
   */
  readonly influence: number;
}

/** The parameters that explain the most first; those that a page would not carry are left out. */
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

/** Neighbouring values share a group, equally many in each. */
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

/** The most frequent ones for themselves, the others together. */
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
 * The two that a heat map shows first: runs must have both, and a map of two by two is none where
 * there is a better one.
 */
export function firstPair(parameters: readonly GroupedParameter[]): readonly [x: number, y: number] {
  const both = (x: GroupedParameter, y: GroupedParameter) =>
    x.codes.reduce((sum, code, i) => sum + (code > 0 && y.codes[i]! > 0 ? 1 : 0), 0);
  for (const groupsMin of [3, 2]) {
    const fit = parameters.flatMap(({ groups }, i) => (groups.length >= groupsMin ? [i] : []));
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
