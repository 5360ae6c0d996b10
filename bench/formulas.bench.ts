// Asks: what does a formula cost next to the built-in signal that it spells out, columns included?
import assert from 'node:assert/strict';
import { resolveParams, withFrame } from '../engine/indicators/index.js';
import { requireSignal, signalMask } from '../engine/signals/index.js';
import { formulaParams, formulasOfSignals } from '../test/support/formulas.js';
import { randomParams } from '../test/support/params.js';
import { seededRandom } from '../test/support/random.js';
import { consume, medianOf, type Sizes, seededBars, type Timing, yardstickMs } from './measure.js';

const RATIO_MAX = 1.2;

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const bars = seededBars(isSmoke ? 2_000 : 200_000);
  const rounds = isSmoke ? 2 : 41;
  const unit = yardstickMs(bars.barCount);
  const formula = requireSignal('formula');
  const timings = Object.entries(formulasOfSignals).map(([name, when]): Timing => {
    const signal = requireSignal(name);
    const params = randomParams(signal, seededRandom(1));
    const given = formulaParams(when, params);
    const builtIn = () => withFrame(bars, (frame) => signalMask(signal, resolveParams(signal, params), frame));
    const spelledOut = () => withFrame(bars, (frame) => signalMask(formula, resolveParams(formula, given), frame));
    assert.deepEqual(spelledOut(), builtIn(), name);
    const times = { builtIn: [] as number[], spelledOut: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      // In turn, and in turns of who begins, so that a noisy moment meets both.
      for (const which of round % 2 === 0
        ? (['builtIn', 'spelledOut'] as const)
        : (['spelledOut', 'builtIn'] as const)) {
        const start = performance.now();
        consume((which === 'builtIn' ? builtIn : spelledOut)()[0]);
        times[which].push(performance.now() - start);
      }
    }
    const p50Ms = medianOf(times.spelledOut);
    // Both read the same columns: their best rounds compare work, their medians the neighbours.
    const ratio = Math.min(...times.builtIn) / Math.min(...times.spelledOut);
    console.log(
      `${name.padEnd(22)} ${p50Ms.toFixed(3).padStart(8)} ms  ${(1 / ratio).toFixed(3)} of the built-in signal`,
    );
    return {
      name,
      bars: bars.barCount,
      p50Ms,
      nsPerBar: (p50Ms * 1e6) / bars.barCount,
      yardsticks: p50Ms / unit,
      ratio,
    };
  });
  const worst = Math.max(...timings.map(({ ratio = 1 }) => 1 / ratio));
  console.log(`the dearest costs ${worst.toFixed(2)} times the built-in signal, ${RATIO_MAX} are promised`);
  return timings;
}
