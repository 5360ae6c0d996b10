import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { metricNames } from '../../engine/metrics/index.js';
import {
  type ChunkResult,
  type ChunkTask,
  type RunRange,
  runStatuses,
  runSweepChunks,
  type SweepSetup,
  startThreads,
} from '../../workers/index.js';
import type { Deadly } from '../support/deadly-task.js';
import { runs, soak } from '../support/scale.js';
import { type ChunkOptions, runChunks, setupFor } from '../support/sweep-setup.js';
import { crossSweep, filter, planOf, trigger } from '../support/sweeps.js';
import { moduleUrl } from '../support/tree.js';

const sweep = crossSweep({
  entry_signals: {
    triggers: [
      trigger('sma_cross_up', {
        window_fast: { min: 3, max: 12, step: 1 },
        window_slow: { min: 20, max: 40, step: 5 },
      }),
    ],
    filters: [filter('is_above_sma', { window: { values: [50, 100] } })],
  },
}) as { readonly datasets: readonly unknown[] };
const total = planOf(sweep).totalRuns;
const all: readonly RunRange[] = [{ from: 0, to: total }];

interface Rows {
  readonly hashes: readonly string[];
  readonly statuses: readonly string[];
  readonly errors: readonly (string | null)[];
  readonly metrics: readonly number[][];
  readonly chunks: readonly ChunkResult[];
}

/** Rows by run index. Fails for a run that comes twice or not at all. */
async function runAll(setup: SweepSetup, options: Partial<ChunkOptions> = {}): Promise<Rows> {
  const chunks: ChunkResult[] = [];
  await runChunks({
    setup,
    batches: [all],
    threads: 2,
    ...options,
    onChunk: async (result) => {
      chunks.push(result);
      await options.onChunk?.(result);
    },
  });
  const done = chunks.toSorted((a, b) => a.from - b.from);
  const width = metricNames.length;
  return {
    chunks,
    hashes: done.flatMap(({ configHashes }) => configHashes),
    statuses: done.flatMap(({ statuses }) => Array.from(statuses, (code) => runStatuses[code])),
    errors: done.flatMap(({ errors }) => errors),
    metrics: done.flatMap(({ count, metrics }) =>
      Array.from({ length: count }, (_, i) => Array.from(metrics.subarray(i * width, (i + 1) * width))),
    ),
  };
}

function assertWhole({ chunks }: Rows): void {
  let next = 0;
  for (const { from, count } of chunks.toSorted((a, b) => a.from - b.from)) {
    assert.equal(from, next, 'every run once');
    next += count;
  }
  assert.equal(next, total);
}

/** The rows of the sweep where nothing happens, on one thread. */
let rowsAtPeace: Promise<Rows> | null = null;
function undisturbedRows(): Promise<Rows> {
  rowsAtPeace ??= runAll(setupFor(sweep), { threads: 1 });
  return rowsAtPeace;
}

const rowsOf = ({ hashes, statuses, errors, metrics }: Rows) => ({ hashes, statuses, errors, metrics });

const deadly = (run: number, way: Deadly['way'], deaths: number) => ({
  run,
  way,
  left: new Int32Array(new SharedArrayBuffer(4)).fill(deaths),
});
const task = moduleUrl('test/support/deadly-task');

for (const way of ['exit', 'memory'] as const) {
  test(`a thread that dies (${way}) loses only its chunk, which runs again`, async () => {
    const setup = setupFor(sweep);
    const undisturbed = await undisturbedRows();
    const rows = await runAll({ ...setup, deadly: deadly(30, way, 1) } as SweepSetup, { task, heapMbMax: 64 });
    assertWhole(rows);
    assert.deepEqual(rowsOf(rows), rowsOf(undisturbed));
  });
}

test('a run that kills every thread is found by halving; its row says so, and all others are there', async () => {
  const setup = setupFor(sweep);
  const undisturbed = await undisturbedRows();
  const rows = await runAll({ ...setup, deadly: deadly(77, 'exit', 1_000) } as SweepSetup, { task });
  assertWhole(rows);
  assert.equal(rows.statuses[77], 'error');
  assert.match(rows.errors[77]!, /ended its thread 3 times/);
  const others = <T>(list: readonly T[]) => list.filter((_, i) => i !== 77);
  assert.deepEqual(others(rows.metrics), others(undisturbed.metrics));
  assert.equal(others(rows.errors).filter((message) => message !== null).length, 0);
});

test('a run whose row also ends its thread ends the sweep with the reason', async () => {
  const tried: (string | undefined)[] = [];
  const threads = {
    count: 1,
    broken: new AbortController().signal,
    use: () => ({ threads: 1, busy: 0, waiting: 0 }),
    run: async ({ failure }: ChunkTask) => {
      tried.push(failure);
      throw new Error('gone');
    },
    end: async () => {},
  };
  const sweeping = runSweepChunks({
    ...{ setup: setupFor(sweep), threads, batches: [[{ from: 5, to: 6 }]] },
    onChunk: async () => assert.fail('there is no row'),
  });
  await assert.rejects(sweeping, { code: 'INVALID_DATA', message: 'run 5 cannot have a row: gone' });
  assert.deepEqual(tried, [...Array(3).fill(undefined), 'the run ended its thread 3 times: gone']);
});

test('the shared flag stops every thread after its current run; the rest can run later', async () => {
  const setup = setupFor(sweep);
  const undisturbed = await undisturbedRows();
  let isStopped = false;
  const before = await runAll(setup, {
    onChunk: async () => {
      if (!isStopped) Atomics.store(setup.stop, 0, 1);
      isStopped = true;
    },
  });
  const done = before.hashes.length;
  assert.ok(done > 0 && done < total, `${done} of ${total} runs before the stop`);
  Atomics.store(setup.stop, 0, 0);
  const covered = before.chunks.toSorted((a, b) => a.from - b.from);
  const missing: RunRange[] = [];
  let next = 0;
  for (const { from, count } of covered) {
    if (from > next) missing.push({ from: next, to: from });
    next = from + count;
  }
  if (next < total) missing.push({ from: next, to: total });
  const rest = await runAll(setup, { batches: [missing] });
  const joined = [...before.chunks, ...rest.chunks].toSorted((a, b) => a.from - b.from);
  assert.deepEqual(
    joined.flatMap(({ configHashes }) => configHashes),
    undisturbed.hashes,
  );
});

test('while results pile up, threads wait: no more chunks begin than may wait', async () => {
  const begun = new Int32Array(new SharedArrayBuffer(4));
  let release = () => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const running = runAll({ ...setupFor(sweep, 500), begun } as SweepSetup, {
    task: moduleUrl('test/support/counting-task'),
    onChunk: () => blocked,
  });
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  while (Atomics.load(begun, 0) < 2) await turn(); // one per thread
  for (let i = 0; i < 1_000; i++) await turn();
  assert.equal(Atomics.load(begun, 0), 2);
  release();
  assertWhole(await running);
});

test('rows that a thread cannot write end the sweep with the reason', async () => {
  const setup = setupFor(sweep, 500);
  const rows = { ...setup.rows, folder: fileURLToPath(import.meta.url) }; // a file, not a folder
  await assert.rejects(runAll({ ...setup, rows }), /rows cannot be written: .*(ENOTDIR|EEXIST|not a directory)/i);
});

test('threads that cannot load their code end the sweep with the reason', async () => {
  const broken = new URL('data:text/javascript,throw new Error("a module is missing")');
  await assert.rejects(runAll(setupFor(sweep, 500), { task: broken }), /a module is missing/);
});

test('threads may be ended at any moment after their start', async () => {
  for (const delayMs of soak ? [0, 20, 50, 100, 150, 200, 300, 500] : [0, 150]) {
    const threads = startThreads({ threads: 2 });
    await setTimeout(delayMs); // to hit them while they load, which no event announces
    await threads.end();
  }
});

test('a thread that starts late and finds nothing left to do does not delay the end of the sweep', {
  timeout: 60_000,
}, async () => {
  const setup = setupFor(sweep, 500);
  for (let round = 0; round < runs(1, 3); round++) {
    const threads = startThreads({ threads: 2, threadsAtOnce: 1 });
    const [chunk, late] = [threads.run({ setup, from: 0, to: 1 }), threads.run({ setup, from: 1, to: 2 })];
    await Promise.all([chunk, late]);
    await setTimeout(500); // the second thread is idle by now, whichever of them ran the chunks
    await threads.end();
  }
});

test('threads lower their priority by as much as they are told', {
  skip: process.platform !== 'linux',
  timeout: 60_000,
}, async () => {
  // This process may itself run at a lower priority.
  const expected = Math.min(getPriority() + 7, 19);
  const given = () =>
    readdirSync('/proc/self/task').filter((thread) => getPriority(Number(thread)) === expected).length;
  const threads = startThreads({ threads: 2, nice: 7 });
  try {
    while (given() !== 2) await setTimeout(10); // a thread reports it while it loads
  } finally {
    await threads.end();
  }
});
