import assert from 'node:assert/strict';
import test from 'node:test';
import type { Route } from '../../../http/route.js';
import { routes } from '../../../http/routes.js';
import { sharedService } from '../../support/contract.js';
import { goodBody } from '../../support/good-bodies.js';
import type { TestService } from '../../support/service.js';

/** What holds for every endpoint alike. */

let service: TestService;
let token: string;
let strategyId: string;
test.before(async () => {
  service = await sharedService();
  ({ token } = await service.login());
  const { body } = await ask('/strategies', { method: 'POST', body: JSON.stringify(goodBody('Strategies.Create')) });
  strategyId = (body.strategy as { id: string }).id;
});

test('of a repeated parameter the last value counts', async () => {
  const { body } = await ask('/strategies?limit=5&skip=1&limit=10');
  assert.deepEqual([body.limit, body.skip], [10, 1]);
});

test('keys of query and body that nothing reads are named in a header, and only they', async () => {
  const unread = async (path: string, options?: RequestInit) =>
    (await ask(path, options)).headers.get('X-Barline-Unread');
  assert.equal(await unread('/strategies?limit=5'), null);
  assert.equal(await unread('/strategies?limt=5'), 'query: "limt" is not a key here, did you mean limit?');
  const body = (more: object) => ({
    method: 'POST',
    body: JSON.stringify({ user_description: 'oversold', ...more }),
  });
  assert.equal(await unread('/signals/match', body({ num_results: 2 })), null);
  assert.equal(
    await unread('/signals/match?a=1', body({ num_result: 2, 'caf\u00e9': 1 })),
    'query: "a" is not a key here; body: "num_result" is not a key here, did you mean num_results?; body: "caf?" is not a key here',
  );
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`${'x'.repeat(200)}${i}`, 1]));
  assert.match((await unread('/signals/match', body(many))) ?? '', /^.{1,980}; and 895 more$/);
});

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

async function ask(path: string, options: RequestInit = {}) {
  const response = await fetch(`${service.origin}/api/v1${path}`, {
    redirect: 'manual',
    ...options,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...options.headers },
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the fields it expects
  return { status: response.status, headers: response.headers, text, body: parsed(text) as any };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a page
  }
}

const addressOf = (route: Route): string => route.path.replace(/\{\w+\}/g, UNKNOWN);

test('an endpoint answers the same with and without a slash at the end, without a redirect', async () => {
  for (const path of ['/strategies', `/strategies/${UNKNOWN}`, '/oracle/deployed/stream?last_event_id=x']) {
    const [plain, slashed] = [await ask(path), await ask(path.replace(/(\?|$)/, '/$1'))];
    assert.deepEqual([slashed.status, slashed.body?.code], [plain.status, plain.body?.code], path);
  }
});

test('an unknown path is a 404 in the form of all failures', async () => {
  for (const path of ['/', '/strategies/x/y/z', '//strategies', '/%00']) {
    const { status, body } = await ask(path);
    assert.ok([400, 404].includes(status), `${path}: ${status}`);
    assert.deepEqual([body.success, typeof body.message, typeof body.correlation_id], [false, 'string', 'string']);
  }
});

test('flags in a query are read in every documented spelling, and refused in others', async () => {
  await ask(`/strategies/${strategyId}/archive`, { method: 'POST' });
  const totals = new Map<string, number>();
  for (const flag of ['true', 'True', '1', 'false', 'False', '0']) {
    totals.set(flag, (await ask(`/strategies?include_archived=${flag}`)).body.total);
  }
  assert.deepEqual([...totals.values()], [1, 1, 1, 0, 0, 0]);
  for (const flag of ['yes', '2', 'toString', '']) {
    const { status, body } = await ask(`/strategies?include_archived=${flag}`);
    assert.deepEqual([status, body.code], [400, 'VALIDATION_ERROR'], flag);
  }
  await ask(`/strategies/${strategyId}/unarchive`, { method: 'POST' });
});

/** The endpoints whose published code for a bad value is INVALID_FIELD. */
const saysInvalidField = /^\/api\/v1\/(on-chain|social|crypto-assets|defi|marketdata|oracle)\//;

test('a value of a wrong type has the code that its endpoint publishes', async () => {
  for (const route of routes.filter(({ path, query, body }) => saysInvalidField.test(path) && (query ?? body))) {
    const place = route.query === undefined ? 'body' : 'query';
    const fields = Object.entries(route[place]?.shape ?? {});
    const [field] = fields.find(([, type]) => !type.safeParse('x').success) ?? [];
    if (field === undefined) continue;
    const { status, body } = await ask(
      `${addressOf(route).replace('/api/v1', '')}${place === 'query' ? `?${field}=x` : ''}`,
      { method: route.method.toUpperCase(), ...(place === 'body' && { body: JSON.stringify({ [field]: 'x' }) }) },
    );
    assert.deepEqual([status, body.code], [400, 'INVALID_FIELD'], `${route.path} ${field}`);
  }
});

test('a missing body counts as an empty one, under any content type', async () => {
  assert.equal((await ask('/auth/profile', { method: 'PUT' })).status, 200);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
    const answer = await ask('/auth/profile', {
      method: 'PUT',
      headers: { 'Content-Type': type },
      body: '{"name":"Bob"}',
    });
    assert.deepEqual([answer.status, answer.body.name], [200, 'Bob'], type);
  }
  assert.equal((await ask(`/strategies/${strategyId}/archive`, { method: 'POST' })).status, 200);
  await ask(`/strategies/${strategyId}/unarchive`, { method: 'POST' });
});

test('a mask reduces an answer to its keys, at any depth and through lists', async () => {
  const masked = async (mask: string) => (await ask('/strategies', { headers: { 'X-Fields': mask } })).body;
  assert.deepEqual(await masked('total'), { total: 1 });
  assert.deepEqual(await masked('total,strategies{name}'), { strategies: [{ name: 'Sound' }], total: 1 });
  assert.deepEqual(await masked('{total , limit}'), { total: 1, limit: 100 });
  assert.deepEqual(await masked('nothing'), {});
  const deep = await ask(`/strategies/${strategyId}`, {
    headers: { 'X-Fields': 'success,strategy{rules{entry{name}}}' },
  });
  assert.deepEqual(deep.body, {
    success: true,
    strategy: { rules: { entry: [{ name: 'rsi_cross_up' }, { name: 'is_above_sma' }] } },
  });
});

test('an unreadable mask is refused, and a mask changes no refusal', async () => {
  for (const mask of ['a{', 'a,,b', 'a'.repeat(5_000)]) {
    const { status, body } = await ask('/strategies', { headers: { 'X-Fields': mask } });
    assert.deepEqual([status, body.code], [400, 'VALIDATION_ERROR'], mask.slice(0, 10));
  }
  const refused = await ask(`/strategies/${UNKNOWN}`, { headers: { 'X-Fields': 'code' } });
  assert.equal(refused.status, 404);
  assert.ok('message' in refused.body && 'correlation_id' in refused.body);
});

test('the id of a request comes back; an id with other than plain characters is replaced', async () => {
  for (const name of ['X-Request-Id', 'X-Correlation-Id']) {
    const { headers } = await ask('/strategies', { headers: { [name]: 'job-7:a.b_c' } });
    assert.equal(headers.get('X-Correlation-Id'), 'job-7:a.b_c');
  }
  const { headers, body } = await ask('/nowhere', { headers: { 'X-Request-Id': 'job-8' } });
  assert.deepEqual([headers.get('X-Correlation-Id'), body.correlation_id], ['job-8', 'job-8']);
  for (const bad of ['<script>', 'a b', 'x'.repeat(129)]) {
    const answer = await ask('/strategies', { headers: { 'X-Request-Id': bad } });
    assert.match(answer.headers.get('X-Correlation-Id') ?? '', /^[0-9a-f-]{36}$/);
  }
});

test('pages of any origin may call, with all headers that clients send', async () => {
  const wanted = 'authorization,content-type,idempotency-key,x-fields,x-management-key';
  for (const path of ['/strategies', '/strategies/', `/strategies/${strategyId}`, '/auth/login']) {
    const response = await fetch(`${service.origin}/api/v1${path}`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example.com',
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': wanted,
      },
    });
    assert.equal(response.status, 204);
    assert.equal(response.headers.get('Access-Control-Allow-Origin'), '*');
    assert.match(response.headers.get('Access-Control-Allow-Methods') ?? '', /PUT.*PATCH.*POST.*DELETE/);
    assert.equal(response.headers.get('Access-Control-Allow-Headers'), wanted);
  }
  const answer = await ask('/strategies', { headers: { Origin: 'https://app.example.com' } });
  assert.equal(answer.headers.get('Access-Control-Allow-Origin'), '*');
  const exposed = answer.headers.get('Access-Control-Expose-Headers') ?? '';
  for (const name of ['Retry-After', 'X-Correlation-Id', 'Idempotent-Replayed']) assert.ok(exposed.includes(name));
});

test('health needs no credential and has one form', async () => {
  for (const path of ['/health', '/health/', '/api/v1/health']) {
    const response = await fetch(`${service.origin}${path}`);
    assert.equal(response.status, 200);
    const body = (await response.json()) as { status: string; service: string; checks: object };
    assert.deepEqual([body.status, body.service, Object.keys(body.checks)], ['healthy', 'barline', ['database']]);
  }
});
