import assert from 'node:assert/strict';
import test from 'node:test';
import { SESSIONS_PER_CALLER_MAX, Sessions } from '../../../mcp/endpoint.js';

/** Sessions with a clock that stands still, and the ids of those that were closed. */
function opened(limits: { readonly sessionsMax?: number; readonly idleMs?: number } = {}) {
  const clock = { nowMs: 0 };
  const closed: string[] = [];
  const sessions = new Sessions({ sessionsMax: 100, idleMs: 1_000, ...limits }, () => clock.nowMs);
  const add = async (id: string, owner: string): Promise<void> => {
    await sessions.makeRoom(owner);
    clock.nowMs++;
    sessions.add(id, owner, { close: async () => void closed.push(id) });
  };
  return { sessions, clock, closed, add };
}

test('a session is found by its owner only', async () => {
  const { sessions, add } = opened();
  await add('a', 'me');
  assert.notEqual(sessions.find('a', 'me'), null);
  assert.equal(sessions.find('a', 'you'), null);
  assert.equal(sessions.find('b', 'me'), null);
});

test('a session without use ends after the idle time, one with a request under way does not', async () => {
  const { sessions, clock, closed, add } = opened();
  await add('idle', 'me');
  await add('busy', 'me');
  const end = sessions.use('busy');
  clock.nowMs = 1_001;
  await sessions.closeIdle();
  assert.deepEqual(closed, ['idle']);
  clock.nowMs = 5_000;
  end();
  clock.nowMs = 5_999;
  await sessions.closeIdle();
  assert.deepEqual(closed, ['idle']);
  clock.nowMs = 6_000;
  await sessions.closeIdle();
  assert.deepEqual(closed, ['idle', 'busy']);
  assert.equal(sessions.count, 0);
});

test('one caller has a bounded number of sessions: the one used longest ago gives way', async () => {
  const { sessions, closed, add } = opened();
  for (let n = 0; n < SESSIONS_PER_CALLER_MAX; n++) await add(`s${n}`, 'me');
  sessions.use('s0')();
  await add('more', 'me');
  assert.deepEqual(closed, ['s1']);
  assert.equal(sessions.count, SESSIONS_PER_CALLER_MAX);
});

test('a caller all of whose sessions are in use gets no further one, others do', async () => {
  const { sessions, closed, add } = opened();
  for (let n = 0; n < SESSIONS_PER_CALLER_MAX; n++) {
    await add(`s${n}`, 'me');
    sessions.use(`s${n}`);
  }
  await assert.rejects(add('more', 'me'), {
    code: 'RATE_LIMITED',
    message: `The caller has ${SESSIONS_PER_CALLER_MAX} sessions in use, the most it may have is ${SESSIONS_PER_CALLER_MAX}`,
  });
  await add('other', 'you');
  assert.deepEqual(closed, []);
});

test('a full process says so and when to come back', async () => {
  const { sessions, add } = opened({ sessionsMax: 2 });
  await add('a', 'me');
  await add('b', 'you');
  await assert.rejects(add('c', 'them'), (error: { code: string; details: { retry_after: number } }) => {
    assert.equal(error.code, 'ENGINE_BUSY');
    assert.ok(error.details.retry_after > 0);
    return true;
  });
  await sessions.closeAll();
  assert.equal(sessions.count, 0);
});
