// Asks: what does a signal's mask over 1,000,000 bars cost once its columns are ready, compared
// with a plain loop?
import assert from 'node:assert/strict';
import { Frame, type ParamValues, resolveParams } from '../engine/indicators/index.js';
import { getBit } from '../engine/series/index.js';
import { requireSignal, signalMask } from '../engine/signals/index.js';
import { referenceSignal } from '../test/reference/signals.js';
import { consume, type Sizes, seededBars, type Timing, time } from './measure.js';

const cases: readonly { readonly name: string; readonly params: ParamValues }[] = [
  { name: 'is_above_sma', params: { window: 20 } },
  { name: 'rsi_oversold', params: { window: 14, threshold: 40 } },
  { name: 'sma_cross_up', params: { window_fast: 20, window_slow: 50 } },
];

const REFERENCE_BARS = 2_000;

export async function run(sizes: Sizes): Promise<Timing[]> {
  checkAnswers();
  const bars = seededBars(sizes.isSmoke ? REFERENCE_BARS : 1_000_000);
  const frame = Frame.beside(bars);
  const timed = cases.map(({ name, params }) => {
    const signal = requireSignal(name);
    const values = resolveParams(signal, params);
    signalMask(signal, values, frame); // makes the columns
    return [name, () => consume(signalMask(signal, values, frame)[0])] as const;
  });
  const { close, open } = bars;
  const answers = new Uint8Array(bars.barCount);
  const plain = () => {
    for (let t = 0; t < close.length; t++) answers[t] = close[t] > open[t] ? 1 : 0;
    consume(answers[0]);
  };
  const timings = await time(bars.barCount, [['plain loop to bytes', plain], ...timed], sizes);
  for (const { name, nsPerBar, yardsticks } of timings) {
    console.log(
      `${name.padEnd(22)} ${nsPerBar.toFixed(2).padStart(6)} ns/bar ${yardsticks.toFixed(2).padStart(6)} yardsticks`,
    );
  }
  return timings;
}

/**
 * Every bar must equal the independent reference, and each signal must be true and false somewhere.
 */
function checkAnswers(): void {
  const bars = seededBars(REFERENCE_BARS);
  const { time, open, high, low, close, volume } = bars;
  const columns = Object.entries({ time, open, high, low, close, volume });
  const plain = Object.fromEntries(columns.map(([name, column]) => [name, Array.from(column)]));
  for (const { name, params } of cases) {
    const signal = requireSignal(name);
    const values = resolveParams(signal, params);
    const expected = referenceSignal(name, values, { ...plain, onchain: {} } as never);
    const mask = signalMask(signal, values, Frame.of(bars));
    assert.deepEqual(
      Array.from({ length: bars.barCount }, (_, t) => getBit(mask, t)),
      Array.from(expected),
      name,
    );
    assert.equal(new Set(expected).size, 2, `${name} must be both true and false`);
  }
}
