// Asks: does an indicator without a C timing cost more than twice its nearest relative with one?

import { withFrame } from '../engine/indicators/frame.js';
import { checkValues } from '../test/support/check-values.js';
import { cYardsticks } from './indicators.bench.js';
import { consume, type Sizes, seededBars, type Timing, time } from './measure.js';

const AIM = 2;

export async function run(sizes: Sizes): Promise<Timing[]> {
  const bars = seededBars(sizes.isSmoke ? 2_000 : 1_000_000);
  for (const { assertRight } of checkValues) assertRight();
  const timings = await time(
    bars.barCount,
    checkValues.map(
      ({ series, column }) =>
        [series, () => withFrame(bars, (frame) => consume(frame.column(column)[bars.barCount - 1]))] as const,
    ),
    sizes,
  );
  let missed = 0;
  for (const [i, { name, nsPerBar, yardsticks }] of timings.slice(1).entries()) {
    const { relative } = checkValues[i];
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
