const decimal = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/**
 * A finite decimal number, or NaN. `Number` alone would also accept hex, an empty cell and numbers
 * too large for a double.
 */
export function parseNumber(cell: string): number {
  if (!decimal.test(cell)) return NaN;
  const value = Number(cell);
  return Number.isFinite(value) ? value : NaN;
}

/** A cell of a column of numbers: a number of any size, or one of the usual signs for no value. */
export const isNumeric = (cell: string): boolean =>
  decimal.test(cell) || /^\s*(?:nan|null|none|na|n\/a|-|[+-]?inf(?:inity)?)?\s*$/i.test(cell);
