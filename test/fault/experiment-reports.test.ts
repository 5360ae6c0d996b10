import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { openSweepFolder } from '../../data/sweeps/index.js';
import { asApiError } from '../../service/api-error.js';
import type { SqlExperimentParts } from '../../service/experiments/keep-parts.js';
import { ExperimentReports } from '../../service/experiments/reports.js';
import { experimentFolder } from '../../service/experiments/run-blocks.js';
import type { ExperimentRow, SqlExperimentStore } from '../../service/experiments/store.js';
import type { SqlTries } from '../../service/experiments/tries.js';
import { sharedHome } from '../../service/objects/index.js';
import { caller } from '../support/experiment-world.js';
import { rejectsWith } from '../support/refusals.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ID = 'exp_1';

/** Reports on an experiment of one part, in a state that knows it while `isKnown` is true. */
function open(t: TestContext, isKnown: () => boolean = () => true) {
  const home = temporaryFolder('reports');
  const row = { id: ID, org_id: caller.orgId, config: {}, total_runs: 9, plan_hash: 'x' } as unknown as ExperimentRow;
  let asked = 0;
  const store = { find: async () => (isKnown() ? row : null) } as unknown as SqlExperimentStore;
  const parts = {
    async ofOrganization() {
      asked++;
      return new Map([[ID, [{ from: 0, to: 9 }]]]);
    },
  } as unknown as SqlExperimentParts;
  const tries = { of: async () => ({}), judgedSweeps: async () => [] } as unknown as SqlTries;
  const heldOut = () => ({ list: async () => [] });
  const folders = { files: sharedHome.parts, corpus: home, home, sampleDir: home, engineVersion: '0.0.0' };
  const reports = new ExperimentReports({ store, parts, tries, heldOut, ...folders, threads: 1 });
  t.after(async () => {
    await reports.close();
  });
  return { reports, folder: openSweepFolder(experimentFolder(home, caller.orgId, ID)), asked: () => asked };
}

test('rows that are not on this host are reported missing, after a few tries', async (t) => {
  const { reports, asked } = open(t);
  const message = /^The rows of experiment exp_1 are not on this host: all hosts need the same folder `corpus`/;
  await rejectsWith(reports.honesty(caller, ID), 'INVALID_STATE', message);
  assert.equal(asked(), 3);
});

test('the number of waiting reports is bounded', async (t) => {
  const { reports, folder } = open(t);
  await mkdir(folder.path, { recursive: true });
  for (const path of [join(folder.path, 'sweep.json'), folder.partPath(0, 9)]) await writeFile(path, '{}');
  const asked = Array.from({ length: 20 }, () => reports.honesty(caller, ID).catch((error) => asApiError(error)?.code));
  const codes = (await Promise.all(asked)).toSorted();
  // The configuration is invalid, so the reports that get a turn end soon.
  assert.deepEqual(codes, [...Array(3).fill('ENGINE_BUSY'), ...Array(17).fill('INVALID_STATE')]);
});
