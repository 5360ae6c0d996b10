import assert from 'node:assert/strict';
import test from 'node:test';
import { type ChatRequest, ModelServer } from '../../../../data/upstreams/model/index.js';
import { Budget, countTokens } from '../../../../service/assistant/model/model-reader.js';
import type { Working } from '../../../../service/assistant/working.js';
import { startModelServer } from '../../../support/model-server.js';

const request: ChatRequest = {
  messages: [
    { role: 'system', content: '{}' },
    { role: 'user', content: 'What is a drawdown?' },
  ],
  schema: {},
  tokensMax: 500,
};
const prompt = JSON.stringify([request.messages, request.schema]);
const said = 'The fall of an account from its highest value.';
const estimate = [countTokens(prompt), countTokens(said)];
const bytes = Buffer.byteLength(prompt);

/** What a server may claim of the tokens of a request and a reply, and what is counted. */
const claims: readonly [what: string, claimed: readonly [number, number], counted: readonly number[]][] = [
  ['as they may be', [40, 12], [40, 12]],
  ['the most there can be', [bytes, 500], [bytes, 500]],
  ['more of the reply than were allowed', [40, 501], estimate],
  ['beyond whole numbers', [1e300, 12], estimate],
  ['negative', [-1_000_000, 12], estimate],
  ['fractional', [40.5, 12], estimate],
];

test('a server that claims tokens that cannot be is not believed, and its answer is taken', async (t) => {
  for (const [what, [prompt_tokens, completion_tokens], counted] of claims) {
    const server = await startModelServer(t, () => ({ say: said, usage: { prompt_tokens, completion_tokens } }));
    const model = new ModelServer({ baseUrl: server.url, model: 'm', key: undefined, deadlineMs: 5_000 });
    let month = 0;
    const budget = new Budget({} as Working, 10_000, {
      takeTokens: async (tokens) => {
        month += tokens;
        return true;
      },
      settleTokens: async (tokens) => {
        month += tokens;
      },
    });
    const reply = await budget.ask(model, request, 10, new AbortController().signal);
    assert.equal(reply.content, said, what);
    const { prompt_tokens: asked, answer_tokens: answered } = budget.use;
    assert.deepEqual([asked, answered], counted, what);
    assert.equal(month, asked + answered, what);
  }
});
