import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { openColumns } from '../../../data/columns/index.js';
import { fillColumns } from '../../../research/index.js';
import { openColumnFilling, serviceColumnSources } from '../../../service/columns/capability.js';
import { readServiceConfig } from '../../../service/settings/config.js';
import { refuses, tempFolder } from '../../support/data-fixtures.js';
import { root } from '../../support/tree.js';

const sampleDir = join(root, 'sample');
const sourcesWith = (settings: Readonly<Record<string, string>>) =>
  serviceColumnSources(readServiceConfig(settings), sampleDir);

test('a source that is off says so, and a generated column is given only by name', async (t) => {
  const columns = openColumns({ home: tempFolder(t) });
  const services = { columns, sources: await sourcesWith({}) };
  const wanted = { asset: 'ETH', columns: ['SmartMoneyNetflow'] };
  const known = /no source has "SmartMoneyNetflow" of ETH \(.*nansen: off; .*generated, if named: SmartMoneyNetflow/;
  await refuses(fillColumns(wanted, services), 'NOT_FOUND', known);
  await refuses(fillColumns({ ...wanted, source: 'nansen' }, services), 'NOT_FOUND', /\(nansen: off\)/);
  await refuses(fillColumns({ ...wanted, source: 'luck' }, services), 'NOT_FOUND', /no source "luck" of columns/);
  const [added] = await fillColumns({ ...wanted, source: 'generated' }, services);
  assert.deepEqual([added!.status, added!.entry.origin.source], ['added', 'generated']);
});

test('values of two sources never meet in one column', async (t) => {
  const columns = openColumns({ home: tempFolder(t), now: () => 0 });
  const services = { columns, sources: await sourcesWith({}) };
  const wanted = { asset: 'ETH', columns: ['FearGreed'] };
  const rows = { period: Float64Array.of(1), published: Float64Array.of(2), value: Float64Array.of(3) };
  await columns.add({ asset: 'ETH', column: 'FearGreed', rows, source: 'mine.csv' });
  const other = /FearGreed of ETH is held from mine.csv, not from recorded; --replace stores that instead/;
  await refuses(fillColumns(wanted, services), 'CONFLICT', other);
  assert.equal((await fillColumns({ ...wanted, replace: true }, services))[0]!.status, 'replaced');
  await fillColumns({ asset: 'ETH', columns: ['WhaleNetInflow'], source: 'generated' }, services);
  const real = columns.add({ asset: 'ETH', column: 'WhaleNetInflow', rows, source: 'mine.csv' });
  await refuses(real, 'CONFLICT', /WhaleNetInflow of ETH holds generated values, and these are not/);
});

test('the service fills the columns that its setting names, and one failure stops no other', async (t) => {
  const [home, recordings] = [tempFolder(t), tempFolder(t)];
  // Without bundled columns.
  await symlink(join(sampleDir, 'recordings'), join(recordings, 'recordings'));
  const config = readServiceConfig({ BARLINE_HOME: home, BARLINE_COLUMNS: 'BTC.Luck, ETH.FearGreed@recorded' });
  const { upkeep } = openColumnFilling(
    { config, sampleDir: recordings },
    await serviceColumnSources(config, recordings),
  );
  await assert.rejects(upkeep(), /no source has "Luck" of BTC/);
  const filled = await openColumns({ home }).list();
  assert.deepEqual(
    filled.map(({ asset, column }) => [asset, column]),
    [['ETH', 'FearGreed']],
  );
  await assert.rejects(upkeep());
  assert.deepEqual(await openColumns({ home }).list(), filled, 'filling again changes nothing');
});
