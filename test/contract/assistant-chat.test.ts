import assert from 'node:assert/strict';
import test from 'node:test';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { sender } from '../support/example-calls.js';
import { connect, refusedContent } from '../support/mcp.js';
import { startTestService, type TestService } from '../support/service.js';

/** The assistant, as an agent talks with it over MCP. */

let service: TestService;
test.before(async () => {
  service = await startTestService({});
});
test.after(() => service.stop());

interface Answer {
  readonly session_id: string;
  readonly answer: string;
  readonly current_mode: string;
  readonly backtest_id: string | null;
}

const call = (client: Client, args: Record<string, unknown>) =>
  client.callTool({ name: 'assistant_chat', arguments: args }) as Promise<CallToolResult>;

async function say(client: Client, message: string, session?: string): Promise<Answer> {
  const result = await call(client, { message, ...(session === undefined ? {} : { session_id: session }) });
  assert.notEqual(result.isError, true, JSON.stringify(result.content).slice(0, 500));
  return result.structuredContent as unknown as Answer;
}

test('an agent leads a conversation to its runs, with the session of each answer', async () => {
  const { token } = await sender(service);
  const client = await connect('http', service, token, 'assistant');
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'assistant_chat'));
  const opening = 'Buy BTC daily when RSI(14) crosses above 40, stop 4 %, 2022 to 2024';
  const first = await say(client, opening);
  assert.equal(first.current_mode, 'plan_signals');
  assert.match(first.answer, /^I understand: BTC 1d, buy when crosses_above\(rsi\(close, 14\), 40\), stop 4 %/);
  const modes: string[] = [];
  let last = first;
  for (const message of ['yes', 'what happens if I go on?', 'go on', 'run it']) {
    last = await say(client, message, first.session_id);
    assert.equal(last.session_id, first.session_id);
    modes.push(last.current_mode);
  }
  assert.deepEqual(modes, ['assemble_strategy', 'assemble_strategy', 'backtest', 'done']);
  assert.ok(last.backtest_id !== null && last.backtest_id !== '', 'the run of the best candidate is named');
  assert.match(last.answer, /^I ran: BTC 1d.*from 2022-01-01 to 2024-12-31/);
  const changed = await say(client, 'risk 3 %', first.session_id);
  assert.equal(changed.backtest_id, last.backtest_id, 'a change alone runs nothing');
  const again = await say(client, 'run it', first.session_id);
  assert.match(again.answer, /Compared with before:/);
  await client.close();
});

test('messages that are none are refused, and so is the conversation of somebody else', async () => {
  const [own, other] = await Promise.all([sender(service), sender(service)]);
  const client = await connect('http', service, own.token, 'assistant');
  const stranger = await connect('http', service, other.token, 'assistant');
  const { session_id } = await say(client, 'ETH daily momentum');
  for (const [args, pattern] of [
    [{}, /message/],
    [{ message: '' }, /message/],
    [{ message: 'x'.repeat(20_001) }, /message/],
    [{ message: 7 }, /message/],
    [{ message: 'hello', session_id: 'no-such-session' }, /session|not found/i],
    [{ message: 'hello', bogus: 1 }, /bogus/],
  ] as const) {
    const { message } = refusedContent(await call(client, args)) as { message: string };
    assert.match(message, pattern);
  }
  const { code } = refusedContent(await call(stranger, { message: 'and now?', session_id })) as { code: string };
  assert.equal(code, 'RESOURCE_NOT_FOUND');
  await Promise.all([client.close(), stranger.close()]);
});
