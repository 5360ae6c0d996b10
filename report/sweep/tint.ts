/** Deepest tint of a cell: text stays at 4.5 : 1 on it in both themes. */
const TINT_MAX = 0.7;
const TINT_MIN = 0.06;

/** How deep the cells of a heat map are tinted, in the page and in its script alike. */
interface Tints {
  /** The signs that occur. */
  readonly side: 'both' | 'hot' | 'cold';
  /** Opacity of a value's tint, as CSS writes it. */
  of(value: number): string;
  /** Where zero lies between the ends; of use where both signs occur. */
  readonly zero: string;
}

/** From zero outwards where both signs occur, else from the end nearer to zero. */
export function tintsOf(low: number, high: number): Tints {
  const side = low < 0 && high > 0 ? 'both' : high <= 0 ? 'cold' : 'hot';
  const near = { both: 0, cold: high, hot: low }[side];
  const far = { both: Math.max(-low, high), cold: low, hot: high }[side];
  return {
    side,
    of(value) {
      const strength = far === near ? 1 : Math.abs((value - near) / (far - near));
      return (TINT_MIN + (TINT_MAX - TINT_MIN) * strength).toFixed(3);
    },
    zero: `${((100 * -low) / (high - low)).toFixed(1)}%`,
  };
}
