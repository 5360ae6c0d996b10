import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { jsonOf, runCliBatch } from '../../../support/cli.js';
import { fileOf } from '../../../support/data-fixtures.js';

const home = mkdtempSync(join(tmpdir(), 'barline-cli-portfolio-'));
after(() => rmSync(home, { recursive: true, force: true }));

test('the examples run, with tables, and members may name the file of their strategy', async () => {
  const [trades, equity, weights, contributions] = ['trades', 'equity', 'weights', 'contributions'].map((name) =>
    join(home, `${name}.csv`),
  ) as [string, string, string, string];
  const [rules, rotation, json] = await runCliBatch(
    [
      [
        ...['portfolio', 'examples/portfolio-three-majors.json', '--start', '2021-01-01'],
        ...['--trades', trades, '--equity', equity, '--weights', weights, '--contributions', contributions],
      ],
      ['portfolio', 'examples/rotation.json', '--lookback-months', '12'],
      ['portfolio', 'examples/rotation.json', '--lookback-months', '12', '--json', '--config', 'fee_pct=0'],
    ],
    { home },
  );
  assert.equal(rules!.code, 0, rules!.stderr);
  assert.match(rules!.stdout, /^three majors: 3 members on 1d\n/);
  assert.match(readFileSync(trades, 'utf8'), /^trade_id,strategy,asset,side,.*member,bars_held\n/);
  assert.match(readFileSync(equity, 'utf8'), /^timestamp,account_value,cash_balance\n/);
  const rowsOf = (path: string) => readFileSync(path, 'utf8').trim().split('\n');
  assert.equal(rowsOf(weights)[0], 'timestamp,cash,BTC,ETH,SOL');
  assert.equal(rowsOf(contributions)[0], 'timestamp,account,BTC,ETH,SOL');
  assert.match(rotation!.stdout, /^weekly rotation: 5 assets on 1d\n/);
  const { metrics } = jsonOf(json!) as { metrics: { total_fees: number } };
  assert.equal(metrics.total_fees, 0);
});

test('a portfolio has a page, and is compared with others and with backtests', async () => {
  const [page, comparison] = [join(home, 'page.html'), join(home, 'comparison.html')];
  const start = ['--start', '2023-01-01'];
  const [rotation, majors, single] = await runCliBatch(
    [
      ['portfolio', 'examples/rotation.json', ...start, '--report', page],
      ['portfolio', 'examples/portfolio-three-majors.json', ...start],
      ['backtest', '--strategy', 'examples/daily-trend.json', '--interval', '1d', ...start],
    ],
    { home },
  );
  assert.match(readFileSync(page, 'utf8'), /<h1>weekly rotation<\/h1>/);
  const idOf = ({ stdout }: { stdout: string }) =>
    /^run (\w+)$|^run (\w+),/m.exec(stdout)?.slice(1).find(Boolean) ?? '';
  const ids = [rotation!, majors!, single!].map(idOf);
  const [compared, json] = await runCliBatch(
    [
      ['compare', ...ids, '--report', comparison],
      ['compare', ...ids.slice(0, 2), '--json'],
    ],
    { home },
  );
  assert.equal(compared!.code, 0, compared!.stderr);
  assert.match(compared!.stdout, /^series +5 assets 1d +3 members 1d +BTC 1d$/m);
  assert.doesNotMatch(compared!.stdout, /differently than recorded/);
  assert.match(readFileSync(comparison, 'utf8'), /three majors/);
  const { runs, warnings } = jsonOf(json!) as { runs: { manifest: { run_id: string } }[]; warnings: string[] };
  assert.deepEqual([runs.map(({ manifest }) => manifest.run_id), warnings], [ids.slice(0, 2), []]);
});

test('a portfolio is audited and replayed as a strategy is', async () => {
  const start = ['--start', '2024-01-01', '--end', '2024-12-31'];
  const majors = 'examples/portfolio-three-majors.json';
  const [ran, json, audited, told] = await runCliBatch(
    [
      ['portfolio', 'examples/rotation.json', ...start],
      ['portfolio', majors, ...start, '--json'],
      ['audit', '--portfolio', majors, ...start, '--cuts', '3'],
      ['audit', '--portfolio', 'examples/rotation.json', ...start, '--cuts', '3', '--json'],
    ],
    { home },
  );
  assert.equal(audited!.code, 0, audited!.stderr);
  assert.match(audited!.stdout, /^366 times, cut off at [23] random times$/m);
  assert.match(audited!.stdout, /^without members\[1\] ETH +/m);
  assert.match(audited!.stdout, /^members\[2\] SOL:\n366 bars, cut off at 3 random places/m);
  const { is_clean, members, chance } = jsonOf(told!) as { is_clean: boolean; members: []; chance: { draws: number } };
  assert.deepEqual([is_clean, members, chance.draws], [true, [], 199]);

  const id = /^run (pf_\w+)$/m.exec(ran!.stdout)?.[1] ?? assert.fail(ran!.stdout);
  const result = jsonOf(json!) as { turnover: number; manifest: object; trades: { size: number }[] };
  const file = await fileOf(home, 'majors.json', JSON.stringify(result));
  const edited = await fileOf(home, 'edited.json', JSON.stringify({ ...result, turnover: 7 }));
  const elsewhere = { ...result, manifest: { ...result.manifest, engine_version: '0.0.0' } };
  const older = await fileOf(home, 'older.json', JSON.stringify(elsewhere));
  const [byId, byFile, changed, ofVersion] = await runCliBatch(
    [
      ['replay', id],
      ['replay', file, '--json'],
      ['replay', edited],
      ['replay', older],
    ],
    { home },
  );
  assert.match(byId!.stdout, new RegExp(`^${id}: reproduced byte for byte, ending balance `));
  assert.deepEqual((jsonOf(byFile!) as { is_reproduced: boolean; changes: [] }).changes, []);
  assert.equal(changed!.code, 3);
  assert.match(changed!.stdout, /not reproduced[\s\S]*turnover was 7, is /);
  assert.equal(ofVersion!.code, 0, ofVersion!.stderr);
  assert.match(ofVersion!.stdout, /reproduced byte for byte[\s\S]*version was 0\.0\.0, is /);
});
