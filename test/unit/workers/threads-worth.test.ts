import assert from 'node:assert/strict';
import test from 'node:test';
import { ThreadChoice } from '../../../workers/index.js';
import { threadsWorth } from '../../../workers/threads-worth.js';

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
