import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import { planSweep, readSweep } from '../../../../engine/sweep/index.js';
import { loadDatasets } from '../../../../research/sweep/datasets.js';
import { listDatasets } from '../../../../service/catalogue/capability.js';
import { listTemplates } from '../../../../service/catalogue/templates.js';
import { bundledStore } from '../../../support/backtests.js';
import { sha256 } from '../../../support/sweeps.js';

/** The tier with the smallest limit on a sweep. */
const RUNS_MAX = 100;

test('every template is a valid experiment for every listed dataset, without changes', async () => {
  const datasets = await listDatasets(bundledStore);
  assert.ok(datasets.length > 0);
  const loaded = await loadDatasets({ datasets }, bundledStore);
  for (const template of listTemplates()) {
    for (const [i, dataset] of datasets.entries()) {
      const found = loaded[i]!;
      if (found instanceof EngineError) throw found;
      const { definition, errors, warnings } = readSweep(
        { ...template.config, datasets: [dataset] },
        () => found.dataset,
      );
      assert.deepEqual(errors, [], template.id);
      // It says what runs are made of, and warns of nothing.
      for (const warning of warnings) assert.match(warning, /^(entry|exit)_signals: .*\bruns?\b/, template.id);
      const { totalRuns } = planSweep(definition!, { sha256, runsMax: RUNS_MAX });
      assert.ok(totalRuns >= 10 && totalRuns < RUNS_MAX, `${template.id}: ${totalRuns}`);
    }
  }
});
