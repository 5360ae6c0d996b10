import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import { RunIdentity, ruleOf } from '../../../../engine/sweep/index.js';
import { runs } from '../../../support/scale.js';
import { crossSweep, definitionOf, planOf, sha256, trigger } from '../../../support/sweeps.js';
import { moduleUrl } from '../../../support/tree.js';

const anything = { entry_signals: {}, exit_signals: {}, execution_config: {} };
const random = (more: object = {}) => crossSweep({ search_mode: 'random', n_random: 500, ...anything, ...more });

function hashesOf(json: unknown): string[] {
  const identity = new RunIdentity(definitionOf(json), sha256);
  const plan = planOf(json);
  return Array.from({ length: plan.totalRuns }, (_, i) => identity.configHash(plan.run(i)));
}

/**
 * Hashes of plans as the first release drew them. Changing these numbers changes every stored plan.
 */
const known: readonly (readonly [what: string, json: object, digest: string])[] = [
  ['the registry', random(), '7cd9c3fab26a55bd26d02002bfa725ef2e896e825471d04b4d22ad4131482afc'],
  [
    'listed signals',
    crossSweep({ search_mode: 'random', n_random: 300 }),
    '84236d412da94297bd643a6451d2c6b377d7f18be1fc6ca987d4ba1604d87e5b',
  ],
];

for (const [what, json, digest] of known) {
  test(`a seed keeps its samples: ${what}`, () => {
    assert.equal(sha256(hashesOf(json).join('\n')), digest);
  });
}

test('a random run keeps the parameters that the author fixed, and draws the others', () => {
  const entry_signals = { triggers: [trigger('rsi_cross_up', {}, { params: { window: 21 } })], filters: [] };
  const definition = definitionOf(random({ n_random: 200, entry_signals, random_signals: { min_entry_filters: 0 } }));
  const plan = planOf(random({ n_random: 200, entry_signals, random_signals: { min_entry_filters: 0 } }));
  const drawn = Array.from({ length: plan.totalRuns }, (_, i) => {
    const { entry, datasetIndex } = plan.run(i);
    return ruleOf(entry[0], definition.datasets[datasetIndex]).params;
  });
  assert.deepEqual(new Set(drawn.map(({ window }) => window)), new Set([21]));
  assert.ok(new Set(drawn.map(({ threshold }) => threshold)).size > 50);
});

/** Plans in a thread with this much heap, and returns the number of runs. */
async function planWithin(heapMb: number, sweep: object, runsMax: number): Promise<number> {
  const thread = new Worker(moduleUrl('test/support/planning-thread'), {
    workerData: { sweep, runsMax },
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 8 },
  });
  const [count] = await once(thread, 'message'); // rejects when the thread dies
  return count;
}

test('random samples are planned without being held in memory', { timeout: 3_600_000 }, async () => {
  const samples = runs(60_000, 10_000_000);
  const datasets = [{ asset: 'BTC', timeframe: '1h' }];
  assert.equal(await planWithin(48, random({ datasets, n_random: samples }), samples), samples);
});
