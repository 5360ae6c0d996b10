import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openBars } from '../../../data/bars/index.js';
import { whileUnchanged, writeEntries } from '../../../data/catalogue-file.js';
import { removeStaleLocks, withLock } from '../../../data/lock.js';
import { findOutage } from '../../../data/outage.js';
import { hasEnded, ownName } from '../../../data/processes.js';
import { readSieve, sievePath } from '../../../data/sieve/index.js';
import { asStoreFailure } from '../../../data/state/index.js';
import { isoTime } from '../../../engine/series/time.js';
import { asApiError, asOutageError, isPassing } from '../../../service/api-error.js';
import { tempFolder } from '../../support/data-fixtures.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { root } from '../../support/tree.js';

/** The bundled bars, recordings and model of the sieve are whole, and what they are said to be. */

const sampleDir = join(root, 'sample');

interface ManifestFile {
  readonly file: string;
  readonly bars: number;
  readonly contentHash: string;
  readonly zeroVolumeBars: number;
  readonly holes: readonly unknown[];
}
const manifest = JSON.parse(readFileSync(join(sampleDir, 'manifest.json'), 'utf8')) as { files: ManifestFile[] };

test('the bundled bars are sound and match their manifest', async (t) => {
  const store = openBars({ home: tempFolder(t), sampleDir });
  const checked = await store.check();
  assert.equal(checked.length, manifest.files.length);
  for (const { entry, problems } of checked) {
    assert.deepEqual(problems, []);
    const { gaps } = await store.load(entry);
    const file = manifest.files.find((candidate) => candidate.file === entry.file)!;
    assert.deepEqual(
      [file.bars, file.contentHash, file.zeroVolumeBars],
      [entry.bars, entry.contentHash, entry.zeroVolumeBars],
    );
    assert.deepEqual(
      file.holes,
      gaps.map((gap) => ({ ...gap, firstMissing: isoTime(gap.firstMissing), lastMissing: isoTime(gap.lastMissing) })),
    );
  }
});

test('the bundled model is the one whose figures the page shows, and a broken one is named', () => {
  const { version } = readSieve(sampleDir) ?? assert.fail('it is there');
  assert.ok(readFileSync(join(root, 'docs/sieve.md'), 'utf8').includes(`\`${version}\``));
  const folder = temporaryFolder('sieve');
  assert.equal(readSieve(folder), null);
  for (const text of ['{', '{"weights":{}}']) {
    writeFileSync(sievePath(folder), text);
    assert.throws(() => readSieve(folder), /sieve\.json is not a model of the sieve/);
  }
});

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

const withCode = (code: string, message = 'failed'): Error => Object.assign(new Error(message), { code });

const outages: Readonly<Record<string, readonly [Error, string]>> = {
  'a lost connection': [withCode('ECONNRESET'), 'away'],
  'a refused connection': [withCode('ECONNREFUSED'), 'away'],
  'a connection that ends': [new Error('Connection terminated unexpectedly'), 'away'],
  'a pool without a free connection': [new Error('timeout exceeded when trying to connect'), 'away'],
  'a dead thread': [new Error('the thread of the embedded store has ended'), 'away'],
  ...Object.fromEntries(['08006', '08003', '57P01', '57P02', '57P03'].map((code) => [code, [withCode(code), 'away']])),
  ...Object.fromEntries(['53300', '53200', '40001', '40P01'].map((code) => [code, [withCode(code), 'busy']])),
  53100: [withCode('53100'), 'full'],
  25006: [withCode('25006'), 'read_only'],
  'a full disk by its text alone': [withCode('58030', 'could not write block 7: No space left on device'), 'full'],
};

test('an outage of the store is ENGINE_BUSY with a time to wait', () => {
  for (const [name, [error, kind]] of Object.entries(outages)) {
    const fault = asStoreFailure(error);
    assert.deepEqual(findOutage(fault), { dependency: 'database', kind }, name);
    const { code, details, message } = asOutageError(fault) ?? assert.fail('an outage');
    assert.equal(code, 'ENGINE_BUSY');
    assert.deepEqual(details, { retry_after: 2, dependency: 'database', reason: kind });
    assert.match(message, /^the database .* send the call again$/);
    assert.equal(asApiError(fault), null, 'no part of an answer is made of it');
    assert.ok(isPassing(new Error('a use case failed', { cause: fault })));
  }
});

test('a mistake in a statement or a violated rule is no outage', () => {
  for (const code of ['23505', '42P01', '42601', '22P02', '28P01', '42501', 'XX000']) {
    const error = withCode(code);
    assert.equal(asStoreFailure(error), error);
    assert.equal(findOutage(error), null);
  }
  assert.equal(findOutage(new TypeError('x is not a function')), null);
  assert.equal(findOutage(withCode('ECONNREFUSED')), null, 'to what, the error does not say');
  assert.equal(asOutageError('text'), null);
});

test('a full or read-only disk is an outage, also told by DuckDB or a thread', () => {
  for (const [error, kind] of [
    [withCode('ENOSPC'), 'full'],
    [withCode('EDQUOT'), 'full'],
    [withCode('EROFS'), 'read_only'],
    [new Error('rows cannot be written: ENOSPC: no space left on device, write'), 'full'],
    [new Error('IO Error: Could not write file "x": No space left on device'), 'full'],
  ] as const) {
    assert.deepEqual(findOutage(error), { dependency: 'disk', kind });
  }
  assert.equal(findOutage(withCode('ENOENT')), null);
});

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
  // Slow enough that the shell, which reaps, is the sleeping program by then.
  const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => parent.kill('SIGKILL'));
  const [said] = await once(parent.stdout, 'data');
  while (!/\) Z/.test(readFileSync(`/proc/${Number(said)}/stat`, 'utf8'))) await turn();
  assert.equal(hasEnded(`${Number(said)} - ${hostname()}`), true);
});
