import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
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
