const decimal = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/**
 * A finite decimal number, or NaN. `Number` alone would also accept hex, an empty cell and numbers
 * too large for a double.
 */
export function parseNumber(cell: string): number {
  if (!decimal.test(cell)) return NaN;
  const value = Number(cell);
  return Number.isFinite(value) ? value : NaN;
}

const missing = /^(?:nan|null|none|na|n\/a|#n\/a|-)?$/i;

/** An empty cell, or one of the usual signs for no value. */
export const isMissing = (cell: string): boolean => missing.test(cell.trim());

/** Powers of ten that letters after a number stand for. */
const magnitudes: Readonly<Record<string, number>> = { K: 3, M: 6, B: 9, T: 12 };
const dressed = /^([+-]?)(?:\p{Sc} ?)?([\d.,]+) ?([KMBT]?)(?: ?\p{Sc})?$/iu;

/** A number without a sign of its currency, and the power of ten after it: `$1,234`, `20.58K`. */
function undressed(cell: string): { readonly number: string; readonly exponent: number } | null {
  const [, sign = '', number = '', letter = ''] = dressed.exec(cell.trim()) ?? [];
  return number === '' ? null : { number: sign + number, exponent: magnitudes[letter.toUpperCase()] ?? 0 };
}

/** A cell of a column of numbers: a number of any size, or one of the usual signs for no value. */
export const isNumeric = (cell: string): boolean =>
  decimal.test(cell) || isMissing(cell) || /^\s*[+-]?inf(?:inity)?\s*$/i.test(cell);

/** What divides the whole part of a number from its fraction. */
export type DecimalMark = 'point' | 'comma';

/** A number of a file whose numbers all have the same decimal mark; NaN for any other cell. */
export type ParseCell = (cell: string) => number;

const groupedPoint = /^\s*[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?\s*$/;
const commaDecimal = /^\s*[+-]?(?:(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?\s*$/;

/** A number whose decimal mark is a point, and its text for `Number`; null for any other cell. */
const pointed: Readonly<Record<DecimalMark, (cell: string) => string | null>> = {
  point: (cell) => (decimal.test(cell) ? cell : groupedPoint.test(cell) ? cell.replaceAll(',', '') : null),
  comma: (cell) => (commaDecimal.test(cell) ? cell.replaceAll('.', '').replace(',', '.') : null),
};

const parserWith =
  (mark: DecimalMark): ParseCell =>
  (cell) => {
    const text = pointed[mark](cell);
    if (text !== null) return parseNumber(text);
    const bare = undressed(cell);
    const digits = bare === null ? null : pointed[mark](bare.number);
    return bare === null || digits === null ? NaN : parseNumber(`${digits}e${bare.exponent}`);
  };

/** By decimal mark; the other mark may group thousands. */
export const cellParsers: Readonly<Record<DecimalMark, ParseCell>> = {
  point: parserWith('point'),
  comma: parserWith('comma'),
};

/**
 * The decimal mark that some cells of a file show, or the first cell that leaves it open: `1,234`
 * is a thousand or a little more than one. Cells without a comma are read with a point.
 */
export function findDecimalMark(
  cells: Iterable<string>,
): { readonly mark: DecimalMark } | { readonly unclear: string } {
  let unclear: string | null = null;
  for (const written of cells) {
    const cell = undressed(written)?.number ?? written;
    if (!cell.includes(',')) {
      // A fraction of other than three digits cannot be a group of thousands.
      if (/\.\d/.test(cell) && !/^\s*[+-]?[1-9]\d{0,2}\.\d{3}\s*$/.test(cell) && decimal.test(cell))
        return { mark: 'point' };
    } else if (groupedPoint.test(cell)) {
      if (cell.includes('.') || cell.split(',').length > 2) return { mark: 'point' };
      if (/^\s*[+-]?0,/.test(cell)) return { mark: 'comma' };
      unclear ??= written;
    } else if (commaDecimal.test(cell)) return { mark: 'comma' };
  }
  return unclear === null ? { mark: 'point' } : { unclear };
}
