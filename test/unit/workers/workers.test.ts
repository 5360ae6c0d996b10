import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import {
  assessInParts,
  backtestOverfitting,
  SplitMix64,
  testBestOfMany,
  trialWork,
} from '../../../engine/statistics/index.js';
import {
  openBacktestPool,
  openPlanner,
  openTrialThreads,
  type Planner,
  type PlannerOptions,
  type PlanTask,
  readyThreads,
  runSweepChunks,
  type SweepThreads,
  startThreads,
  ThreadChoice,
} from '../../../workers/index.js';
import { threadFlags } from '../../../workers/thread-pool.js';
import { threadsWorth } from '../../../workers/threads-worth.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { normal } from '../../support/noise.js';
import { setupFor } from '../../support/sweep-setup.js';
import { crossSweep, filter, trigger } from '../../support/sweeps.js';
import { modulePath, moduleUrl } from '../../support/tree.js';
import type { TurningTask } from '../../support/turning-task.js';

test('work below the cost of a thread gets one thread, and each multiple one more, up to those available', () => {
  const of = [0, 250, 499, 500, 999, 1_000, 60_000];
  assert.deepEqual(
    of.map((ms) => threadsWorth(ms, 4)),
    [1, 1, 1, 2, 2, 3, 4],
  );
  assert.equal(threadsWorth(60_000, 1), 1);
});

test('a short sweep stays with one thread, even if its first runs are slow', () => {
  const choice = new ThreadChoice(4_000, 10_000, 2);
  assert.equal(choice.count, 1);
  for (const [runs, ms] of [
    [8, 80],
    [128, 60],
    [1_280, 180],
    [2_584, 200],
  ] as const) {
    choice.measured(runs, ms);
    assert.equal(choice.count, 1);
  }
});

test('a long sweep gets all threads: at once by its plan, or as soon as its runs are measured', () => {
  assert.equal(new ThreadChoice(1_000_000, 10_000, 8).count, 8);
  const slow = new ThreadChoice(1_000, 100_000, 4);
  assert.equal(slow.count, 1);
  slow.measured(8, 800);
  assert.equal(slow.count, 4);
  slow.measured(990, 1_000);
  assert.equal(slow.count, 4, 'a thread that has begun stays');
});

test('a thread with our options cannot require an ES module, and can import it', async () => {
  const script = `
    const { parentPort } = require('node:worker_threads');
    let code = null;
    try { require(${JSON.stringify(modulePath('engine/errors'))}); } catch (error) { code = error.code; }
    import(${JSON.stringify(moduleUrl('engine/errors').href)}).then(({ EngineError }) => parentPort.postMessage([code, EngineError.name]));`;
  const thread = new Worker(script, { eval: true, execArgv: threadFlags });
  const [message] = await once(thread, 'message');
  assert.deepEqual(message, ['ERR_REQUIRE_ESM', 'EngineError']);
});

/** The module counts the turns of its thread's event loop, also between tasks. */
const task = moduleUrl('test/support/turning-task');

const pools = {
  sweeps() {
    const threads = startThreads<TurningTask, unknown>({ threads: 1, task });
    return { run: (turns: Int32Array) => threads.run({ work: turns }), end: () => threads.end() };
  },
  backtests() {
    const pool = openBacktestPool({ threads: 1, task });
    return {
      run: (turns: Int32Array) => pool.compute({ turns, bars: { time: turns } } as never),
      end: () => pool.close(),
    };
  },
};
for (const [name, open] of Object.entries(pools)) {
  test(`an idle thread for ${name} waits in its event loop, where it notices that it is ended`, async () => {
    const turns = new Int32Array(new SharedArrayBuffer(4));
    const { run, end } = open();
    await run(turns);
    const before = Atomics.load(turns, 0);
    const deadline = performance.now() + 20_000;
    while (Atomics.load(turns, 0) < before + 3 && performance.now() < deadline) await setTimeout(5);
    await end();
    assert.ok(Atomics.load(turns, 0) >= before + 3, 'the event loop stood still');
  });
}

const sweep = crossSweep({
  entry_signals: {
    triggers: [trigger('sma_cross_up', { window_fast: { values: [5, 10] }, window_slow: { values: [20] } })],
    filters: [filter('is_above_sma', { window: { values: [50] } })],
  },
}) as { readonly datasets: readonly unknown[] };

const SWEEPS = 5;

/** Runs a sweep; the answer goes with its setup, so it tells whether something still holds that. */
async function runOnce(threads: SweepThreads, experimentId: string): Promise<WeakRef<object>> {
  const setup = setupFor(sweep, 500);
  const named = { ...setup, rows: { ...setup.rows, experimentId } };
  await runSweepChunks({ setup: named, threads, batches: [[{ from: 0, to: 2 }]], onChunk: async () => {} });
  return new WeakRef(named);
}

test('threads that outlive a sweep keep neither its setup nor its bars', async () => {
  const threads = startThreads({ threads: 1 });
  try {
    const setups: WeakRef<object>[] = [];
    for (let k = 0; k < SWEEPS; k++) setups.push(await runOnce(threads, `sweep ${k}`));
    await collectGarbage();
    const held = setups.filter((setup) => setup.deref() !== undefined).length;
    assert.ok(held <= 1, `${held} of ${SWEEPS} sweeps are still in memory; only the last may be`);
  } finally {
    await threads.end();
  }
});

test('several threads are ready before the first chunk, have written nothing, and run it as any other', async () => {
  const setup = setupFor(sweep, 500);
  const threads = startThreads({ threads: 2, threadsAtOnce: 1 });
  try {
    assert.equal(threads.use().threads, 1);
    await readyThreads(setup, threads, 2);
    assert.equal(threads.use().threads, 2);
    assert.deepEqual(readdirSync(setup.rows.folder), []);
    const { count } = await threads.run({ setup, from: 0, to: 2 });
    assert.equal(count, 2);
    assert.deepEqual(readdirSync(setup.rows.folder), ['part-000000000000-000000000002.parquet']);
  } finally {
    await threads.end();
  }
});

const nothing: PlanTask = { sweep: {}, toPlan: [], runsMax: 1 };

function planner(options: PlannerOptions): Planner {
  const opened = openPlanner(options);
  after(() => opened.close());
  return opened;
}

/** Plans that stay in progress until a test releases them. */
function heldPlans(of: Planner) {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const begun: string[] = [];
  const plan = (name: string, organization: string, signal?: AbortSignal) =>
    of.plan(
      async () => {
        begun.push(name);
        await held;
        return nothing;
      },
      signal,
      organization,
    );
  return { plan, begun, letGo };
}

test('a plan of one organization does not wait for those of another', { timeout: 60_000 }, async () => {
  const shared = planner({});
  const { plan, begun, letGo } = heldPlans(shared);
  const plans = [plan('A1', 'A'), plan('A2', 'A'), plan('A3', 'A')];
  const { errors } = await shared.plan(async () => nothing, undefined, 'B');
  assert.match(errors.join(), /name is required/);
  await shared.plan(async () => nothing, undefined, 'B');
  assert.deepEqual(begun, ['A1'], 'an organization has one plan at a time');
  letGo();
  await Promise.all(plans);
});

test('organizations take turns where threads are few', { timeout: 60_000 }, async () => {
  const { plan, begun, letGo } = heldPlans(planner({ threads: 1 }));
  const names = ['A1', 'A2', 'A3', 'B1', 'B2', 'C1'];
  const plans = names.map((name) => plan(name, name.charAt(0)));
  letGo();
  await Promise.all(plans);
  assert.deepEqual(begun, ['A1', 'B1', 'C1', 'A2', 'B2', 'A3']);
});

test('a full line refuses its own organization, and then all', { timeout: 60_000 }, async () => {
  const { plan, letGo } = heldPlans(planner({ threads: 1, queueMax: 2, queueMaxOfAll: 3 }));
  const plans = [plan('A1', 'A'), plan('A2', 'A'), plan('A3', 'A')];
  await assert.rejects(plan('A4', 'A'), { fault: 'full', message: 'the queue of 2 is full' });
  plans.push(plan('B1', 'B'));
  await assert.rejects(plan('C1', 'C'), { fault: 'full', message: 'the queue of 3 is full' });
  letGo();
  await Promise.all(plans);
});

const PERIODS = 40;
const question = { seed: 3, meanBlock: 5, market: returns(new SplitMix64(9), 0) };

function returns(random: SplitMix64, drift: number): Float64Array {
  return Float64Array.from({ length: PERIODS }, () => drift + 0.01 * normal(random));
}

/** Trials of which some are equal, some never trade, and the best ones are spread over all. */
function trialsOf(rowCount: number) {
  const values = new Float32Array(new SharedArrayBuffer(4 * rowCount * PERIODS));
  const random = new SplitMix64(1);
  for (let row = 0; row < rowCount; row++) {
    if (row % 13 === 5) continue;
    const isCopy = row % 7 === 3 && row > 20;
    const from = isCopy ? values.slice((row - 20) * PERIODS, (row - 19) * PERIODS) : returns(random, 0.002);
    values.set(from, row * PERIODS);
  }
  return { rowCount, periodCount: PERIODS, values };
}

const alone = (trials: ReturnType<typeof trialsOf>) => {
  const { seed, ...options } = question;
  return {
    tests: testBestOfMany(trials, { random: new SplitMix64(seed), ...options }),
    overfitting: backtestOverfitting(trials),
  };
};

test('trials judged in parts have the same figures, bit for bit, however many parts there are', async () => {
  const trials = trialsOf(70);
  const expected = alone(trials);
  for (const parts of [1, 2, 3, 8, 100]) {
    const judged = await assessInParts(trials, question, parts, async (kind, rows, asked) =>
      (trialWork[kind] as (...given: unknown[]) => never)(trials, rows, asked),
    );
    assert.deepEqual(judged, expected, `${parts} parts`);
  }
});

test('two threads judge many trials as one does, and few trials start none', async () => {
  assert.equal(openTrialThreads(11_999, 2), null);
  assert.equal(openTrialThreads(100_000, 1), null);
  const threads = openTrialThreads(12_000, 2)!;
  try {
    const trials = trialsOf(90);
    assert.deepEqual(await threads.judge(trials, question), alone(trials));
  } finally {
    await threads.end();
  }
});
