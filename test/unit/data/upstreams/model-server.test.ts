import assert from 'node:assert/strict';
import test from 'node:test';
import { ModelServer } from '../../../../data/upstreams/model/index.js';
import { startModelServer } from '../../../support/model-server.js';
import { Refusal, testUpstreamFaults } from '../../../support/upstream-server.js';

const KEY = 'sk-a-secret-of-the-model';
const never = new AbortController().signal;
const request = {
  messages: [
    { role: 'system', content: 'State: `done`\n{}' },
    { role: 'user', content: 'hello' },
  ],
  schema: { type: 'object' },
  tokensMax: 500,
} as const;

testUpstreamFaults('language model', async (t, limits) => {
  const server = await startModelServer(t, () => ({ say: 'Hello.' }));
  const model = new ModelServer({ baseUrl: server.url, model: 'm', key: KEY, deadlineMs: 30_000, limits });
  const ask = async () => {
    const value = await model.complete(request, never);
    return { value, source: 'language model', asOfMs: null, ageMs: 0, maxAgeMs: 0, isStale: false };
  };
  return { server, ask, secret: KEY };
});

test('a request has model, key, schema and bound; the reply its text and counts', async (t) => {
  const server = await startModelServer(t, () => ({ say: '{"at":1}', isCut: true }));
  const model = new ModelServer({ baseUrl: `${server.url}/v1/`, model: 'm', key: KEY, deadlineMs: 5_000 });
  const reply = await model.complete(request, never);
  const [sent] = server.requests;
  assert.deepEqual([sent?.path, sent?.headers.authorization], ['/v1/chat/completions', `Bearer ${KEY}`]);
  const { model: name, max_tokens, response_format } = (sent?.body ?? {}) as Record<string, unknown>;
  assert.deepEqual([name, max_tokens], ['m', 500]);
  const json_schema = { name: 'reading', strict: true, schema: request.schema };
  assert.deepEqual(response_format, { type: 'json_schema', json_schema });
  assert.deepEqual(reply, { content: '{"at":1}', isCut: true, tokens: { prompt: 900, answer: 100 } });
});

test('a server that wants another name of the bound gets it', async (t) => {
  const server = await startModelServer(t, () => ({ say: 'Hello.' }));
  const { answer } = server;
  const problem = { error: { message: "Use 'max_completion_tokens' instead.", param: 'max_tokens' } };
  server.answer = (asked) => ('max_tokens' in (asked.body as object) ? new Refusal(400, problem) : answer(asked));
  const model = new ModelServer({ baseUrl: server.url, model: 'm', key: KEY, deadlineMs: 30_000 });
  for (let i = 0; i < 2; i++) assert.equal((await model.complete(request, never)).content, 'Hello.');
  assert.deepEqual(
    server.requests.map(({ body }) => (body as { max_completion_tokens?: number }).max_completion_tokens),
    [undefined, 500, 500],
  );
});

test('vectors come in the order of their texts, in requests of bounded size', async (t) => {
  const server = await startModelServer(t, () => ({ say: '' }));
  const options = { baseUrl: server.url, model: 'm', vectorModel: 'v', key: KEY, deadlineMs: 30_000 };
  const { vectors } = new ModelServer(options);
  const texts = Array.from({ length: 40 }, (_, i) => 'a'.repeat(i + 1));
  const made = await vectors?.embed(texts);
  assert.deepEqual(
    made?.map(([first]) => first),
    texts.map(({ length }) => length),
  );
  assert.deepEqual(
    server.requests.map(({ body }) => (body as { input: string[] }).input.length),
    [32, 8],
  );
  server.answer = () => ({
    data: [
      { index: 0, embedding: [1, 2] },
      { index: 2, embedding: [1, 2] },
    ],
  });
  await assert.rejects(vectors?.embed(['x', 'y']) ?? Promise.resolve(), /2 vectors of 2 texts, or of other lengths/);
});
