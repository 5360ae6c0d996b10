import assert from 'node:assert/strict';
import test from 'node:test';
import { ModelServer } from '../../../../data/upstreams/model/index.js';
import { startModelServer } from '../../../support/model-server.js';
import { testUpstreamFaults } from '../../../support/upstream-server.js';

const KEY = 'sk-a-secret-of-the-model';
const never = new AbortController().signal;
const request = {
  messages: [
    { role: 'system', content: 'State: `done`' },
    { role: 'system', content: 'Context\n{}' },
    { role: 'user', content: 'hello' },
  ],
  tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
  mayCall: true,
  tokensMax: 500,
} as const;

testUpstreamFaults('language model', async (t, limits) => {
  const server = await startModelServer(t, () => ({ say: 'Hello.' }));
  const model = new ModelServer({ baseUrl: server.url, model: 'm', key: KEY, deadlineMs: 30_000, limits });
  const ask = async () => {
    const value = await model.complete(request, never);
    return { value, source: 'language model', ageMs: 0, maxAgeMs: 0, isStale: false };
  };
  return { server, ask, secret: KEY };
});

test('a request has model, key, tools and bound; the reply its calls and counts', async (t) => {
  const server = await startModelServer(t, () => ({ say: '', calls: [['look', { at: 1 }]], isCut: true }));
  const model = new ModelServer({ baseUrl: `${server.url}/v1/`, model: 'm', key: KEY, deadlineMs: 5_000 });
  const reply = await model.complete(request, never);
  const [sent] = server.requests;
  assert.deepEqual([sent?.path, sent?.headers.authorization], ['/v1/chat/completions', `Bearer ${KEY}`]);
  const body = sent?.body as Record<string, unknown>;
  assert.deepEqual([body.model, body.max_tokens, body.tool_choice], ['m', 500, 'auto']);
  assert.deepEqual(
    reply.toolCalls.map(({ name, args }) => [name, args]),
    [['look', '{"at":1}']],
  );
  assert.deepEqual([reply.isCut, reply.tokens], [true, { prompt: 900, answer: 100 }]);
});

test('without a key none is sent, and the signal of the caller ends a request', async (t) => {
  const server = await startModelServer(t, () => ({ say: 'Hello.' }));
  const model = new ModelServer({ baseUrl: server.url, model: 'm', key: undefined, deadlineMs: 30_000 });
  await model.complete({ ...request, mayCall: false }, never);
  assert.equal(server.requests[0]?.headers.authorization, undefined);
  assert.equal(
    (server.requests[0] as (typeof server.requests)[0] & { body: { tool_choice?: string } }).body.tool_choice,
    'none',
  );
  server.faults.push('silent');
  await assert.rejects(model.complete(request, AbortSignal.timeout(50)), /language model: no complete answer/);
});
