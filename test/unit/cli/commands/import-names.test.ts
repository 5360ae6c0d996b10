import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DAY_MS } from '../../../../engine/series/index.js';
import { jsonOf, runCliBatch } from '../../../support/cli.js';
import { csvOf, fileOf } from '../../../support/data-fixtures.js';
import { randomBars } from '../../../support/random.js';

const folder = mkdtempSync(join(tmpdir(), 'barline-cli-names-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const home = join(folder, 'home');

const COUNT = 45;
const nameOf = (k: number) => `A${String(k).padStart(2, '0')}`;
for (let k = 0; k < COUNT; k++) {
  const bars = randomBars({ seed: k + 1, barCount: 60, intervalMs: DAY_MS, startMs: Date.UTC(2024, 0, 1 + (k % 3)) });
  await fileOf(folder, `${nameOf(k)}USDT-1d.csv`, csvOf(bars));
}
const files = join(folder, '*USDT-1d.csv');
const names = ['--names', '{asset}USDT-{interval}.csv'];

test('a folder of files becomes a series each, and listing and checking them stays short', async () => {
  const [imported, again, listed, one, all, doctor, checked, two] = await runCliBatch(
    [
      ['data', 'import', files, ...names],
      ['data', 'import', files, ...names, '--json'],
      ['data', 'list'],
      ['data', 'list', 'a07', 'A08'],
      ['data', 'list', '--all'],
      ['doctor'],
      ['data', 'check'],
      ['data', 'import', files, ...names, '--asset', 'BTC'],
    ],
    { home },
  );
  assert.equal(imported!.stderr, '');
  assert.match(
    imported!.stdout,
    /^45 series: 45 added; 2,700 bars, 1d, 2024-01-01T00:00:00Z to 2024-03-02T00:00:00Z\n/,
  );
  assert.match(imported!.stdout, /^series +missing +left out +no volume/m);
  const second = jsonOf(again!) as { imported: { status: string }[]; failed: unknown[]; left: number };
  assert.deepEqual([new Set(second.imported.map(({ status }) => status)), second.left], [new Set(['unchanged']), 0]);
  assert.ok(listed!.stdout.split('\n').length < 12, listed!.stdout);
  assert.match(listed!.stdout, /^1d +50 /m);
  assert.match(listed!.stdout, /^50 assets: A00, A01, /m);
  assert.deepEqual(
    one!.stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(' ')[0]),
    ['A07', 'A08'],
  );
  assert.equal(all!.stdout.trim().split('\n').length, 1 + 45 + 8);
  assert.match(doctor!.stdout, /bars: 53 stored files read and verified/);
  assert.match(checked!.stdout, /^53 stored files of 53 ok\n$/);
  assert.match(two!.stderr, /asset must be left out with names, which say it, was "BTC"/);
});

test('a file that cannot be read holds up no other, and is named', async () => {
  await fileOf(folder, 'B00USDT-1d.csv', 'timestamp,open,high,low,close,volume\nno,1,2,3,4,5\n');
  await fileOf(folder, 'B01USDT-1d.csv', csvOf(randomBars({ seed: 99, barCount: 60, intervalMs: DAY_MS })));
  const [mixed] = await runCliBatch([['data', 'import', join(folder, 'B*USDT-1d.csv'), ...names]], { home });
  assert.equal(mixed!.code, 2);
  assert.match(mixed!.stdout, /^1 series: 1 added; 60 bars/);
  assert.match(mixed!.stdout, /^failed B00USDT-1d\.csv: /m);
  assert.match(mixed!.stderr, /^barline: not imported: B00USDT-1d\.csv: /m);
});

test('a strategy runs, is audited and is swept over all assets of an interval, ranked', async () => {
  const strategy = ['--strategy', 'examples/daily-trend.json', '--interval', '1d'];
  const trades = join(folder, 'trades.csv');
  const [several, json, audited] = await runCliBatch(
    [
      ['backtest', ...strategy, '--asset', 'BTC, eth,SOL', '--trades', trades],
      ['backtest', ...strategy, '--asset', 'all', '--json', '--by', 'max_drawdown'],
      ['audit', ...strategy, '--asset', 'BTC,SOL', '--cuts', '2'],
    ],
    { home },
  );
  assert.equal(several!.code, 0, several!.stderr);
  assert.match(several!.stdout, /^daily trend on 3 assets, by sharpe_ratio, best first\nearned on [0-3] of 3 /);
  assert.equal((jsonOf(json!) as { assets: number }).assets, 51);
  assert.match(audited!.stdout, /^asset +bars +findings/);
});

test('a sweep over several assets begins with a line for each, best first', async () => {
  const out = join(folder, 'several');
  const [text, json, resumed] = await runCliBatch(
    [
      ['sweep', 'examples/sweeps/crosses.json', '--asset', 'BTC,ETH', '--out', out],
      ['sweep', '--resume', '--out', out, '--json'],
      ['sweep', '--resume', '--out', out, '--asset', 'BTC'],
    ],
    { home },
  );
  assert.equal(text!.code, 0, text!.stderr);
  const { honesty } = jsonOf(json!) as {
    honesty: { asset: string; trialCount: number; leader: { value: number }; wholeSweep: { trialCount: number } }[];
  };
  assert.equal(honesty.length, 2);
  assert.ok(honesty[0]!.leader.value >= honesty[1]!.leader.value);
  const tries = honesty.reduce((sum, one) => sum + one.trialCount, 0);
  for (const { wholeSweep } of honesty) assert.equal(wholeSweep.trialCount, tries, 'tries of all assets count');
  const at = text!.stdout.indexOf('2 datasets by the sharpe_ratio of the leader, best first');
  assert.ok(at > 0 && at < text!.stdout.indexOf('The best 10 of'), text!.stdout);
  assert.match(resumed!.stderr, /asset must be left out with --resume/);
});
