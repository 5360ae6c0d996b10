import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readServiceConfig } from '../../../server/config.js';
import { createObserver } from '../../../server/observe.js';
import { type RunningService, serviceParts, startService } from '../../../server/start.js';
import { newHome } from '../../support/state.js';
import { root } from '../../support/tree.js';

let service: RunningService;

before(async () => {
  const config = readServiceConfig({
    BARLINE_HOME: await newHome(),
    BARLINE_HTTP_PORT: '0',
    BARLINE_RPC_PORT: '0',
    BARLINE_METRICS_PORT: '0',
    BARLINE_THREADS: '2',
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
    assert.deepEqual(Object.keys(health.checks).sort(), ['database', 'draining', 'queues']);
  }
  assert.equal((await fetch(`${service.operationsOrigin}/api/v1/catalogue/templates`)).status, 404);
});

test('metrics tell of queues, work, leases, threads, connections and caches', async () => {
  const text = await (await fetch(`${service.operationsOrigin}/metrics`)).text();
  const figureOf = (series: string): number => {
    const line = text.split('\n').find((each) => each.startsWith(`${series} `));
    assert.ok(line !== undefined, series);
    return Number(line.slice(series.length));
  };
  assert.equal(figureOf('barline_source_up{source="state"}'), 1);
  assert.equal(figureOf('barline_source_up{source="queues"}'), 1);
  for (const queue of ['backtests', 'sweeps', 'joins']) {
    for (const state of ['waiting', 'delayed', 'active']) {
      assert.ok(figureOf(`barline_queue_jobs{queue="${queue}",state="${state}"}`) >= 0);
    }
  }
  assert.equal(figureOf('barline_backtests{status="queued"}'), 0);
  assert.equal(figureOf('barline_sweep_runs{state="open"}'), 0);
  assert.equal(figureOf('barline_leases{kind="sweeps"}'), 0);
  const threads = ['busy', 'idle'].map((state) => figureOf(`barline_threads{pool="backtests",state="${state}"}`));
  assert.deepEqual(threads, [0, 2]);
  assert.equal(figureOf('barline_threads{pool="sweeps",state="busy"}'), 0);
  const connections = ['busy', 'idle'].map((state) => figureOf(`barline_database_connections{state="${state}"}`));
  assert.equal(connections[0]! + connections[1]!, 1);
  assert.ok(figureOf('barline_cache_bytes{cache="bars"}') >= 0);
  assert.ok(figureOf('barline_cache_hits{cache="credentials"}') >= 0);
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
