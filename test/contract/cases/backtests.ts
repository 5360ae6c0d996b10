import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { openApiDocument } from '../../../http/openapi.js';
import { routes } from '../../../http/routes.js';
import { type Answer, type Api, readAnswer } from '../../support/api.js';
import { dipStrategy, riskFields, runBody } from '../../support/backtests.js';
import { contract, sharedService } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';
import type { TestService } from '../../support/service.js';

/** Cancels a submitted run before it ends; those before it in the queue keep the threads busy. */
async function cancelled(api: Api): Promise<Answer['body']> {
  for (;;) {
    const request = { strategy_json: runBody.strategy_json, interval: '1h', lookback_months: 100 };
    const submitted = await Promise.all(Array.from({ length: 6 }, () => api.call('Backtests.Submit', request)));
    const ids = submitted.map(({ body }) => body.backtest_id).reverse();
    const answers = await Promise.all(ids.map((id) => api.call('Backtests.Cancel', { id })));
    const [first] = answers.filter(({ code }) => code === 'OK');
    assert.ok(answers.every(({ code }) => code === 'OK' || code === 'INVALID_STATE'));
    if (first !== undefined) return first.body;
  }
}

contract('a submitted run can be cancelled until it ends', async ({ api }) => {
  const state = await cancelled(api);
  assert.deepEqual([state.status, state.error_message, state.metrics], ['failed', 'cancelled by its caller', null]);
  const id = state.backtest_id;
  assert.deepEqual((await api.call('Backtests.GetStatus', { id })).body, state);
  assertRefused(await api.call('Backtests.Cancel', { id }), 'INVALID_STATE', /cannot be cancelled: it is failed$/);
});

contract('an archived run disappears from the history only', async ({ api, other }) => {
  const { body } = await api.call('Backtests.Run', runBody);
  const id = body.backtest_id;
  const { body: archived } = await api.call('Backtests.Archive', { id });
  assert.equal(archived.archived, true);
  assert.equal((await api.call('Backtests.Archive', { id })).body.archived_at, archived.archived_at);
  assert.equal((await api.call('Backtests.History')).body.total, 0);
  assert.equal((await other.call('Backtests.History', { include_archived: true })).body.total, 0);
  const { body: history } = await api.call('Backtests.History', { include_archived: true });
  assert.deepEqual([history.total, history.backtests[0].archived], [1, true]);
  assert.equal((await api.call('Backtests.Get', { id })).body.archived_at, archived.archived_at);
  const { body: back } = await api.call('Backtests.Unarchive', { id });
  assert.deepEqual([back.archived, back.archived_at], [false, null]);
  assert.equal((await api.call('Backtests.History')).body.total, 1);
});

let service: TestService;
test.before(async () => {
  service = await sharedService();
});

async function ran() {
  const { token } = await service.login();
  const authorization = `Bearer ${token}`;
  const { body } = await service.client.call('Backtests.Run', runBody, { authorization });
  return { authorization, body };
}

async function read(id: string, table: string | undefined, authorization: string): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const { arrow } of service.client.stream('Backtests.ReadColumns', { id, table }, { authorization })) {
    pieces.push(arrow);
  }
  return pieces;
}

let token: string;

test('the tables of a run come as Arrow streams and hold what the run answered', async () => {
  const { authorization, body } = await ran();
  const { trade_history: history } = body;
  const trades = tableFromIPC(Buffer.concat(await read(body.backtest_id, 'trades', authorization)));
  assert.equal(trades.numRows, body.trade_count);
  assert.deepEqual(
    Array.from(trades.getChild('profit_loss') ?? []),
    history.map(({ profit_loss }) => profit_loss),
  );
  assert.deepEqual(
    Array.from(trades.getChild('entry_timestamp') ?? [], Number),
    history.map(({ entry_timestamp }) => Date.parse(entry_timestamp)),
  );
  const equity = tableFromIPC(Buffer.concat(await read(body.backtest_id, undefined, authorization)));
  const values = Array.from(equity.getChild('account_value') ?? []);
  assert.equal(values.at(-1), (body.metrics as { final_balance: number }).final_balance);
  const bars = tableFromIPC(Buffer.concat(await read(body.backtest_id, 'bars', authorization)));
  assert.equal(bars.numRows, equity.numRows);
  assert.equal(Number(bars.getChild('timestamp')?.get(0)), Date.parse(body.start_date as string));
});

test('a long table comes in parts, and a reader may leave after the first', async () => {
  const { authorization } = await ran();
  const hourly = { ...runBody, interval: '1h', start_date: '2022-01-01', end_date: '2025-01-01' };
  const { body } = await service.client.call('Backtests.Run', hourly, { authorization });
  const pieces = await read(body.backtest_id, 'bars', authorization);
  assert.ok(pieces.length > 4);
  assert.ok(pieces.every(({ length }) => length <= 256 * 1024));
  for await (const { arrow } of service.client.stream(
    'Backtests.ReadColumns',
    { id: body.backtest_id },
    { authorization },
  )) {
    assert.ok((arrow as Buffer).length > 0);
    break;
  }
  const again = await read(body.backtest_id, 'equity', authorization);
  assert.ok(again.length > 0, 'the service still answers');
});

test("an unknown table, an unknown run and another user's run are refused", async () => {
  const [{ body, authorization }, { authorization: stranger }] = [await ran(), await ran()];
  const id = body.backtest_id;
  await assert.rejects(read(id, 'everything', authorization), { code: 'VALIDATION_ERROR' });
  for (const [of, by] of [
    ['00000000-0000-4000-8000-000000000000', authorization],
    [id, stranger],
  ] as const) {
    await assert.rejects(read(of, 'trades', by), { code: 'RESOURCE_NOT_FOUND' });
  }
});

test.before(async () => {
  service = await sharedService();
  ({ token } = await service.login());
});

const send = (method: string, path: string, body?: object) =>
  fetch(`${service.origin}/api${path}`, {
    method,
    redirect: 'manual',
    headers: { Authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** Sends to a path exactly as it is spelled, and reads the answer of its route. */
async function answered(method: string, path: string, pattern: string, body?: object) {
  const route = routes.find((each) => each.method === method.toLowerCase() && each.path === `/api${pattern}`);
  assert.ok(route, `${method} ${pattern}`);
  const answer = await readAnswer(route, await send(method, path, body));
  assert.equal(answer.code, 'OK', `${method} ${path}`);
  return answer.body;
}

test('only the old paths are deprecated', () => {
  const { paths } = openApiDocument(routes, 'test') as unknown as {
    paths: Record<string, Record<string, { deprecated: boolean }>>;
  };
  const deprecated = Object.entries(paths).filter(([, methods]) =>
    Object.values(methods).some((each) => each.deprecated),
  );
  assert.deepEqual(deprecated.map(([path]) => path).toSorted(), [
    '/api/v1/backtesting/backtest',
    '/api/v1/backtesting/backtest/bulk',
    '/api/v1/backtesting/backtest/{id}',
    '/api/v1/backtesting/backtest/{id}/trades',
  ]);
});

test("the report is one page, and its script runs under the page's own policy only", async () => {
  const { backtest_id } = await answered('POST', '/v1/backtests', '/v1/backtests', runBody);
  const response = await send('GET', `/v1/backtests/${backtest_id}/report`);
  const html = await response.text();
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('Content-Type'), 'text/html; charset=utf-8');
  assert.equal(response.headers.get('Content-Security-Policy'), "frame-ancestors 'none'");
  assert.match(html, /^<!doctype html>/);
  assert.match(html, /<meta http-equiv="Content-Security-Policy" content="default-src 'none';[^"]*script-src 'sha256-/);
  assert.match(html, /Dip buyer/);
  const { body } = await service.client.call(
    'Backtests.GetReport',
    { id: backtest_id },
    { authorization: `Bearer ${token}` },
  );
  assert.equal(body.html, html);
  const unknown = await send('GET', '/v1/backtests/nonsense/report');
  assert.equal(unknown.status, 404);
  assert.equal(((await unknown.json()) as { code: string }).code, 'RESOURCE_NOT_FOUND');
});

contract('a bulk run must give its settings, those of saved strategies do not count', async ({ api }) => {
  const { body: saved } = await api.call('Strategies.Create', {
    ...dipStrategy,
    entry: [
      { ...dipStrategy.entry[0], timeframe: '1D' },
      { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1D', params: { window: 5 } },
    ],
    exit: [],
  });
  const dates = { start_date: '2024-01-01', end_date: '2024-02-01' };
  const settings = Object.keys(riskFields).filter((name) => !/cooldown_bars|momentum_limit/.test(name));
  for (const list of [{ strategy_ids: [saved.strategy.id] }, { strategy_configs: [dipStrategy] }]) {
    const { code, message } = await api.call('Backtests.RunBulk', { ...list, ...dates });
    const missing = [...settings, 'cooldown_config'].join(', ');
    assert.deepEqual([code, message], ['MISSING_FIELD', `Missing required fields: ${missing}`]);
    const { body } = await api.call('Backtests.RunBulk', { ...list, ...dates, ...riskFields, interval: '1d' });
    assert.deepEqual([body.results[0].success, body.results[0].error], [true, null]);
    assert.equal((await api.call('Batch.RunBulk', { ...list, ...dates, interval: '1d' })).code, 'OK', 'batch fills in');
  }
});
