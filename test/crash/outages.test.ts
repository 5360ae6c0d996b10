import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { longRun } from '../support/long-runs.js';
import { noPostgres, startPostgres } from '../support/postgres.js';
import { startProxy } from '../support/proxy.js';
import { noRedis, startRedis } from '../support/redis.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The longest time after which a service must notice that a dependency is back. */
const BACK_MS_MAX = 60_000;

const strategy = {
  name: 'kept',
  asset: 'BTC',
  rules: { entry: [{ name: 'sma_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} }], exit: [] },
};

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the fields it expects
  readonly body: any;
}

async function ask({ origin, firstKey }: ServiceProcess, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${firstKey}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(BACK_MS_MAX), // a service that answers nothing fails here, not in five minutes
  });
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), body: await response.json() };
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + BACK_MS_MAX;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, what);
    await delay(100);
  }
}

const isReady = async (service: ServiceProcess): Promise<boolean> => (await ask(service, '/ready')).status === 200;

const submission = { path: '/api/v1/oracle/backtest/async', body: longRun };
const calls: readonly (readonly [string, object?])[] = [
  [submission.path, submission.body],
  ['/api/v1/strategies', strategy],
  ['/api/v1/users/me/backtests'],
  ['/api/v1/oracle/experiments'],
  ['/api/v1/oracle/results'],
  ['/api/v1/usage'],
];

function assertBusy(path: string, { status, retryAfter, body }: Answer, dependency = /the database|the disk/): void {
  assert.equal(status, 503, `${path}: ${JSON.stringify(body)}`);
  assert.equal(body.code, 'ENGINE_BUSY');
  assert.ok(Number(retryAfter) >= 1, 'clients learn how long to wait');
  assert.equal(body.retry_after, Number(retryAfter));
  assert.match(body.message, dependency);
}

async function started(t: TestContext, settings: Record<string, string>, home?: string): Promise<ServiceProcess> {
  const service = await startServiceProcess(home ?? (await newHome()), settings);
  t.after(() => service.kill());
  return service;
}

test('while PostgreSQL is away every call is refused with ENGINE_BUSY, and none is lost once it is back', {
  skip: noPostgres,
}, async (t) => {
  const postgres = await startPostgres();
  t.after(() => postgres.stop());
  const databaseUrl = new URL(await postgres.newDatabase());
  let proxy = await startProxy(Number(databaseUrl.port));
  databaseUrl.port = String(proxy.port);
  const service = await started(t, { DATABASE_URL: databaseUrl.href, BARLINE_LOG_LEVEL: 'silent' });
  await until(() => isReady(service), 'the service is ready');
  const { port } = proxy;
  await proxy.stop(); // connections break, new ones are refused
  const answers = await Promise.all(calls.map(async ([path, body]) => [path, await ask(service, path, body)] as const));
  for (const [path, answer] of answers) assertBusy(path, answer, /^the database cannot be reached/);
  await until(async () => !(await isReady(service)), 'the loss is seen'); // a probe counts for a second
  const ready = await ask(service, '/ready');
  assert.equal(ready.status, 503);
  assert.equal(ready.body.checks.database.status, 'unhealthy');
  assert.equal(ready.body.checks.disk.status, 'healthy');
  const metrics = await (await fetch(`${service.origin}/metrics`)).text();
  assert.match(metrics, /barline_dependency_up\{dependency="database"\} 0/);
  proxy = await startProxy(Number(new URL(await postgres.newDatabase()).port), port);
  t.after(() => proxy.stop());
  await until(() => isReady(service), 'the service is ready again');
  assert.equal((await ask(service, submission.path, submission.body)).status, 202);
});

test('a submission is accepted while Redis is away, and runs once it is back', {
  skip: noPostgres || noRedis,
}, async (t) => {
  const postgres = await startPostgres();
  t.after(() => postgres.stop());
  const redis = await startRedis();
  const service = await started(t, { DATABASE_URL: await postgres.newDatabase(), REDIS_URL: redis.url });
  await redis.stop();
  const { status, body } = await ask(service, submission.path, submission.body);
  assert.equal(status, 202, JSON.stringify(body));
  await until(async () => (await ask(service, '/ready')).body.checks.queues.status === 'degraded', 'it is named');
  assert.ok(await isReady(service), 'work is accepted');
  await redis.crash();
  t.after(() => redis.stop());
  const path = `${submission.path}/${body.backtest_id}`;
  await until(async () => (await ask(service, path)).body.status === 'completed', 'the run completes');
});

/** A file system of its own that a test can fill; null where this user may mount none. */
function smallDisk(t: TestContext, megabytes: number): string | null {
  const folder = temporaryFolder('disk');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    t.skip('this user may not mount a file system (mount -t tmpfs)');
    return null;
  }
  t.after(() => execFileSync('umount', ['--lazy', folder]));
  return folder;
}

/** Fills a file system to its last block. @returns frees it again */
function fill(folder: string): () => void {
  const path = join(folder, 'filler');
  const piece = Buffer.alloc(4096);
  try {
    for (;;) writeFileSync(path, piece, { flag: 'a' });
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  }
  return () => rmSync(path);
}

test('while the disk of the embedded store is full, writes are refused with ENGINE_BUSY and /ready says why', async (t) => {
  const disk = smallDisk(t, 160);
  if (disk === null) return;
  const home = join(disk, 'home');
  cpSync(await newHome(), home, { recursive: true });
  const service = await started(t, {}, home);
  await until(() => isReady(service), 'the service is ready');
  const free = fill(disk);
  await until(async () => !(await isReady(service)), 'it is not ready');
  const { body } = await ask(service, '/ready');
  assert.match(`${body.checks.disk.error} ${body.checks.database.error}`, /no space left on device/i);
  // Pages of the store with room left may take some rows first.
  const refused: Answer[] = [];
  for (let i = 0; i < 60; i++) {
    const answer = await ask(service, submission.path, submission.body);
    if (answer.status >= 300) refused.push(answer);
  }
  assert.ok(refused.length > 0, 'the store has no room for 60 submissions');
  for (const answer of refused) assertBusy(submission.path, answer);
  const metrics = await (await fetch(`${service.origin}/metrics`)).text();
  assert.match(metrics, /barline_failed_writes_total\{dependency="disk"\} [1-9]/);
  assert.match(metrics, /^barline_disk_free_bytes \d+$/m);
  free();
  await until(() => isReady(service), 'it is ready again');
  assert.equal((await ask(service, submission.path, submission.body)).status, 202);
  assert.equal(await service.terminate(), 0);
});
