import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBars } from '../../data/bars/index.js';
import { sliceBars } from '../../engine/series/bars.js';
import { HOUR_MS } from '../../engine/series/intervals.js';
import { bytesOf, csvOf, fileOf, tempFolder } from '../support/data-fixtures.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';
import { nodeArgs } from '../support/tree.js';

function startImporter(t: TestContext, home: string, rounds: number, jobs: readonly string[]): ChildProcess {
  const args = nodeArgs('test/fault/data-importer', home, String(rounds), ...jobs);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

const exitOf = async (child: ChildProcess) =>
  child.exitCode === null && child.signalCode === null ? once(child, 'exit') : [];

test('an import killed at any moment leaves a whole catalogue', async (t) => {
  const folder = tempFolder(t);
  const home = join(folder, 'home');
  const versions = [1, 2, 3].map((seed) => randomBars({ seed, barCount: 400 }));
  const jobs = await Promise.all(
    versions.map(async (bars, i) => `${await fileOf(folder, `${i}.csv`, csvOf(bars))}=BTC`),
  );
  const store = openBars({ home });
  await store.import(join(folder, '0.csv'), { asset: 'BTC' });
  await store.import(join(folder, '0.csv'), { asset: 'ETH' });
  const random = seededRandom(7);

  for (let kill = 0; kill < runs(2, 200); kill++) {
    const child = startImporter(t, home, 1e6, jobs);
    await once(child.stdout!, 'data');
    await sleep(random() * 60); // the moment of the kill is the input of this test
    child.kill('SIGKILL');
    await exitOf(child);
    assert.deepEqual(
      (await store.check()).map(({ entry, problems }) => [entry.asset, problems]),
      [
        ['BTC', []],
        ['ETH', []],
      ],
    );
    const { bars } = await store.load({ asset: 'BTC', intervalMs: HOUR_MS });
    assert.ok(
      versions.some((version) => version.close.at(-1) === bars.close.at(-1) && bars.barCount === version.barCount),
    );
  }
  // The next import does not wait, and clears away what the killed ones left.
  await store.import(join(folder, '1.csv'), { asset: 'SOL' });
  const names = await readdir(join(home, 'bars'));
  assert.deepEqual(
    names.filter((name) => name.startsWith('.') || name.includes('.lock')),
    [],
  );
});

test('an append killed between any two steps leaves the old bars or the new ones', async (t) => {
  const folder = tempFolder(t);
  const whole = randomBars({ seed: 9, barCount: 300 });
  const before = await fileOf(folder, 'before.csv', csvOf(sliceBars(whole, 0, 200)));
  const after = await fileOf(folder, 'after.csv', csvOf(sliceBars(whole, 190, 300)));
  const seen = { old: 0, new: 0 };
  for (let step = 1; ; step += runs(4, 1, 1)) {
    const home = join(folder, `home${step}`);
    const store = openBars({ home });
    await store.import(before, { asset: 'BTC' });
    const child = spawn(process.execPath, nodeArgs('test/fault/dying-append', home, after, String(step)), {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    await exitOf(child);
    assert.deepEqual(
      (await store.check()).map(({ problems }) => problems),
      [[]],
    );
    const { bars } = await store.load({ asset: 'BTC', intervalMs: HOUR_MS });
    assert.deepEqual(bytesOf(bars), bytesOf(sliceBars(whole, 0, bars.barCount)));
    assert.ok(bars.barCount === 200 || bars.barCount === 300, `${bars.barCount} bars after step ${step}`);
    seen[bars.barCount === 200 ? 'old' : 'new']++;
    // The next append does not wait, and completes.
    await store.import(after, { asset: 'BTC', append: true });
    assert.deepEqual(bytesOf((await store.load({ asset: 'BTC', intervalMs: HOUR_MS })).bars), bytesOf(whole));
    if (child.exitCode === 0) break;
    assert.equal(child.signalCode, 'SIGKILL');
  }
  assert.ok(seen.old > 0 && seen.new > 0, JSON.stringify(seen));
});

/** Ends when all have ended; each must have succeeded. */
async function allDone(children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) child.stdout!.resume();
  for (const exit of await Promise.all(children.map(exitOf))) assert.deepEqual(exit, [0, null]);
}

const APPENDERS = runs(3, 20, 20);

test('many processes that append to one series, or to as many, store every row once', async (t) => {
  const folder = tempFolder(t);
  const home = join(folder, 'home');
  const whole = randomBars({ seed: 11, barCount: 20 * APPENDERS, gapChance: 0 });
  const parts = await Promise.all(
    Array.from({ length: APPENDERS }, (_, i) =>
      fileOf(folder, `${i}.csv`, csvOf(sliceBars(whole, 20 * i, 20 * i + 20))),
    ),
  );
  await allDone(parts.map((part) => startImporter(t, home, 1, [`${part}+=ONE`])));
  await allDone(parts.map((part, i) => startImporter(t, home, 1, [`${part}+=S${i}`])));
  const store = openBars({ home });
  assert.deepEqual(bytesOf((await store.load({ asset: 'ONE', intervalMs: HOUR_MS })).bars), bytesOf(whole));
  for (const [i] of parts.entries()) {
    const { bars } = await store.load({ asset: `S${i}`, intervalMs: HOUR_MS });
    assert.deepEqual(bytesOf(bars), bytesOf(sliceBars(whole, 20 * i, 20 * i + 20)));
  }
  assert.deepEqual(
    (await store.check()).flatMap(({ problems }) => problems),
    [],
  );
});

test('read-while-replaced: a read during replacements gives the old bars or the new ones, and no damage is found', async (t) => {
  const folder = tempFolder(t);
  const versions = [1, 2, 3].map((seed) => randomBars({ seed, barCount: 300 + seed }));
  const jobs = await Promise.all(
    versions.map(async (bars, i) => `${await fileOf(folder, `${i}.csv`, csvOf(bars))}=RC`),
  );
  const store = openBars({ home: folder });
  await store.import(join(folder, '0.csv'), { asset: 'RC' });
  const child = startImporter(t, folder, runs(6, 400), jobs);
  child.stdout!.resume();
  const seen = new Set<number>();
  let isDone = false;
  const ended = exitOf(child).then((exit) => {
    isDone = true;
    return exit;
  });
  const read = async () => {
    while (!isDone) {
      const { bars } = await store.load({ asset: 'RC', intervalMs: HOUR_MS });
      const version = versions.find(({ barCount }) => barCount === bars.barCount);
      assert.deepEqual(bytesOf(bars), bytesOf(version!));
      seen.add(bars.barCount);
    }
  };
  const check = async () => {
    while (!isDone) for (const { problems } of await store.check()) assert.deepEqual(problems, []);
  };
  await Promise.all([read(), read(), check()]);
  assert.deepEqual(await ended, [0, null]);
  assert.equal(seen.size, versions.length);
});
