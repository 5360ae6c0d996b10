import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import test from 'node:test';
import { hasEnded, ownName } from '../../../data/processes.js';

test('a running process has not ended, nor has one that cannot be looked up', () => {
  const name = ownName();
  assert.equal(hasEnded(name), false);
  assert.equal(hasEnded(`${name} and more`), false);
  assert.equal(hasEnded(name.replace(hostname(), 'another-host')), false);
  for (const unknown of ['', 'nonsense', '0b0b2a0e-6f0f-4d6f-8f2c-0d5a3a7b1c11'])
    assert.equal(hasEnded(unknown), false);
});

test('a killed process has ended, and so has an earlier one of the same id', async (t) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  const nameOf = (start: string) => `${child.pid} ${start} ${hostname()}`;
  assert.equal(hasEnded(nameOf('-')), false);
  if (process.platform === 'linux') assert.equal(hasEnded(nameOf('1')), true, 'it started later');
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(hasEnded(nameOf('-')), true);
});
