import assert from 'node:assert/strict';
import test from 'node:test';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { routeOf } from '../../mcp/method-tools.js';
import { openToolbox } from '../../mcp/toolbox.js';
import type { MethodName } from '../../rpc/index.js';
import { tierOf } from '../support/contract.js';
import { exampleFor, racing, type Sender, sender } from '../support/example-calls.js';
import { connect, type Way, ways } from '../support/mcp.js';
import { startTestService, type TestService } from '../support/service.js';

/** Every tool over every way in, and what its callers may rely on. */

let service: TestService;
test.before(async () => {
  service = await startTestService({ BARLINE_TIERS: tierOf({ defi_pro_calls: 1_000 }) });
});
test.after(() => service.stop());

const tools = openToolbox('test');
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uuid: true, 'date-time': true } });

/** It needs a position that a fill opened, which execution.ts reads over REST. */
const elsewhere = ['execution_get_position'];

const dips = {
  asset: 'BTC',
  interval: '1h',
  start_date: '2024-01-01',
  end_date: '2024-02-01',
  strategy_json: {
    name: 'dips',
    asset: 'BTC',
    entry: [
      { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 14, threshold: 30 } },
      { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: { window: 50 } },
    ],
  },
};

/** Arguments of a tool: the example of its route, all in one object. */
async function argumentsOf(name: string, from: Sender): Promise<Record<string, unknown>> {
  if (name === 'backtests_run') return dips;
  const [method] = tools.find((tool) => tool.name === name)?.methods ?? [];
  const route = routeOf(method as MethodName);
  const { path, query = {}, body = {} } = await exampleFor(route, from);
  return underSettings(
    { ...path, ...query, ...body },
    tools.find((tool) => tool.name === name)?.input.properties ?? {},
  );
}

/** Tools take settings of a run under `execution_config` only; REST also beside it. */
function underSettings(args: Record<string, unknown>, known: object): Record<string, unknown> {
  const beside = Object.entries(args).filter(([name]) => !(name in known));
  if (beside.length === 0) return args;
  const own = Object.entries(args).filter(([name]) => name in known);
  return { ...Object.fromEntries(own), execution_config: Object.fromEntries(beside) };
}

const call = (client: Client, name: string, args: Record<string, unknown> = {}, options = {}) =>
  client.callTool({ name, arguments: args }, options) as Promise<CallToolResult>;

for (const way of ways) {
  test(`the SDK's client lists and calls every tool over ${way}`, async () => {
    const from = await sender(service);
    const client = await connect(way, service, from.token);
    try {
      const { tools: listed } = await client.listTools();
      assert.ok(listed.length > 80, `${listed.length} tools`);
      assert.deepEqual(
        listed.map(({ name }) => name),
        tools.map(({ name }) => name),
      );
      const failures: string[] = [];
      for (const { name, outputSchema } of listed.filter((tool) => !elsewhere.includes(tool.name))) {
        const one = callOne(way, { client, from, name, schema: outputSchema ?? {} });
        await one.catch((error: Error) => failures.push(error.message));
      }
      assert.deepEqual(failures, []);
    } finally {
      await client.close();
    }
  });
}

interface One {
  readonly client: Client;
  readonly from: Sender;
  readonly name: string;
  readonly schema: object;
}

async function callOne(way: Way, { client, from, name, schema }: One): Promise<void> {
  const method = tools.find((tool) => tool.name === name)?.methods[0] as MethodName;
  const { isError, structuredContent, content } = await call(client, name, await argumentsOf(name, from));
  const said = `${name} over ${way}: ${JSON.stringify(content).slice(0, 500)}`;
  if (isError === true && racing.includes(method)) {
    assert.match(said, /INVALID_STATE/);
    return;
  }
  assert.notEqual(isError, true, said);
  const validate = ajv.compile(schema);
  assert.ok(validate(structuredContent), `${said}: ${ajv.errorsText(validate.errors)}`);
  const [first] = content;
  assert.deepEqual(JSON.parse(first?.type === 'text' ? first.text : ''), structuredContent, name);
}
