// Asks: how fast does an experiment go through queue and storage on the embedded store, compared
// with the same sweep on the command line with as many threads? And how long do the slowest of 200
// mixed reads a second take meanwhile?
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import { openBars, writeBars } from '../data/bars/index.js';
import { medianOf, type Sizes, seededBars, type Timing, yardstickMs } from './measure.js';
import { type BenchService, newBenchHome, startBenchService } from './service-under-load.js';
import { rowsOf, sweep } from './sweep-command.js';
import { crosses, often } from './sweep-plans.js';

const HOURS = 8_760;
const VARIANTS = 16;
const THREADS = 1;
/** All combinations, in all variants, are more runs than fit in the measured time. */
const COMBINATIONS = 5_760;
const POLL_MS = 20;
const VARIANTS_MEANWHILE = 160;
const EXPERIMENTS_MEANWHILE = 2;

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const runs = isSmoke ? 160 : 20_000;
  const home = newBenchHome();
  const bars = join(home, 'year.parquet');
  await writeBars(bars, seededBars(HOURS));
  await openBars({ home }).import(bars, { asset: 'YEAR' });
  const planFile = join(home, 'plan.json');
  const plan = JSON.stringify(crosses('YEAR', [often], runs / VARIANTS, VARIANTS));
  writeFileSync(planFile, plan);
  const service = await startBenchService(home, { BARLINE_SWEEP_THREADS: String(THREADS) });
  try {
    const call = async (method: string, path: string, body?: string) => {
      const headers = { Authorization: `Bearer ${service.key}` };
      const response = await fetch(`${service.origin}/api/v1/oracle/experiments${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: asserted below
      const answer = (await response.json()) as any;
      assert.ok(response.ok, JSON.stringify(answer).slice(0, 300));
      return answer;
    };
    const times: { commandLine: number; service: number }[] = [];
    for (let i = 0; i < (isSmoke ? 1 : 3); i++) {
      const { folder, perSecond } = sweep(home, planFile, THREADS);
      const { experiment_id: id, org_id: org } = await call('POST', '', plan);
      assert.equal((await call('POST', `/${id}/validate`)).total_runs, runs);
      const start = performance.now();
      await call('POST', `/${id}/launch`);
      await reached(call, id, 'completed');
      times.push({ commandLine: (runs * 1_000) / perSecond, service: performance.now() - start });
      assert.deepEqual(await rowsOf(join(home, 'corpus', org, id)), await rowsOf(folder), 'both have the same rows');
    }
    console.log(`resident at most: ${service.peakResidentMb().toFixed(0)} MB`);
    const commandLine = medianOf(times.map((time) => time.commandLine));
    const throughQueue = medianOf(times.map((time) => time.service));
    const rate = (ms: number) => `${Math.round((runs * 1_000) / ms)} runs/s`;
    console.log(
      `${runs} runs of ${HOURS} bars, ${THREADS} thread: command line ${rate(commandLine)}, service ${rate(throughQueue)}`,
    );
    console.log(`the service reaches ${((100 * commandLine) / throughQueue).toFixed(0)} % of the command line`);
    return [
      timing('sweep on the command line', commandLine, runs),
      timing('experiment through the service', throughQueue, runs, commandLine / throughQueue),
      ...(await readsMeanwhile(service, call, isSmoke)),
    ];
  } finally {
    await service.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

type Call = (method: string, path: string, body?: string) => Promise<{ readonly [field: string]: string }>;

/** Waits until an experiment has the wanted status; fails when it ends in another one. */
async function reached(call: Call, id: string, wanted: 'running' | 'completed'): Promise<void> {
  for (;;) {
    const { status, error } = await call('GET', `/${id}`);
    if (status === wanted) return;
    assert.ok(status === 'queued' || status === 'running', `${status}, not ${wanted}: ${error}`);
    await delay(POLL_MS);
  }
}

/** Mixed reads at 200 a second while experiments occupy their threads. */
async function readsMeanwhile(
  { origin, key, peakResidentMb }: BenchService,
  call: Call,
  isSmoke: boolean,
): Promise<Timing[]> {
  const seconds = isSmoke ? 2 : 60;
  const ids: string[] = [];
  for (let i = 0; i < EXPERIMENTS_MEANWHILE; i++) {
    const plan = crosses('YEAR', [often], COMBINATIONS, isSmoke ? 16 : VARIANTS_MEANWHILE);
    const { experiment_id: id } = await call('POST', '', JSON.stringify(plan));
    await call('POST', `/${id}/validate`);
    ids.push(id);
  }
  for (const id of ids) await call('POST', `/${id}/launch`);
  // On a busy machine the first block takes its time.
  for (const id of ids) await reached(call, id, 'running');
  const id = ids.at(-1);
  const paths = [
    '/strategies',
    '/signals?limit=20',
    '/users/me/backtests',
    '/oracle/experiments',
    `/oracle/experiments/${id}`,
    '/oracle/datasets',
    '/oracle/templates',
    '/config/trading-defaults',
  ];
  const result = await autocannon({
    url: origin,
    connections: 10,
    overallRate: 200,
    duration: seconds,
    requests: paths.map((path) => ({ path: `/api/v1${path}`, headers: { Authorization: `Bearer ${key}` } })),
  });
  assert.equal(result.errors + result.non2xx + result.timeouts, 0, 'every request is answered well');
  const { status } = await call('GET', `/${id}`);
  if (!isSmoke) assert.equal(status, 'running', 'the experiment lasted as long');
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const lagMs = 1_000 * Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(metrics)?.[1]);
  // The first may have ended.
  for (const one of ids) await call('POST', `/${one}/cancel`).catch(() => {});
  const { p50, p99 } = result.latency;
  console.log(
    `200 mixed reads/s for ${seconds} s meanwhile: p50 ${p50} ms, p99 ${p99} ms, ${result['2xx']} answers; event loop p99 ${lagMs.toFixed(1)} ms, its own 10 ms included`,
  );
  console.log(`resident at most: ${peakResidentMb().toFixed(0)} MB`);
  return [timing('mixed reads during an experiment, p99', p99, 1), timing('event-loop delay meanwhile, p99', lagMs, 1)];
}

const timing = (name: string, p50Ms: number, runs: number, ratio?: number): Timing => ({
  name,
  bars: HOURS,
  p50Ms,
  nsPerBar: (p50Ms * 1e6) / (HOURS * runs),
  yardsticks: p50Ms / yardstickMs(10_000),
  ...(ratio === undefined ? {} : { ratio }),
});
