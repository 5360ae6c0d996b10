import assert from 'node:assert/strict';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSweepFolder, queryResults } from '../../data/sweeps/index.js';
import { openState } from '../../service/state/index.js';
import { noPostgres, startPostgres } from '../support/postgres.js';
import { seededRandom } from '../support/random.js';
import { noRedis, startRedis } from '../support/redis.js';
import { fullSoak, runs, soak } from '../support/scale.js';
import { callService, succeed } from '../support/service-calls.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';
import { comparableRows, exitOf, startSweep, storeLongBars } from '../support/sweep-process.js';
import { crossSweep, filter, trigger } from '../support/sweeps.js';

/** Heavy enough to be killed many times: in the full soak, 600 runs between two kills. */
const strategies = crossSweep({
  datasets: [fullSoak ? { asset: 'LONG', timeframe: '1m' } : { asset: 'BTC', timeframe: '1h' }],
  entry_signals: {
    triggers: [
      trigger('sma_cross_up', {
        window_fast: { min: 3, max: runs(12, 42), step: 1 },
        window_slow: { min: 50, max: runs(65, 91), step: 1 },
      }),
    ],
    filters: [filter('is_above_sma', { window: { min: 20, max: 180, step: 20 } })],
  },
});

/** A process that can be killed and comes back. */
interface Part {
  readonly name: string;
  crash(): Promise<void>;
}

/** A service in several processes, on a server. */
interface Cluster {
  /** Of the API; it changes after a kill. */
  api(): ServiceProcess;
  readonly key: string;
  readonly parts: readonly Part[];
  readonly home: string;
  readonly databaseUrl: string;
}

type Settings = Readonly<Record<string, string>>;

/** A process of the service that starts again with the same settings after a kill. */
async function startPart(t: TestContext, home: string, settings: Settings, args: readonly string[]) {
  let service = await startServiceProcess(home, settings, args);
  t.after(() => service.kill());
  return {
    service: () => service,
    async crash() {
      await service.kill();
      service = await startServiceProcess(home, settings, args);
    },
  };
}

const WORKERS = soak ? 3 : 2;

/** One API and some workers on a PostgreSQL server, with Redis beside it. */
async function distributed(t: TestContext): Promise<Cluster> {
  const home = await newHome();
  t.after(() => rm(home, { recursive: true, force: true }));
  const postgres = await startPostgres();
  t.after(() => postgres.stop());
  const redis = await startRedis();
  t.after(() => redis.stop());
  const databaseUrl = await postgres.newDatabase();
  const settings: Settings = {
    DATABASE_URL: databaseUrl,
    BARLINE_SWEEP_THREADS: '1',
    REDIS_URL: redis.url,
  };
  const { service: api, crash } = await startPart(t, home, settings, ['--only', 'rpc', 'http']);
  const parts: Part[] = [
    { name: 'API', crash },
    { name: 'PostgreSQL', crash: () => postgres.crash() },
    { name: 'Redis', crash: () => redis.crash() },
  ];
  for (let i = 1; i <= WORKERS; i++) {
    const worker = await startPart(t, home, settings, ['--only', 'worker']);
    parts.push({ name: `worker ${i}`, crash: worker.crash });
  }
  return { api, key: api().firstKey ?? '', parts, home, databaseUrl };
}

/** The number of runs with a row, or null while no API answers. */
async function completedRuns({ api, key }: Cluster, id: string): Promise<{ runs: number; status: string } | null> {
  try {
    const { status, body } = await callService(api(), key, 'GET', `/v1/oracle/experiments/${id}`);
    return status === 200 ? { runs: body.completed_runs, status: body.status } : null;
  } catch {
    return null;
  }
}

/**
 * Longest time without a new row. The whole wait has no limit, since other tests run beside this
 * one.
 */
const SILENCE_MS_MAX = 120_000;

async function untilRuns(cluster: Cluster, id: string, count: number): Promise<string> {
  let heardMs = Date.now();
  for (let most = 0; ; ) {
    const found = await completedRuns(cluster, id);
    if (found !== null) {
      assert.ok(found.runs >= most, 'no row is lost');
      if (found.runs > most) heardMs = Date.now();
      most = found.runs;
      if (found.runs >= count || found.status === 'completed' || found.status === 'failed') return found.status;
    }
    assert.ok(Date.now() < heardMs + SILENCE_MS_MAX, `${most} of ${count} runs, none in ${SILENCE_MS_MAX} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20)); // another process works by now
  }
}

async function survives(t: TestContext, cluster: Cluster): Promise<void> {
  const { key, parts, home, databaseUrl } = cluster;
  if (fullSoak) await storeLongBars(home);
  const call = (method: string, path: string, body?: object) => succeed(cluster.api(), key, method, path, body);
  const { experiment_id: id, org_id: orgId } = await call('POST', '/v1/oracle/experiments', strategies);
  const { total_runs: total } = await call('POST', `/v1/oracle/experiments/${id}/validate`);
  await call('POST', `/v1/oracle/experiments/${id}/launch`);

  const random = seededRandom(total);
  // The first half alone, as a fast machine finishes a short rest between two looks.
  const moments = Array.from({ length: runs(2, 50) }, () => Math.floor((random() * total) / 2)).sort((a, b) => a - b);
  const killed: string[] = [];
  for (const moment of moments) {
    if ((await untilRuns(cluster, id, Math.max(moment, 1))) === 'completed') break;
    const part = parts[Math.floor(random() * parts.length)]!;
    await part.crash();
    killed.push(`${part.name} at ${moment}`);
  }
  t.diagnostic(`${total} runs; killed: ${killed.join(', ')}`);
  assert.ok(killed.length >= moments.length / 2, 'the experiment lasted for at least half of the kills');
  assert.equal(await untilRuns(cluster, id, total + 1), 'completed');
  const ended = await call('GET', `/v1/oracle/experiments/${id}`);
  assert.equal(ended.completed_runs, total);

  await cluster.api().kill();
  const state = await openState({ home, databaseUrl });
  const committed = await state.db
    .selectFrom('experiment_parts')
    .where('experiment_id', '=', id)
    .select(['run_from', 'run_to'])
    .orderBy('run_from')
    .execute();
  await state.close();
  let next = 0;
  for (const { run_from, run_to } of committed) {
    assert.equal(run_from, next, 'every run is in one part');
    next = run_to;
  }
  assert.equal(next, total);
  // Parts that a process left behind before it counted them do not belong to the experiment.
  const rows = join(home, 'rows');
  await mkdir(rows);
  for (const { run_from, run_to } of committed) {
    const path = openSweepFolder(join(home, 'corpus', orgId, id)).partPath(run_from, run_to);
    await copyFile(path, openSweepFolder(rows).partPath(run_from, run_to));
  }
  const calm = join(home, 'calm');
  const planFile = join(home, 'plan.json');
  await writeFile(planFile, JSON.stringify(strategies));
  const start = performance.now();
  assert.equal(await exitOf(startSweep([planFile, '--out', calm], home)), 0);
  t.diagnostic(`undisturbed, as a sweep: ${Math.round((performance.now() - start) / 1000)} s`);
  // The record of a sweep makes columns of its swept parameters.
  await copyFile(join(calm, 'sweep.json'), join(rows, 'sweep.json'));
  assert.deepEqual(await comparableRows(rows), await comparableRows(calm));
  assert.equal((await queryResults([rows], 'SELECT count(DISTINCT run_index) FROM results')).rows[0]![0], total);
}

test('an experiment on PostgreSQL and Redis survives the death of any process', {
  skip: noPostgres || noRedis,
}, async (t) => {
  await survives(t, await distributed(t));
});
