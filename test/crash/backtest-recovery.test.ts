import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openState } from '../../service/state/index.js';
import { longRun } from '../support/long-runs.js';
import { succeed } from '../support/service-calls.js';
import { startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';

const RUNS = 2;

/** Counts the runs by state, in a store that no process has open. */
async function countStates(home: string): Promise<ReadonlyMap<string, number>> {
  const state = await openState({ home });
  try {
    const rows = await state.db.selectFrom('backtests').select('status').execute();
    const counts = new Map<string, number>();
    for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
    return counts;
  } finally {
    await state.close();
  }
}

/** A turn for each state of a conversation; the last one runs backtests. */
const messages = ['Follow the trend of BTC on daily bars since 2022', 'go on', 'yes'];

test('runs and a message accepted before a kill end after the restart, once, with the same answers', async () => {
  const home = await newHome();
  let service = await startServiceProcess(home);
  try {
    const key = service.firstKey ?? '';
    const { conversation } = await succeed(service, key, 'POST', '/v1/ai-copilot/start_new_conversation', {});
    /** The conversation once nothing waits in it. */
    const answered = async () => {
      for (;;) {
        const path = `/v1/ai-copilot/conversations/${conversation.session_id}`;
        const { context } = await succeed(service, key, 'GET', path);
        if (context.processing_status !== 'processing') return context;
        await delay(50);
      }
    };
    for (const message of messages) {
      await answered();
      await succeed(service, key, 'POST', `/v1/ai-copilot/chat/${conversation.session_id}`, { message });
    }
    const ids: string[] = [];
    for (let i = 0; i < RUNS; i++) {
      ids.push((await succeed(service, key, 'POST', '/v2/backtests/', longRun)).backtest_id);
    }
    await service.kill();
    const counts = await countStates(home);
    assert.equal(
      [...counts.values()].reduce((sum, count) => sum + count, 0),
      RUNS,
      'acknowledged runs are stored',
    );
    assert.ok((counts.get('queued') ?? 0) + (counts.get('running') ?? 0) > 0, 'the kill came before they ended');
    service = await startServiceProcess(home);
    const expected = await succeed(service, key, 'POST', '/v1/backtests', longRun);
    for (const id of ids) {
      let state: { status: string; metrics: unknown; trade_history: unknown[] };
      for (;;) {
        state = await succeed(service, key, 'GET', `/v2/backtests/${id}/status`);
        if (state.status !== 'queued' && state.status !== 'running') break;
        await delay(50);
      }
      assert.equal(state.status, 'completed');
      assert.deepEqual(state.metrics, expected.metrics);
      assert.deepEqual(state.trade_history, expected.trade_history);
    }
    const { conversation_history: said, current_mode } = await answered();
    assert.deepEqual(
      said.map(({ role, content }: { role: string; content: string }) => (role === 'user' ? content : role)),
      messages.flatMap((message) => [message, 'assistant']),
    );
    assert.equal(current_mode, 'backtest');
    assert.equal(await service.terminate(), 0);
  } finally {
    await service.kill();
    await rm(home, { recursive: true, force: true });
  }
});
