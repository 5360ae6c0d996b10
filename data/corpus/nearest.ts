import type { PartFile } from './files.js';
import type { Ordering, Value } from './query.js';
import type { Zone } from './zones.js';

type Zones = ReadonlyMap<string, Zone | null>;

/**
 * The files with values of the first ordering, sorted by how soon their rows can come next. Files
 * of unknown zone are left out.
 * @param after value of the last row before; undefined to start at the very first row
 */
export function nearestFiles(
  zones: Zones,
  files: readonly PartFile[],
  { isDescending }: Ordering,
  after: Value | undefined,
): PartFile[] {
  const starts = new Map<PartFile, Value>();
  for (const file of files) {
    const zone = zones.get(file.path);
    if (zone === undefined || zone === null) continue;
    const [start, end] = isDescending ? [zone.max, zone.min] : [zone.min, zone.max];
    const isPast = (value: Value): boolean => after !== undefined && (isDescending ? value > after : value < after);
    // biome-ignore lint/style/noNonNullAssertion: isPast is false without a value to go on from
    if (!isPast(end)) starts.set(file, isPast(start) ? after! : start);
  }
  const byStart = (a: PartFile, b: PartFile): number => {
    // biome-ignore lint/style/noNonNullAssertion: every file got its start above
    const [x, y] = [starts.get(a)!, starts.get(b)!];
    if (x === y) return b.rows - a.rows;
    return x < y === isDescending ? 1 : -1;
  };
  return [...starts.keys()].sort(byStart);
}

/**
 * Whether a file can have values between `after` (if given) and `worst`, both included. True for a
 * file of unknown zone.
 */
export function reachedBy(
  zones: Zones,
  { path }: PartFile,
  { isDescending }: Ordering,
  worst: Value,
  after: Value | undefined,
): boolean {
  const zone = zones.get(path);
  if (zone === undefined) return true;
  if (zone === null) return false;
  const { min, max } = zone;
  if (isDescending) return max >= worst && (after === undefined || min <= after);
  return min <= worst && (after === undefined || max >= after);
}
