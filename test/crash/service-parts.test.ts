import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dipStrategy, runBody } from '../support/backtests.js';
import { freePort } from '../support/free-port.js';
import { noPostgres, startPostgres } from '../support/postgres.js';
import { startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';

test('where stderr is no terminal, the first key goes to a file that only its owner reads', async () => {
  const home = await newHome();
  const service = await startServiceProcess(home);
  try {
    const file = join(home, 'first-key');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal(await readFile(file, 'utf8'), `${service.firstKey}\n`);
    assert.match(service.firstKey ?? '', /^local_/);
    assert.ok(service.said.some((line) => line.includes(file)));
    assert.ok(
      service.said.every((line) => !line.includes('local_')),
      'a log is kept and read by others',
    );
    const headers = { Authorization: `Bearer ${service.firstKey}` };
    assert.equal((await fetch(`${service.origin}/api/v1/auth/profile`, { headers })).status, 200);
  } finally {
    await service.kill();
  }
});

test('REST, gRPC and a worker as separate processes on one server are one service', {
  skip: noPostgres,
}, async () => {
  const postgres = await startPostgres();
  const rpcPort = String(await freePort());
  const settings = { DATABASE_URL: await postgres.newDatabase(), BARLINE_RPC_PORT: rpcPort };
  const rpc = await startServiceProcess(await newHome(), settings, ['--only', 'rpc']);
  const http = await startServiceProcess(await newHome(), settings, ['--only', 'http']);
  try {
    const profile = await fetch(`${http.origin}/api/v1/auth/profile`, {
      headers: { Authorization: `Bearer ${rpc.firstKey}` },
    });
    assert.equal(profile.status, 200);
    assert.equal(((await profile.json()) as { email: string }).email, 'operator@localhost');
    assert.equal((await fetch(`${http.origin}/health`)).status, 200);
    const { backtest_id } = await answerOf('POST', '/api/v2/backtests', runBody);
    const status = `/api/v2/backtests/${backtest_id}/status`;
    assert.equal((await answerOf('GET', status)).status, 'queued', 'without a worker nothing runs');
    const worker = await startServiceProcess(await newHome(), settings, ['--only', 'worker']);
    try {
      assert.equal(worker.firstKey, null);
      let state: string;
      do {
        await sleep(50);
        state = (await answerOf('GET', status)).status;
      } while (state === 'queued' || state === 'running');
      assert.equal(state, 'completed');
      const { start_date, end_date, interval } = runBody;
      const bulk = { start_date, end_date, interval, strategy_configs: [dipStrategy, { asset: 'BTC' }, dipStrategy] };
      const { results } = await answerOf('POST', '/api/v1/oracle/backtest/bulk', bulk);
      assert.deepEqual(
        results.map(({ success }) => success),
        [true, false, true],
        'the worker runs what a caller in another process waits for',
      );
    } finally {
      assert.equal(await worker.terminate(), 0);
    }
    assert.equal(await rpc.terminate(), 0);
    const alone = await fetch(`${http.origin}/health`);
    assert.equal(alone.status, 503, 'REST without gRPC behind it is not healthy');
    const refused = await fetch(`${http.origin}/api/v1/auth/profile`, {
      headers: { Authorization: `Bearer ${rpc.firstKey}` },
    });
    assert.equal(refused.status, 503);
    assert.match(refused.headers.get('Retry-After') ?? '', /^\d+$/);
  } finally {
    await http.kill();
    await rpc.kill();
    await postgres.stop();
  }

  async function answerOf(method: string, path: string, body?: object) {
    const response = await fetch(`${http.origin}${path}`, {
      method,
      headers: { Authorization: `Bearer ${rpc.firstKey}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { status: string; backtest_id: string; results: { success: boolean }[] };
    assert.ok(response.ok, JSON.stringify(answer));
    return answer;
  }
});
