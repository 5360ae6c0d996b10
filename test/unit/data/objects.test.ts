import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { openObjects } from '../../../data/objects/index.js';
import { startObjectStore } from '../../support/object-store.js';
import { runs } from '../../support/scale.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('objects-here');
const store = await startObjectStore(1 / 3);
after(() => store.stop());
const objects = openObjects(store.access);

const keysBelow = async (prefix: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of objects.list(prefix)) keys.push(key);
  return keys;
};

test('objects come back as they were, whatever happens to a third of the requests', async () => {
  const count = runs(20, 200);
  const sent = Array.from({ length: count }, (_, i) => randomBytes(i % 3 === 0 ? 700_000 : 10 * i));
  for (const [i, bytes] of sent.entries()) {
    await writeFile(join(folder, 'sent'), bytes);
    await objects.put(`some/part-${i}.parquet`, join(folder, 'sent'));
  }
  for (const [i, bytes] of sent.entries()) {
    const path = join(folder, `got-${i}`);
    assert.equal(await objects.get(`some/part-${i}.parquet`, path), true);
    assert.ok((await readFile(path)).equals(bytes), `object ${i}`);
  }
  assert.deepEqual((await keysBelow('some/')).length, count);
  assert.deepEqual(await keysBelow('some/part-1.'), ['some/part-1.parquet']);
  await objects.remove('some/part-1.parquet');
  await objects.remove('some/part-1.parquet');
  assert.deepEqual(await keysBelow('some/part-1.'), []);
  const path = join(folder, 'absent');
  assert.equal(await objects.get('some/part-1.parquet', path), false);
  assert.equal(existsSync(path), false);
  assert.equal(store.seen.size, 6, [...store.seen].join(' '));
});

test('an answer that breaks off goes on where it was', async () => {
  store.faultShare(0);
  store.requests.length = 0;
  const bytes = randomBytes(700_000);
  await writeFile(join(folder, 'sent'), bytes);
  await objects.put('long', join(folder, 'sent'));
  const isContinued = () => store.requests.some(({ range }) => /^bytes=[1-9]\d*-$/.test(range ?? ''));
  // Whether anything of the half arrives is up to the system.
  for (let tries = 0; tries < 100 && !isContinued(); tries++) {
    store.strike('half an answer');
    await objects.get('long', join(folder, 'long'));
    assert.ok((await readFile(join(folder, 'long'))).equals(bytes));
  }
  assert.ok(isContinued());
});

test('a store that stays away, and a bucket that does not exist, are outages of the store', async () => {
  await writeFile(join(folder, 'sent'), 'x');
  const nowhere = openObjects({ ...store.access, bucket: 'no-such-bucket' });
  store.faultShare(0);
  await assert.rejects(nowhere.put('a', join(folder, 'sent')), { dependency: 'objects', message: /NoSuchBucket/ });
  await assert.rejects(nowhere.probe(), { dependency: 'objects' });
  await assert.rejects(objects.put('a', join(folder, 'no such file')), { code: 'ENOENT' });
  const away = openObjects({ ...store.access, endpoint: 'http://127.0.0.1:1' });
  await assert.rejects(away.probe(), { dependency: 'objects', kind: 'away' });
});
