// biome-ignore-all lint/style/noNonNullAssertion: the drawn columns have one length, and every index lies within it
import { barAt } from './downsample.js';
import { type Axis, accountLabel, benchmarkCurve, benchmarkLabel, drawdownCurve } from './overview.js';
import type { CurveData, CurvesData } from './page-data.js';
import { percentileFan } from './risk.js';
import type { TearSheet } from './sheet.js';
import { closedProfit, hasSides } from './sides.js';

type Curve = readonly [name: string, values: Float64Array, unit: string];

/** Points that the script can tell apart on a whole curve. */
const POINTS = 600;

/** The curves of an account, by the id of their chart. */
export const accountCharts = (sheet: TearSheet): Readonly<Record<string, readonly Curve[]>> => ({
  equity: [
    [accountLabel(sheet), sheet.equity, 'amount'],
    [benchmarkLabel(sheet), benchmarkCurve(sheet), 'amount'],
  ],
  drawdown: [['drawdown', drawdownCurve(sheet), 'fraction']],
  ...(sheet.rollingSharpe === null ? {} : { sharpe: [['Sharpe ratio', sheet.rollingSharpe.values, 'ratio']] }),
});

/** The curves of a tear sheet, by the id of their chart. */
export function curvesData(sheet: TearSheet, axis: Axis): CurvesData {
  const { bars, rollingRisk, indicators, asset } = sheet;
  const ofPrice = indicators.filter(({ isPrice }) => isPrice);
  const others = indicators.filter(({ isPrice }) => !isPrice);
  const charts: Readonly<Record<string, readonly Curve[]>> = {
    ...accountCharts(sheet),
    ...(rollingRisk === null
      ? {}
      : {
          volatility: [['volatility', rollingRisk.volatility, 'fraction']],
          beta: [['beta', rollingRisk.beta, 'ratio']],
        }),
    price: [[asset, bars.close, 'amount'], ...ofPrice.map(({ name, values }): Curve => [name, values, 'amount'])],
    ...Object.fromEntries(
      others.map(({ name, values }, i): [string, Curve[]] => [`indicator-${i + 1}`, [[name, values, 'ratio']]]),
    ),
    lane: [],
    'lane-short': [],
    ...(hasSides(sheet) ? { 'profit-by-side': profitBySide(sheet) } : {}),
  };
  const overTime = Object.entries(charts).map(([id, curves]) => [id, curves.map((curve) => sampled(curve, axis))]);
  const fan = percentileFan(sheet);
  if (fan === null) return { ...pickSpan(axis), charts: Object.fromEntries(overTime), ofParts: [] };
  const { axis: parts, low, middle, high } = fan;
  const courses: readonly Curve[] = [
    ['5th percentile', low, 'amount'],
    ['median', middle, 'amount'],
    ['95th', high, 'amount'],
  ];
  const ofFan = ['fan', courses.map((curve) => sampled(curve, parts))];
  return { ...pickSpan(axis), charts: Object.fromEntries([...overTime, ofFan]), ofParts: ['fan'] };
}

const profitBySide = (sheet: TearSheet): Curve[] =>
  (['long', 'short'] as const).map((side) => [side, closedProfit(sheet, side), 'amount']);

/** Curves over one time axis, by the id of their chart. */
export const chartsData = (axis: Axis, charts: Readonly<Record<string, readonly Curve[]>>): CurvesData => ({
  ...pickSpan(axis),
  charts: Object.fromEntries(
    Object.entries(charts).map(([id, curves]) => [id, curves.map((one) => sampled(one, axis))]),
  ),
  ofParts: [],
});

/** The growth of several runs in the chart `id`; a run has no value outside its own time. */
export function growthData(id: string, span: Span, runs: readonly GrowthCurve[]): CurvesData {
  const curves = runs.map(({ name, time, growth }) => sampled([name, growth, 'ratio'], { time, ...span }));
  return { ...pickSpan(span), charts: { [id]: curves }, ofParts: [] };
}

interface GrowthCurve {
  readonly name: string;
  readonly time: Float64Array;
  readonly growth: Float64Array;
}

type Span = Omit<Axis, 'time'>;

const pickSpan = ({ startMs, endMs }: Span): Span => ({ startMs, endMs });

/** The value at the close of the last bar up to each of evenly spaced times. */
function sampled([name, values, unit]: Curve, { time, startMs, endMs }: Axis): CurveData {
  const points = new Float32Array(POINTS + 1);
  for (let k = 0; k <= POINTS; k++) {
    const ms = startMs + ((endMs - startMs) * k) / POINTS;
    points[k] = ms < time[0]! || ms > time[time.length - 1]! ? Number.NaN : values[barAt(time, ms)]!;
  }
  return { name, unit, values: packFloats(points) };
}

/** Bytes of a column in base64, for the script of a page. */
const packFloats = (column: Float32Array): string =>
  Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString('base64');
