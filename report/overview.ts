// biome-ignore-all lint/style/noNonNullAssertion: a sheet has bars, and every curve has one value per bar
import { chart, pct, type Stroke } from './chart.js';
import { areaPath, linePath } from './downsample.js';
import { amount, day, lastValue, money, percent, plural } from './format.js';
import { extent, linearBetween, linearScale, type Scale, timeTicks, valueScale } from './scale.js';
import type { TearSheet } from './sheet.js';

/** The time axis that the charts share. */
export interface Axis {
  readonly time: Float64Array;
  readonly startMs: number;
  readonly endMs: number;
}

export const timeAxis = ({ bars }: TearSheet): Axis => ({
  time: bars.time,
  startMs: bars.time[0] ?? 0,
  endMs: bars.time[bars.time.length - 1] ?? 0,
});

/** Account value if the whole balance buys the asset at the first open, without costs. */
export function benchmarkCurve({ bars, initialBalance }: TearSheet): Float64Array {
  const { open, close } = bars;
  const units = initialBalance / open[0]!;
  return close.map((price) => price * units);
}

/** What the benchmark of a sheet is called. */
export const benchmarkLabel = ({ benchmarkName }: TearSheet): string => benchmarkName ?? 'buy and hold';

/** What the account of a sheet is called. */
export const accountLabel = ({ accountName }: TearSheet): string => accountName ?? 'strategy';

/** Drawdown from the highest value so far, initial balance included; 0 or negative. */
export function drawdownCurve({ equity, initialBalance }: TearSheet): Float64Array {
  let peak = initialBalance;
  return equity.map((value) => {
    peak = Math.max(peak, value);
    return value / peak - 1;
  });
}

export const line = (axis: Axis, scale: Scale, values: Float64Array): string =>
  linePath({ ...axis, values, at: scale.at });

const growth = (column: Float64Array, from: number): string => percent(lastValue(column) / from - 1);

export function equityChart(sheet: TearSheet, axis: Axis): string {
  const { equity, initialBalance } = sheet;
  const benchmark = benchmarkCurve(sheet);
  const [own, name] = [accountLabel(sheet), benchmarkLabel(sheet)];
  const scale = valueScale(...extent(equity, benchmark));
  return chart({
    id: 'equity',
    title: `Account value${scale.isLog ? ', log scale' : ''}`,
    alternative: `Line chart of the account value, ${money(initialBalance)} on ${day(axis.startMs)} to ${money(lastValue(equity))} on ${day(axis.endMs)}, ${growth(equity, initialBalance)}; ${name} ${growth(benchmark, initialBalance)}.`,
    legend: [
      { className: 'strategy', text: own },
      { className: 'benchmark', text: `${name}, without costs` },
    ],
    height: 'm',
    xTicks: timeTicks(axis.startMs, axis.endMs),
    yTicks: scale.ticks,
    strokes: [
      { className: 'benchmark', path: line(axis, scale, benchmark) },
      { className: 'strategy', path: line(axis, scale, equity) },
    ],
    isOverTime: true,
    marks: endNotes(scale, lastValue(equity), lastValue(benchmark), { own, name }),
  });
}

export function drawdownChart(sheet: TearSheet, axis: Axis): string {
  const values = drawdownCurve(sheet);
  const [low] = extent(values);
  const scale = linearBetween(Math.min(low * 1.06, -0.001), 0, (value, digits) =>
    percent(value, Math.max(0, digits - 2)),
  );
  const path = line(axis, scale, values);
  const worst = values.indexOf(low);
  return chart({
    id: 'drawdown',
    title: 'Drawdown',
    alternative: `Area chart of the drawdown from the highest account value so far; deepest ${percent(low)} on ${day(axis.time[worst]!)}.`,
    height: 's',
    xTicks: timeTicks(axis.startMs, axis.endMs),
    yTicks: scale.ticks,
    strokes: [
      { className: 'under', path: areaPath(path, scale.at(0)) },
      { className: 'drawdown', path },
    ],
    isOverTime: true,
    baseline: scale.at(0),
  });
}

export function sharpeChart({ rollingSharpe }: TearSheet, axis: Axis): string {
  if (rollingSharpe === null) return '';
  const { values, windowBars } = rollingSharpe;
  const known = values.filter(Number.isFinite);
  if (known.length === 0) return '';
  const [low, high] = extent(known);
  const scale = linearScale(Math.min(low, 0), Math.max(high, 0));
  const strokes: Stroke[] = [{ className: 'strategy', path: line(axis, scale, values) }];
  return chart({
    id: 'sharpe',
    title: `Rolling Sharpe ratio, ${plural(windowBars, 'bar')}`,
    alternative: `Line chart of the annualized Sharpe ratio of the last ${plural(windowBars, 'bar')}: between ${amount(low)} and ${amount(high)}, at the end ${amount(lastValue(known))}.`,
    height: 's',
    xTicks: timeTicks(axis.startMs, axis.endMs),
    yTicks: scale.ticks,
    strokes,
    isOverTime: true,
    baseline: scale.at(0),
  });
}

/**
 * Names the two lines at their ends, so that readers need not match colours. The higher line has
 * its name above it.
 */
function endNotes(
  scale: Scale,
  account: number,
  benchmark: number,
  { own, name }: { readonly own: string; readonly name: string },
): string {
  const note = (className: string, text: string, value: number, isHigher: boolean): string =>
    `<text class="end-note ${className}" x="100%" y="${pct(1 - scale.at(value))}" dy="${isHigher ? '-.9em' : '1.6em'}">${text}</text>`;
  return note('benchmark', name, benchmark, benchmark > account) + note('strategy', own, account, account >= benchmark);
}
