import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { whileUnchanged, writeEntries } from '../../../data/catalogue-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Two folders, of which the second is missing, and a count of the times that they are read. */
function counted() {
  const root = temporaryFolder('catalogues');
  const [one, two] = [join(root, 'one'), join(root, 'two')];
  mkdirSync(one);
  let reads = 0;
  const list = whileUnchanged([one, two], async () => ++reads);
  return { one, two, list };
}

test('catalogues are read once until one of them is replaced, appears or goes', async () => {
  const { one, two, list } = counted();
  const reads: number[] = [await list(), await list()];
  await writeEntries(one, [{ name: 'a' }]);
  reads.push(await list(), await list());
  await writeEntries(one, [{ name: 'b' }]); // as long as before
  reads.push(await list(), await list());
  mkdirSync(two);
  reads.push(await list()); // a folder without a catalogue
  await writeEntries(two, []);
  reads.push(await list(), await list());
  rmSync(join(two, 'catalogue.json'));
  reads.push(await list(), await list());
  assert.deepEqual(reads, [1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5]);
});

test('a catalogue that is replaced while it is read is read again', async () => {
  const folder = temporaryFolder('catalogues');
  let reads = 0;
  const list = whileUnchanged([folder], async () => {
    if (++reads === 1) await writeEntries(folder, []);
    return reads;
  });
  assert.deepEqual([await list(), await list(), await list()], [1, 2, 2]);
});

test('a reading that failed is not kept, and says why each time', async () => {
  const folder = temporaryFolder('catalogues');
  writeFileSync(join(folder, 'catalogue.json'), 'broken');
  let reads = 0;
  const list = whileUnchanged([folder], async () => {
    if (++reads < 3) throw new Error(`failure ${reads}`);
    return reads;
  });
  await assert.rejects(list(), /failure 1/);
  await assert.rejects(list(), /failure 2/);
  assert.deepEqual([await list(), await list()], [3, 3]);
});
