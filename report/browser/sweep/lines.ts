import { type Axis, isKept, type Limits } from './axes.js';
import { aside, type Layout } from './layout.js';

/** Number of runs outside the limits, about, that are drawn as a pale veil. */
const VEIL = 1_000;

export interface Shown {
  /** Runs that have a value of the metric. */
  readonly known: readonly number[];
  /**
   * Runs within the limits, worst first; only the best of them if the reader asked for a top
   * number.
   */
  readonly kept: readonly number[];
}

/**
 * @param order runs, worst first
 * @param top number of runs to show; 0 shows all
 */
export function chooseShown(
  order: readonly number[],
  values: Float32Array,
  axes: readonly Axis[],
  limits: Limits,
  top: number,
): Shown {
  const known = order.filter((run) => Number.isFinite(values[run]));
  const kept = known.filter((run) => isKept(run, axes, limits));
  return { known, kept: top === 0 ? kept : kept.slice(-top) };
}

/** Draws a line per run, better runs on top. The best tenth, at most ten runs, stands out. */
export function drawLines(
  paint: CanvasRenderingContext2D,
  { known, kept }: Shown,
  values: Float32Array,
  axes: readonly Axis[],
  { at, quiet }: Colours,
  { width, height, pointAt }: Layout,
): void {
  paint.clearRect(0, 0, width, height);
  const stroke = (run: number, colour: string, thickness: number, alpha: number): void => {
    paint.strokeStyle = colour;
    paint.lineWidth = thickness;
    paint.globalAlpha = alpha;
    paint.beginPath();
    for (const [k, axis] of axes.entries()) {
      const shift = axis.step === 0 ? 0 : aside(run, k) * Math.min(0.08, axis.step * 0.7);
      const [x, y] = pointAt(k, Math.min(1, Math.max(0, axis.placeOf(run) + shift)));
      if (k === 0) paint.moveTo(x, y);
      else paint.lineTo(x, y);
    }
    paint.stroke();
  };
  if (kept.length < known.length) {
    const stride = Math.ceil(known.length / VEIL);
    for (let k = 0; k < known.length; k += stride) stroke(known[k], quiet, 1, 0.08);
  }
  const alpha = Math.max(0.03, Math.min(0.75, 220 / kept.length));
  for (const run of kept) stroke(run, at(values[run]), 1, alpha);
  for (const run of kept.slice(-Math.min(10, Math.ceil(kept.length / 10)))) stroke(run, at(values[run]), 2.2, 1);
  paint.globalAlpha = 1;
}

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
