type Rgb = readonly number[];

export interface Colours {
  /** Colour of a run, by its metric. */
  at(value: number): string;
  /** The values at the two ends of the scale, the better one last where all have one sign. */
  readonly ends: readonly [from: number, to: number];
  /** Colour of runs outside the limits. */
  readonly quiet: string;
}

const SHADES = 12;

const mix = (from: Rgb, to: Rgb, share: number): string =>
  `rgb(${from.map((value, i) => Math.round(value + (to[i] - value) * share)).join(' ')})`;

/**
 * From orange through grey to blue. Where both signs occur, grey is at zero; elsewhere the better
 * end is blue.
 */
export function colourScale(hot: Rgb, cold: Rgb, quiet: Rgb, low: number, high: number, isLowBetter: boolean): Colours {
  const isBoth = low < 0 && high > 0;
  const reach = Math.max(-low, high);
  const [from, to] = isLowBetter && !isBoth ? [high, low] : [low, high];
  return {
    ends: [from, to],
    at(value) {
      const raw = isBoth ? value / reach : (value - from) / (to - from || 1);
      const strength = Math.max(isBoth ? -1 : 0, Math.min(1, raw));
      return mix(quiet, strength < 0 ? cold : hot, Math.round(Math.abs(strength) * SHADES) / SHADES);
    },
    quiet: mix(quiet, quiet, 0),
  };
}
