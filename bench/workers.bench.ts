// Asks: what does a run cost in CPU where several workers on one host run an experiment, compared
// with one worker? What they repeat (plans, columns, masks, joins) shows in the difference.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openBars, writeBars } from '../data/bars/index.js';
import { noPostgres, startPostgres } from '../test/support/postgres.js';
import { succeed } from '../test/support/service-calls.js';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.js';
import { medianOf, type Sizes, seededBars, type Timing, yardstickMs } from './measure.js';
import { newBenchHome } from './service-under-load.js';
import { command, rowsOf } from './sweep-command.js';
import { crosses, often } from './sweep-plans.js';

const HOURS = 8_760;
const WORKERS = [1, 2, 3] as const;
const VARIANTS = 16;
/** Time to join the files of the rows, which counts too. */
const JOIN_MS = 4_000;
/** Clock ticks of `/proc/PID/stat`. */
const TICK_MS = 10;

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  if (noPostgres) {
    console.log(`left out: ${noPostgres}`);
    return [];
  }
  const runs = isSmoke ? 320 : 80_000;
  const home = newBenchHome();
  const postgres = await startPostgres();
  const started: ServiceProcess[] = [];
  const start = async (databaseUrl: string, args: readonly string[]): Promise<ServiceProcess> => {
    const settings = { DATABASE_URL: databaseUrl, BARLINE_SWEEP_THREADS: '1' };
    const process = await startServiceProcess(home, settings, args, 'serve', [command]); // without the flags of tests
    started.push(process);
    return process;
  };
  try {
    const bars = join(home, 'year.parquet');
    await writeBars(bars, seededBars(HOURS));
    await openBars({ home }).import(bars, { asset: 'YEAR' });
    const databaseUrl = await postgres.newDatabase();
    const api = await start(databaseUrl, ['--only', 'rpc', 'http']);
    const call = (method: string, path: string, body?: object) =>
      succeed(api, api.firstKey ?? '', method, `/v1/oracle/experiments${path}`, body);
    /** CPU of the workers from the launch to the end, ms, and the rows. */
    const experiment = async (workers: readonly ServiceProcess[], count: number) => {
      const plan = crosses('YEAR', [often], count / VARIANTS, VARIANTS);
      const { experiment_id: id, org_id: org } = await call('POST', '', plan);
      assert.equal((await call('POST', `/${id}/validate`)).total_runs, count);
      const before = cpuMs(workers);
      const startMs = performance.now();
      await call('POST', `/${id}/launch`);
      for (let status = ''; status !== 'completed'; await delay(20)) ({ status } = await call('GET', `/${id}`));
      const wallMs = performance.now() - startMs;
      await delay(JOIN_MS);
      return { cpuMs: cpuMs(workers) - before, wallMs, rows: await rowsOf(join(home, 'corpus', org, id)) };
    };
    const found = new Map<number, number[]>();
    let first: Rows | null = null;
    for (let round = 0; round < (isSmoke ? 1 : 3); round++) {
      for (const count of WORKERS) {
        const workers: ServiceProcess[] = [];
        while (workers.length < count) workers.push(await start(databaseUrl, ['--only', 'worker']));
        await experiment(workers, runs); // the first one starts threads and compiles code
        const { cpuMs: cpu, wallMs, rows } = await experiment(workers, runs);
        first ??= rows;
        assert.equal(firstDifference(rows, first), null, 'the same rows, whoever ran them');
        found.set(count, [...(found.get(count) ?? []), cpu]);
        console.log(
          `${count} workers: ${Math.round((1_000 * runs) / cpu)} runs a CPU second, ${Math.round(wallMs)} ms`,
        );
        await Promise.all(workers.map((worker) => worker.terminate()));
      }
    }
    const alone = medianOf(found.get(1) ?? []);
    return WORKERS.map((count) => {
      const cpu = medianOf(found.get(count) ?? []);
      console.log(`${count} workers: ${((100 * alone) / cpu).toFixed(0)} % of the CPU efficiency of one`);
      return {
        name: `experiment on ${count} workers of a host, CPU`,
        ...{ bars: HOURS, p50Ms: cpu, nsPerBar: (cpu * 1e6) / (HOURS * runs) },
        yardsticks: cpu / yardstickMs(10_000),
        ratio: alone / cpu,
      };
    });
  } finally {
    await Promise.all(started.map((each) => each.kill()));
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

type Rows = Awaited<ReturnType<typeof rowsOf>>;

/** A message about 80,000 rows would be no message. */
function firstDifference(rows: Rows, expected: Rows): string | null {
  const texts = expected.map((row) => JSON.stringify(row));
  const place = Math.max(rows.length, texts.length);
  for (let i = 0; i < place; i++) {
    const text = JSON.stringify(rows[i]);
    if (text !== texts[i]) return `row ${i}: ${text}, expected ${texts[i]}`;
  }
  return null;
}

/** User and system time of processes with all of their threads. */
const cpuMs = (processes: readonly ServiceProcess[]): number =>
  processes.reduce((sum, { pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return sum + TICK_MS * (Number(fields[11]) + Number(fields[12]));
  }, 0);
