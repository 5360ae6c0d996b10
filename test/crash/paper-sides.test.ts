import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { tradePaper } from '../support/paper-trader.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';
import { newHome } from '../support/state.js';
import { nodeArgs, root } from '../support/tree.js';

/**
 * Paper and deployed strategies of both sides, with working orders, moved stops and partial exits,
 * are killed at any bar, and end with what an undisturbed run holds.
 */

const KILLS = runs(1, 25);
const BARS_BETWEEN = 12;
const BARS = KILLS * BARS_BETWEEN + 60;

const start = (home: string): ChildProcess =>
  spawn(process.execPath, nodeArgs('test/support/paper-process', home, String(BARS)), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_TEST_CONTEXT: '', NODE_OPTIONS: '' },
  });

/** Kills the process some time after so many bars; false if it has ended before. */
async function killAfter(child: ChildProcess, bars: number, delayMs: number): Promise<boolean> {
  let done = 0;
  const exited = once(child, 'exit');
  const reached = new Promise<void>((resolve) => {
    child.stdout?.on('data', (dots: Buffer) => {
      done += dots.length;
      if (done >= bars) resolve();
    });
  });
  await Promise.race([reached, exited]);
  await sleep(delayMs);
  child.kill('SIGKILL');
  await exited;
  return child.signalCode === 'SIGKILL';
}

test('trading that is killed again and again ends like an undisturbed one', async () => {
  const home = await newHome();
  const random = seededRandom(42);
  for (let kill = 1; kill <= KILLS; kill++) {
    const bars = 1 + Math.floor(random() * BARS_BETWEEN);
    assert.ok(await killAfter(start(home), bars, random() * 20), `kill ${kill} comes before the end`);
  }
  const own = await tradePaper({ home }, BARS, () => {});
  const expected = await tradePaper({ home: await newHome() }, BARS, () => {});
  assert.deepEqual(own, expected);
  const { trades, positions, orders, deployedTrades, events } = own;
  assert.ok(trades.some(({ side }) => side === 'exit_short') && deployedTrades.length > 5);
  assert.ok(positions.some(({ exit_reason }) => exit_reason === 'TRAIL'));
  const told = JSON.stringify([orders, events]);
  for (const word of ['"limit"', '"cancelled"', '"levels"', '"placed"', '"expired"'])
    assert.ok(told.includes(word), word);
});
