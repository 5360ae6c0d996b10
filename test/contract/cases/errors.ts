import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { BODY_BYTES_MAX } from '../../../http/body.js';
import { errorRows, type HttpCode } from '../../../http/errors.js';
import { createObserver } from '../../../server/observe.js';
import { startService } from '../../../server/start.js';
import { readServiceConfig } from '../../../service/settings/config.js';
import { restApi } from '../../support/api.js';
import { QUERY_BYTES_MAX, STRICT_CALLS, sharedService, strictService } from '../../support/contract.js';
import { longExperiment } from '../../support/experiments.js';
import { freePort } from '../../support/free-port.js';
import { goodBody } from '../../support/good-bodies.js';
import type { TestService } from '../../support/service.js';
import { root } from '../../support/tree.js';

/** Every failure of the catalogue, caused by a real request. */

const reached = new Set<HttpCode>();

let service: TestService;
test.before(async () => {
  service = await sharedService();
});

interface Failure {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/** Sends a request that must fail with `code`, in the form that every failure has. */
async function fails(
  code: HttpCode,
  path: string,
  options: RequestInit = {},
  origin = service.origin,
): Promise<Failure> {
  const response = await fetch(`${origin}/api/v1${path}`, { redirect: 'manual', ...options });
  const body = (await response.json()) as Record<string, unknown>;
  const { status, error } = errorRows[code];
  assert.deepEqual([response.status, body.error, body.code], [status, error, code], JSON.stringify(body));
  assert.equal(body.success, false);
  assert.ok(typeof body.message === 'string' && body.message !== '');
  assert.equal(body.correlation_id, response.headers.get('X-Correlation-Id'));
  reached.add(code);
  return { body, headers: response.headers };
}

const post = (body: unknown, token?: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const as = (token: string): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } });

test('a missing or invalid field is refused with its code', async () => {
  const { body } = await fails('MISSING_FIELD', '/auth/login', post({}));
  assert.equal(body.message, 'Missing required field: idp_token');
  await fails('VALIDATION_ERROR', '/auth/login', post('{"idp_token":'));
  await fails('VALIDATION_ERROR', '/auth/login', post({ idp_token: 7 }));
  await fails('VALIDATION_ERROR', '/auth/login', post('[]'));
});

test('a value that the batch engine cannot take is refused', async () => {
  const { token } = await service.login();
  await fails('INVALID_FIELD', '/oracle/backtest', post({ position_size_calc: null, strategy_json: '{}' }, token));
  await fails('INVALID_FIELD', '/oracle/backtest', post('[]', token));
});

test('a query beyond the limit of rows is refused', async () => {
  const { token } = await service.login();
  const select = ['asset', 'timeframe', 'timestamp', 'open', 'high', 'low', 'close', 'volume', 'file'];
  const { body } = await fails('BYTES_LIMIT_EXCEEDED', '/oracle/data/query', post({ table: 'ohlcv', select }, token));
  assert.equal(body.limit, QUERY_BYTES_MAX);
  assert.match(String(body.message), /^the query would read \d+ bytes, the limit is 16777216:/);
});

test('a caller without a credential, a role, a scope or the management key is refused', async () => {
  const { body } = await fails('AUTH_REQUIRED', '/strategies');
  assert.equal(body.message, 'Missing or invalid authentication token');
  assert.deepEqual([typeof body.hint, typeof body.docs], ['string', 'string']);
  const { token } = await service.login();
  const { body: minted } = await restApi(service.origin, token).call('Auth.CreateApiKey', {
    name: 'x',
    scopes: ['signal:read'],
  });
  const lacking = await fails('INSUFFICIENT_PERMISSIONS', '/strategies', as(minted.key));
  assert.match(String(lacking.body.message), /strategy:read/);
  await fails('PERMISSION_DENIED', '/auth/api-keys', post({ name: 'y' }, minted.key));
  await fails('PERMISSION_DENIED', '/auth/allowlist/emails', post({ emails: 'a@b.c' }, token));
});

test('what does not exist is not found, and what already exists is a conflict', async () => {
  await fails('RESOURCE_NOT_FOUND', '/nowhere');
  const { token, userId, orgId } = await service.login();
  await fails('RESOURCE_NOT_FOUND', '/strategies/nonsense', as(token));
  await fails('CONFLICT', `/organizations/${orgId}/members`, post({ user_id: userId, role: 'viewer' }, token));
});

test('going beyond the tier asks for an upgrade', async () => {
  const { token } = await service.login();
  const create = post(goodBody('Strategies.Create'), token);
  for (let i = 0; i < 3; i++) assert.equal((await fetch(`${service.origin}/api/v1/strategies`, create)).status, 201);
  const { body } = await fails('TIER_UPGRADE_REQUIRED', '/strategies', create);
  assert.deepEqual([body.limit, body.used], [3, 3]);
});

test('an invalid experiment, and one more than may run at a time, are refused', async () => {
  const { token } = await service.login();
  await fails('INVALID_FIELD', '/oracle/experiments', post({ name: 7 }, token));
  const ids: string[] = [];
  for (const name of ['first', 'second']) {
    const { body } = await restApi(service.origin, token).call('Experiments.Create', longExperiment(name));
    ids.push(body.experiment_id);
  }
  const [first, second] = ids.map((id) => `/oracle/experiments/${id}`);
  await fails('INVALID_STATE', `${first}/launch`, post({}, token));
  const go = async (path: string) => {
    const { status } = await fetch(`${service.origin}/api/v1${path}`, post({}, token));
    assert.ok(status < 300, `${path}: ${status}`);
  };
  for (const path of [`${first}/validate`, `${second}/validate`, `${first}/launch`]) await go(path);
  const { body, headers } = await fails('CONCURRENT_SWEEP_LIMIT', `${second}/launch`, post({}, token));
  assert.deepEqual([body.limit, headers.get('Retry-After')], [1, null], 'the end of a running experiment is unknown');
  await go(`${first}/cancel`);
});

test('a method that an endpoint does not have is refused with those it has', async () => {
  const { headers } = await fails('METHOD_NOT_ALLOWED', '/strategies', { method: 'DELETE' });
  assert.deepEqual(headers.get('Allow')?.split(', ').sort(), ['GET', 'POST']);
  const item = await fails('METHOD_NOT_ALLOWED', '/strategies/x/', { method: 'POST' });
  assert.deepEqual(item.headers.get('Allow')?.split(', ').sort(), ['DELETE', 'GET', 'PUT']);
});

test('a body beyond the limit is refused; one within it is read', async () => {
  const { token } = await service.login();
  const padded = (bytes: number) => JSON.stringify({ name: 7 }).padEnd(bytes);
  await fails('VALIDATION_ERROR', '/strategies', post(padded(BODY_BYTES_MAX), token));
  const { body } = await fails('PAYLOAD_TOO_LARGE', '/strategies', post(padded(BODY_BYTES_MAX + 1), token));
  assert.equal(body.limit, BODY_BYTES_MAX);
});

test('a caller that exceeds the rate limit is told how long to wait, in whole seconds', async () => {
  const limited = await strictService();
  const { token } = await limited.login();
  for (let i = 0; i < STRICT_CALLS; i++) {
    assert.equal((await fetch(`${limited.origin}/api/v1/strategies`, as(token))).status, 200);
  }
  const { body, headers } = await fails('RATE_LIMITED', '/strategies', as(token), limited.origin);
  const seconds = Number(headers.get('Retry-After'));
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60);
  assert.equal(body.retry_after, seconds);
});

test('a call that is sold is told its price without a credential', async () => {
  const seller = await strictService();
  const { body, headers } = await fails('PAYMENT_REQUIRED', '/oracle/results', {}, seller.origin);
  assert.deepEqual([(body.accepts as unknown[]).length, headers.get('Cache-Control')], [1, 'no-store']);
  assert.notEqual(headers.get('PAYMENT-REQUIRED'), null);
});

test('a monthly limit reports the usage, and no delay that would make clients wait out the month', async () => {
  const limited = await strictService();
  const { token } = await limited.login();
  for (let i = 0; i < 2; i++) await fetch(`${limited.origin}/api/v1/oracle/results`, as(token));
  const { body, headers } = await fails('USAGE_LIMIT_EXCEEDED', '/oracle/results', as(token), limited.origin);
  assert.equal(headers.get('Retry-After'), null);
  assert.deepEqual([body.resource_type, body.limit, body.used, body.retry_after], ['api_calls', 2, 2, undefined]);
  assert.match(String(body.resets_at), /^20\d\d-\d\d-01T00:00:00/);
  const paid = await fails('quota_exceeded', '/defi/treasuries', as(token), limited.origin);
  assert.equal(paid.headers.get('Retry-After'), null);
  assert.deepEqual([paid.body.resource_type, paid.body.limit, paid.body.used], ['defi_pro_calls', 0, 0]);
});

test('an unexpected failure has no details for the caller, and is logged', async () => {
  const broken = await strictService();
  const { body } = await fails('INTERNAL_ERROR', '/auth/login/google', {}, broken.origin);
  assert.equal(body.message, 'an unexpected error occurred');
  broken.expectBug();
});

test('a facade whose service is unreachable asks the client to retry soon', async () => {
  const settings = { BARLINE_HTTP_PORT: '0', BARLINE_RPC_PORT: String(await freePort()) };
  const observer = createObserver('silent', 'test');
  const facade = await startService({
    config: readServiceConfig(settings),
    version: 'test',
    packageRoot: root,
    observer,
    parts: ['http'],
  });
  try {
    const { body, headers } = await fails('ENGINE_BUSY', '/strategies', {}, facade.origin ?? '');
    assert.equal(headers.get('Retry-After'), '1');
    assert.deepEqual([body.retry_after, body.error_code], [1, 'ENGINE_BUSY']);
    const health = await fetch(`${facade.origin}/health`);
    assert.equal(health.status, 503);
    assert.equal(((await health.json()) as { status: string }).status, 'unhealthy');
  } finally {
    await facade.stop();
  }
});

test('every code occurred', () => {
  assert.deepEqual([...reached].sort(), Object.keys(errorRows).sort());
});

test.before(async () => {
  service = await sharedService();
});

async function say(bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(service.origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

const cases: readonly [what: string, bytes: string | Uint8Array, message: RegExp][] = [
  ['bytes of another protocol', new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), /cannot be read/],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', /cannot be read/],
  [
    'headers without an end',
    `GET / HTTP/1.1\r\nHost: x\r\nX-Fields: ${'a'.repeat(20_000)}\r\n\r\n`,
    /headers are too large/,
  ],
];

for (const [what, bytes, message] of cases) {
  test(`${what} is refused in the form of all failures`, async () => {
    const answer = await say(bytes);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
    assert.deepEqual([body.success, body.error, body.code], [false, 'validation_error', 'VALIDATION_ERROR']);
    assert.match(String(body.message), message);
    assert.ok(answer.includes(`X-Correlation-Id: ${body.correlation_id}`));
  });
}

test('clients that disconnect in the middle do not affect others', async () => {
  const { hostname, port } = new URL(service.origin);
  for (const bytes of [
    '',
    'POST /api/v1/auth/login HT',
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
  ]) {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(bytes);
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  assert.equal((await fetch(`${service.origin}/health`)).status, 200);
});
