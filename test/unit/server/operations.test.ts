import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../../../rpc/index.js';
import { createObserver } from '../../../server/observe.js';
import { type RunningService, serviceParts, startService } from '../../../server/start.js';
import { makeChange } from '../../../service/assistant/plan/plan.js';
import { readServiceConfig } from '../../../service/settings/config.js';
import { restApi } from '../../support/api.js';
import { idToken } from '../../support/id-token.js';
import { nothingRead, startModelServer } from '../../support/model-server.js';
import { DEV_SECRET } from '../../support/service.js';
import { newHome } from '../../support/state.js';
import { root } from '../../support/tree.js';

let service: RunningService;
const modelServer = startModelServer({ after }, () => ({
  say: { ...nothingRead, change: makeChange({ assets: ['BTC'], interval: '1d', style: 'trend' }) },
}));

before(async () => {
  const config = readServiceConfig({
    BARLINE_HOME: await newHome(),
    BARLINE_HTTP_PORT: '0',
    BARLINE_RPC_PORT: '0',
    BARLINE_METRICS_PORT: '0',
    BARLINE_THREADS: '2',
    BARLINE_DEV_SECRET: DEV_SECRET,
    BARLINE_LLM_BASE_URL: `${(await modelServer).url}/v1`,
    BARLINE_LLM_MODEL: 'scripted',
    BARLINE_LLM_KEY: 'sk-of-the-tests',
  });
  const observer = createObserver('silent', 'test');
  service = await startService({ config, version: 'test', packageRoot: root, observer, parts: serviceParts });
});
after(() => service.stop());

interface Health {
  readonly status: string;
  readonly checks: Readonly<Record<string, { readonly status: string; readonly error?: string }>>;
}

async function ask(origin: string | null, path: string) {
  const response = await fetch(`${origin}${path}`);
  return { status: response.status, health: (await response.json()) as Health };
}

/** The first start creates the tables of the queues, and the process is ready only then. */
async function untilReady(origin: string | null) {
  for (;;) {
    const answer = await ask(origin, '/ready');
    if (answer.status === 200) return answer;
    assert.equal(answer.status, 503);
    await sleep(50); // no event to wait for: a probe asks again too
  }
}

test('a process is alive and ready once it has started, on both ports', async () => {
  for (const origin of [service.origin, service.operationsOrigin]) {
    assert.equal((await ask(origin, '/live')).status, 200);
    const { status, health } = await untilReady(origin);
    assert.deepEqual([status, health.status], [200, 'healthy']);
    assert.deepEqual(Object.keys(health.checks).sort(), ['database', 'disk', 'draining', 'queues']);
  }
  assert.equal((await fetch(`${service.operationsOrigin}/api/v1/catalogue/templates`)).status, 404);
});

test('metrics tell of queues, work, leases, threads, connections and caches', async () => {
  const text = await (await fetch(`${service.operationsOrigin}/metrics`)).text();
  const figure = (series: string): number => {
    const line = text.split('\n').find((each) => each.startsWith(`${series} `));
    assert.ok(line !== undefined, series);
    return Number(line.slice(series.length));
  };
  assert.equal(figure('barline_source_up{source="state"}'), 1);
  assert.equal(figure('barline_source_up{source="queues"}'), 1);
  for (const queue of ['backtests', 'sweeps', 'joins']) {
    assert.ok(figure(`barline_queue_jobs{queue="${queue}",state="waiting"}`) >= 0);
  }
  assert.equal(figure('barline_backtests{status="queued"}'), 0);
  assert.equal(figure('barline_sweep_runs{state="open"}'), 0);
  assert.equal(figure('barline_leases{kind="sweeps"}'), 0);
  const threads = ['busy', 'idle'].map((state) => figure(`barline_threads{pool="backtests",state="${state}"}`));
  assert.deepEqual(threads, [0, 0], 'they start with the first run');
  assert.equal(figure('barline_threads{pool="sweeps",state="busy"}'), 0);
  const connections = ['busy', 'idle'].map((state) => figure(`barline_database_connections{state="${state}"}`));
  assert.equal(connections[0]! + connections[1]!, 1);
  assert.ok(figure('barline_cache_bytes{cache="bars"}') >= 0);
  for (const cache of ['credentials', 'answers']) assert.ok(figure(`barline_cache_hits{cache="${cache}"}`) >= 0);
});

test('with a language model set it answers, within its budgets, and its prompts are listed', async () => {
  const client = new RpcClient(service.rpcAddress ?? '');
  const { body: login } = await client.call('Auth.Login', { idp_token: await idToken(DEV_SECRET) });
  client.close();
  const api = restApi(service.origin ?? '', login.access_token as string);
  const { session_id } = (await api.call('Assistant.Start')).body.conversation;
  await api.call('Assistant.Chat', { session_id, message: 'Folge dem Trend von BTC auf 1d' });
  const read = async () => (await api.call('Assistant.Get', { session_id })).body.context;
  while ((await read()).processing_status !== 'complete') await sleep(30);
  const { current_mode, llm_response_metadata: answered, token_estimates: tokens } = await read();
  assert.equal(answered.instead_because, null);
  assert.deepEqual([current_mode, answered.mind, answered.requests], ['plan_signals', 'language-model', 1]);
  assert.equal(tokens.system_tokens + tokens.context_tokens, 900);
  assert.equal((await api.call('Usage.Get')).body.counters.tokens.used, 1_000);
  const { prompt_files: prompts } = (await api.call('Assistant.GetConfiguration')).body;
  assert.ok(prompts.includes('prompts/assistant/read.md'));
  for (const prompt of prompts) assert.ok(existsSync(join(root, prompt)), prompt);
});

test('a process that is about to stop is alive but not ready, and says why', async () => {
  service.drain();
  for (const origin of [service.origin, service.operationsOrigin]) {
    const { status, health } = await ask(origin, '/ready');
    assert.deepEqual([status, health.status], [503, 'unhealthy']);
    assert.match(health.checks.draining?.error ?? '', /stopping/);
    assert.equal((await ask(origin, '/live')).status, 200);
  }
});
