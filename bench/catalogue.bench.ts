// Asks: does an indicator without a C timing cost more than twice its nearest relative with one?

import { withFrame } from '../engine/indicators/frame.js';
import { checkValues } from '../test/support/check-values.js';
import { cYardsticks } from './indicators.bench.js';
import { consume, type Sizes, seededBars, type Timing, time } from './measure.js';

/**
 * The series of the check values by their nearest relative: an indicator that reads its bars in the
 * same way and as often.
 */
const relatives: Readonly<Record<keyof typeof cYardsticks, readonly string[]>> = {
  'SMA 20': ['SMA', 'TRIMA', 'ROC', 'DPO', 'BOP', 'KC upper original'],
  'EMA 20': ['EMA', 'RMA', 'alligator jaw', 'DEMA', 'Force', 'NVI', 'NVI line', 'HA close', 'HA open', 'OBV', 'VPT'],
  // one recursion or sum for gains and one for losses
  'RSI 14': ['RSI', 'CMO', 'TSI', 'KAMA', 'MFI'],
  'ATR 14': ['ATR', 'NATR', 'KC upper', 'SuperTrend dir', 'ATR-stop dir', 'EOM', 'ADI'],
  // three averages, one of another
  'MACD 12/26/9': [
    ...['MACD', 'MACD signal', 'PPO', 'PPO signal', 'PVO', 'TEMA', 'TRIX', 'T3'],
    ...['AO', 'ADOSC', 'KVO', 'KVO signal', 'Mass index'],
  ],
  'Bollinger 20': ['BB upper', 'BB width', 'volatility stop upper', 'Ulcer', 'CCI'],
  'Stochastic 14/3/3': ['%K', 'WR', 'StochRSI', 'STC', 'UO', 'KST', 'KST signal'],
  'ADX 14': ['ADX', '+DI', '-DI', 'VI+', 'VI-', 'SAR', 'MAMA', 'FAMA'],
  'rolling max 20': [
    ...['Aroon up', 'Aroon down', 'tenkan', 'span_a', 'span_b', 'Donchian U', 'high_offset', 'low_offset'],
    'squeeze momentum',
  ],
  // two sums over the same window
  'rolling stddev 20': ['WMA', 'EPMA', 'HMA', 'ALMA', 'VWMA', 'VWAP', 'CMF'],
};

const AIM = 2;

export async function run(sizes: Sizes): Promise<Timing[]> {
  const bars = seededBars(sizes.isSmoke ? 2_000 : 1_000_000);
  for (const { assertRight } of checkValues) assertRight();
  const relativeOf = new Map(Object.entries(relatives).flatMap(([name, all]) => all.map((series) => [series, name])));
  const timings = await time(
    bars.barCount,
    checkValues.map(({ series, column }) => {
      if (!relativeOf.has(series)) throw new Error(`${series} has no relative`);
      return [series, () => withFrame(bars, (frame) => consume(frame.column(column)[bars.barCount - 1]))] as const;
    }),
    sizes,
  );
  let missed = 0;
  for (const { name, nsPerBar, yardsticks } of timings.slice(1)) {
    const relative = relativeOf.get(name) as keyof typeof cYardsticks;
    const ratio = yardsticks / cYardsticks[relative];
    if (ratio > AIM) missed++;
    console.log(
      `${name.padEnd(24)} ${nsPerBar.toFixed(2).padStart(7)} ns/bar ${yardsticks.toFixed(2).padStart(6)} yardsticks ` +
        `${ratio.toFixed(2).padStart(6)}x ${relative} in C${ratio > AIM ? '   over' : ''}`,
    );
  }
  console.log(`${timings.length - 1 - missed} of ${timings.length - 1} within ${AIM}x of their relative`);
  return timings;
}
