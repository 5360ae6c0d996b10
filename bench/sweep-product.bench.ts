// Asks: how many configurations a second does `barline sweep` finish, from the start of the command
// to stored rows, on one and two threads, with strategies that trade often and with a filter that
// lets almost nothing through, and how long until its first rows are stored?
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBars, writeBars } from '../data/bars/index.js';
import { queryResults } from '../data/sweeps/index.js';
import { medianOf, type Sizes, seededBars, type Timing, yardstickMs } from './measure.js';
import { command, rowsOf, sweep } from './sweep-command.js';
import { crosses, often, seldom } from './sweep-plans.js';

const VARIANTS = 16;

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const home = mkdtempSync(join(tmpdir(), 'barline-bench-'));
  const timings: Timing[] = [];
  try {
    for (const bars of isSmoke ? [2_000] : [10_000, 100_000]) {
      const asset = `BENCH${bars}`;
      const file = join(home, `${asset}.parquet`);
      await writeBars(file, seededBars(bars));
      await openBars({ home }).import(file, { asset });
      for (const isSparse of [false, true]) {
        const runs = isSmoke ? 40 : bars === 10_000 ? 80_000 : 12_000;
        timings.push(...(await race(home, asset, bars, isSparse, runs)));
      }
      timings.push(await firstRows(home, bars, isSmoke ? 1 : 9));
      if (bars < 100_000) timings.push(await shortRace(home, asset, bars, isSmoke ? 1 : 9));
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return timings;
}

async function race(home: string, asset: string, bars: number, isSparse: boolean, runs: number): Promise<Timing[]> {
  const planFile = join(home, 'plan.json');
  writeFileSync(
    planFile,
    JSON.stringify(crosses(asset, [isSparse ? seldom : often], Math.floor(runs / VARIANTS), VARIANTS)),
  );
  const name = isSparse ? 'sweep, rare entries' : 'sweep';
  const done = [1, 2].map((threads) => sweep(home, planFile, threads));
  const [one, two] = await Promise.all(done.map(({ folder }) => rowsOf(folder)));
  assert.deepEqual(two, one, 'threads must not change a row');
  const facts = await queryResults(
    [done[0]!.folder],
    "SELECT count(*), avg(total_trades), count(*) FILTER (status = 'skipped') FROM results",
  );
  const [count, trades, skipped] = facts.rows[0] as [number, number, number];
  return done.map(({ ms, perSecond }, i) => {
    const speedup = i === 0 ? '' : `   ${(perSecond / done[0]!.perSecond).toFixed(2)}x one thread`;
    console.log(
      `${name.padEnd(20)} ${String(bars).padStart(7)} bars  ${i + 1} threads  ${perSecond.toFixed(0).padStart(7)} configurations/s from plan to stored row, ${((count * 1_000) / ms).toFixed(0)}/s in the whole command  (${count} runs, ${trades.toFixed(1)} trades each, ${skipped} skipped)${speedup}`,
    );
    const p50Ms = 1_000 / perSecond;
    return {
      name: `${name}, ${i + 1} threads`,
      bars,
      p50Ms,
      nsPerBar: (p50Ms * 1e6) / bars,
      yardsticks: p50Ms / yardstickMs(bars),
      ...(i === 0 ? {} : { ratio: perSecond / done[0]!.perSecond }),
    };
  });
}

/**
 * A sweep of less than a second, run with one thread and with two in turn: two must not be slower.
 */
async function shortRace(home: string, asset: string, bars: number, rounds: number): Promise<Timing> {
  const planFile = join(home, 'short.json');
  writeFileSync(planFile, JSON.stringify(crosses(asset, [often], rounds === 1 ? 4 : 600, VARIANTS)));
  const rates: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [i, list] of rates.entries()) list.push(sweep(home, planFile, i + 1).perSecond);
  }
  const [one, two] = rates.map(medianOf) as [number, number];
  console.log(
    `short sweep          ${String(bars).padStart(7)} bars  1 and 2 threads, ${one} and ${two} configurations/s   ${(two / one).toFixed(2)}x`,
  );
  const p50Ms = 1_000 / two;
  return {
    name: 'short sweep, 2 threads',
    bars,
    p50Ms,
    nsPerBar: (p50Ms * 1e6) / bars,
    yardsticks: p50Ms / yardstickMs(bars),
    ratio: two / one,
  };
}

/**
 * From the start of the process to the first part in its folder, with two threads and the plan of
 * the latest race.
 */
async function firstRows(home: string, bars: number, rounds: number): Promise<Timing> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const folder = mkdtempSync(join(home, 'sweep-'));
    const args = [command, 'sweep', join(home, 'plan.json'), '--out', folder, '--workers', '2'];
    const start = performance.now();
    const child = spawn(process.execPath, args, { env: { ...process.env, BARLINE_HOME: home }, stdio: 'ignore' });
    const exit = new AbortController();
    child.once('exit', () => exit.abort()); // without rows there is nothing to wait for
    for await (const { filename } of watch(folder, exit)) if (/^part-\d+-\d+\.parquet$/.test(filename ?? '')) break;
    times.push(performance.now() - start);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const p50Ms = medianOf(times);
  console.log(`first stored rows    ${String(bars).padStart(7)} bars  2 threads  ${p50Ms.toFixed(0).padStart(7)} ms`);
  return {
    name: 'first stored rows',
    bars,
    p50Ms,
    nsPerBar: (p50Ms * 1e6) / bars,
    yardsticks: p50Ms / yardstickMs(bars),
  };
}
