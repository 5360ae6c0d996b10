import assert from 'node:assert/strict';
import test from 'node:test';
import { RunIdentity, readSweep, type SweepPlan } from '../../../../engine/sweep/index.js';
import { crossSweep, definitionOf, findDataset, planOf, sha256 } from '../../../support/sweeps.js';
import { largeSweep, searchAll, syntheticMetric } from '../../../support/tpe.js';

const tpe = (settings: unknown, more: object = {}) => crossSweep({ search_mode: 'tpe', tpe: settings, ...more });
const large = (trials: number, more: object = {}) => largeSweep({ search_mode: 'tpe', tpe: { trials }, ...more });

const hashesOf = (json: unknown, plan: SweepPlan): string[] => {
  const identity = new RunIdentity(definitionOf(json), sha256);
  return Array.from({ length: plan.totalRuns }, (_, i) => identity.configHash(plan.run(i)));
};
/** Identities of the trials in their order. */
const trialsOf = (json: unknown, metric = syntheticMetric): string[] => {
  const plan = planOf(json);
  searchAll(plan, metric);
  return hashesOf(json, plan);
};

const refusals: Readonly<Record<string, readonly [json: unknown, error: RegExp]>> = {
  'no trials': [tpe({}), /tpe\.trials is required/],
  'an unknown metric': [
    tpe({ trials: 20, metric: 'sharpe' }),
    /tpe\.metric must be one of .*was "sharpe", did you mean/,
  ],
  'a metric without a better side': [
    tpe({ trials: 20, metric: 'exposure' }),
    /tpe\.metric must be one of .*, was "exposure", of which neither more nor less is better$/,
  ],
};

for (const [what, [json, error]] of Object.entries(refusals)) {
  test(`${what} is refused by name, bound and value`, () => {
    const { definition, errors } = readSweep(json, findDataset);
    assert.equal(definition, null);
    assert.ok(
      errors.some((message) => error.test(message)),
      errors.join('\n'),
    );
  });
}

test('the same seed gives the same trials, another seed or other results give others', () => {
  const trials = trialsOf(large(96));
  assert.equal(new Set(trials).size, 96);
  assert.deepEqual(trialsOf(large(96)), trials);
  assert.notDeepEqual(trialsOf(large(96, { seed: 7 })), trials);
  const inverse = trialsOf(large(96), (run) => -syntheticMetric(run));
  assert.deepEqual(inverse.slice(0, 24), trials.slice(0, 24), 'the startup knows no results');
  assert.notDeepEqual(inverse, trials);
});

test('a space with fewer configurations than trials runs whole, each once, and the plan says so', () => {
  const json = tpe({ trials: 50, batch: 5 });
  const plan = planOf(json);
  assert.equal(plan.totalRuns, 24, '6 combinations, 2 variants, 2 datasets');
  assert.deepEqual(plan.warnings, [
    'BTC 1h: the space has 12 configurations, fewer than tpe.trials: each is run once',
    'ETH 1h: the space has 12 configurations, fewer than tpe.trials: each is run once',
  ]);
  const grid = crossSweep();
  assert.deepEqual(trialsOf(json, (_run) => NaN).sort(), hashesOf(grid, planOf(grid)).sort());
});
