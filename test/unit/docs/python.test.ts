import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startServiceProcess } from '../../support/service-process.js';
import { newHome } from '../../support/state.js';
import { root } from '../../support/tree.js';

/** A Python with pandas: that of the path, or that of the system, for which Debian has a package. */
const python = ['python3', '/usr/bin/python3'].find(
  (command) => spawnSync(command, ['-c', 'import pandas'], { stdio: 'ignore' }).status === 0,
);
const skip = python === undefined ? 'no python3 with pandas here: apt install python3-pandas' : false;
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(python ?? '', args, { cwd: root, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env } });

test('the Python client reads bars and a backtest of a real service into pandas', { skip }, async (t) => {
  const service = await startServiceProcess(await newHome());
  t.after(() => service.kill());
  const env = { BARLINE_API_KEY: service.firstKey ?? assert.fail('has a key'), BARLINE_URL: service.origin };
  const { stdout } = await run(['examples/clients/barline.py'], env);
  assert.match(stdout, /^\d+ bars, the last at 20\d\d-\d\d-\d\d \d\d:\d\d UTC$/m);
  assert.match(stdout, /^11 trades, -4\.63% in all$/m);
  assert.match(stdout, /exit_reason/);
});
