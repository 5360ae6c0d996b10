import assert from 'node:assert/strict';
import test from 'node:test';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { methodExample } from '../../http/openapi.js';
import { ownIdName, renamed, toolRoute } from '../../mcp/method-tools.js';
import { openToolbox } from '../../mcp/toolbox.js';
import type { MethodName } from '../../rpc/index.js';
import { restApi } from '../support/api.js';
import { tierOf } from '../support/contract.js';
import { exampleFor, racing, type Sender, sender } from '../support/example-calls.js';
import { connect, connectFirst, post, refusedContent, type Way, ways } from '../support/mcp.js';
import { soak } from '../support/scale.js';
import { startTestService, type TestService } from '../support/service.js';

/** Every tool over every way in, and what its callers may rely on. */

let service: TestService;
test.before(async () => {
  const [tier] = JSON.parse(tierOf({ defi_pro_calls: 1_000 })) as [object];
  service = await startTestService({ BARLINE_TIERS: JSON.stringify([{ ...tier, backtestsPerSweepMax: null }]) });
});
test.after(async () => {
  for (const opened of clients.values()) await (await opened).client.close();
  await service.stop();
});

interface Connected {
  readonly client: Client;
  readonly from: Sender;
}

/** One client for each way, all of one user: starting a process costs more than calls. */
const clients = new Map<Way, Promise<Connected>>();
let owner: Promise<Sender> | null = null;

function connected(way: Way): Promise<Connected> {
  owner ??= sender(service);
  const opening =
    clients.get(way) ?? owner.then(async (from) => ({ from, client: await connect(way, service, from.token) }));
  clients.set(way, opening);
  return opening;
}

const tools = openToolbox('test');
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uuid: true, date: true, 'date-time': true } });
const validators = new Map<string, ValidateFunction>();

const experimentExample = methodExample('Experiments.Create').body as {
  readonly entry_signals: { readonly triggers: readonly object[] };
  readonly execution_config: object;
};

const strategy = {
  name: 'dips',
  asset: 'BTC',
  entry: [
    { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 14, threshold: 30 } },
    { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: { window: 50 } },
  ],
};
const dips = {
  asset: 'BTC',
  interval: '1h',
  start_date: '2024-01-01',
  end_date: '2024-02-01',
  strategy_json: strategy,
};

/** Arguments of a tool: the example of its route, all in one object. */
async function argumentsOf(name: string, from: Sender): Promise<Record<string, unknown>> {
  if (name === 'backtests_run') return dips;
  if (name === 'assistant_chat') return { message: 'what is a filter?' };
  const { methods = [], input } = tools.find((tool) => tool.name === name) ?? {};
  const { path, query = {}, body = {} } = await exampleFor(toolRoute(methods[0] as MethodName), from);
  const [method = ''] = methods;
  return underSettings({ ...renamed({ ...path }, ownIdName(method)), ...query, ...body }, input?.properties ?? {});
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

/** The structured content of a call that must succeed. */
// biome-ignore lint/suspicious/noExplicitAny: each test asserts the fields it expects
async function succeed(client: Client, name: string, args: Record<string, unknown> = {}, options = {}): Promise<any> {
  const { isError, structuredContent, content } = await call(client, name, args, options);
  assert.notEqual(isError, true, `${name}: ${JSON.stringify(content).slice(0, 500)}`);
  return structuredContent;
}

/** The refusal of a call that must fail, which a client shows as text. */
async function refusal(client: Client, name: string, args: Record<string, unknown> = {}) {
  return refusedContent(await call(client, name, args)) as { code: string; message: string; field?: string };
}

/** Runs `act` with a client over each of these ways. */
function over(some: readonly Way[], name: string, act: (client: Client, from: Sender) => Promise<void>): void {
  for (const way of some) {
    test(`${name} over ${way}`, async () => {
      const { client, from } = await connected(way);
      await act(client, from);
    });
  }
}

/** A call that changes nothing gets the same arguments on every way. */
const shared = new Map<string, Record<string, unknown>>();

for (const way of ways) {
  test(`the SDK's client lists all tools and calls them over ${way}`, async () => {
    const { client, from } = await connected(way);
    const { tools: listed } = await client.listTools();
    assert.ok(listed.length > 80, `${listed.length} tools`);
    assert.deepEqual(
      listed.map(({ name }) => name),
      tools.map(({ name }) => name),
    );
    // A tool is the method that test/contract/cases/examples.ts calls, in another envelope, and the
    // ways differ in theirs: some tools over each way, in a soak all.
    const called = listed.filter((_, k) => soak || k % 24 === 0);
    for (const { name, annotations, outputSchema = {} } of called) {
      const args = shared.get(name) ?? (await argumentsOf(name, from));
      if (annotations?.readOnlyHint === true) shared.set(name, args);
      assertAnswer(name, outputSchema, await call(client, name, args));
    }
  });
}

function assertAnswer(name: string, schema: object, { isError, structuredContent, content }: CallToolResult): void {
  const said = `${name}: ${JSON.stringify(content).slice(0, 500)}`;
  const [method] = tools.find((tool) => tool.name === name)?.methods ?? [];
  if (isError === true && racing.includes(method as MethodName)) {
    assert.match(said, /INVALID_STATE/);
    return;
  }
  assert.notEqual(isError, true, said);
  const validate = validators.get(name) ?? ajv.compile(schema);
  validators.set(name, validate);
  assert.ok(validate(structuredContent), `${said}: ${ajv.errorsText(validate.errors)}`);
  const [first] = content;
  assert.deepEqual(JSON.parse(first?.type === 'text' ? first.text : ''), structuredContent, name);
}

over(['http'], 'arguments are checked, and refusals name field, bound and value', async (client) => {
  const told = async (name: string, args: Record<string, unknown>) => {
    const { code, message, field } = await refusal(client, name, args);
    return [code, field, message];
  };
  const unknown = await told('signals_list', { categori: 'trend' });
  assert.deepEqual(unknown.slice(0, 2), ['VALIDATION_ERROR', 'categori']);
  assert.match(String(unknown[2]), /has limit, offset, category, fields$/);
  assert.deepEqual(await told('signals_list', { limit: 101 }), [
    ...['VALIDATION_ERROR', 'limit', 'limit must be 1..100, was 101'],
  ]);
  assert.equal((await told('signals_list', { fields: 'a{' }))[1], 'fields');
  assert.equal((await told('signals_get', {}))[0], 'MISSING_FIELD');
  assert.equal((await told('backtests_run', { ...dips, wait_seconds: 3_601 }))[1], 'wait_seconds');
  const both = await refusal(client, 'experiments_run', { experiment_id: 'x', name: 'y' });
  assert.equal(both.field, 'experiment_id');
});

test('both generations of the SDK show the code and field of a refusal of a tool, and its answers', async () => {
  const { client, from } = await connected('http session');
  const first = await connectFirst(service, from.token);
  for (const each of [client, first]) {
    const { tools: listed } = await each.listTools(); // from here on the client checks against the schemas
    // One path refuses for all tools: every eighth, and in a soak all.
    for (const { name } of listed.filter((_, k) => soak || k % 8 === 0)) {
      const refused = refusedContent(await each.callTool({ name, arguments: { bogus: 1 } }));
      const isMissing = refused.code === 'MISSING_FIELD';
      assert.ok(isMissing || refused.field === 'bogus', `${name}: ${JSON.stringify(refused)}`);
    }
    const { structuredContent } = await each.callTool({ name: 'signals_list', arguments: { limit: 1 } });
    assert.equal((structuredContent as { limit: number }).limit, 1);
  }
  await first.close();
});

over(['http session'], 'what another organization has is neither a tool argument nor a resource', async (client) => {
  const other = restApi(service.origin, (await sender(service)).token);
  const { id: strategy_id } = (await other.call('Strategies.Create', strategy)).body.strategy;
  assert.equal((await refusal(client, 'strategies_get', { strategy_id })).code, 'RESOURCE_NOT_FOUND');
  const { experiment_id } = (await other.call('Experiments.Create', experimentExample)).body;
  assert.equal((await refusal(client, 'experiments_run', { experiment_id })).code, 'RESOURCE_NOT_FOUND');
  for (const uri of [`strategies/${strategy_id}`, `experiments/${experiment_id}`]) {
    await assert.rejects(client.readResource({ uri: `barline://${uri}` }), /not found/);
  }
});

/** Enters at one bar and leaves at another: some 2,000 trades, of a kilobyte each. */
const restless = {
  ...dips,
  start_date: '2023-07-01',
  end_date: '2024-06-30',
  execution_config: { preset: 'signals-only', fee_pct: 0, slippage_pct: 0 },
  strategy_json: {
    ...strategy,
    entry: [{ name: 'formula', signal_type: 'TRIGGER', timeframe: '1h', params: { when: 'close > open' } }],
    exit: [{ name: 'formula', signal_type: 'TRIGGER', timeframe: '1h', params: { when: 'close < open' } }],
  },
};

over(['http'], 'a run of many trades is answered by its summary, and its trades by page', async (client, from) => {
  const answer = await succeed(client, 'backtests_run', restless);
  const { backtest_id, trade_count, trade_history, metrics, warnings } = answer;
  assert.deepEqual([answer.status, trade_history], ['completed', []]);
  assert.ok(trade_count > 1_500 && metrics.total_trades === trade_count, `${trade_count} trades`);
  assert.match(warnings.at(-1), /^lists-left-out: .* 1000000, so .*\(\d+\).*backtests_list_trades/);
  const { trades } = await from.call('Backtests.ListTrades', { id: backtest_id });
  const pages: object[] = [];
  while (pages.length < trade_count) {
    const page = await succeed(client, 'backtests_list_trades', { backtest_id, limit: 500, offset: pages.length });
    assert.equal(page.trade_count, trade_count);
    pages.push(...page.trades);
  }
  assert.deepEqual(pages, trades);
  const { code, message } = await refusal(client, 'backtests_list_trades', { backtest_id });
  assert.equal(code, 'PAYLOAD_TOO_LARGE');
  assert.match(message, /ask for fewer rows/);
  const last = await succeed(client, 'backtests_list_trades', { backtest_id, offset: trade_count - 1 });
  assert.deepEqual(last.trades, trades.slice(-1));
});

/** 40,000 runs: work for seconds, in blocks that end soon after a cancellation. */
const longSweep = {
  ...experimentExample,
  entry_signals: {
    ...experimentExample.entry_signals,
    triggers: [
      {
        ...experimentExample.entry_signals.triggers[0],
        params_sweep: { window_fast: { min: 2, max: 99, step: 1 }, window_slow: { min: 100, max: 200, step: 1 } },
      },
    ],
  },
  execution_config: {
    ...experimentExample.execution_config,
    sweep_axes: [{ param: 'reward_factor', min: 1, max: 4, step: 1 }],
  },
};

over(['http session'], 'a sweep tells its progress, and a cancelled call stops it', async (client, from) => {
  const steps: { progress: number; total?: number; message?: string }[] = [];
  const cancelling = new AbortController();
  const running = call(client, 'experiments_run', longSweep, {
    signal: cancelling.signal,
    onprogress: (step: (typeof steps)[number]) => {
      steps.push(step);
      cancelling.abort('enough');
    },
  });
  await assert.rejects(running);
  const [step] = steps;
  assert.match(step?.message ?? '', /^experiment exp_\w+ is (queued|running): \d+ of \d+ runs$/);
  assert.ok(Number(step?.total) > 10_000);
  const experiment_id = /exp_\w+/.exec(step?.message ?? '')?.[0];
  await until(async () => (await from.call('Experiments.Get', { experiment_id })).status === 'cancelled');
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

over(['http'], 'work that takes longer than the wait goes on', async (client) => {
  const sweep = await succeed(client, 'experiments_run', { ...longSweep, wait_seconds: 0 });
  assert.ok(['queued', 'running'].includes(sweep.status), sweep.status);
  assert.equal(
    (await succeed(client, 'experiments_cancel', { experiment_id: sweep.experiment_id })).status,
    'cancelled',
  );
  const waited = await succeed(client, 'experiments_run', experimentExample);
  assert.equal(waited.status, 'completed');
  assert.equal(waited.completed_runs, waited.total_runs);
});

over(['stdio'], 'documents and what the caller has stored are resources', async (client, from) => {
  const { resources } = await client.listResources();
  assert.ok(resources.length > 300);
  assert.ok(resources.some(({ uri }) => uri === 'barline://docs/assessment'));
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 6);
  const { strategy: made } = await from.call('Strategies.Create', strategy);
  const { backtest_id: run } = await succeed(client, 'backtests_run', {
    ...dips,
    strategy_json: JSON.stringify(strategy),
  });
  const { experiment_id: sweep } = await succeed(client, 'experiments_run', experimentExample);
  const read = async (path: string) => {
    const [content] = (await client.readResource({ uri: `barline://${path}` })).contents;
    return [content?.mimeType, String(content !== undefined && 'text' in content ? content.text : '')] as const;
  };
  const page = /^<!doctype html>/;
  const expected: readonly [path: string, mimeType: string, text: RegExp][] = [
    ['docs/assessment', 'text/markdown', /^# What to believe/],
    [`strategies/${made.id}`, 'application/json', /"name": "dips"/],
    [`backtests/${run}/report`, 'text/html', page],
    [`experiments/${sweep}/report`, 'text/html', page],
  ];
  for (const [path, mimeType, text] of expected) {
    const [type, content] = await read(path);
    assert.equal(type, mimeType, path);
    assert.match(content, text, path);
  }
  for (const path of ['docs/bogus', 'bogus/1', 'docs/', `backtests/${run}/bogus`, 'docs/%']) {
    await assert.rejects(read(path), (error: { code: number; data?: { code?: string } }) => {
      assert.equal(error.code, -32602, path);
      assert.equal(error.data?.code, 'RESOURCE_NOT_FOUND', path);
      return true;
    });
  }
  await assert.rejects(client.listResources({ cursor: 'bogus' }), /cursor must be/);
});

test('a client gets the usual sets of tools, or those that it names', async () => {
  const { token } = await sender(service);
  for (const way of ['stdio', 'http'] as const) {
    const usual = await connect(way, service, token, '', 'legacy');
    const listed = await usual.listTools();
    const bytes = Buffer.byteLength(JSON.stringify(listed));
    assert.ok(bytes <= 100_000, `the usual sets take ${bytes} bytes of the context of an agent`);
    const sets = new Set(listed.tools.map(({ name }) => name.split('_')[0]));
    assert.deepEqual(
      [...sets],
      ['signals', 'strategies', 'backtests', 'experiments', 'results', 'market', 'knowledge'],
    );
    await usual.close();
    const few = await connect(way, service, token, 'defi,social', 'legacy');
    assert.ok((await few.listTools()).tools.every(({ name }) => /^(defi|social)_/.test(name)));
    await assert.rejects(call(few, 'signals_list'), /no tool signals_list/);
    await few.close();
  }
});

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

/** An open session by hand. */
async function openSession(token: string): Promise<Record<string, string>> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await post(service, initialize, headers);
  assert.equal(response.status, 200);
  await response.text();
  return { ...headers, 'Mcp-Session-Id': response.headers.get('mcp-session-id') ?? '' };
}

const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

test('without an accepted credential nothing is answered', async () => {
  for (const headers of [{}, { Authorization: 'Bearer nonsense' }, { Authorization: 'Basic eDp5' }]) {
    for (const body of [initialize, list, 'not json']) {
      const response = await post(service, body, headers as Record<string, string>);
      assert.equal(response.status, 401);
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
      assert.equal(((await response.json()) as { code: string }).code, 'AUTH_REQUIRED');
    }
  }
});

test('a session is of one caller and ends with it', async () => {
  const { token } = await sender(service);
  const session = await openSession(token);
  const statusOf = async (headers: Record<string, string>, body: object = list) => {
    const response = await post(service, body, headers);
    await response.text();
    return response.status;
  };
  assert.equal(await statusOf(session), 200);
  assert.equal(await statusOf({ ...session, 'Mcp-Session-Id': 'bogus' }), 404);
  const { token: stranger } = await sender(service);
  assert.equal(await statusOf({ ...session, Authorization: `Bearer ${stranger}` }), 404);
  const { token: again } = await sender(service);
  assert.equal(await statusOf({ Authorization: `Bearer ${again}` }), 400, 'no session yet');
  const ending = await fetch(`${service.origin}/mcp`, { method: 'DELETE', headers: session });
  assert.equal(ending.status, 200);
  assert.equal(await statusOf(session), 404);
});

over(['http session'], 'arguments that cannot be passed on are refused with their name', async (client) => {
  const nested = (levels: number): unknown => (levels === 0 ? [] : [nested(levels - 1)]);
  const refused: readonly [tool: string, args: Record<string, unknown>, message: RegExp][] = [
    ['strategies_archive', { strategy_id: 'x', idempotency_key: 'é' }, /^Idempotency-Key must have 1\.\.255 visible/],
    ['strategies_archive', { strategy_id: nested(3_000) }, /^request must nest at most 32 levels deep/],
    ['backtests_run', { ...dips, wait_seconds: { valueOf: null } }, /^wait_seconds must be 0\.\.\d+, was \{/],
  ];
  for (const [tool, args, message] of refused) {
    const { code, message: said } = await refusal(client, tool, args);
    assert.equal(code, 'VALIDATION_ERROR');
    assert.match(said, message);
  }
});

test('what is no message of the protocol is refused with its reason, and nothing breaks', async () => {
  const { token } = await sender(service);
  const session = await openSession(token);
  const bodies: readonly [what: string | object, status: number, code: number][] = [
    ['not json', 400, -32700],
    ['null', 400, -32600],
    [{ jsonrpc: '1.0', id: 1, method: 'tools/list' }, 400, -32600],
    [Array.from({ length: 101 }, () => list), 400, -32600],
    [initialize, 400, -32600],
    [{ ...list, method: 'bogus/method' }, 200, -32601],
    [{ ...list, method: 'tools/call', params: { name: 'bogus' } }, 200, -32602],
    [{ ...list, method: 'tools/call' }, 200, -32602],
    [{ ...list, method: 'resources/read', params: { uri: 'x'.repeat(100_000) } }, 200, -32602],
  ];
  for (const [body, status, code] of bodies) {
    const response = await post(service, body, session);
    const text = await response.text();
    const said = `${JSON.stringify(body).slice(0, 80)}: ${response.status} ${text.slice(0, 300)}`;
    assert.equal(response.status, status, said);
    const json = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as { error?: { code: number } };
    assert.ok(json.error?.code === code || (status === 400 && json.error?.code === -32700), said);
  }
  const statusWith = async (headers: Record<string, string>, body: string | object = list) => {
    const response = await post(service, body, { ...session, ...headers });
    await response.text();
    return response.status;
  };
  assert.equal(await statusWith({ 'Content-Type': 'text/plain' }), 415);
  assert.equal(await statusWith({ Accept: 'text/html' }), 406);
  assert.equal(await statusWith({ 'MCP-Protocol-Version': '1999-01-01' }), 400);
  assert.equal(await statusWith({}, JSON.stringify({ ...list, params: { x: 'y'.repeat(4 * 1024 * 1024) } })), 413);
  assert.equal((await fetch(`${service.origin}/mcp`, { method: 'PUT', headers: session })).status, 405);
  assert.equal(
    (await fetch(`${service.origin}/mcp?toolsets=bogus`, { method: 'POST', headers: session, body: '{}' })).status,
    400,
  );
  assert.equal(await statusWith({}), 200, 'the session still answers');
});

test('no tool takes an id without saying whose', () => {
  const bare = tools.filter(({ methods, input }) => 'id' in input.properties && ownIdName(methods[0] ?? '') !== 'id');
  assert.deepEqual(
    bare.map(({ name }) => name),
    [],
  );
});
