import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBars, writeBars } from '../../data/bars/index.js';
import { queryResults } from '../../data/sweeps/index.js';
import { MINUTE_MS } from '../../engine/series/index.js';
import { randomBars } from './random.js';
import { commandArgs, nodeArgs, root } from './tree.js';

const LONG_BARS = 3_000_000;

/** Three million minutes of the asset LONG, on which a run takes milliseconds. */
export async function storeLongBars(home: string): Promise<void> {
  const file = join(home, 'long.parquet');
  await mkdir(home, { recursive: true });
  await writeBars(file, randomBars({ seed: 1, barCount: LONG_BARS, intervalMs: MINUTE_MS, reversion: 0.0001 }));
  await openBars({ home }).import(file, { asset: 'LONG' });
}

/** A sweep in a process of its own. */
export function startSweep(
  args: readonly string[],
  home: string,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return startScript(commandArgs('sweep', ...args), home, env);
}

/** The same, on threads that count the runs they begin in the file BARLINE_TEST_RUNS. */
export function startCounted(
  folder: string,
  plan: string,
  threads: string,
  home: string,
  runsFile: string,
): ChildProcess {
  return startScript(nodeArgs('test/support/counted-sweep', folder, plan, threads), home, {
    BARLINE_TEST_RUNS: runsFile,
  });
}

function startScript(args: readonly string[], home: string, env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_TEST_CONTEXT: '', NODE_OPTIONS: '', ...env, BARLINE_HOME: home },
  });
}

export const exitOf = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
};

/** The number of runs that have a row, according to the names of the parts. */
export const rowsOnDisk = (folder: string): number => partsOnDisk(folder).rows;

/** Runs of the largest part. */
export const largestPart = (folder: string): number => partsOnDisk(folder).largest;

function partsOnDisk(folder: string): { readonly rows: number; readonly largest: number } {
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    return { rows: 0, largest: 0 }; // not begun
  }
  const ranges = names.flatMap((name) => {
    const [, from, to] = /^part-(\d+)-(\d+)\.parquet$/.exec(name) ?? [];
    return from === undefined ? [] : [[Number(from), Number(to)] as const];
  });
  let next = 0;
  let rows = 0;
  for (const [from, to] of ranges.sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (to > next) rows += to - Math.max(from, next);
    next = Math.max(next, to);
  }
  return { rows, largest: Math.max(0, ...ranges.map(([from, to]) => to - from)) };
}

/** Waits until this many runs have rows, or the process has ended. */
export async function untilRows(child: ChildProcess, folder: string, rows: number): Promise<void> {
  while (child.exitCode === null && child.signalCode === null && rowsOnDisk(folder) < rows) await sleep(5);
}

/** Every row of a sweep without the columns for time, speed and name. */
export const comparableRows = (folder: string) =>
  queryResults(
    [folder],
    'SELECT * EXCLUDE (experiment_id, elapsed_seconds, completed_at) FROM results ORDER BY run_index',
  );

export const rowIndices = async (folder: string): Promise<number[]> =>
  (await queryResults([folder], 'SELECT run_index FROM results')).rows.map(([index]) => Number(index));
