import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { removeStaleLocks, withLock } from '../../../data/lock.js';
import { hasEnded, ownName } from '../../../data/processes.js';
import { tempFolder } from '../../support/data-fixtures.js';

/** Name of a process that has ended. */
const dead = `${spawnSync('true').pid} - ${hostname()}\n`;

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

test('a running process has not ended, nor has one that cannot be looked up', () => {
  const name = ownName();
  for (const running of [name, `${name} and more`, name.replace(hostname(), 'another-host'), '', 'nonsense'])
    assert.equal(hasEnded(running), false, running);
});

test('a killed process has ended, and so has an earlier one of the same id', async (t) => {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  const nameOf = (start: string) => `${child.pid} ${start} ${hostname()}`;
  assert.equal(hasEnded(nameOf('-')), false);
  if (process.platform === 'linux') assert.equal(hasEnded(nameOf('1')), true, 'it started later');
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(hasEnded(nameOf('-')), true);
});

test('a process that its parent never reaps has ended', { skip: !existsSync('/proc/1/stat') }, async (t) => {
  const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => parent.kill('SIGKILL'));
  const [said] = await once(parent.stdout, 'data');
  while (!/\) Z/.test(readFileSync(`/proc/${Number(said)}/stat`, 'utf8'))) await turn();
  assert.equal(hasEnded(`${Number(said)} - ${hostname()}`), true);
});
