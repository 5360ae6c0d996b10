import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { runCliBatch } from '../../support/cli.js';
import { fileOf } from '../../support/data-fixtures.js';
import { startServiceProcess } from '../../support/service-process.js';
import { newHome } from '../../support/state.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
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

test('every block of Python in the documents is well formed', { skip }, async () => {
  const folder = temporaryFolder('python');
  const text = readFileSync(join(root, 'docs/exported-files.md'), 'utf8');
  const blocks = [...text.matchAll(/^```python\n(.*?)^```/gms)].map(([, block = '']) => block);
  assert.ok(blocks.length > 3);
  const paths = await Promise.all(blocks.map((block, i) => fileOf(folder, `block-${i}.py`, block)));
  await run(['-m', 'py_compile', ...paths]);
});

test('exported times go into Excel: plain ones as they are, others as the page says', { skip }, async (t) => {
  if (spawnSync(python ?? '', ['-c', 'import openpyxl'], { stdio: 'ignore' }).status !== 0) {
    return t.skip('no openpyxl here: apt install python3-openpyxl');
  }
  const folder = temporaryFolder('excel');
  const write = (name: string, ...more: readonly string[]) => [
    ...['backtest', '--strategy', 'examples/dip.json', '--interval', '1h', '--start', '2025-01-01', '--no-record'],
    ...['--trades', join(folder, name), ...more],
  ];
  const home = join(folder, 'home');
  const runs = await runCliBatch([write('utc.csv'), write('plain.csv', '--plain-times')], { home });
  for (const { code, stderr } of runs) assert.equal(code, 0, stderr);
  const page = readFileSync(join(root, 'docs/exported-files.md'), 'utf8');
  const drop = /^for column in .*\n.*$/m.exec(page)?.[0] ?? assert.fail('the page shows how zones are dropped');
  const program = `
import pandas as pd
def written(trades):
    trades.to_excel("${folder}/t.xlsx", index=False)
    return pd.read_excel("${folder}/t.xlsx")["entry_timestamp"]
times = ["entry_timestamp", "exit_timestamp"]
trades = pd.read_csv("${folder}/utc.csv", parse_dates=times)
try:
    written(trades)
    raise SystemExit("times with a zone went into Excel")
except ValueError:
    pass
${drop}
plain = pd.read_csv("${folder}/plain.csv", parse_dates=times)
assert len(plain) > 1 and str(plain["entry_timestamp"].dtype) == "datetime64[ns]"
assert written(trades).equals(written(plain))
assert written(plain).equals(plain["entry_timestamp"])
`;
  await run(['-W', 'ignore', '-c', program]);
});
