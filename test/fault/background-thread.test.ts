import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { BackgroundThread } from '../../workers/index.js';
import type { BackgroundTask } from '../support/background-task.js';
import { moduleUrl } from '../support/tree.js';

const QUEUE_MAX = 2;

function open(t: TestContext, module = 'background-task', endsBySignal = true) {
  const task = moduleUrl(`test/support/${module}`);
  const limits = { idleMs: 1_000, heapMbMax: 64, queueMax: QUEUE_MAX };
  const thread = new BackgroundThread<BackgroundTask, string>({ task, ...limits, endsBySignal });
  t.after(() => thread.close());
  const begun: number[] = [];
  let tasks = 0;
  /** Notes when its turn comes. */
  const run = (task: BackgroundTask, signal?: AbortSignal) => {
    const number = ++tasks;
    return thread.run(async () => {
      begun.push(number);
      return task;
    }, signal);
  };
  return { thread, begun, run };
}

const gated = (end: BackgroundTask['end']) => {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const open = () => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  return { task: { end, gate }, open };
};

test('a thread that dies fails its task, and the next thread does the waiting ones', async (t) => {
  const { run, begun } = open(t);
  const ended = [run({ end: 'exit' }), run({ end: 'throw' }), run({ end: 'answer' })];
  const [died, thrown, done] = await Promise.allSettled(ended);
  assert.match(String((died as PromiseRejectedResult).reason), /^ThreadFailure: worker exited with code: 9/);
  assert.match(String((thrown as PromiseRejectedResult).reason), /^Error: as it was told/);
  assert.equal((done as PromiseFulfilledResult<string>).value, 'done');
  assert.deepEqual(begun, [1, 2, 3]);
});

test('the queue is bounded; a caller that leaves makes room, and its task never begins', async (t) => {
  const { run, begun, thread } = open(t);
  const first = gated('answer');
  const leaving = new AbortController();
  const running = run(first.task);
  const left = assert.rejects(run({ end: 'answer' }, leaving.signal), /AbortError/);
  const waiting = [run({ end: 'answer' })];
  await assert.rejects(run({ end: 'answer' }), { fault: 'full', message: `the queue of ${QUEUE_MAX} is full` });
  leaving.abort();
  await left;
  waiting.push(run({ end: 'answer' }));
  first.open();
  assert.deepEqual(await Promise.all([running, ...waiting]), ['done', 'done', 'done']);
  assert.deepEqual(begun, [1, 3, 5]);
  await thread.close();
  await assert.rejects(run({ end: 'answer' }), { fault: 'closed' });
});

for (const endsBySignal of [true, false]) {
  test(`a task that has begun ${endsBySignal ? 'ends' : 'goes on'} when its caller leaves`, async (t) => {
    const { run } = open(t, 'background-task', endsBySignal);
    assert.equal(await run({ end: 'answer' }), 'done'); // the thread is there
    const { task, open: finish } = gated('answer');
    const leaving = new AbortController();
    const left = run(task, leaving.signal);
    const next = run({ end: 'answer' });
    setImmediate(() => {
      leaving.abort();
      if (!endsBySignal) finish();
    });
    if (endsBySignal) await assert.rejects(left, /AbortError/);
    else assert.equal(await left, 'done');
    assert.equal(await next, 'done');
  });
}
