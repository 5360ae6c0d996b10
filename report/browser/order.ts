export type Key = number | string | null;

/**
 * Places of the keys in their order. Null comes last either way, and equal keys keep the order that
 * they came in.
 */
export function orderOf(keys: readonly Key[], isDescending: boolean): number[] {
  const sign = isDescending ? -1 : 1;
  return Array.from(keys.keys()).sort((a, b) => {
    const [x, y] = [keys[a], keys[b]];
    if (x === y) return a - b;
    if (x === null) return 1;
    if (y === null) return -1;
    return x < y ? -sign : sign;
  });
}
