import assert from 'node:assert/strict';
import test from 'node:test';
import { repeatedly } from '../../../service/repeatedly.js';

const HOUR_MS = 3_600_000;
const fails = (error: unknown) => assert.fail(String(error));
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a run that takes longer than its interval has no second one beside it, and stopping waits for it', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setInterval'] });
  let runs = 0;
  let finish = (): void => {};
  const task = () => {
    runs++;
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  const stop = repeatedly(task, HOUR_MS, fails);
  mock.timers.tick(2 * HOUR_MS);
  assert.equal(runs, 1);
  let isStopped = false;
  const stopping = stop().then(() => {
    isStopped = true;
  });
  await settled();
  assert.equal(isStopped, false);
  finish();
  await stopping;
});

test('a failure is reported, and the task runs again at its next turn', async ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] });
  const errors: unknown[] = [];
  const trouble = new Error('the store is away');
  const stop = repeatedly(
    () => Promise.reject(trouble),
    HOUR_MS,
    (error) => errors.push(error),
  );
  await settled();
  mock.timers.tick(HOUR_MS);
  await settled();
  assert.deepEqual(errors, [trouble, trouble]);
  await stop();
});
