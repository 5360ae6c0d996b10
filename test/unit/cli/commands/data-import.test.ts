import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sliceBars } from '../../../../engine/series/bars.js';
import { assertRefused, jsonOf, runCliBatch } from '../../../support/cli.js';
import { csvOf, fileOf } from '../../../support/data-fixtures.js';
import { randomBars } from '../../../support/random.js';

const folder = mkdtempSync(join(tmpdir(), 'barline-cli-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const home = join(folder, 'home');

const whole = randomBars({ seed: 4, barCount: 90 });
for (const [k, from] of [0, 28, 60].entries()) {
  await fileOf(folder, `part-${k}.csv`, csvOf(sliceBars(whole, from, Math.min(90, from + 32))));
}
const prices = await fileOf(
  folder,
  'prices.csv',
  'Prices of 2024\nday;open;high;low;last\n31/01/2024;1,5;2;1;1,5\n01/02/2024;;;;\n02/02/2024;1,5;2,5;1;2\n03/02/2024;2;2,5;1;2\n04/02/2024;2;2,5;1;2',
);
const ofDays = ['data', 'import', prices, '--asset', 'EUR', '--interval', '1d', '--no-volume'];
const named = ['--column', 'time=day', '--column', 'close=last', '--dates', 'DD/MM/YYYY'];

test('files of a pattern are one series, and flags read what a file leaves open', async () => {
  const pattern = join(folder, 'part-*.csv');
  const [overlapping, joined, appended, listed, odd] = await runCliBatch(
    [
      ['data', 'import', pattern, '--asset', 'ABC'],
      ['data', 'import', join(folder, 'part-0.csv'), join(folder, 'part-[02].csv'), '--asset', 'ABC'],
      ['data', 'import', join(folder, 'part-1.csv'), '--asset', 'ABC', '--append', '--json'],
      ['data', 'list', '--json'],
      [...ofDays, ...named],
    ],
    { home },
  );
  assertRefused(overlapping!, /^barline: part-1\.csv line 2: .*data import --sort sorts the rows$/m);
  assert.match(joined!.stdout, /^added ABC 1h: 62 bars/);
  const { status, entry } = jsonOf(appended!) as { status: string; entry: { bars: number; origin: object } };
  assert.deepEqual([status, entry.bars], ['extended', 90]);
  const [mine] = (jsonOf(listed!) as { asset: string; bars: number }[]).filter(({ asset }) => asset === 'ABC');
  assert.equal(mine!.bars, 90);
  assert.match(odd!.stdout, /^added EUR 1d: 4 bars, 2024-01-31T00:00:00Z to 2024-02-04T00:00:00Z$/m);
  assert.match(odd!.stdout, /^ {2}1 line around the header not read$/m);
  assert.match(odd!.stdout, /^ {2}1 row without prices left out$/m);
  assert.match(odd!.stdout, /^ {2}1 bar missing, 2024-02-01T00:00:00Z to 2024-02-01T00:00:00Z$/m);
});
