/** Room that the name of an upright axis needs. */
const GAP_MIN = 92;
/** Upright axes: room beside the first and the last one, in all. */
const SIDES = 150;
const LEFT = 60;
const TOP = 46;
const BOTTOM = 16;
/** Lying axes: distance between them, and room around them. */
const ROW = 70;
const LYING_TOP = 34;
const LYING_SIDE = 10;

type Point = readonly [x: number, y: number];

/**
 * Where the axes of the parallel coordinates stand: upright on a wide page, lying on a narrow one.
 * In pixels of the box.
 */
export interface Layout {
  readonly isLying: boolean;
  readonly width: number;
  readonly height: number;
  /** Between upright axes. */
  readonly gap: number;
  /** A place on axis number k. */
  pointOf(k: number, place: number): Point;
  /** The place on an axis that a point of the box is nearest to, 0..1. */
  placeAt(x: number, y: number): number;
}

const gapOf = (width: number, axes: number): number => (width - SIDES) / Math.max(1, axes - 1);

export const isLyingAt = (width: number, axes: number): boolean => gapOf(width, axes) < GAP_MIN;

/** Height of a box of lying axes. */
export const lyingHeight = (axes: number): number => 2 * LYING_TOP + (axes - 1) * ROW;

const clamp = (place: number): number => Math.max(0, Math.min(1, place));

export function layoutOf(axes: number, isLying: boolean, width: number, height: number): Layout {
  const gap = gapOf(width, axes);
  const long = isLying ? width - 2 * LYING_SIDE : height - TOP - BOTTOM;
  return {
    isLying,
    width,
    height,
    gap,
    pointOf: (k, place) =>
      isLying ? [LYING_SIDE + place * long, LYING_TOP + k * ROW] : [LEFT + k * gap, TOP + (1 - place) * long],
    placeAt: (x, y) => clamp(isLying ? (x - LYING_SIDE) / long : 1 - (y - TOP) / long),
  };
}

/** Pixels that a sign of a label is wide, about. */
const SIGN_WIDTH = 6.2;
const LABEL_HEIGHT = 14;
const LABEL_GAP = 8;

/** Labels that do not lie on one another: the ends stay, whatever stands between them. */
export function fittingTicks<T extends readonly [place: number, label: string]>(
  ticks: readonly T[],
  { isLying, pointOf }: Pick<Layout, 'isLying' | 'pointOf'>,
): { readonly tick: T; readonly isFirst: boolean; readonly isLast: boolean }[] {
  const last = ticks.length - 1;
  const widthOf = (label: string) => label.length * SIGN_WIDTH;
  const [endX, endY] = pointOf(0, 1);
  const end = isLying ? endX - widthOf(ticks[last][1]) : -endY - LABEL_HEIGHT;
  let taken = Number.NEGATIVE_INFINITY;
  return ticks.flatMap((tick, t) => {
    const [x, y] = pointOf(0, tick[0]);
    const width = widthOf(tick[1]);
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
 * Runs on the same grid would lie on one another: each is moved aside a little, always by as much.
 * From -0.5 to 0.5.
 */
export const aside = (run: number, axis: number): number =>
  ((((run + 1) * 2654435761 + (axis + 1) * 40503) >>> 0) % 1000) / 1000 - 0.5;
