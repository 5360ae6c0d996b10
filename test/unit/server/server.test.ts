import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { DependencyFault } from '../../../data/outage.js';
import { Upstream } from '../../../data/upstreams/index.js';
import { Dependencies } from '../../../server/dependencies.js';
import { Floodgate } from '../../../server/log-lines.js';
import { createObserver } from '../../../server/observe.js';
import { needsFirstKey } from '../../../server/operator-key.js';
import { serviceParts, startService } from '../../../server/start.js';
import { readServiceConfig } from '../../../service/settings/config.js';
import { openState } from '../../../service/state/index.js';
import { newHome } from '../../support/state.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { root } from '../../support/tree.js';
import { quickLimits, startUpstream } from '../../support/upstream-server.js';

test('so many pass in a window, and the first of the next tells how many were left out', () => {
  const gate = new Floodgate(2, 1_000);
  assert.deepEqual(
    [0, 1, 2, 999].map((ms) => gate.pass(ms)),
    [0, 0, null, null],
  );
  assert.deepEqual(
    [1_000, 1_001, 1_002].map((ms) => gate.pass(ms)),
    [2, 0, null],
  );
  assert.equal(gate.pass(2_500), 1);
});

test('a first start that finds its port taken makes no key, because its output would be lost', async () => {
  const home = await newHome();
  const other = createServer();
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const config = readServiceConfig({ BARLINE_HOME: home, BARLINE_HTTP_PORT: String(port), BARLINE_RPC_PORT: '0' });
  const observer = createObserver('silent', 'test');
  const starting = startService({ config, version: 'test', packageRoot: root, observer, parts: serviceParts });
  await assert.rejects(starting, { code: 'EADDRINUSE' });
  other.close();
  const state = await openState({ home });
  assert.equal(await needsFirstKey(state, config), true);
  await state.close();
});

/** What a process says after `code` ran in it, and its exit code. */
function run(code: string): { said: string[]; exit: number | null } {
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    cwd: root,
  });
  return { said: stdout.trim().split('\n'), exit: status };
}

const from = (file: string): string => JSON.stringify(join(root, 'dist', 'server', file));

test('a process goes on after errors that nothing catches, logs some of them and counts all', () => {
  const { said, exit } = run(`
    const { createObserver, keepServing } = await import(${from('observe.js')});
    const lines = [];
    const observer = createObserver('info', 'test', { write: (line) => lines.push(JSON.parse(line)) });
    keepServing(observer.recordUncaught);
    Promise.reject(new Error('rejected'));
    for (let i = 0; i < 50; i++) setTimeout(() => { throw new Error('thrown ' + i); });
    setTimeout(() => { throw null; });
    await new Promise((done) => setTimeout(done, 200));
    console.log(lines.length, lines[0].msg, lines[0].level, lines[0].err.message);
    console.log(/^barline_uncaught_errors_total .*/m.exec(await observer.metrics())[0]);
  `);
  assert.deepEqual([said, exit], [['20 uncaught error 50 rejected', 'barline_uncaught_errors_total 52'], 0]);
});

test('an error of the record itself does not end it either', () => {
  const { said, exit } = run(`
    const { keepServing } = await import(${from('observe.js')});
    keepServing(() => { throw new Error('full disk'); });
    setTimeout(() => { throw new Error('thrown'); });
    setTimeout(() => console.log('serving'), 50);
  `);
  assert.deepEqual([said, exit], [['serving'], 0]);
});

const question = { path: 'x', schema: z.object({ n: z.number() }), maxAgeMs: 1_000 };

const threads = { busy: 3, threads: 4, waiting: 7 };
const sources = {
  work: async () => ({
    backtests: { queued: 5, running: 2 },
    experiments: { running: 1, completed: 9 },
    sweepRuns: { open: 40, done: 60 },
    deliveries: 8,
    leases: { backtests: 2, sweeps: 1 },
  }),
  queues: async () => new Map([['backtests', { waiting: 6, delayed: 1, active: 2 }]]),
  connections: () => ({ open: 10, idle: 4, waiting: 3 }),
  threads: { backtests: () => threads },
  caches: { bars: () => ({ entries: 2, bytes: 4096, hits: 11, misses: 1 }) },
};

test('the metrics have breaker, questions and age of each provider, parts of one added up', async (t) => {
  let now = 0;
  const server = await startUpstream(t, () => ({ n: 1 }));
  const open = (name: string) =>
    new Upstream({ name, baseUrl: server.url, clock: () => now, limits: { ...quickLimits, failuresMax: 1 } });
  const [first, second, third] = [open('alpha'), open('alpha'), open('beta')] as const;
  const observer = createObserver('silent', 'test');
  observer.watch([first, second, third]);
  const shown = async () =>
    (await observer.metrics()).split('\n').filter((line) => line.startsWith('barline_upstream'));
  const questions = (provider: string, ...counts: readonly number[]) =>
    ['answered', 'kept', 'stale', 'failed'].map(
      (end, i) => `barline_upstream_questions_total{provider="${provider}",end="${end}"} ${counts[i]}`,
    );
  assert.deepEqual(await shown(), [
    'barline_upstream_breaker{provider="alpha"} 0',
    'barline_upstream_breaker{provider="beta"} 0',
    ...questions('alpha', 0, 0, 0, 0),
    ...questions('beta', 0, 0, 0, 0),
  ]);

  await first.ask(question);
  await first.ask(question);
  await second.ask(question);
  now = 2_500;
  server.faults.push('refused', 'server error', 'server error');
  assert.ok((await first.ask(question)).isStale);
  await assert.rejects(third.ask(question));
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(
      await shown(),
      [
        'barline_upstream_breaker{provider="alpha"} 0',
        'barline_upstream_breaker{provider="beta"} 2',
        ...questions('alpha', 2, 1, 1, 0),
        ...questions('beta', 0, 0, 0, 1),
        'barline_upstream_answer_age_seconds{provider="alpha"} 2.5',
      ],
      'reading them changes nothing',
    );
  }
});

function watched(nowMs: () => number) {
  const lines: Record<string, unknown>[] = [];
  const registry = new Registry();
  const log = pino({ level: 'info', base: {} }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const dependencies = new Dependencies(log, registry, nowMs);
  const settings = { BARLINE_HOME: temporaryFolder('home'), DATABASE_URL: 'postgres://me:hush@db/x' };
  dependencies.watch(readServiceConfig(settings));
  const metrics = async () => (await registry.metrics()).split('\n').filter((line) => /^barline_/.test(line));
  return { lines, dependencies, metrics };
}

const fault = new DependencyFault('database', 'away', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });

test('a lost dependency is logged once a minute, with its setting and since when, and its return once', () => {
  let now = Date.UTC(2025, 0, 1);
  const { lines, dependencies } = watched(() => now);
  dependencies.answered('database');
  for (let i = 0; i < 150; i++, now += 1_000) assert.ok(dependencies.failed(fault));
  dependencies.answered('database');
  dependencies.answered('database');
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['dependency lost', 'dependency lost', 'dependency lost', 'dependency is back'],
  );
  for (const line of lines) {
    assert.equal(line.setting, 'DATABASE_URL');
    assert.equal(line.since, '2025-01-01T00:00:00.000Z');
    assert.doesNotMatch(JSON.stringify(line), /hush/);
  }
  assert.equal(lines.at(-1)?.failures, 150);
  assert.equal(lines.at(-1)?.lost_ms, 150_000);
});

test('failures, failed writes, what is up and the room on the disk are metrics', async () => {
  const { dependencies, metrics } = watched(Date.now);
  dependencies.failed(fault);
  dependencies.failed(fault, true);
  dependencies.failed(Object.assign(new Error('no room'), { code: 'ENOSPC' }));
  assert.equal(dependencies.failed(new Error('a bug')), false);
  const lines = await metrics();
  for (const line of [
    'barline_dependency_failures_total{dependency="database",reason="away"} 2',
    'barline_dependency_failures_total{dependency="disk",reason="full"} 1',
    'barline_failed_writes_total{dependency="database"} 1',
    'barline_failed_writes_total{dependency="disk"} 1',
    'barline_dependency_up{dependency="database"} 0',
    'barline_dependency_up{dependency="queues"} 1',
  ]) {
    assert.ok(lines.includes(line), `${line} in\n${lines.join('\n')}`);
  }
  const free = Number(lines.find((line) => line.startsWith('barline_disk_free_bytes'))?.split(' ')[1]);
  assert.ok(free > 0);
});

async function shown(changes: object = {}): Promise<string[]> {
  const observer = createObserver('silent', 'test');
  observer.watchWork({ ...sources, ...changes });
  const lines = (await observer.metrics()).split('\n');
  return lines.filter((line) => line.startsWith('barline_') && !/_seconds|_uncaught_/.test(line));
}

test('each figure is a gauge of its own', async () => {
  assert.deepEqual(await shown(), [
    'barline_source_up{source="state"} 1',
    'barline_source_up{source="queues"} 1',
    'barline_queue_jobs{queue="backtests",state="waiting"} 6',
    'barline_queue_jobs{queue="backtests",state="delayed"} 1',
    'barline_queue_jobs{queue="backtests",state="active"} 2',
    'barline_backtests{status="queued"} 5',
    'barline_backtests{status="running"} 2',
    'barline_experiments{status="running"} 1',
    'barline_experiments{status="completed"} 9',
    'barline_sweep_runs{state="open"} 40',
    'barline_sweep_runs{state="done"} 60',
    'barline_leases{kind="backtests"} 2',
    'barline_leases{kind="sweeps"} 1',
    'barline_webhook_deliveries_pending 8',
    'barline_threads{pool="backtests",state="busy"} 3',
    'barline_threads{pool="backtests",state="idle"} 1',
    'barline_threads{pool="backtests",state="waiting"} 7',
    'barline_database_connections{state="busy"} 6',
    'barline_database_connections{state="idle"} 4',
    'barline_database_connections{state="waiting"} 3',
    'barline_cache_entries{cache="bars"} 2',
    'barline_cache_bytes{cache="bars"} 4096',
    'barline_cache_hits{cache="bars"} 11',
    'barline_cache_misses{cache="bars"} 1',
  ]);
});

test('the state is asked once for all gauges, and a state that fails leaves the others', async () => {
  let asked = 0;
  const work = async () => {
    asked++;
    throw new Error('the database is away');
  };
  const lines = await shown({ work });
  assert.equal(asked, 1);
  assert.ok(lines.includes('barline_source_up{source="state"} 0'));
  assert.ok(lines.includes('barline_database_connections{state="idle"} 4'));
  assert.deepEqual(
    lines.filter((line) => /barline_(backtests|leases|experiments)/.test(line)),
    [],
  );
});
