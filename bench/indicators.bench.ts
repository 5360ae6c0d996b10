// Asks: what does one indicator column cost, in yardsticks, next to the faster of two C libraries
// and to the npm peers?

import { type Column, close, high } from '../engine/indicators/column.js';
import { MACD } from '../engine/indicators/differences.js';
import { ADX } from '../engine/indicators/directional.js';
import { Frame, withFrame } from '../engine/indicators/frame.js';
import { RSI, STOCHASTIC } from '../engine/indicators/oscillators.js';
import { DEVIATION, MAX, SMA } from '../engine/indicators/rolling.js';
import { EMA } from '../engine/indicators/smoothing.js';
import { ATR, BOLLINGER } from '../engine/indicators/volatility.js';
import * as reference from '../test/reference/indicators.js';
import type { TimedInC } from '../test/support/check-values.js';
import { assertClose, consume, medianMs, type Sizes, seededBars, type Timing, time } from './measure.js';
import { peerBars, technicalIndicators, tradingSignals } from './peers.js';

/**
 * Yardsticks (1.6 ns) that the faster of TA-Lib and Tulip took, measured elsewhere on 1,000,000
 * bars.
 */
export const cYardsticks: Readonly<Record<TimedInC, number>> = {
  'SMA 20': 1.11 / 1.6,
  'EMA 20': 1.9 / 1.6,
  'RSI 14': 4.52 / 1.6,
  'ATR 14': 2.33 / 1.6,
  'MACD 12/26/9': 2.48 / 1.6,
  'Bollinger 20': 4.87 / 1.6, // TA-Lib, as for all deviations: the faster one sums squares
  'Stochastic 14/3/3': 11.9 / 1.6,
  'ADX 14': 7.39 / 1.6,
  'rolling max 20': 4.93 / 1.6,
  'rolling stddev 20': 4.21 / 1.6,
};

interface Case {
  readonly name: TimedInC;
  /** All columns are computed; the peers are compared with the last one. */
  readonly columns: () => readonly Column[];
  /** The first column, computed from its definition window by window. */
  readonly reference: (h: number[], l: number[], c: number[]) => number[];
}

const cases: readonly Case[] = [
  { name: 'SMA 20', columns: () => [SMA(close, 20)], reference: (_h, _l, c) => reference.sma(c, 20) },
  { name: 'EMA 20', columns: () => [EMA(close, 20)], reference: (_h, _l, c) => reference.ema(c, 20) },
  { name: 'RSI 14', columns: () => [RSI(close, 14)], reference: (_h, _l, c) => reference.rsi(c, 14) },
  { name: 'ATR 14', columns: () => [ATR(14)], reference: (h, l, c) => reference.atr(h, l, c, 14) },
  {
    name: 'MACD 12/26/9',
    columns: () => MACD(12, 26, 9),
    reference: (_h, _l, c) => reference.macd(c, 12, 26, 9).line,
  },
  {
    name: 'Bollinger 20',
    columns: () => {
      const { middle, lower, upper } = BOLLINGER(20, 2);
      return [middle, lower, upper];
    },
    reference: (_h, _l, c) => reference.sma(c, 20),
  },
  {
    name: 'Stochastic 14/3/3',
    columns: () => {
      const slow = SMA(STOCHASTIC(14), 3);
      return [slow, SMA(slow, 3)];
    },
    reference: (h, l, c) => reference.sma(reference.stochK(h, l, c, 14), 3),
  },
  {
    name: 'ADX 14',
    columns: () => [ADX(14)[2]],
    reference: (h, l, c) => reference.adx(h, l, c, 14).adx,
  },
  {
    name: 'rolling max 20',
    columns: () => [MAX(high, 20)],
    reference: (h) => reference.rollingMax(h, 20),
  },
  {
    name: 'rolling stddev 20',
    columns: () => [DEVIATION(close, 20, 0)[1]],
    reference: (_h, _l, c) => c.map((_, t) => (t < 19 ? NaN : reference.deviationOf(c.slice(t - 19, t + 1), 0))),
  },
];

const REFERENCE_BARS = 2_000;
const PEER_BARS = 100_000;
/** Peers seed their recursions differently; after this many bars only rounding is left of it. */
const SETTLED_BARS = 1_000;
/** technicalindicators rounds some outputs to two decimals. */
const PEER_TOLERANCE = 0.006;

export async function run(sizes: Sizes): Promise<Timing[]> {
  checkAnswers();
  const peers = racePeers(sizes);
  const bars = seededBars(sizes.isSmoke ? 2_000 : 1_000_000);
  const compute = (columns: readonly Column[], frame: Frame): void => {
    for (const column of columns) consume(frame.column(column)[bars.barCount - 1]);
  };
  const timed = cases.flatMap(({ name, columns }) => {
    const wanted = columns();
    return [
      [name, () => withFrame(bars, (frame) => compute(wanted, frame))] as const,
      [`${name}, kept`, () => compute(wanted, Frame.of(bars))] as const,
    ];
  });
  const timings = await time(bars.barCount, timed, sizes);
  return timings.map((timing) => {
    const { name, nsPerBar, yardsticks } = timing;
    const known = cases.find((one) => one.name === name);
    const line = `${name.padEnd(32)} ${nsPerBar.toFixed(2).padStart(7)} ns/bar ${yardsticks.toFixed(2).padStart(6)} yardsticks`;
    if (known === undefined) {
      console.log(line);
      return timing;
    }
    const peer = peers.get(name)!;
    const ratio = peer.nsPerBar / nsPerBar;
    console.log(
      `${line}   C ${cYardsticks[known.name].toFixed(2)}   ${ratio.toFixed(0)}x ${peer.name} (${peer.nsPerBar.toFixed(0)} ns)`,
    );
    return { ...timing, ratio };
  });
}

function checkAnswers(): void {
  const bars = seededBars(REFERENCE_BARS);
  const frame = Frame.of(bars);
  const [h, l, c] = [bars.high, bars.low, bars.close].map((column) => Array.from(column));
  for (const { name, columns, reference } of cases)
    assertClose(frame.column(columns()[0]), reference(h, l, c), 1e-9, name);
}

/** The best peer of every case, its answer checked against ours. */
function racePeers({ isSmoke }: Sizes): ReadonlyMap<string, { readonly name: string; readonly nsPerBar: number }> {
  const bars = seededBars(isSmoke ? REFERENCE_BARS : PEER_BARS);
  const frame = Frame.of(bars);
  const input = peerBars(bars);
  const best = new Map<string, { name: string; nsPerBar: number }>();
  for (const { name, columns } of cases) {
    const ours = frame.column(columns().at(-1)!);
    for (const [peer, table] of Object.entries({
      'trading-signals': tradingSignals,
      technicalindicators: technicalIndicators,
    })) {
      const compute = table[name];
      if (compute === undefined) continue;
      assertClose(ours, compute(input), PEER_TOLERANCE, `${name}, ${peer}`, SETTLED_BARS);
      const nsPerBar = (medianMs(isSmoke ? 1 : 5, () => consume(compute(input).length)) * 1e6) / bars.barCount;
      if (nsPerBar < (best.get(name)?.nsPerBar ?? Infinity)) best.set(name, { name: peer, nsPerBar });
    }
  }
  return best;
}
