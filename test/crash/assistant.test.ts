import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openState } from '../../service/state/index.js';
import { runs, soak } from '../support/scale.js';
import { callService, succeed } from '../support/service-calls.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';

/** The messages of a conversation: a turn for each state, with backtests in the fourth. */
const messages = ['Follow the trend of BTC on daily bars since 2022', 'go on', 'yes', 'go on', 'and the drawdown?'];
const modes = ['plan_signals', 'assemble_strategy', 'backtest', 'done', 'done'];
/** To the kill: from the request in every second turn, from its acceptance in the others. */
const delaysMs = [0, 8, 25, 60, 120, 250, 500];

interface Spoken {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

interface Tested {
  readonly candidates: readonly { readonly figures: { readonly backtest_id: string } }[];
}

/** Turns in which it is killed: outside of a soak the one with backtests. */
const isKilled = (turn: number): boolean => soak || turn === 2;

/** Kills the service while it answers. @returns the status of the chat; null if it got none */
async function killDuring(service: ServiceProcess, key: string, path: string, message: string, i: number) {
  const chat = callService(service, key, 'POST', path, { message }).then(
    ({ status }) => status,
    () => null, // the process died before it answered
  );
  if (i % 2 === 0) await chat;
  await delay(delaysMs[i % delaysMs.length]);
  await service.kill();
  return chat;
}

/** The conversation once nothing waits in it. */
async function answered(service: ServiceProcess, key: string, id: string) {
  for (;;) {
    const { context } = await succeed(service, key, 'GET', `/v1/ai-copilot/conversations/${id}`);
    if (context.processing_status !== 'processing') return context;
    await delay(100);
  }
}

test('whenever the process is killed, each message is stored once and has one answer', async (t) => {
  const home = await newHome();
  let service = await startServiceProcess(home);
  const key = service.firstKey ?? '';
  const runIds = new Set<string>();
  const count = runs(messages.length, 50);
  let kills = 0;
  let unstored = 0;
  let id = '';
  try {
    for (let i = 0; i < count; i++) {
      const turn = i % messages.length;
      if (turn === 0) {
        const started = await succeed(service, key, 'POST', '/v1/ai-copilot/start_new_conversation', {});
        id = started.conversation.session_id;
      }
      const path = `/v1/ai-copilot/chat/${id}`;
      const message = messages[turn] ?? '';
      let status: number | null = null;
      if (isKilled(turn)) {
        kills++;
        status = await killDuring(service, key, path, message, i);
        assert.ok(status === null || status === 202, `${status}`);
        service = await startServiceProcess(home);
      }
      let context = await answered(service, key, id);
      if (context.conversation_history.length === 2 * turn) {
        assert.equal(status, null, 'an accepted message is never lost');
        if (isKilled(turn)) unstored++;
        await succeed(service, key, 'POST', path, { message });
        context = await answered(service, key, id);
      }
      const history: readonly Spoken[] = context.conversation_history;
      assert.deepEqual(
        history.map(({ role, content }) => (role === 'user' ? content : role)),
        messages.slice(0, turn + 1).flatMap((said) => [said, 'assistant']),
      );
      assert.ok(history.every(({ content }) => content.trim() !== ''));
      assert.equal(context.current_mode, modes[turn], history.at(-1)?.content);
      const tested = context.backtest_results as Tested | null;
      for (const { figures } of tested?.candidates ?? []) runIds.add(figures.backtest_id);
    }
    assert.equal(await service.terminate(), 0);
    const state = await openState({ home });
    const stored = await state.db.selectFrom('backtests').select('id').execute();
    const said = await state.db.selectFrom('conversation_messages').select('place').execute();
    await state.close();
    assert.deepEqual(stored.map(({ id }) => id).sort(), [...runIds].sort(), 'each run of an answer is stored once');
    assert.equal(said.length, 2 * count);
    t.diagnostic(`${kills} kills, ${unstored} of them before the message was stored, ${runIds.size} runs`);
  } finally {
    await service.kill();
    await rm(home, { recursive: true, force: true });
  }
});
