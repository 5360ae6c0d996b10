// Asks: what does one indicator column cost, in yardsticks, next to the faster of two C libraries?

import { type Column, close, high } from '../engine/indicators/column.js';
import { ADX } from '../engine/indicators/directional.js';
import { Frame } from '../engine/indicators/frame.js';
import { MACD, RSI, STOCHASTIC } from '../engine/indicators/oscillators.js';
import { DEVIATION, MAX, SMA } from '../engine/indicators/rolling.js';
import { EMA } from '../engine/indicators/smoothing.js';
import { ATR, BOLLINGER } from '../engine/indicators/volatility.js';
import * as reference from '../test/reference/indicators.js';
import { assertClose, consume, type Sizes, seededBars, type Timing, time } from './measure.js';

/** `c` is the faster of TA-Lib and Tulip in yardsticks (1.6 ns), measured elsewhere on 1,000,000 bars. */
interface Case {
  readonly name: string;
  readonly columns: () => readonly Column[];
  readonly reference: (h: number[], l: number[], c: number[]) => number[];
  readonly c: number;
}

const cases: readonly Case[] = [
  { name: 'SMA 20', columns: () => [SMA(close, 20)], reference: (_h, _l, c) => reference.sma(c, 20), c: 1.11 / 1.6 },
  { name: 'EMA 20', columns: () => [EMA(close, 20)], reference: (_h, _l, c) => reference.ema(c, 20), c: 1.9 / 1.6 },
  { name: 'RSI 14', columns: () => [RSI(close, 14)], reference: (_h, _l, c) => reference.rsi(c, 14), c: 4.52 / 1.6 },
  { name: 'ATR 14', columns: () => [ATR(14)], reference: (h, l, c) => reference.atr(h, l, c, 14), c: 2.33 / 1.6 },
  {
    name: 'MACD 12/26/9',
    columns: () => MACD(12, 26, 9),
    reference: (_h, _l, c) => reference.macd(c, 12, 26, 9).line,
    c: 2.48 / 1.6,
  },
  {
    name: 'Bollinger 20',
    columns: () => Object.values(BOLLINGER(20, 2)).slice(0, 3),
    reference: (_h, _l, c) => reference.sma(c, 20),
    c: 1.72 / 1.6,
  },
  {
    name: 'Stochastic %K 14',
    columns: () => [STOCHASTIC(14)],
    reference: (h, l, c) => reference.stochK(h, l, c, 14),
    c: 11.9 / 1.6,
  },
  {
    name: 'ADX 14',
    columns: () => [ADX(14)[2]],
    reference: (h, l, c) => reference.adx(h, l, c, 14).adx,
    c: 7.39 / 1.6,
  },
  {
    name: 'rolling max 20',
    columns: () => [MAX(high, 20)],
    reference: (h) => reference.rollingMax(h, 20),
    c: 4.93 / 1.6,
  },
  {
    name: 'rolling stddev 20',
    columns: () => [DEVIATION(close, 20, 0)[1]],
    reference: (_h, _l, c) => c.map((_, t) => (t < 19 ? NaN : reference.deviationOf(c.slice(t - 19, t + 1), 0))),
    c: 4.21 / 1.6,
  },
];

const REFERENCE_BARS = 2_000;

export async function run(sizes: Sizes): Promise<Timing[]> {
  checkAnswers();
  const bars = seededBars(sizes.isSmoke ? 2_000 : 1_000_000);
  const timed = cases.map(({ name, columns }) => {
    const compute = () => {
      const frame = Frame.of(bars); // a new frame computes everything again
      for (const column of columns()) consume(frame.column(column)[bars.barCount - 1]);
    };
    return [name, compute] as const;
  });
  const timings = await time(bars.barCount, timed, sizes);
  const known = new Map(cases.map(({ name, c }) => [name, c]));
  for (const { name, nsPerBar, yardsticks } of timings) {
    const peer = known.get(name);
    const comparison =
      peer === undefined ? '' : `   C library ${peer.toFixed(2)}   ratio ${(yardsticks / peer).toFixed(2)}`;
    console.log(
      `${name.padEnd(18)} ${nsPerBar.toFixed(2).padStart(7)} ns/bar ${yardsticks.toFixed(2).padStart(6)} yardsticks${comparison}`,
    );
  }
  return timings;
}

function checkAnswers(): void {
  const bars = seededBars(REFERENCE_BARS);
  const frame = Frame.of(bars);
  const [h, l, c] = [bars.high, bars.low, bars.close].map((column) => Array.from(column));
  for (const { name, columns, reference } of cases)
    assertClose(frame.column(columns()[0]), reference(h, l, c), 1e-9, name);
}
