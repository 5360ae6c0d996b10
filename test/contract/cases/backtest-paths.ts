import assert from 'node:assert/strict';
import test from 'node:test';
import { openApiDocument } from '../../../http/openapi.js';
import { routes } from '../../../http/routes.js';
import { readAnswer } from '../../support/api.js';
import { dipStrategy, runBody, without } from '../../support/backtests.js';
import { sharedService } from '../../support/contract.js';
import type { TestService } from '../../support/service.js';

let service: TestService;
let token: string;
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

test('the old paths answer as the new ones do', async () => {
  const old = '/v1/backtesting/backtest';
  const run = await answered('POST', old, old, runBody);
  const stored = await answered('GET', `${old}/${run.backtest_id}`, `${old}/{id}`);
  assert.deepEqual(stored, await answered('GET', `/v1/backtests/${run.backtest_id}`, '/v1/backtests/{id}'));
  const trades = await answered('GET', `${old}/${run.backtest_id}/trades`, `${old}/{id}/trades`);
  assert.deepEqual(trades.trades, run.trade_history);
  const list = { ...without(['asset', 'strategy_json']), strategy_configs: [dipStrategy] };
  const bulk = await answered('POST', `${old}/bulk`, `${old}/bulk`, list);
  assert.deepEqual(bulk.results[0].metrics, run.metrics);
});

test('a submitted run is polled under both of its paths', async () => {
  const submitted = await answered('POST', '/v2/backtests', '/v2/backtests', runBody);
  const path = `/v2/backtests/${submitted.backtest_id}`;
  let state: Record<string, unknown>;
  do state = await answered('GET', `${path}/status`, '/v2/backtests/{id}/status');
  while (state.status === 'queued' || state.status === 'running');
  assert.equal(state.status, 'completed');
  assert.deepEqual(await answered('GET', path, '/v2/backtests/{id}'), state);
});

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
