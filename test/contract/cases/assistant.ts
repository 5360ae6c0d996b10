import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../../support/api.js';
import { contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';

/** Sends a message and polls as clients do: until the status is complete. */
async function say(api: Api, session_id: string, message: string) {
  const accepted = await api.call('Assistant.Chat', { session_id, message });
  assert.deepEqual([accepted.code, accepted.body.data?.status], ['OK', 'processing']);
  for (;;) {
    const { body } = await api.call('Assistant.Get', { session_id });
    if (body.context.processing_status === 'complete') return body.context;
    await delay(30);
  }
}

const start = async (api: Api): Promise<string> => (await api.call('Assistant.Start', {})).body.conversation.session_id;

contract('a conversation leads from a sentence to a tested strategy that is saved as a draft', async ({ api }) => {
  assert.equal((await api.call('Assistant.GetLatest', {})).body.conversation, null);
  const { body } = await api.call('Assistant.Start', {});
  const { session_id } = body.conversation;
  assert.deepEqual(
    [body.conversation.title, body.conversation.current_mode],
    ['New conversation', 'collect_user_input'],
  );
  const modes: string[] = [];
  let context: Awaited<ReturnType<typeof say>> = null;
  for (const message of [
    'Follow the trend of BTC on daily bars since 2023',
    'go on',
    'go on',
    'go on',
    'and the drawdown?',
  ]) {
    context = await say(api, session_id, message);
    modes.push(context.current_mode);
  }
  assert.deepEqual(modes, ['plan_signals', 'assemble_strategy', 'backtest', 'done', 'done']);
  assert.equal(context.conversation_history.length, 10);
  assert.equal(context.message_count, 10);
  assert.equal(context.title, 'Follow the trend of BTC on daily bars since 2023');
  assert.equal(context.backtest_status, 'completed');
  const { body: backtest } = await api.call('Backtests.Get', { id: context.backtest_id });
  const best = context.backtest_results.candidates[context.backtest_results.best];
  assert.equal(best.figures.total_return, (backtest.backtest ?? backtest).metrics.total_return);
  const config = { ...context.strategy_config, session_id };
  const saved = await api.call('Assistant.SaveStrategy', { strategy_config: config, name: 'Mine' });
  assert.deepEqual([saved.body.result.status, saved.body.result.strategy.asset], ['draft', 'BTC']);
  const { body: read } = await api.call('Assistant.Get', { session_id });
  assert.equal(read.context.strategy_id, saved.body.result.strategy_id);
  const { body: usage } = await api.call('Usage.GetUserMetrics', {});
  assert.deepEqual([usage.metrics.conversations_count, usage.metrics.messages_count], [1, 10]);
  assert.ok(usage.metrics.tool_calls.run_backtest >= 4 && usage.metrics.estimated_tokens > 100);
});

contract('conversations are listed, renamed and deleted by their owner only', async ({ api, other }) => {
  const [first, second] = [await start(api), await start(api)];
  const { body: list } = await api.call('Assistant.List', {});
  assert.deepEqual(
    list.conversations.map((each: { session_id: string }) => each.session_id).sort(),
    [first, second].sort(),
  );
  const named = await api.call('Assistant.Rename', { session_id: first, title: ' Trends ' });
  assert.deepEqual([named.code, named.body.title], ['OK', 'Trends']);
  const { body } = await api.call('Assistant.Get', { session_id: first });
  assert.deepEqual([body.context.title, body.context.processing_status], ['Trends', 'idle']);
  assert.deepEqual((await other.call('Assistant.List', {})).body.conversations, []);
  assertRefused(await api.call('Assistant.Get', { session_id: 'not-an-id' }), 'RESOURCE_NOT_FOUND', /conversation/);
  assert.equal((await api.call('Assistant.Delete', { session_id: first })).code, 'OK');
  assertRefused(await api.call('Assistant.Get', { session_id: first }), 'RESOURCE_NOT_FOUND', /conversation/);
  assert.equal((await api.call('Assistant.List', {})).body.conversations.length, 1);
});
