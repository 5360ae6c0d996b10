import assert from 'node:assert/strict';
import test from 'node:test';
import { Slot } from '../../../../service/backtests/index.js';

/** A timer that fires when the test says so. */
function fakeTimer() {
  const actions = new Set<() => void>();
  return {
    timer: (_ms: number, action: () => void) => {
      actions.add(action);
      return () => void actions.delete(action);
    },
    ring: () => {
      for (const action of [...actions]) action();
    },
    pending: () => actions.size,
  };
}

/** Work that ends when told to. */
function task(slot: Slot, log: string[], name: string, signal?: AbortSignal) {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  let begin!: () => void;
  const begun = new Promise<void>((yes) => {
    begin = yes;
  });
  const done = slot.run(async () => {
    begin();
    log.push(`${name} in`);
    await promise;
    log.push(`${name} out`);
    return name;
  }, signal);
  return { begun, done, finish: resolve, fail: reject };
}

test('one call is inside at a time, and calls enter in the order of their arrival', async () => {
  const { timer } = fakeTimer();
  const slot = new Slot({ timer });
  const log: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => task(slot, log, name));
  assert.deepEqual(log, []);
  for (const one of [c!, b!, a!]) one.finish();
  assert.deepEqual(await Promise.all([a!.done, b!.done, c!.done]), ['a', 'b', 'c']);
  assert.deepEqual(log, ['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
});

test('a call that waits too long is told when to retry, and the next in line still gets in', async () => {
  const clock = fakeTimer();
  let now = 0;
  const slot = new Slot({ timer: clock.timer, elapsedMs: () => now });
  const log: string[] = [];
  const first = task(slot, log, 'first');
  await first.begun;
  now = 12_500;
  first.finish();
  await first.done;
  const a = task(slot, log, 'a');
  const b = task(slot, log, 'b');
  clock.ring();
  await assert.rejects(b.done, {
    code: 'ENGINE_BUSY',
    message: 'another backtest is running; try again in 13 s',
    details: { retry_after: 13 },
  });
  const c = task(slot, log, 'c');
  a.finish();
  c.finish();
  assert.equal(await c.done, 'c');
  assert.equal(clock.pending(), 0);
  assert.deepEqual(log.slice(2), ['a in', 'a out', 'c in', 'c out']);
});

test('a failure inside frees the slot', async () => {
  const slot = new Slot({ timer: fakeTimer().timer });
  const a = task(slot, [], 'a');
  a.fail(new Error('broken'));
  await assert.rejects(a.done, /broken/);
  assert.equal(await slot.run(async () => 'next'), 'next');
});

test('a caller that leaves the line is not let in', async () => {
  const clock = fakeTimer();
  const slot = new Slot({ timer: clock.timer });
  const log: string[] = [];
  const leaving = new AbortController();
  const a = task(slot, log, 'a');
  const b = task(slot, log, 'b', leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(b.done, /gone/);
  await assert.rejects(task(slot, log, 'too late', leaving.signal).done, /gone/);
  a.finish();
  await a.done;
  assert.deepEqual(log, ['a in', 'a out']);
  assert.equal(clock.pending(), 0);
});
