// Asks: how fast does an experiment go through queue and storage on the embedded store, beside the same sweep from the command line
// with as many threads? Needs `npm run build`.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBars, writeBars } from '../data/bars/index.js';
import { medianOf, type Sizes, seededBars, type Timing, yardstickMs } from './measure.js';
import { newBenchHome, startBenchService } from './service-under-load.js';
import { rowsOf, sweep } from './sweep-command.js';
import { crosses, often } from './sweep-plans.js';

const HOURS = 8_760;
const VARIANTS = 16;
const THREADS = 1;

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
      while ((await call('GET', `/${id}`)).status !== 'completed') await new Promise((done) => setTimeout(done, 20));
      times.push({ commandLine: (runs * 1_000) / perSecond, service: performance.now() - start });
      assert.deepEqual(await rowsOf(join(home, 'corpus', org, id)), await rowsOf(folder), 'both have the same rows');
    }
    console.log(`resident afterwards: ${service.residentMb().toFixed(0)} MB`);
    const commandLine = medianOf(times.map((time) => time.commandLine));
    const throughQueue = medianOf(times.map((time) => time.service));
    const rate = (ms: number) => `${Math.round((runs * 1_000) / ms)} runs/s`;
    console.log(
      `${runs} runs of ${HOURS} bars, ${THREADS} thread: command line ${rate(commandLine)}, service ${rate(throughQueue)}`,
    );
    console.log(`the service reaches ${((100 * commandLine) / throughQueue).toFixed(0)} % of the command line`);
    const timing = (name: string, p50Ms: number, ratio?: number): Timing => ({
      name,
      bars: HOURS,
      p50Ms,
      nsPerBar: (p50Ms * 1e6) / (HOURS * runs),
      yardsticks: p50Ms / yardstickMs(10_000),
      ...(ratio === undefined ? {} : { ratio }),
    });
    return [
      timing('sweep on the command line', commandLine),
      timing('experiment through the service', throughQueue, commandLine / throughQueue),
    ];
  } finally {
    await service.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
