import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openSweepFolder, queryResults } from '../../data/sweeps/index.js';
import { openTries } from '../../data/tries/index.js';
import { runCli } from '../support/cli.js';
import { tempFolder } from '../support/data-fixtures.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';
import { commandArgs, root } from '../support/tree.js';

const rotation = JSON.parse(readFileSync(join(root, 'examples/rotation.json'), 'utf8'));
const plan = {
  portfolio: rotation,
  sweep_axes: [
    { param: 'allocation.top', min: 1, max: 5, step: 1 },
    { param: 'allocation.band', values: [0, 0.02, 0.1] },
    { param: 'allocation.reserve', values: [0, 0.2] },
    { param: 'allocation.every', values: ['1w', '1M', '1q'] },
    { param: 'allocation.weighting', values: ['equal', 'inverse_volatility'] },
    { param: 'guards.max_drawdown', values: [null, 0.3] },
  ],
};
const TOTAL = 5 * 3 * 2 * 3 * 2 * 2;

test('kill -9 during a sweep of portfolios loses no row and makes none twice', async (t) => {
  const folder = tempFolder(t);
  const home = join(folder, 'home');
  const planFile = join(folder, 'plan.json');
  await writeFile(planFile, JSON.stringify(plan));
  const calm = await runCli(['sweep', planFile, '--out', join(folder, 'calm'), '--top', '1'], { home });
  assert.equal(calm.code, 0, calm.stderr);
  const killed = join(folder, 'killed');
  const random = seededRandom(5);
  let args = [planFile];
  for (let round = 0; round < runs(1, 20); round++) {
    const child = spawn(process.execPath, commandArgs('sweep', ...args, '--out', killed, '--workers', '2'), {
      cwd: root,
      env: { ...process.env, BARLINE_HOME: home },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const before = await rowsIn(killed);
    while (child.exitCode === null && (await rowsIn(killed)) === before) await wait(5);
    await wait(random() * 300);
    child.kill('SIGKILL');
    await ended;
    args = ['--resume'];
  }
  const rest = await runCli(['sweep', '--resume', '--out', killed, '--top', '1'], { home });
  assert.equal(rest.code, 0, rest.stderr);
  assert.deepEqual(await comparable(killed), await comparable(join(folder, 'calm')));
  assert.equal((await comparable(killed)).length, TOTAL);
  const [{ asset, tries } = { asset: '', tries: 0 }] = await openTries(home).list();
  assert.deepEqual([asset, tries], ['BNB', TOTAL], 'each portfolio is one try');
});

const rowsIn = async (folder: string): Promise<number> =>
  (await openSweepFolder(folder).parts()).reduce((sum, { from, to }) => sum + to - from, 0);

async function comparable(folder: string): Promise<readonly (readonly unknown[])[]> {
  const columns = "COLUMNS(name -> name NOT IN ('experiment_id', 'elapsed_seconds', 'completed_at'))";
  return (await queryResults([folder], `SELECT ${columns} FROM results ORDER BY run_index`)).rows;
}
