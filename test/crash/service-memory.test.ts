import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import test, { type TestContext } from 'node:test';
import { seededRandom } from '../support/random.js';
import { type MemoryTrend, memoryTrend, noResidentMemory } from '../support/resident-memory.js';
import { runs, soak } from '../support/scale.js';
import { callService, succeed } from '../support/service-calls.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { openStream } from '../support/sse.js';
import { newHome } from '../support/state.js';
import { bundledSeries, randomBacktest, randomEvaluation, runExperiment, smallExperiment } from './service-work.js';

const ROUNDS = runs(30, 1_500, 30);
/** Growth after the warm-up in MB. */
const GROWTH_MB_MAX = 30;

/** A short run can hardly tell growth from warm-up. */
const skip = noResidentMemory || (soak ? false : 'a soak runs it');

const STANDING = '3600000';

interface Loaded {
  readonly service: ServiceProcess;
  readonly key: string;
}

async function startLoaded(t: TestContext, settings: Readonly<Record<string, string>> = {}): Promise<Loaded> {
  const home = await newHome();

  const all = { BARLINE_REPLAY_MS: STANDING, BARLINE_RATE_LIMIT_PER_MINUTE: '100000000', ...settings };
  const service = await startServiceProcess(home, all);
  t.after(async () => {
    await service.kill();
    await rm(home, { recursive: true, force: true });
  });
  return { service, key: service.firstKey ?? '' };
}

function assertFlat(t: TestContext, { start, warm, end, peak }: MemoryTrend): void {
  const mb = [start, warm, end, peak].map((one) => one.toFixed(0));
  t.diagnostic(`${mb[0]} MB at the start, ${mb[1]} after warm-up, ${mb[2]} at the end, ${mb[3]} at most`);
  assert.ok(end - warm <= GROWTH_MB_MAX, `${(end - warm).toFixed(0)} MB more at the end`);
}

const deployedPath = '/v1/oracle/deployed/strategies';

/** Does the work this many times, a few at once. */
async function times(count: number, atOnce: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

test(`the memory of a service stays the same over ${ROUNDS} rounds of everything at once`, { skip }, async (t) => {
  const loaded = await startLoaded(t, { BARLINE_REPLAY_MS: '20', BARLINE_REPLAY_DAYS: '36500' });
  const { service, key } = loaded;
  const held = bundledSeries;
  const random = seededRandom(3);
  const post = (path: string, body: object) => succeed(service, key, 'POST', path, body);
  let answered = 0;
  const backtest = async () => {
    const { status } = await callService(service, key, 'POST', '/v1/backtests', randomBacktest(held, random));
    assert.ok(status < 300 || status === 503, `${status} is neither an answer nor "retry later"`);
    if (status < 300) answered++;
  };
  const trend = await memoryTrend(service.pid, (tell) =>
    times(ROUNDS, 2, async (i) => {
      tell(i / ROUNDS);
      const stream = await openStream(`${service.origin}/api/v1/oracle/deployed/stream?last_event_id=0`, key);
      await Promise.all([
        stream.next(),
        backtest(),
        ...[1, 2].map(() => post('/v2/backtests', randomBacktest(held, random))),
        ...[1, 2, 3, 4].map(() => post('/v1/signals/evaluate-multiple-series', randomEvaluation(held, random))),
        ...[1, 2, 3, 4].map(() => succeed(service, key, 'GET', deployedPath)),
        ...(i % 3 === 0 ? [runExperiment(service, key, smallExperiment(random))] : []),
      ]);
      stream.close();
    }),
  );
  assert.ok(answered > ROUNDS / 2, `${answered} backtests answered in ${ROUNDS} rounds`);
  assertFlat(t, trend);
});
