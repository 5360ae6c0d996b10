import { numberLabel } from '../../format.js';
import type { MetricData, ParameterData, SweepData } from '../../page-data.js';
import { niceStep } from '../../scale.js';
import { metricForm } from '../../sweep/picture.js';
import { around, unpack } from '../page.js';

type Tick = readonly [place: number, label: string];

/**
 * An axis of the parallel coordinates. A place on it runs from 0 at the low end to 1 at the high
 * end.
 */
export interface Axis {
  readonly name: string;
  placeOf(run: number): number;
  readonly ticks: readonly Tick[];
  /** Values that the selection lists offer as limits. */
  readonly offered: readonly Tick[];
  /** Distance between neighbouring values; 0 on a continuous axis. */
  readonly step: number;
}

/** The axis of the metric stands last and colours the lines. */
export interface MetricAxis extends Axis {
  /** Values at the two ends. */
  readonly low: number;
  readonly high: number;
}

/** About how many values a list offers between the two ends. */
const OFFERED = 20;
const TICKS = 4;
/** Share of an axis kept below its lowest value for runs that lack the parameter. */
const GAP = 0.1;

/** The two ends and the round values between them. */
function valuesBetween(low: number, high: number, parts: number): number[] {
  const step = niceStep(high - low || 1, parts);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  const round = Array.from({ length: Math.max(0, count) }, (_, k) => (first + k) * step);
  return [low, ...round.filter((value) => value > low && value < high), high];
}

/** A run that lacks the parameter lies below the lowest value. */
export function parameterAxis(parameter: Parameter): Axis {
  return parameter.isContinuous ? continuousAxis(parameter) : slotAxis(parameter);
}

function continuousAxis({ name, values, codes }: Parameter): Axis {
  const low = values[0];
  const high = values[values.length - 1];
  const hasGaps = codes.includes(0);
  const lift = hasGaps ? GAP : 0;
  const at = (value: number) => lift + (1 - lift) * ((value - low) / (high - low || 1));
  const list = (parts: number) => valuesBetween(low, high, parts).map((value): Tick => [at(value), numberLabel(value)]);
  return {
    name,
    placeOf: (run) => (codes[run] === 0 ? 0 : at(values[codes[run] - 1])),
    ticks: hasGaps ? [[0, 'not used'], ...list(TICKS)] : list(TICKS),
    offered: list(OFFERED),
    step: 0,
  };
}

function slotAxis(parameter: Parameter): Axis {
  const { name, labels, codes } = parameter;
  const shift = codes.includes(0) ? 1 : 0;
  const slots = shift === 1 ? ['not used', ...labels] : labels;
  const last = Math.max(1, slots.length - 1);
  const ticks = slots.map((label, k): Tick => [slots.length === 1 ? 0.5 : k / last, label]);
  const placeOf = (run: number) => ticks[valueGroup(parameter, run) + shift][0];
  return { name, placeOf, ticks, offered: ticks, step: 1 / last };
}

/** From this number of runs on, a few outliers do not stretch the axis. */
const MANY = 2_000;

/**
 * With many runs the ends are percentiles, so that a single outlier does not squeeze all other runs
 * together. Values beyond an end are drawn at the end.
 */
export function metricAxis({ title, values, kind }: Metric): MetricAxis {
  const sorted = values.filter(Number.isFinite).sort();
  const at = (q: number) => sorted[Math.round(q * (sorted.length - 1))] ?? 0;
  let [low, high] = [at(0.005), at(0.995)];
  if (sorted.length < MANY) [low, high] = [at(0), at(1)];
  else if (at(1) < high + (high - low)) high = at(1);
  const place = (value: number) => Math.min(1, Math.max(0, (value - low) / (high - low || 1)));
  const list = (parts: number) =>
    valuesBetween(low, high, parts).map((value): Tick => [place(value), metricForm(value, kind)]);
  return {
    name: title,
    low,
    high,
    placeOf: (run) => (Number.isFinite(values[run]) ? place(values[run]) : 0),
    ticks: list(TICKS),
    offered: list(OFFERED),
    step: 0,
  };
}

/** Places on the axes between which a run must lie, by name of the axis. */
export type Limits = ReadonlyMap<string, readonly [low: number, high: number]>;

/** Tolerance for rounding: two computations of the same place differ by less. */
const SLACK = 1e-6;

const isBetween = (place: number, [low, high]: readonly [number, number]): boolean =>
  place >= low - SLACK && place <= high + SLACK;

export const isKept = (run: number, axes: readonly Axis[], limits: Limits): boolean =>
  axes.every(({ name, placeOf }) => {
    const limit = limits.get(name);
    return limit === undefined || isBetween(placeOf(run), limit);
  });

/** Describes each limit, such as `reward_factor 2 to 3`. */
export function limitWords(axes: readonly Axis[], limits: Limits): string[] {
  return axes.flatMap(({ name, offered }) => {
    const limit = limits.get(name);
    if (limit === undefined) return [];
    const inside = offered.filter(([place]) => isBetween(place, limit)).map(([, label]) => label);
    if (inside.length === 0) return [`${name} between two values`];
    return [`${name} ${inside.length === 1 ? inside[0] : `${inside[0]} to ${inside[inside.length - 1]}`}`];
  });
}

/** Index of the offered value nearest to a place on the axis; the first one on a tie. */
export function nearestOffered({ offered }: Axis, place: number): number {
  const distance = (k: number) => Math.abs(offered[k][0] - place);
  return offered.reduce((best, _, k) => (distance(k) < distance(best) ? k : best), 0);
}

/** A drag shorter than this share of an axis counts as a click. */
const CLICK_MAX = 0.015;

interface Brushed {
  axis(k: number): Axis;
  /** Place on an axis under the pointer, 0..1. */
  placeAt(event: PointerEvent): number;
  started(axis: Axis): void;
  /** Sets the limits of an axis; null removes them. */
  limit(axis: Axis, limit: readonly [low: number, high: number] | null): void;
  ended(): void;
}

/**
 * Dragging along an axis keeps the runs between the two ends of the drag; a click removes the
 * limits.
 */
export function startBrush(layer: HTMLElement, { axis: axisOf, placeAt, started, limit, ended }: Brushed): void {
  layer.addEventListener('pointerdown', (event) => {
    const grip = around(event, '[data-grip]');
    if (grip === null) return;
    const axis = axisOf(Number(grip.dataset.grip));
    const start = placeAt(event);
    const drag = (move: PointerEvent): void => {
      const place = placeAt(move);
      const slack = axis.step * 0.1; // also keeps a value right beside the start of the drag
      limit(axis, [Math.max(0, Math.min(start, place) - slack), Math.min(1, Math.max(start, place) + slack)]);
    };
    const end = (up: PointerEvent): void => {
      document.removeEventListener('pointermove', drag);
      document.removeEventListener('pointerup', end);
      if (Math.abs(placeAt(up) - start) < CLICK_MAX) limit(axis, null);
      ended();
    };
    started(axis);
    event.preventDefault();
    document.addEventListener('pointermove', drag);
    document.addEventListener('pointerup', end);
  });
}

/** The runs of the page, by column. */
export interface SweepRuns {
  /** Number of each run in the sweep. */
  readonly runs: Uint32Array;
  /** By run: 1 for one with too few trades to lead. */
  readonly isFew: Uint8Array;
  readonly axesMax: number;
  readonly metrics: readonly Metric[];
  readonly parameters: readonly Parameter[];
}

export type Metric = Omit<MetricData, 'values'> & { readonly values: Float32Array };
export type Parameter = Omit<ParameterData, 'codes'> & { readonly codes: Uint8Array | Uint16Array };

export const readSweep = ({ runs, isFew, axesMax, metrics, parameters }: SweepData): SweepRuns => ({
  runs: new Uint32Array(unpack(runs).buffer),
  isFew: unpack(isFew),
  axesMax,
  metrics: metrics.map((metric) => ({ ...metric, values: new Float32Array(unpack(metric.values).buffer) })),
  parameters: parameters.map((parameter) => {
    const bytes = unpack(parameter.codes);
    return { ...parameter, codes: parameter.isWide ? new Uint16Array(bytes.buffer) : bytes };
  }),
});

/** The value group of a run; -1 if the run lacks the parameter. */
export const valueGroup = ({ codes, groupOf: groups }: Pick<Parameter, 'codes' | 'groupOf'>, i: number): number =>
  codes[i] === 0 ? -1 : groups[codes[i] - 1];
