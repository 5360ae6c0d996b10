import assert from 'node:assert/strict';
import test from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../../engine/series/index.js';
import { Sieve, type SieveModel } from '../../../../engine/sieve/index.js';
import { classifyReturn } from '../../../../research/sieve/examples.js';
import { trainSieve } from '../../../../research/sieve/index.js';
import { randomBars } from '../../../support/random.js';

/** A market of its own for each series, over the day that splits training from later runs. */
const store = {
  load: async ({ asset, intervalMs }: { asset: string; intervalMs: number }) => {
    const barCount = intervalMs === HOUR_MS ? 3_000 : 2_400;
    const startMs = Date.UTC(2023, 6, 1) - 0.6 * barCount * intervalMs;
    const startMsOfDay = startMs - (startMs % DAY_MS);
    const bars = randomBars({ seed: asset.length + intervalMs, barCount, intervalMs, startMs: startMsOfDay });
    return { bars, gaps: [], entry: undefined as never };
  },
};
const counts = { samples: 30, windows: 8, heldOutWindows: 4, runsPerWindow: 10 };

test('a training gives the same bytes again, and a model that scores', async () => {
  const told: string[] = [];
  const one = await trainSieve({ store, counts, onSeries: (asset, timeframe) => told.push(`${asset} ${timeframe}`) });
  const two = await trainSieve({ store, counts });
  assert.equal(two.text, one.text);
  assert.deepEqual(two, one);
  assert.deepEqual(told.length, 9);
  const model = JSON.parse(one.text) as SieveModel;
  assert.equal(Object.keys(model.weights).length, one.features);
  assert.ok(one.features > 50 && one.strategies > 300);
  const score = new Sieve(model).score(['bias']);
  assert.ok(score.no_trades > 0 && score.no_trades < 1);
  assert.match(one.version, /^barline-sieve-1:[0-9a-f]{12}$/);
  const [trained] = one.evaluations;
  assert.ok(trained!.binary.gain.value > 0, 'better than the base rate on what it learned from');
  assert.ok(trained!.binary.gain.low <= trained!.binary.gain.value);
  assert.deepEqual(
    one.evaluations.map(({ part }) => part),
    ['training', 'later', 'other asset', 'other asset, later'],
  );
  assert.match(one.tables, /\| other asset, later \| \d\.\d{3} \(/);
});

test('a run ends as a wash within one hundredth of its balance, on both sides', () => {
  assert.deepEqual([-0.5, -0.011, -0.01, 0, 0.01, 0.011].map(classifyReturn), [
    ...['losing', 'losing', 'wash', 'wash', 'wash', 'winning'],
  ]);
});
