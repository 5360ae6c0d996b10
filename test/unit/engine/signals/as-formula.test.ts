import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Frame } from '../../../../engine/indicators/frame.js';
import { resolveParams } from '../../../../engine/indicators/params.js';
import { bitIndices, type Mask } from '../../../../engine/series/bits.js';
import { signalMask } from '../../../../engine/signals/evaluate.js';
import { requireSignal, signals } from '../../../../engine/signals/registry.js';
import { randomBars } from '../../../support/random.js';

/** A formula is true as soon as its own indicators have values, which may be earlier. */
const fromBar100 = (mask: Mask): number[] => [...bitIndices(mask)].filter((bar) => bar >= 100);

test('a signal that offers a formula for settings beyond its bounds agrees with it inside them', () => {
  const bars = randomBars({ seed: 11, barCount: 600 });
  const offering = signals.filter(({ asFormula }) => asFormula !== undefined);
  assert.ok(offering.length >= 8);
  const formula = requireSignal('formula');
  for (const signal of offering) {
    const when = signal.asFormula?.(resolveParams(signal, {})) ?? '';
    const own = fromBar100(signalMask(signal, resolveParams(signal, {}), Frame.of(bars)));
    const same = fromBar100(signalMask(formula, resolveParams(formula, { when }), Frame.of(bars)));
    assert.deepEqual(same, own, signal.name);
  }
});
