import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openState } from '../../service/state/index.js';
import { longRun } from '../support/long-runs.js';
import { noPostgres, startPostgres } from '../support/postgres.js';
import { startProxy } from '../support/proxy.js';
import { runs } from '../support/scale.js';
import { succeed } from '../support/service-calls.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';
import { crossSweep, filter, trigger } from '../support/sweeps.js';

const configuration = crossSweep({
  datasets: [{ asset: 'BTC', timeframe: '1h' }],
  entry_signals: {
    triggers: [
      trigger('sma_cross_up', {
        window_fast: { min: 3, max: 22, step: 1 },
        window_slow: { min: 50, max: runs(62, 149), step: 1 },
      }),
    ],
    filters: [filter('is_above_sma', { window: { min: 20, max: 180, step: 20 } })],
  },
});

const paths = ['/v1/oracle/experiments', '/v1/users/me/backtests', '/v1/signals?limit=50', '/v1/oracle/datasets'];
const READERS = 8;
/** The time that a process has to end after it is told to. */
const END_MS_MAX = 10_000;

type Call = (method: string, path: string, body?: object) => ReturnType<typeof succeed>;

async function launch(call: Call): Promise<{ readonly id: string; readonly total: number }> {
  const { experiment_id: id } = await call('POST', '/v1/oracle/experiments', configuration);
  const { total_runs: total } = await call('POST', `/v1/oracle/experiments/${id}/validate`);
  await call('POST', `/v1/oracle/experiments/${id}/launch`);
  return { id, total };
}

async function untilRunning(call: Call, id: string): Promise<void> {
  while ((await call('GET', `/v1/oracle/experiments/${id}`)).completed_runs === 0) await delay(20);
}

async function untilCompleted(call: Call, id: string, total: number): Promise<void> {
  for (;;) {
    const { status, completed_runs } = await call('GET', `/v1/oracle/experiments/${id}`);
    if (status !== 'running') {
      assert.deepEqual([status, completed_runs], ['completed', total]);
      return;
    }
    await delay(250);
  }
}

test('a service told to stop under load sends whole answers, releases what it holds, and continues at the next start', async () => {
  const home = await newHome();
  let service = await startServiceProcess(home);
  try {
    const key = service.firstKey ?? '';
    const call: Call = (method, path, body) => succeed(service, key, method, path, body);
    const { id, total } = await launch(call);
    const { backtest_id: backtestId } = await call('POST', '/v1/oracle/backtest/async', longRun);
    const watching = fetch(`${service.origin}/api/v1/oracle/deployed/stream`, {
      headers: { Authorization: `Bearer ${key}` },
    }).then((response) => response.text());
    await untilRunning(call, id);

    let isEnding = false;
    let answered = 0;
    const read = async (path: string): Promise<void> => {
      const headers = { Authorization: `Bearer ${key}` };
      for (;;) {
        const response = await fetch(`${service.origin}/api${path}`, { headers }).catch((error: Error) => {
          assert.ok(isEnding, `before the end: ${error}`);
          return null; // the connection was refused
        });
        if (response === null) return;
        assert.equal(response.status, 200);
        await response.json(); // an answer that has begun arrives whole
        answered++;
      }
    };
    const readers = Array.from({ length: READERS }, (_, i) => read(paths[i % paths.length]!));
    await delay(300);
    isEnding = true;
    const endsAtMs = performance.now();
    assert.equal(await service.terminate(), 0);
    assert.ok(performance.now() - endsAtMs < END_MS_MAX);
    await Promise.all(readers);
    assert.match(await watching, /^event: ready/m, 'streams end as well');
    assert.ok(answered > 0);

    const state = await openState({ home });
    const leases = await state.db.selectFrom('experiment_leases').select('until_ms').execute();
    const running = await state.db.selectFrom('backtests').where('status', '=', 'running').select('id').execute();
    await state.close();
    assert.ok(
      leases.every(({ until_ms }) => until_ms === 0),
      'blocks were released',
    );
    assert.deepEqual(running, [], 'and so were runs');

    service = await startServiceProcess(home);
    await untilCompleted(call, id, total);
    while ((await call('GET', `/v1/oracle/backtest/async/${backtestId}`)).status !== 'completed') await delay(250);
    assert.equal(await service.terminate(), 0);
  } finally {
    await service.kill();
    await rm(home, { recursive: true, force: true });
  }
});

test('a service whose database hangs still stops, and the next start does the work it held', {
  skip: noPostgres,
}, async () => {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.newDatabase();
  const proxy = await startProxy(Number(new URL(databaseUrl).port));
  const behindProxy = new URL(databaseUrl);
  behindProxy.port = String(proxy.port);
  const home = await newHome();
  let service = await startServiceProcess(home, { DATABASE_URL: behindProxy.href });
  try {
    const key = service.firstKey ?? '';
    const call: Call = (method, path, body) => succeed(service, key, method, path, body);
    const { id, total } = await launch(call);
    await untilRunning(call, id);
    proxy.fallSilent();
    const asked = Promise.allSettled(paths.map((path) => call('GET', path)));
    await delay(300);
    const endsAtMs = performance.now();
    assert.equal(await service.terminate(), 0);
    assert.ok(performance.now() - endsAtMs < END_MS_MAX);
    await asked;

    service = await startServiceProcess(home, { DATABASE_URL: databaseUrl });
    await untilCompleted(call, id, total);
    assert.equal(await service.terminate(), 0);
  } finally {
    await service.kill();
    await proxy.stop();
    await postgres.stop();
  }
});

const STOPS = runs(1, 25, 8);
const CLIENTS = 12;

/**
 * A connection that the system took but the service never did: closing a port resets those that
 * wait to be accepted, which no server can prevent.
 */
const NOT_ACCEPTED = 'reset before it was accepted';

/** The status of an answer that arrived whole, or the code of the failure. */
const outcomeOf = (url: string, agent: Agent, key: string, body?: object): Promise<number | string> =>
  new Promise((resolve) => {
    const asked = request(
      url,
      { agent, method: body === undefined ? 'GET' : 'POST', headers: { Authorization: `Bearer ${key}` } },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.complete ? (response.statusCode ?? 0) : 'cut'));
        response.once('error', ({ message }) => resolve(message));
      },
    );
    asked.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      resolve(code === 'ECONNRESET' && !asked.reusedSocket ? NOT_ACCEPTED : (code ?? message));
    });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });

/** Clients with and without kept connections, until the service accepts none. @returns outcomes */
async function askUntilRefused({ origin }: ServiceProcess, key: string, outcomes: Map<number | string, number>) {
  const client = async (i: number): Promise<void> => {
    const agent = new Agent({ keepAlive: i % 2 === 0, maxSockets: 1 });
    for (let n = i; ; n++) {
      const submits = i === 0 || i === 1;
      const path = submits ? '/v1/oracle/backtest/async' : (paths[n % paths.length] ?? '');
      const outcome = await outcomeOf(`${origin}/api${path}`, agent, key, submits ? longRun : undefined);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (typeof outcome === 'string') break;
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)));
}

test(`in each of ${STOPS} stops under load every accepted request gets an answer, the process ends in time and leaves no lock`, async () => {
  const home = await newHome();
  let key = '';
  for (let stop = 0; stop < STOPS; stop++) {
    const service = await startServiceProcess(home, { BARLINE_QUEUED_PER_ORGANIZATION: '20' });
    key = service.firstKey ?? key;
    try {
      const outcomes = new Map<number | string, number>();
      const asking = askUntilRefused(service, key, outcomes);
      await delay(500 + 100 * (stop % 5));
      const endsAtMs = performance.now();
      const code = await service.terminate();
      const tookMs = performance.now() - endsAtMs;
      await asking;
      const seen = JSON.stringify([...outcomes]);
      assert.equal(code, 0, seen);
      assert.ok(tookMs < END_MS_MAX, `stop ${stop} took ${tookMs} ms`);
      for (const outcome of outcomes.keys()) {
        assert.ok([200, 202, 429, 503, 'ECONNREFUSED', NOT_ACCEPTED].includes(outcome), `stop ${stop}: ${seen}`);
      }
      const left = (await readdir(home)).filter((name) => /^server\.lock|^operator\.sock/.test(name));
      assert.deepEqual(left, [], `stop ${stop}`);
    } finally {
      await service.kill();
    }
  }
  await rm(home, { recursive: true, force: true });
});
