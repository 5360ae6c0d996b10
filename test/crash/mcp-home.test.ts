import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { newHome } from '../support/state.js';
import { commandArgs, root } from '../support/tree.js';

/** `barline mcp` on a home of its own, as clients on a desktop start it: several at once. */

async function start(home: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const env = { ...(process.env as Record<string, string>), NODE_TEST_CONTEXT: '', BARLINE_HOME: home };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: commandArgs('mcp'), cwd: root, env }),
  );
  return client;
}

const dips = {
  name: 'dips',
  asset: 'BTC',
  entry: [
    { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} },
    { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: { window: 50 } },
  ],
};

test('clients that share a home share its service, its key and what is stored', async () => {
  const home = await newHome();
  const [first, second] = await Promise.all([start(home), start(home)]);
  const made = await first.callTool({ name: 'strategies_create', arguments: dips });
  assert.notEqual(made.isError, true, JSON.stringify(made.content));
  const listed = await second.callTool({ name: 'strategies_list', arguments: { fields: 'strategies{name}' } });
  assert.deepEqual(listed.structuredContent, { strategies: [{ name: 'dips' }] });
  const file = join(home, 'mcp.key');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const key = readFileSync(file, 'utf8');
  await Promise.all([first.close(), second.close()]);
  const later = await start(home);
  const kept = await later.callTool({ name: 'strategies_list', arguments: { fields: 'total' } });
  assert.deepEqual(kept.structuredContent, { total: 1 });
  assert.equal(readFileSync(file, 'utf8'), key);
  await later.close();
});
