/** Deepest tint of a cell. Text on it keeps a contrast of 4.5 : 1 in both themes. */
const TINT_MAX = 0.7;
const TINT_MIN = 0.06;

/** Tints of the cells of a heat map, shared by the page and its script. */
interface Tints {
  /** The signs that occur among the values. */
  readonly side: 'both' | 'hot' | 'cold';
  /** CSS opacity for a value. */
  of(value: number): string;
  /** CSS position of zero between the ends; meaningful only if both signs occur. */
  readonly zero: string;
}

/** Tints grow from zero outwards if both signs occur, else from the end nearer to zero. */
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
