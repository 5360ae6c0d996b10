// biome-ignore-all lint/style/noNonNullAssertion: the drawn columns have one length, and every index lies within it
import { barAt } from './downsample.js';
import { type Axis, benchmarkOf, drawdownOf } from './overview.js';
import { packFloats } from './pack.js';
import type { CurveData, CurvesData } from './page-data.js';
import type { TearSheet } from './sheet.js';

type Curve = readonly [name: string, values: Float64Array, unit: string];

/** Points that the script can tell apart on a whole curve. */
const POINTS = 600;

/** The curves over time, by the id of their chart. */
export function curvesData(sheet: TearSheet, axis: Axis): CurvesData {
  const { bars, equity, rollingSharpe, rollingRisk, indicators, asset } = sheet;
  const ofPrice = indicators.filter(({ isPrice }) => isPrice);
  const others = indicators.filter(({ isPrice }) => !isPrice);
  const charts: Readonly<Record<string, readonly Curve[]>> = {
    equity: [
      ['strategy', equity, 'amount'],
      ['buy and hold', benchmarkOf(sheet), 'amount'],
    ],
    drawdown: [['drawdown', drawdownOf(sheet), 'fraction']],
    ...(rollingSharpe === null ? {} : { sharpe: [['Sharpe ratio', rollingSharpe.values, 'ratio']] }),
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
  };
  return {
    startMs: axis.startMs,
    endMs: axis.endMs,
    charts: Object.fromEntries(
      Object.entries(charts).map(([id, curves]) => [id, curves.map((curve) => sampledCurve(curve, axis))]),
    ),
  };
}

/** The value at the close of the last bar up to each of evenly spaced times. */
function sampledCurve([name, values, unit]: Curve, { time, startMs, endMs }: Axis): CurveData {
  const sampled = new Float32Array(POINTS + 1);
  for (let k = 0; k <= POINTS; k++) sampled[k] = values[barAt(time, startMs + ((endMs - startMs) * k) / POINTS)]!;
  return { name, unit, values: packFloats(sampled) };
}
