/** Minimum distance between upright axes, so that their names fit. */
const GAP_MIN = 92;
/** Upright axes: total room left of the first and right of the last. */
const SIDES = 150;
const LEFT = 60;
const TOP = 46;
const BOTTOM = 16;
/** Lying axes: distance between axes, and room around them. */
const ROW = 70;
const LYING_TOP = 34;
const LYING_SIDE = 10;

type Point = readonly [x: number, y: number];

/** Positions of the axes, in pixels of the box: upright on a wide page, lying on a narrow one. */
export interface Layout {
  readonly isLying: boolean;
  readonly width: number;
  readonly height: number;
  /** Distance between upright axes. */
  readonly gap: number;
  /** The point at a place on axis number k. */
  pointAt(k: number, place: number): Point;
  /** The place, 0..1, on an axis that is nearest to a point of the box. */
  placeAt(x: number, y: number): number;
}

const axisGap = (width: number, axes: number): number => (width - SIDES) / Math.max(1, axes - 1);

export const isLyingAt = (width: number, axes: number): boolean => axisGap(width, axes) < GAP_MIN;

/** Height of a box that holds lying axes. */
export const lyingHeight = (axes: number): number => 2 * LYING_TOP + (axes - 1) * ROW;

const clamp = (place: number): number => Math.max(0, Math.min(1, place));

export function arrangeAxes(axes: number, isLying: boolean, width: number, height: number): Layout {
  const gap = axisGap(width, axes);
  const long = isLying ? width - 2 * LYING_SIDE : height - TOP - BOTTOM;
  return {
    isLying,
    width,
    height,
    gap,
    pointAt: (k, place) =>
      isLying ? [LYING_SIDE + place * long, LYING_TOP + k * ROW] : [LEFT + k * gap, TOP + (1 - place) * long],
    placeAt: (x, y) => clamp(isLying ? (x - LYING_SIDE) / long : 1 - (y - TOP) / long),
  };
}

/** Approximate pixel width of one character of a label. */
const SIGN_WIDTH = 6.2;
const LABEL_HEIGHT = 14;
const LABEL_GAP = 8;

/**
 * The ticks whose labels do not overlap; the first keeps its label, and so does the last where
 * possible.
 */
export function fittingTicks<T extends readonly [place: number, label: string]>(
  ticks: readonly T[],
  { isLying, pointAt }: Pick<Layout, 'isLying' | 'pointAt'>,
): { readonly tick: T; readonly isFirst: boolean; readonly isLast: boolean }[] {
  const last = ticks.length - 1;
  const labelWidth = (label: string) => label.length * SIGN_WIDTH;
  const [endX, endY] = pointAt(0, 1);
  const end = isLying ? endX - labelWidth(ticks[last][1]) : -endY - LABEL_HEIGHT;
  let taken = Number.NEGATIVE_INFINITY;
  return ticks.flatMap((tick, t) => {
    const [x, y] = pointAt(0, tick[0]);
    const width = labelWidth(tick[1]);
    const [isFirst, isLast] = [t === 0, t === last];
    const from = isLying ? x - (isFirst ? 0 : isLast ? width : width / 2) : -y;
    const length = isLying ? width + LABEL_GAP : LABEL_HEIGHT;
    if (!isFirst && !isLast && (from < taken || from + length > end)) return [];
    if (isLast && !isFirst && !isLying && from < taken - 4) return [];
    taken = from + length;
    return [{ tick, isFirst, isLast }];
  });
}

/**
 * Moves a run aside by -0.5..0.5, so that runs on the same grid point do not overlap. The shift
 * depends only on run and axis.
 */
export const aside = (run: number, axis: number): number =>
  ((((run + 1) * 2654435761 + (axis + 1) * 40503) >>> 0) % 1000) / 1000 - 0.5;
