import uPlot from 'uplot';
import { thinCurve } from './buckets.js';
import { type Colours, faded, onTheme, onWidth, readColours } from './colours.js';

interface Curve {
  readonly label: string;
  readonly colour: keyof Colours;
  readonly values: ArrayLike<number>;
  /** Fills the area between the curve and zero. */
  readonly isFilled?: boolean;
}

interface CurveChart {
  setLogarithmic(isLogarithmic: boolean): void;
  /** @param timesMs one for each value of every curve, ascending */
  show(timesMs: ArrayLike<number>, curves: readonly Curve[]): void;
  dispose(): void;
}

interface CurveChartOptions {
  readonly height: number;
  /** Charts with the same key show one cursor. */
  readonly cursorKey?: string;
  /** Values in the legend and on the axis. */
  readonly format: (value: number) => string;
}

/**
 * Curves over time. A drag zooms, a double click shows all. Each pixel of the width gets the lowest
 * and the highest value that it covers, so millions of points cost as little as thousands.
 */
export function createCurveChart(host: HTMLElement, options: CurveChartOptions): CurveChart {
  let plot: uPlot | null = null;
  let shown: { readonly timesMs: ArrayLike<number>; readonly curves: readonly Curve[] } | null = null;
  let width = Math.max(50, Math.floor(host.clientWidth));
  let range: readonly [number, number] | null = null;
  let isLogarithmic = false;

  const data = (): uPlot.AlignedData => {
    if (shown === null) return [[]];
    const { timesMs, curves } = shown;
    const [from, to] = range === null ? [0, timesMs.length] : indexRange(timesMs, range);
    const thinned = curves.map(({ values }) => thinCurve(timesMs, values, [from, to], width));
    if (to - from <= 2 * width) {
      return [(thinned[0]?.[0] ?? []).map((ms) => ms / 1000), ...thinned.map(([, y]) => y)];
    }
    return uPlot.join(thinned.map(([x, y]) => [x.map((ms) => ms / 1000), y] as uPlot.AlignedData));
  };
  const rebuild = (): void => {
    plot?.destroy();
    plot =
      shown === null
        ? null
        : new uPlot(plotOptions(host, { ...options, width, isLogarithmic }, shown.curves, zoom), data(), host);
  };
  const zoom = (next: readonly [number, number] | null): void => {
    range = next;
    plot?.setData(data(), next === null);
  };
  const endTheme = onTheme(rebuild);
  const endWidth = onWidth(host, (next) => {
    width = next;
    plot?.setSize({ width, height: options.height });
    plot?.setData(data(), range === null);
  });
  return {
    setLogarithmic(next) {
      if (next === isLogarithmic) return;
      isLogarithmic = next;
      rebuild();
    },
    show(timesMs, curves) {
      const isSame = shown !== null && plot !== null && sameLabels(shown.curves, curves);
      const isSameTime = shown?.timesMs.length === timesMs.length && shown.timesMs[0] === timesMs[0];
      shown = { timesMs, curves };
      if (!isSameTime) range = null;
      if (isSame) plot?.setData(data(), range === null);
      else rebuild();
    },
    dispose() {
      endTheme();
      endWidth();
      plot?.destroy();
    },
  };
}

const sameLabels = (a: readonly Curve[], b: readonly Curve[]): boolean =>
  a.length === b.length && a.every(({ label }, i) => label === b[i]?.label);

function plotOptions(
  host: HTMLElement,
  {
    width,
    height,
    cursorKey,
    isLogarithmic,
    format,
  }: CurveChartOptions & { readonly width: number; readonly isLogarithmic: boolean },
  curves: readonly Curve[],
  onZoom: (range: readonly [number, number] | null) => void,
): uPlot.Options {
  const colours = readColours(host);
  const axis = {
    stroke: colours.quiet,
    grid: { stroke: faded(colours.line, 0.5), width: 1 },
    ticks: { stroke: colours.line },
  };
  return {
    ...{ width, height },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    cursor: { drag: { x: true, y: false }, ...(cursorKey !== undefined && { sync: { key: cursorKey } }) },
    scales: { y: { distr: isLogarithmic ? 3 : 1 } },
    axes: [
      axis,
      { ...axis, size: 76, values: (_, splits) => splits.map((value) => (value === null ? '' : format(value))) },
    ],
    series: [
      { label: 'UTC', value: '{YYYY}-{MM}-{DD} {HH}:{mm}' },
      ...curves.map(({ label, colour, isFilled }) => ({
        ...{ label, stroke: colours[colour], width: 1.5, points: { show: false }, spanGaps: true },
        ...(isFilled === true && { fill: faded(colours[colour], 0.15) }),
        value: (_: uPlot, value: number | null) => (value === null ? '–' : format(value)),
      })),
    ],
    hooks: {
      setSelect: [
        (plot) => {
          if (plot.select.width < 3) return;
          const from = plot.posToVal(plot.select.left, 'x') * 1000;
          onZoom([from, plot.posToVal(plot.select.left + plot.select.width, 'x') * 1000]);
        },
      ],
      ready: [(plot) => plot.over.addEventListener('dblclick', () => onZoom(null))],
    },
  };
}

/** Indices that cover a range of times, with one point beyond it on either side. */
function indexRange(timesMs: ArrayLike<number>, [fromMs, toMs]: readonly [number, number]): readonly [number, number] {
  const first = (ms: number): number => {
    let [low, high] = [0, timesMs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((timesMs[middle] ?? 0) < ms) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return [Math.max(0, first(fromMs) - 1), Math.min(timesMs.length, first(toMs) + 2)];
}
