import assert from 'node:assert/strict';
import test from 'node:test';
import { Frame } from '../../engine/indicators/frame.js';
import { type BarSeries, sliceBars } from '../../engine/series/bars.js';
import { bitIndices, countBits, getBit } from '../../engine/series/bits.js';
import { HOUR_MS, MINUTE_MS } from '../../engine/series/intervals.js';
import { evaluateSignal, signalMask } from '../../engine/signals/evaluate.js';
import { signals } from '../../engine/signals/registry.js';
import { observedColumn } from '../../engine/signals/signal.js';
import { referenceMargins, referenceSignal } from '../reference/signals.js';
import { randomParams } from '../support/params.js';
import { randomBars, seededRandom, withOnchain } from '../support/random.js';
import { signalBars } from '../support/reference.js';
import { runs } from '../support/scale.js';

/**
 * Answers that depend on a relative difference below this may depend on rounding, and are not
 * compared.
 */
const TIE = 1e-9;

const BARS = 260;

function exampleBars(seed: number, barCount: number): BarSeries {
  const tick = [0.01, 0.5, 1e-6][seed % 3];
  const flatChance = [0.02, 0.3, 0][seed % 3];
  const volatility = [0.02, 0.2][seed % 2];
  const intervalMs = [15 * MINUTE_MS, 4 * HOUR_MS][seed % 2];
  const options = { seed, barCount, tick, flatChance, gapChance: 0.01, volatility, intervalMs };
  return withOnchain(randomBars(options), seed + 1);
}

for (const signal of signals) {
  test(`${signal.name} agrees with the reference on every bar`, () => {
    let ties = 0;
    const seeds = runs(3, 30);
    for (let seed = 1; seed <= seeds; seed++) {
      const random = seededRandom(seed * 7919);
      const bars = exampleBars(seed, BARS);
      const params = randomParams(signal, random);
      const reference = signalBars(bars);
      const expected = referenceSignal(signal.name, params, reference);
      const margins = referenceMargins(signal.name, params, reference);
      const mask = signalMask(signal, params, Frame.of(bars));
      for (let t = 0; t < bars.barCount; t++) {
        if (margins[t] < TIE) ties++;
        else assert.equal(getBit(mask, t), expected[t], `bar ${t}, seed ${seed}, ${JSON.stringify(params)}`);
      }
    }
    // With some parameters two lines are the same, which ties all bars of a series.
    assert.ok(ties <= 10 * seeds + (seeds > 3 ? BARS : 0), `${ties} bars were not compared`);
  });

  test(`${signal.name} is seen both true and false`, () => {
    const random = seededRandom(11);
    let trueBars = 0;
    let allBars = 0;
    for (let round = 0; round < 60 && (trueBars === 0 || trueBars === allBars); round++) {
      const bars = exampleBars(round, 1_500);
      trueBars += countBits(signalMask(signal, randomParams(signal, random), Frame.of(bars)));
      allBars += bars.barCount;
    }
    assert.ok(trueBars > 0 && trueBars < allBars, `true on ${trueBars} of ${allBars} bars`);
  });

  test(`${signal.name} gives the same answer for a prefix as for its last bar in the whole series`, () => {
    const cuts = runs(8, 200);
    const random = seededRandom(42);
    const bars = exampleBars(5, runs(200, 100_000));
    const params = randomParams(signal, random);
    const mask = signalMask(signal, params, Frame.of(bars));
    for (let k = 0; k < cuts; k++) {
      const length = 1 + Math.floor(random() * bars.barCount);
      const answer = evaluateSignal(signal, params, sliceBars(bars, 0, length));
      assert.equal(answer, getBit(mask, length - 1), `prefix of ${length} bars, ${JSON.stringify(params)}`);
    }
  });

  test(`${signal.name} is never true before its minimum of bars`, () => {
    const random = seededRandom(3);
    for (let round = 0; round < runs(2, 20); round++) {
      const bars = exampleBars(round + 20, 300);
      const params = randomParams(signal, random);
      const minimum = signal.minBars(params);
      const column = observedColumn(signal, params);
      const observed = column && Frame.of(bars).observations(column).observed;
      for (const bar of bitIndices(signalMask(signal, params, Frame.of(bars)))) {
        assert.ok((observed ? observed[bar] : bar + 1) >= minimum, `true on bar ${bar}, minimum ${minimum}`);
      }
    }
  });
}
