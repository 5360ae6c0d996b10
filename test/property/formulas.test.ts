import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../engine/errors.js';
import { Frame } from '../../engine/indicators/frame.js';
import { type ParamValues, resolveParams } from '../../engine/indicators/params.js';
import { sliceBars } from '../../engine/series/bars.js';
import { countBits, getBit, type Mask } from '../../engine/series/bits.js';
import { signalMask } from '../../engine/signals/evaluate.js';
import { requireSignal } from '../../engine/signals/registry.js';
import { formulaParams, formulasOfSignals } from '../support/formulas.js';
import { randomParams } from '../support/params.js';
import { randomBars, seededRandom } from '../support/random.js';
import { damaged, randomFormula } from '../support/random-formulas.js';
import { runs } from '../support/scale.js';

const formula = requireSignal('formula');

for (const [name, when] of Object.entries(formulasOfSignals)) {
  test(`${name} equals its formula on every bar`, () => {
    const signal = requireSignal(name);
    const random = seededRandom(31);
    let [trueBars, allBars] = [0, 0];
    for (let round = 0; round < runs(6, 200) || trueBars === 0 || trueBars === allBars; round++) {
      const [tick, flatChance] = [[0.01, 0.5, 1e-6][round % 3]!, [0.02, 0.3, 0][round % 3]!];
      const bars = randomBars({ seed: round, barCount: 500, tick, flatChance, volatility: 0.03, gapChance: 0.01 });
      const params = randomParams(signal, random);
      const expected = signalMask(signal, params, Frame.of(bars));
      const actual = signalMask(formula, resolveParams(formula, formulaParams(when, params)), Frame.of(bars));
      assert.deepEqual(actual, expected, `round ${round}, ${JSON.stringify(params)}`);
      trueBars += countBits(expected);
      allBars += bars.barCount;
    }
  });
}

test('as many built-in signals as promised are written as formulas', () => {
  assert.ok(Object.keys(formulasOfSignals).length >= 30);
});

/** The parameters of a text, or the position at which it was refused. */
function readOrRefused(params: Readonly<Record<string, unknown>>): ParamValues | null {
  try {
    return resolveParams(formula, params);
  } catch (error) {
    assert.ok(error instanceof EngineError, `${String(error)} for ${params.when}`);
    const { position, field } = error.details;
    if (field === 'when') {
      assert.ok(Number.isInteger(position) && Number(position) >= 1, `${error.message} for ${params.when}`);
      assert.ok(Number(position) <= String(params.when).length + 1, `${error.message} for ${params.when}`);
    }
    return null;
  }
}

const bars = randomBars({ seed: 77, barCount: 130, tick: 0.01, flatChance: 0.1, volatility: 0.03 });

function requireSamePast(when: string, params: ParamValues, whole: Mask, length: number): void {
  const known = signalMask(formula, params, Frame.of(sliceBars(bars, 0, length)));
  for (let bar = 0; bar < length; bar++) {
    assert.equal(getBit(known, bar), getBit(whole, bar), `bar ${bar} of ${length}: ${when} ${JSON.stringify(params)}`);
  }
}

test('generated formulas are read, and no answer depends on later bars', () => {
  const random = seededRandom(2_026);
  const count = runs(300, 10_000);
  let changing = 0;
  for (let round = 0; round < count; round++) {
    const { when, params } = randomFormula(random);
    const values = readOrRefused({ ...params, when });
    if (values === null) continue;
    const mask = signalMask(formula, values, Frame.of(bars));
    const trueBars = countBits(mask);
    if (trueBars > 0 && trueBars < bars.barCount) changing++;
    for (let cut = 0; cut < 3; cut++) requireSamePast(when, values, mask, 1 + Math.floor(random() * bars.barCount));
  }
  assert.ok(changing > count / 3, `${changing} of ${count} formulas were both true and false`);
});

test('damaged formulas are read or refused with a position', () => {
  const random = seededRandom(99);
  const count = runs(1500, 100_000);
  let refused = 0;
  for (let round = 0; round < count; round++) {
    const { when, params } = randomFormula(random);
    const text = damaged(when, random);
    const values = readOrRefused({ ...params, when: text });
    if (values === null) refused++;
    else signalMask(formula, values, Frame.of(sliceBars(bars, 0, 40)));
  }
  assert.ok(refused > count / 3 && refused < count, `${refused} of ${count} were refused`);
});
