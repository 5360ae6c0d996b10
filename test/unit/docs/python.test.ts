import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { restApi } from '../../support/api.js';
import { startTestService } from '../../support/service.js';
import { root } from '../../support/tree.js';

/** A Python with pandas: that of the path, or that of the system, for which Debian has a package. */
const hasPandas = "import importlib.util, sys; sys.exit(importlib.util.find_spec('pandas') is None)";
const python = ['python3', '/usr/bin/python3'].find((command) => spawnSync(command, ['-c', hasPandas]).status === 0);
const skip = python === undefined ? 'no python3 with pandas here: apt install python3-pandas' : false;
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(python ?? '', args, { cwd: root, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env } });

test('the Python client reads bars and a backtest of a real service into pandas', { skip }, async (t) => {
  const service = await startTestService();
  t.after(() => service.stop());
  const api = restApi(service.origin, (await service.login()).token);
  const { body } = await api.call('Auth.CreateApiKey', { name: 'python' });
  const env = { BARLINE_API_KEY: body.key, BARLINE_URL: service.origin };
  const { stdout } = await run(['examples/clients/barline.py'], env);
  assert.match(stdout, /^\d+ bars, the last at 20\d\d-\d\d-\d\d \d\d:\d\d UTC$/m);
  assert.match(stdout, /^11 trades, -4\.63% in all$/m);
  assert.match(stdout, /exit_reason/);
});
