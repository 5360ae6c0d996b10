import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test, { before } from 'node:test';
import { type ClaimedTurn, SqlConversationStore } from '../../../../service/assistant/store.js';
import { Turns } from '../../../../service/assistant/turns.js';
import { freshWorking, type Responder } from '../../../../service/assistant/working.js';
import type { BacktestDeps } from '../../../../service/backtests/index.js';
import type { Portfolios } from '../../../../service/portfolios/index.js';
import { endlessTokens, portfoliosOver } from '../../../support/assistant.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { bundledMarket, bundledStore, callerOf } from '../../../support/backtests.js';
import { sharedState } from '../../../support/shared-state.js';

let store: SqlConversationStore;
let backtests: BacktestDeps;
let portfolios: Portfolios;

before(async () => {
  store = new SqlConversationStore((await sharedState()).db);
  backtests = await backtestDeps();
  portfolios = await portfoliosOver(backtests);
});

const userId = randomUUID();
const echo: Responder = {
  answer: async ({ message, mode, working }) => ({ content: `heard ${message}`, mode, working }),
};

async function waiting(content: string, nowMs = 1): Promise<string> {
  const id = randomUUID();
  const row = await store.add({ id, userId, orgId: randomUUID(), title: 'New', working: freshWorking, nowMs }, 1_000);
  assert.ok(row !== null);
  assert.equal(await say(id, content, nowMs), 'added');
  return id;
}

const say = (id: string, content: string, nowMs = 1) =>
  store.addMessage(userId, id, { content, caller: callerOf(userId), title: 'T', messagesMax: 6, nowMs });

const turnsOf = (responder: Responder, runner = 'one', clock = () => 100): Turns & { readonly errors: unknown[] } => {
  const errors: unknown[] = [];
  const turns = new Turns({
    ...{ store, responder, clock, runner, atOnce: 2 },
    tools: { bars: bundledStore, market: bundledMarket, backtests, portfolios, tokens: endlessTokens },
    sleep: async () => {},
    onInternalError: (error) => errors.push(error),
  });
  return Object.assign(turns, { errors });
};

const texts = async (id: string) => (await store.messages(id)).map(({ role, content }) => `${role}: ${content}`);
const never = new AbortController().signal;

test('a message is answered once, and one waits at a time', async () => {
  const id = await waiting('a');
  assert.equal(await say(id, 'b'), 'processing');
  assert.equal((await store.find(userId, id))?.status, 'processing');
  assert.equal(await turnsOf(echo).takeNext(never), true);
  assert.equal(await turnsOf(echo).takeNext(never), false);
  assert.deepEqual(await texts(id), ['user: a', 'assistant: heard a']);
  assert.equal((await store.find(userId, id))?.status, 'complete');
  assert.equal(await say(id, 'b'), 'added');
  assert.equal(await turnsOf(echo).takeNext(never), true);
  assert.equal(await say(id, 'c'), 'added');
  assert.equal(await turnsOf(echo).takeNext(never), true);
  assert.equal(await say(id, 'd'), 'full', 'the history is bounded');
});

test('another process answers when the lease of a dead one ends, and the dead one adds nothing', async () => {
  const id = await waiting('a');
  const claimed = (await store.claim('dead', 100, 200)) as ClaimedTurn;
  assert.equal(claimed.conversation.id, id);
  assert.equal(await turnsOf(echo, 'alive', () => 150).takeNext(never), false);
  assert.equal(await turnsOf(echo, 'alive', () => 250).takeNext(never), true);
  const end = { content: 'late', mode: 'done', working: freshWorking, nowMs: 300 } as const;
  assert.equal(await store.finish(claimed, end), false);
  assert.equal(await store.hold(claimed, 400), false);
  assert.deepEqual(await texts(id), ['user: a', 'assistant: heard a']);
});

test('a message that ends its process again and again gets an answer that says so', async () => {
  const id = await waiting('deadly');
  for (let attempt = 0; attempt < 3; attempt++) assert.ok((await store.claim('dead', 1_000 * attempt, 0)) !== null);
  await turnsOf({ answer: () => assert.fail('it is not tried again') }, 'one', () => 9_000).takeNext(never);
  assert.match((await texts(id))[1] ?? '', /began to answer this 3 times .* Your message is kept/);
});

test('a failure is an answer without detail, and is reported; the state stays', async () => {
  const id = await waiting('a');
  const turns = turnsOf({ answer: async () => Promise.reject(new Error('a bug with secrets')) });
  await turns.takeNext(never);
  const [, answer] = await texts(id);
  assert.match(answer ?? '', /could not answer this: an unexpected error occurred/);
  assert.equal(turns.errors.length, 1);
  assert.equal((await store.find(userId, id))?.mode, 'collect_user_input');
});

test('a server that stops gives its turn back at once', async () => {
  const id = await waiting('a');
  const stopping = new AbortController();
  const stopped: Responder = {
    async answer() {
      stopping.abort(new Error('the server stops'));
      throw stopping.signal.reason;
    },
  };
  await turnsOf(stopped).takeNext(stopping.signal);
  assert.deepEqual(await texts(id), ['user: a']);
  assert.equal(await turnsOf(echo, 'two').takeNext(never), true);
  assert.deepEqual(await texts(id), ['user: a', 'assistant: heard a']);
});
