import assert from 'node:assert/strict';
import test from 'node:test';
import { openApiDocument } from '../../../http/openapi.js';
import { routes } from '../../../http/routes.js';
import { readAnswer } from '../../support/api.js';
import { runBody } from '../../support/backtests.js';
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
