import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { type ColumnSource, columnSources, openColumns } from '../../../data/columns/index.js';
import { DAY_MS } from '../../../engine/index.js';
import { fillColumns } from '../../../research/index.js';
import { composeColumns } from '../../../server/compose-columns.js';
import { readServiceConfig } from '../../../server/config.js';
import { refuses, tempFolder } from '../../support/data-fixtures.js';
import { root } from '../../support/tree.js';

const sampleDir = join(root, 'sample');

/** What every source promises, whatever is behind it. */
async function keepsTheContract(source: ColumnSource, assets: readonly string[]): Promise<void> {
  for (const asset of assets) {
    for (const column of source.columnsOf(asset)) {
      const whole = await source.fetch(asset, column, -Infinity, Infinity);
      const { period, published, value } = whole;
      assert.ok(value.length > 0 && period.length === value.length && published.length === value.length, column);
      assert.ok(
        published.every((ms, i) => ms >= period[i]!),
        `${column}: published no earlier than its period begins`,
      );
      const [from, to] = [published[10]!, published[20]!];
      const part = await source.fetch(asset, column, from, to);
      assert.deepEqual(part.published, published.slice(10, 20), 'the start is inclusive, the end is not');
      assert.deepEqual(part.value, value.slice(10, 20));
    }
  }
  assert.deepEqual(source.columnsOf('NO-SUCH'), []);
}

for (const [name, open] of Object.entries(columnSources)) {
  test(`the source ${name} keeps the contract of sources`, async () => {
    const source = open({ sampleDir });
    assert.equal(source.name, name);
    await keepsTheContract(source, ['BTC', 'ETH']);
  });
}

test('a figure of a day is published when the day has ended, a funding rate at its settlement', async () => {
  const source = columnSources.recorded!({ sampleDir });
  const delays = async (asset: string, column: string) => {
    const { period, published } = await source.fetch(asset, column, -Infinity, Infinity);
    return new Set(published.map((ms, i) => ms - period[i]!));
  };
  assert.deepEqual(await delays('BTC', 'PerpFundingRate'), new Set([0]));
  assert.deepEqual(await delays('ETH', 'ActiveAddresses'), new Set([DAY_MS]));
  assert.deepEqual(await delays('BTC', 'FearGreed'), new Set([DAY_MS]));
});

test('a column that no source has is refused before anything is fetched', async (t) => {
  const columns = openColumns({ home: tempFolder(t) });
  const wanted = { asset: 'BTC', columns: ['PerpFundingRate', 'Luck'] };
  await refuses(fillColumns(wanted, { columns, sampleDir }), 'NOT_FOUND', /no source has "Luck" of BTC/);
  assert.deepEqual(await columns.list(), []);
});

test('the service fills the columns that its setting names, and one failure stops no other', async (t) => {
  const [home, recordings] = [tempFolder(t), tempFolder(t)];
  await symlink(join(sampleDir, 'recordings'), join(recordings, 'recordings')); // without bundled columns
  const config = readServiceConfig({ BARLINE_HOME: home, BARLINE_COLUMNS: 'BTC.Luck, ETH.FearGreed' });
  const { upkeep } = composeColumns(config, recordings);
  await assert.rejects(upkeep(), /no source has "Luck" of BTC/);
  const filled = await openColumns({ home }).list();
  assert.deepEqual(
    filled.map(({ asset, column }) => [asset, column]),
    [['ETH', 'FearGreed']],
  );
  await assert.rejects(upkeep());
  assert.deepEqual(await openColumns({ home }).list(), filled, 'filling again changes nothing');
});
