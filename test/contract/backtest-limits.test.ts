import assert from 'node:assert/strict';
import test from 'node:test';
import { type Api, restApi } from '../support/api.js';
import { dipStrategy, runBody, without } from '../support/backtests.js';
import { longAudit, longRun } from '../support/long-runs.js';
import { startTestService, type TestService } from '../support/service.js';

const tiers = JSON.stringify([
  {
    id: 'small',
    name: 'Small',
    strategiesMax: 3,
    monthlyMax: { backtests: 4, api_calls: null },
    backtestsPerSweepMax: null,
    concurrentSweepsMax: null,
  },
]);

/** No call waits for the slot here, so two simultaneous calls are enough to see it taken. */
let service: TestService;
test.before(async () => {
  service = await startTestService({ BARLINE_BACKTEST_WAIT_MS: '0', BARLINE_TIERS: tiers });
});
test.after(() => service.stop());

/** Runs a case with a new user over REST, which calls over gRPC. */
function overRest(name: string, act: (api: Api, token: string) => Promise<void>): void {
  test(name, async () => {
    const { token } = await service.login();
    await act(restApi(service.origin, token), token);
  });
}

async function storedRun(api: Api): Promise<string> {
  const { body } = await api.call('Backtests.Run', longRun);
  return body.backtest_id;
}

overRest('of two simultaneous calls that need the slot, one is told when to retry', async (api) => {
  const id = await storedRun(api);
  const answers = await Promise.all([1, 2].map(() => api.call('Backtests.GetAudit', { id, ...longAudit })));
  const busy = answers.find(({ code }) => code !== 'OK');
  assert.deepEqual(answers.map(({ code }) => code).toSorted(), ['ENGINE_BUSY', 'OK']);
  assert.match(busy?.message ?? '', /^another backtest is running; try again in \d+ s$/);
  assert.equal(busy?.http?.status, 503);
  const { retry_after, error_code } = JSON.parse(busy?.http?.text ?? '');
  assert.equal(busy?.http?.headers.get('Retry-After'), String(retry_after));
  assert.ok(retry_after >= 1 && retry_after <= 30);
  assert.equal(error_code, 'ENGINE_BUSY');
});

overRest('a computed run counts; a bulk run counts all readable items or none', async (api) => {
  const bulk = (count: number) => ({
    ...without(['asset', 'strategy_json']),
    strategy_configs: [...Array<object>(count).fill(dipStrategy), { strategy_json: '{' }],
  });
  assert.equal((await api.call('Backtests.Run', runBody)).code, 'OK'); // 1
  const later = { ...runBody, start_date: '2030-01-01', end_date: '2030-02-01' };
  assert.equal((await api.call('Backtests.Run', later)).code, 'VALIDATION_ERROR');
  assert.equal((await api.call('Backtests.RunBulk', bulk(2))).code, 'OK'); // 3
  assert.equal((await api.call('Backtests.RunBulk', bulk(2))).code, 'USAGE_LIMIT_EXCEEDED');
  assert.equal((await api.call('Backtests.History')).body.total, 3, 'no item was run');
  assert.equal((await api.call('Backtests.Submit', runBody)).code, 'OK'); // 4
  for (const method of ['Backtests.Run', 'Backtests.Submit'] as const) {
    const answer = await api.call(method, runBody);
    assert.equal(answer.code, 'USAGE_LIMIT_EXCEEDED');
    assert.match(answer.message ?? '', /^Monthly limit of backtests: 4\/4 used until 20/);
    assert.ok(answer.http);
    assert.equal(answer.http.status, 429);
    assert.equal(answer.http.headers.get('Retry-After'), null, 'a client must not wait for the end of the month');
    const { limit, used, resource_type } = JSON.parse(answer.http.text);
    assert.deepEqual([limit, used, resource_type], [4, 4, 'backtests']);
  }
  assert.equal((await api.call('Backtests.History')).body.total, 4);
});

async function cancelledAudits(): Promise<number> {
  const text = await (await fetch(`${service.origin}/metrics`)).text();
  const line = /^barline_rpc_call_seconds_count\{method="Backtests\.GetAudit",code="CANCELLED"\} (\d+)$/m.exec(text);
  return Number(line?.[1] ?? 0);
}

/** Resolves when the slot is free again, which is only after the cancelled call has ended. */
async function untilFree(api: Api): Promise<void> {
  while ((await api.call('Backtests.Run', runBody)).code === 'ENGINE_BUSY');
}

overRest('a call whose client has disconnected gives up its thread', async (api, token) => {
  const id = await storedRun(api);
  const before = await cancelledAudits();
  const controller = new AbortController();
  const audit = fetch(`${service.origin}/api/v1/backtests/${id}/audit?cuts=${longAudit.cuts}`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: controller.signal,
  });
  const failed = assert.rejects(audit);
  await api.call('Backtests.Get', { id }); // by then the audit has arrived
  controller.abort();
  await failed;
  await untilFree(api);
  assert.equal(await cancelledAudits(), before + 1);
});
