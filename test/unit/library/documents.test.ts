import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { jsonOf, runCliBatch } from '../../support/cli.js';
import { writePrograms } from '../../support/library-blocks.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { root } from '../../support/tree.js';

/** Every example and every program in the pages of the library runs; `npm run check` proves their types. */

const run = promisify(execFile);
const home = temporaryFolder('library-documents');
/** Inside the package, so that `barline` is this package. */
const folder = join(root, 'examples/library/snippets');
const programs = writePrograms(folder);

/** What each example prints. */
const said = {
  backtest: /trades, return [\s\S]*no look-ahead at 20 places/,
  'own-signal': /[1-9]\d* trades, return [\s\S]*the audit found no look-ahead/,
  live: /bought [\s\S]*sold at [\s\S]*account value \d+\.\d\d/,
  sweep: /36 of 36 runs, ranked by sharpe_ratio\nbest: \[\{"name":"my_breakout"[\s\S]*BTC: /,
  portfolio: /6 of 6 portfolios, ranked by sharpe_ratio\n[\s\S]*again: return the same\nno look-ahead; signals /,
};

test.after(() => rmSync(folder, { recursive: true }));

test('every block of the pages and every example runs', async () => {
  assert.ok(programs.length >= 8);
  // One process for all, because each start loads the compiler.
  const all = join(folder, 'all.mjs');
  const parts = [
    ...programs.map((name) => `await import('./${name}');\n`),
    ...Object.keys(said).map((name) => `console.log('=== ${name}');\nawait import('../${name}.ts');\n`),
  ];
  writeFileSync(all, parts.join(''));
  const env = { ...process.env, BARLINE_HOME: home };
  const { stdout } = await run(process.execPath, ['--import', 'tsx', all], { cwd: root, env });
  const [ofBlocks = '', ...printed] = stdout.split(/^=== (\S+)$/m);
  assert.match(ofBlocks, /^true [\d.]+ 15$/m);
  for (const [name, words] of Object.entries(said)) assert.match(printed[printed.indexOf(name) + 1] ?? '', words, name);
});

const signals = ['--signals', 'examples/library/my-signals.mjs'];
const strategy = ['--strategy', 'examples/library/breakout.json', '--interval', '1d', '--start', '2021-01-01'];

test('a run with signals in code is recorded with their hash, and replays only with them', async () => {
  const [ran, missing, replayed, served] = await runCliBatch(
    [
      ['backtest', ...strategy, ...signals, '--json'],
      ['backtest', ...strategy],
      ['backtest', ...strategy, '--signals', 'examples/library/nothing.mjs'],
      ['serve', ...signals],
    ],
    { home },
  );
  const { manifest, trade_count } = jsonOf(ran!) as {
    manifest: { run_id: string; request: { signals: { from: string; hash: string } } };
    trade_count: number;
  };
  assert.ok(trade_count > 0);
  assert.equal(manifest.request.signals.from, 'my-signals.mjs');
  assert.deepEqual([missing!.code, replayed!.code, served!.code], [2, 2, 2]);
  assert.match(missing!.stderr, /unknown signal "my_breakout"/);
  assert.match(replayed!.stderr, /there is no module of signals/);
  assert.match(served!.stderr, /unknown option '--signals'/);
  const plain = ['backtest', '--strategy', 'examples/dip.json', '--interval', '1h', '--start', '2025-01-01'];
  const [other] = await runCliBatch([[...plain, '--json']], { home });
  const ids = [manifest.run_id, (jsonOf(other!) as { manifest: { run_id: string } }).manifest.run_id];
  const [without, within, apart, compared] = await runCliBatch(
    [
      ['replay', manifest.run_id],
      ['replay', manifest.run_id, ...signals],
      ['compare', ...ids],
      ['compare', ...ids, ...signals, '--json'],
    ],
    { home },
  );
  for (const refused of [without!, apart!]) assert.match(refused.stderr, /--signals must name that module/);
  assert.match(within!.stdout, /reproduced byte for byte/);
  const { runs, warnings } = jsonOf(compared!) as { runs: { trade_count: number }[]; warnings: string[] };
  assert.deepEqual([runs.length, runs[0]!.trade_count, warnings], [2, trade_count, []]);
});
