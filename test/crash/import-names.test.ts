import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openBars } from '../../data/bars/index.js';
import { DAY_MS } from '../../engine/series/index.js';
import { jsonOf, runCli } from '../support/cli.js';
import { csvOf, fileOf } from '../support/data-fixtures.js';
import { randomBars } from '../support/random.js';
import { runs } from '../support/scale.js';
import { commandArgs, root } from '../support/tree.js';

const folder = mkdtempSync(join(tmpdir(), 'barline-crash-names-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const COUNT = runs(12, 120);
for (let k = 0; k < COUNT; k++) {
  await fileOf(
    folder,
    `S${k}USDT-1d.csv`,
    csvOf(randomBars({ seed: k + 1, barCount: 500, intervalMs: DAY_MS, startMs: Date.UTC(2023, 0, 1) })),
  );
}
const args = ['data', 'import', join(folder, '*USDT-1d.csv'), '--names', '{asset}USDT-{interval}.csv'];

/** Starts the import, and sends a signal once so many series are in the catalogue. */
async function stopAt(home: string, count: number, signal: NodeJS.Signals): Promise<number | null> {
  const child = spawn(process.execPath, commandArgs(...args), {
    cwd: root,
    env: { ...process.env, BARLINE_HOME: home },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  while (child.exitCode === null && heldIn(home) < count) await wait(2);
  child.kill(signal);
  const [code] = (await ended) as [number | null];
  return code;
}

function heldIn(home: string): number {
  try {
    return (JSON.parse(readFileSync(join(home, 'bars', 'catalogue.json'), 'utf8')) as { entries: unknown[] }).entries
      .length;
  } catch {
    return 0;
  }
}

/** Every series of the catalogue is whole, and the same command goes on with the others. */
async function assertGoesOn(home: string): Promise<void> {
  const store = openBars({ home });
  const before = await store.check();
  assert.deepEqual(
    before.flatMap(({ problems }) => problems),
    [],
  );
  const rest = await runCli([...args, '--json'], { home });
  const { imported, left } = jsonOf(rest) as { imported: { status: string }[]; left: number };
  assert.deepEqual([imported.length, left], [COUNT, 0]);
  assert.equal(imported.filter(({ status }) => status === 'unchanged').length, before.length);
  const all = await store.check();
  assert.equal(all.length, COUNT);
  assert.ok(all.every(({ problems, entry }) => problems.length === 0 && entry.bars === 500));
}

test('an interrupt waits for the series at hand, and says what is left', async () => {
  const home = join(folder, 'interrupted');
  const code = await stopAt(home, 4, 'SIGINT');
  assert.equal(code, 130);
  assert.ok(heldIn(home) < COUNT);
  await assertGoesOn(home);
});
