import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SESSIONS_PER_CALLER_MAX, Sessions } from '../../../mcp/endpoint.js';
import { checkOrigin } from '../../../mcp/mount.js';
import { ARGUMENT_CHARACTERS_MAX, promptText } from '../../../mcp/prompts.js';
import { ANSWER_BYTES_MAX, publishedFailure, toolResult } from '../../../mcp/server.js';
import { chosenSets } from '../../../mcp/toolbox.js';
import { ApiError } from '../../../rpc/index.js';

const here = { host: '127.0.0.1', origins: ['https://app.example.com'] };
const anywhere = { host: '0.0.0.0', origins: [] };

test('programs, pages of this machine and pages of named origins are let through', () => {
  for (const origin of [
    undefined,
    'http://localhost:6274',
    'http://127.0.0.1',
    'http://[::1]:3000',
    'https://app.example.com',
  ]) {
    for (const host of [undefined, 'localhost:5001', '127.0.0.1:5001', '[::1]:5001', 'app.example.com']) {
      assert.doesNotThrow(() => checkOrigin(here, { origin, host }), `${origin} ${host}`);
    }
  }
  assert.doesNotThrow(() => checkOrigin(anywhere, { origin: undefined, host: 'barline.internal:5001' }));
});

test('pages of other origins are refused', () => {
  const foreign = [
    'https://evil.example',
    'http://localhost.evil.example',
    'http://app.example.com',
    'null',
    'file://',
    'x',
  ];
  for (const door of [here, anywhere]) {
    for (const origin of foreign) {
      assert.throws(() => checkOrigin(door, { origin, host: 'localhost' }), { code: 'PERMISSION_DENIED' }, origin);
    }
  }
});

test('a name that leads to this machine is refused where the server listens on this machine only', () => {
  for (const host of ['evil.example', 'evil.example:5001', 'localhost.evil.example', '']) {
    assert.throws(() => checkOrigin(here, { origin: undefined, host }), { code: 'PERMISSION_DENIED' }, host);
  }
});

test('an answer above its bound becomes an error that says how to ask for less', () => {
  const text = 'x'.repeat(ANSWER_BYTES_MAX - '{"a":""}'.length);
  assert.equal(toolResult({ a: text }).isError, undefined);
  const { isError, content, structuredContent } = toolResult({ a: `${text}x` });
  assert.deepEqual([isError, structuredContent], [true, undefined]);
  const { code, limit, message } = JSON.parse(content[1]?.text ?? '');
  assert.deepEqual([code, limit], ['PAYLOAD_TOO_LARGE', ANSWER_BYTES_MAX]);
  assert.match(message, /1000001 bytes.*1000000.*`fields`/);
});

test('a bug shows no more than that it is one, and is told', () => {
  const told: unknown[] = [];
  const bug = new Error('secret of the inside');
  const { code, message } = publishedFailure(bug, 'Signals.Get', (error) => told.push(error));
  assert.deepEqual([code, message, told], ['INTERNAL_ERROR', 'an unexpected error occurred', [bug]]);
  const known = publishedFailure(new ApiError('VALIDATION_ERROR', 'no'), 'Experiments.Get', () => assert.fail());
  assert.equal(known.code, 'INVALID_FIELD', 'as the method publishes it');
});

test('sets of tools are chosen by name, and an unknown one is named', () => {
  assert.deepEqual(chosenSets('signals, knowledge'), ['signals', 'knowledge']);
  assert.ok(chosenSets('all').length > chosenSets(null).length);
  assert.throws(() => chosenSets('signals,bogus'), {
    code: 'VALIDATION_ERROR',
    message: /toolsets must be all, .*was bogus/,
  });
});

test('arguments of prompts are required, bounded and put into the text', () => {
  assert.match(
    promptText('test_idea', { idea: 'buy dips', asset: ' ' }).text,
    /Test this idea: buy dips\n\nAsset: the asset/,
  );
  assert.throws(() => promptText('test_idea', {}), { code: 'MISSING_FIELD', message: 'Missing required fields: idea' });
  assert.throws(() => promptText('bogus', {}), { code: 'RESOURCE_NOT_FOUND' });
  const long = 'x'.repeat(ARGUMENT_CHARACTERS_MAX + 1);
  assert.throws(() => promptText('test_idea', { idea: long }), {
    message: /idea must have at most 4000 characters, had 4001/,
  });
  assert.ok(promptText('test_idea', { idea: long.slice(1) }).text.length > ARGUMENT_CHARACTERS_MAX);
});

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
