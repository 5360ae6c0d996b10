import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { makeFolder } from '../../../data/files.js';
import { removeStaleLocks, withLock } from '../../../data/lock.js';
import { ownName } from '../../../data/processes.js';
import { tempFolder } from '../../support/data-fixtures.js';

/** Name of a process that has ended. */
const dead = `${spawnSync(process.execPath, ['-e', '']).pid} - ${hostname()}\n`;

test('a lock whose holder was killed, and whose breaker was killed too, does not hold anyone up', async (t) => {
  const folder = tempFolder(t);
  const path = join(folder, 'BTC-1h.lock');
  writeFileSync(path, dead);
  writeFileSync(`${path}.break`, dead);
  assert.equal(await withLock(path, async () => 'done', 2_000), 'done');
  assert.deepEqual(readdirSync(folder), []);
});

test('what killed processes left is cleared away, and what a living one holds is not', async (t) => {
  const folder = tempFolder(t);
  for (const name of ['a.lock', 'a.lock.break', 'b.lock.break']) writeFileSync(join(folder, name), dead);
  for (const name of ['c.lock', 'd.lock.break']) writeFileSync(join(folder, name), `${ownName()}\n`);
  await removeStaleLocks(folder);
  assert.deepEqual(readdirSync(folder).sort(), ['c.lock', 'd.lock.break']);
});

test('a lock names its holder from the moment that it exists', async (t) => {
  const folder = tempFolder(t);
  const path = join(folder, 'a.lock');
  const seen = new Set<string>();
  let isWorking = true;
  const look = (): void => {
    try {
      seen.add(readFileSync(path, 'utf8'));
    } catch {
      // no lock at this moment
    }
    if (isWorking) setImmediate(look);
  };
  look();
  for (let i = 0; i < 200; i++) await withLock(path, async () => {});
  isWorking = false;
  assert.deepEqual([...seen], [`${ownName()}\n`]);
  assert.deepEqual(readdirSync(folder), []);
});

test('whoever makes the folder above at any moment, a folder is made', async (t) => {
  const folder = tempFolder(t);
  for (let round = 0; round < 100; round++) {
    const above = join(folder, `home${round}`);
    const made = makeFolder(join(above, 'bars'));
    for (let passed = 0; passed < round % 10; passed++) await turn();
    await makeFolder(above);
    await made;
    assert.ok(existsSync(join(above, 'bars')));
  }
});
