export type Key = number | string | null;

/**
 * Indices of the keys in sorted order. Null comes last in both directions; equal keys keep their
 * order.
 */
export function sortedIndices(keys: readonly Key[], isDescending: boolean): number[] {
  const sign = isDescending ? -1 : 1;
  return Array.from(keys.keys()).sort((a, b) => {
    const [x, y] = [keys[a], keys[b]];
    if (x === y) return a - b;
    if (x === null) return 1;
    if (y === null) return -1;
    return x < y ? -sign : sign;
  });
}
