import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTries } from '../../../../data/tries/index.js';
import { countTries } from '../../../../engine/sweep/index.js';
import { loaderArgs, moduleUrl } from '../../../support/tree.js';

const home = mkdtempSync(join(tmpdir(), 'barline-tries-'));
after(() => rmSync(home, { recursive: true, force: true }));
const ledger = openTries(home);
const hashOf = (n: number | string) => createHash('sha256').update(String(n)).digest('hex').slice(0, 16);
const hashes = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => hashOf(from + k));
const filesOf = (asset: string) => readdirSync(join(home, 'tries', encodeURIComponent(asset)));

test('tries of an asset count once, apart from those of other assets', async () => {
  assert.deepEqual(await ledger.list(), []);
  await ledger.add('BTC', hashes(0, 10));
  await ledger.add('BTC', hashes(5, 15));
  await ledger.add('X/Y..', hashes(0, 3));
  assert.deepEqual(await ledger.list(), [
    { asset: 'BTC', tries: 15 },
    { asset: 'X/Y..', tries: 3 },
  ]);
  const files = filesOf('BTC');
  await ledger.add('BTC', hashes(0, 15));
  assert.deepEqual(filesOf('BTC'), files, 'nothing new writes nothing');
  assert.deepEqual(await ledger.read('ETH'), []);
});

test('what judged sweeps were worth is kept beside the tries, each sweep once and as it was worth most', async () => {
  const one = { sweep: hashOf('one'), plan: hashOf('plan'), tries: 40, unrelated: 7.25 };
  const two = { ...one, sweep: hashOf('two'), tries: 12, unrelated: 3 };
  await ledger.add('SOL', hashes(0, 4));
  await ledger.addSweep('SOL', one);
  await Promise.all([ledger.addSweep('SOL', { ...one, tries: 20, unrelated: 6 }), ledger.addSweep('SOL', two)]);
  await ledger.add('SOL', hashes(4, 6));
  assert.equal((await ledger.read('SOL')).length, 6);
  assert.deepEqual(new Set((await ledger.sweeps()).get('SOL')), new Set([one, two]));
});

/** A process that adds tries one by one until it is killed or done; it prints each that is kept. */
const writer = (asset: string, from: number, to: number) => {
  const script = `
    import { createHash } from 'node:crypto';
    const { openTries } = await import(${JSON.stringify(moduleUrl('data/tries/index').href)});
    const ledger = openTries(${JSON.stringify(home)});
    for (let n = ${from}; n < ${to}; n++) {
      const hash = createHash('sha256').update(String(n)).digest('hex').slice(0, 16);
      await ledger.add(${JSON.stringify(asset)}, [hash]);
      console.log(hash);
    }`;
  return spawn(process.execPath, [...loaderArgs, '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
};

test('writers at the same time, one of them killed, lose no try that they had added', async () => {
  const writers = [writer('RACE', 0, 25), writer('RACE', 20, 45), writer('RACE', 1_000, 1_000_000)];
  const said: string[] = [];
  let fromKilled = 0;
  for (const [i, { stdout }] of writers.entries()) {
    let rest = '';
    stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      said.push(...lines);
      if (i === 2) fromKilled += lines.length;
      if (fromKilled >= 5) writers[2]!.kill('SIGKILL');
    });
  }
  await Promise.all(writers.map((one) => once(one, 'close')));
  assert.ok(fromKilled >= 5);
  const kept = new Set(await ledger.read('RACE'));
  for (const hash of [...hashes(0, 45), ...said]) assert.ok(kept.has(hash), `${hash} was lost`);
  assert.ok(countTries([...kept]) - 45 - fromKilled <= 1, 'the killed writer may have added one more');
  await ledger.add('RACE', [hashOf('last')]);
  assert.equal(filesOf('RACE').length, 1, 'nothing is left of the killed writer');
});

test('a damaged file loses only its damaged lines', async () => {
  mkdirSync(join(home, 'tries', 'BENT'), { recursive: true });
  writeFileSync(join(home, 'tries', 'BENT', 'a.tries'), `${hashOf(1)}\n\0\0\0\n${hashOf(2)}\n${hashOf(3).slice(0, 7)}`);
  assert.deepEqual(new Set(await ledger.read('BENT')), new Set([hashOf(1), hashOf(2)]));
});

/** What a process prints that counts 2,000 tries, reads them, counts one more, and ends. */
async function counted(folder: string, makesHome: boolean): Promise<string> {
  const script = `
    const { openTries } = await import(${JSON.stringify(moduleUrl('data/tries/index').href)});
    const ledger = openTries(${JSON.stringify(folder)});
    const idOf = (n) => n.toString(16).padStart(16, '0');
    for (let n = 0; n < 2000; n++) ledger.count('LOOP', idOf(n), ${makesHome});
    console.log(JSON.stringify(await ledger.list()));
    await ledger.add('LOOP', [idOf(2000)]);
    ledger.count('LOOP', idOf(2001), ${makesHome});`;
  const child = spawn(process.execPath, [...loaderArgs, '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await once(child, 'close');
  return said.trim();
}

test('runs in a loop count at once for their process, and for all others when it ends', async () => {
  const folder = join(home, 'looped');
  assert.equal(await counted(folder, true), '[{"asset":"LOOP","tries":2000}]');
  assert.deepEqual(await openTries(folder).list(), [{ asset: 'LOOP', tries: 2002 }]);
  assert.ok(readdirSync(join(folder, 'tries', 'LOOP')).length < 5, 'a file a process, not a try');
});
