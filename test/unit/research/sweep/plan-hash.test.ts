import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { openColumns } from '../../../../data/columns/index.js';
import { RunIdentity } from '../../../../engine/sweep/index.js';
import { runSweep } from '../../../../research/sweep/index.js';
import { planConfiguration } from '../../../../workers/plan-configuration.js';
import { columnar } from '../../../support/columns.js';
import { sweepRequest } from '../../../support/sweep-setup.js';
import { crossSweep, filter, sha256, trigger } from '../../../support/sweeps.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

test('the hash of a plan is that of all its runs, on the command line as in the service', async () => {
  const sweep = crossSweep({
    datasets: [{ asset: 'ETH', timeframe: '1d' }],
    entry_signals: {
      triggers: [
        trigger('sma_cross_up', {
          window_fast: { min: 2, max: 40, step: 1 },
          window_slow: { min: 41, max: 120, step: 1 },
        }),
      ],
      filters: [filter('is_above_sma', { window: { values: [50] } })],
    },
  });
  const folder = temporaryFolder('plan-hash');
  const services = {
    store: openBars({ home: join(folder, 'home'), sampleDir: join(root, 'sample') }),
    engineVersion: '0.0.0-test',
  };
  const request = sweepRequest(sweep, join(folder, 'sweep'));
  request.stop[0] = 1; // the plan is what this looks at
  const { planHash, prepared, total } = await runSweep(request, services);
  assert.ok(total > 5_000);

  const toPlan = prepared.loaded.map(({ dataset, shared }) => ({ dataset, shared }));
  const validated = planConfiguration({ sweep, toPlan, runsMax: total });
  assert.deepEqual([validated.totalRuns, validated.planHash], [total, planHash]);
  assert.deepEqual(
    validated.series.map(({ runs }) => runs),
    [total],
  );

  const identity = new RunIdentity(prepared.definition, sha256);
  const identities = Array.from({ length: total }, (_, i) => identity.configHash(prepared.plan.run(i)));
  assert.equal(planHash, sha256(identities.join('\n')));
});

test('a stopped sweep resumes after a column was added that it does not read, and not after one that it reads', async () => {
  const home = temporaryFolder('resume-columns');
  const services = { store: openBars({ home, sampleDir: join(root, 'sample') }), engineVersion: '0.0.0-test' };
  const columns = openColumns({ home, sampleDir: join(root, 'sample') });
  const sweep = crossSweep({
    datasets: [{ asset: 'BTC', timeframe: '1d' }],
    entry_signals: {
      triggers: [trigger('rsi_cross_up')],
      filters: [filter('column_below', {}, { params: { column: 'FearGreed', threshold: 50 } })],
    },
  });
  const request = sweepRequest(sweep, join(home, 'sweep'));
  request.stop[0] = 1;
  await runSweep(request, services);
  const rows = columnar([{ period: Date.UTC(2027, 0, 1), published: Date.UTC(2027, 0, 1), value: 7 }]);
  await columns.add({ asset: 'BTC', column: 'Score', rows, source: 'test' });
  await runSweep({ ...request, isResumed: true }, services);
  await columns.add({ asset: 'BTC', column: 'FearGreed', rows, source: 'test' });
  await assert.rejects(runSweep({ ...request, isResumed: true }, services), /plan_hash/);
});
