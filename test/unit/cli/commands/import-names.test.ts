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
  const [imported, again, listed, checked, two] = await runCliBatch(
    [
      ['data', 'import', files, ...names],
      ['data', 'import', files, ...names, '--json'],
      ['data', 'list'],
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
  const second = jsonOf(again!) as { imported: { status: string }[]; failed: unknown[]; left: number };
  assert.deepEqual([new Set(second.imported.map(({ status }) => status)), second.left], [new Set(['unchanged']), 0]);
  assert.ok(listed!.stdout.split('\n').length < 12, listed!.stdout);
  assert.match(listed!.stdout, /^50 assets: A00, A01, /m);
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
