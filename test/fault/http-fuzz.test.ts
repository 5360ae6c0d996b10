import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request as send } from 'node:http';
import test from 'node:test';
import fc from 'fast-check';
import type { Route } from '../../http/route.js';
import { routes } from '../../http/routes.js';
import type { UnaryName } from '../../rpc/index.js';
import { type Api, assertDocumented, restApi } from '../support/api.js';
import { goodBody, richBodies } from '../support/good-bodies.js';
import { placesOf, type RawRequest, requestsTo } from '../support/requests.js';
import { runs, soak } from '../support/scale.js';
import { MANAGEMENT_KEY, startTestService, type TestService } from '../support/service.js';

/**
 * Requests wrong in every way to every endpoint: each gets an answer, none causes a failure of the
 * server, and every refusal has the documented form.
 */

const unlimited = JSON.stringify([
  {
    id: 'small', // the tier that the bodies of promo codes name
    name: 'Small',
    strategiesMax: null,
    monthlyMax: { backtests: null, api_calls: null },
    backtestsPerSweepMax: null,
    concurrentSweepsMax: null,
  },
]);

let service: TestService;
let keeper: Api;
const agent = new Agent({ keepAlive: true });
test.before(async () => {
  service = await startTestService({ BARLINE_TIERS: unlimited, BARLINE_RATE_LIMIT_PER_MINUTE: '100000000' });
  keeper = restApi(service.origin, (await service.login()).token);
});
test.after(async () => {
  agent.destroy();
  await service.stop();
});

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Unlike `fetch`, sends any bytes that headers may hold, and the path as it is: an address read as
 * a URL would lose its `%2e%2e` and name another endpoint.
 */
function exchange(method: string, path: string, { headers, body }: Omit<RawRequest, 'query'>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.origin);
    const options = {
      ...{ hostname, port, path },
      method: method.toUpperCase(),
      agent,
      headers: { 'Content-Type': 'application/json', ...headers },
    };
    const request = send(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (isStream(response.headers)) request.destroy(); // the stream does not end
      });
      response.on('close', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', (error) => isStream(response.headers) || reject(error));
    });
    request.on('error', reject);
    request.end(body);
  });
}

const isStream = (headers: IncomingHttpHeaders): boolean => /^text\/event-stream/.test(headers['content-type'] ?? '');

const MESSAGE_CHARS_MAX = 2_000;

/** @param isMasked true where the answer may lack what the document promises */
function assertAnswered(route: Route, { status, headers, text }: Response, isMasked: boolean): void {
  assert.ok(status >= 200 && status < 500, `${status}: ${text.slice(0, 300)}`);
  assert.notEqual(text, '');
  if (!/^application\/json/.test(headers['content-type'] ?? '')) {
    const isOther = route.send !== undefined || route.toFrames !== undefined;
    assert.ok(isOther && status < 400, 'JSON, except for pages and streams');
    return;
  }
  const body = JSON.parse(text) as Record<string, unknown>;
  if (status >= 400) assertRefused(body, headers);
  if (status >= 400 || !isMasked) assertDocumented(route, status, body);
}

function assertRefused(body: Record<string, unknown>, headers: IncomingHttpHeaders): void {
  assert.equal(body.success, false);
  for (const name of ['error', 'message', 'code', 'correlation_id']) {
    assert.ok(typeof body[name] === 'string' && body[name] !== '', name);
  }
  assert.equal(body.correlation_id, headers['x-correlation-id']);
  const message = String(body.message);
  assert.ok(message.length <= MESSAGE_CHARS_MAX, `a message of ${message.length} characters`);
  assert.doesNotMatch(message, /[\r\n]|\bat .+:\d+:\d+|(was|against|holds) undefined/);
}

/** Generated addresses on the allowlist would lock all other users out. */
async function openAllowlist(): Promise<void> {
  const { body } = await keeper.call('Auth.ListAllowlist');
  for (const email of body.emails)
    await keeper.call('Auth.RemoveFromAllowlist', { email }, { managementKey: MANAGEMENT_KEY });
}

/**
 * A user who owns one of everything that paths can name, and the values that a route's path needs.
 */
async function inhabitant() {
  await openAllowlist();
  const { token, userId, orgId } = await service.login();
  const api = restApi(service.origin, token);
  const make = async (method: UnaryName) => {
    const { code, message, body } = await api.call(method, goodBody(method));
    assert.equal(code, 'OK', `${method}: ${message}`);
    return body;
  };
  const accountId: string = (await make('Execution.CreateAccount')).id;
  const backtestId: string = (await make('Backtests.Run')).backtest_id;
  const webhookId: string = (await make('Webhooks.Create')).webhook.id;
  const named: Readonly<Record<string, string>> = {
    strategy_id: (await make('Strategies.Create')).strategy.id,
    experiment_id: (await make('Experiments.Create')).experiment_id,
    user_id: userId,
    backtest_id: backtestId,
    signal_name: 'rsi_oversold',
    symbol: 'ETH',
    email: 'a@example.com',
  };
  const ids: readonly [RegExp, string][] = [
    [/organizations/, orgId],
    [/accounts/, accountId],
    [/backtest/, backtestId],
    [/webhooks/, webhookId],
  ];
  const paramOf = (route: Route, name: string): string => {
    if (/deployed/.test(route.path)) return 'btc-1h-ema-trend';
    const [, id = UNKNOWN] = ids.find(([pattern]) => pattern.test(route.path)) ?? [];
    return named[name] ?? (name === 'id' ? id : UNKNOWN);
  };
  return { token, api, paramOf };
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Null in most cases. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const oddParam = fc.constantFrom(
  '%00',
  '%ff',
  '%2e%2e',
  '%2F',
  'x'.repeat(4_000),
  '__proto__',
  '%F0%9F%92%A9',
  '-1',
  '"',
  '%0a',
);
const oddAuthorization = fc.oneof(
  fc.constantFrom(
    '',
    'Bearer',
    'Bearer ',
    'bearer x',
    'Basic eA==',
    `Bearer ${'x'.repeat(7_000)}`,
    'Bearer a.b.c',
    '\u00e4',
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map((text) => `Bearer ${text}`),
);

// Takes nothing, and needs an issuer.
const fuzzed = routes.filter(({ rpc }) => rpc !== 'Auth.StartRedirect');

test('the sound bodies that the generated requests start from are accepted', async () => {
  const { api, paramOf } = await inhabitant();
  for (const [method, body] of Object.entries(richBodies) as [UnaryName, object][]) {
    const route = fuzzed.find(({ rpc }) => rpc === method) ?? assert.fail(method);
    const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, paramOf(route, String(name))]);
    const request = { ...body, ...Object.fromEntries(params) };
    const { code, message } = await api.call(method, request, { managementKey: MANAGEMENT_KEY });
    assert.equal(code, 'OK', `${method}: ${message}`);
  }
  await openAllowlist();
});

/** Routes that may take away what an inhabitant owns, so that later ones would find nothing. */
const takesAway = ({ method, path }: Route): boolean =>
  method === 'delete' || /revoke|cancel|switch|logout|members/.test(path);

const REQUESTS_MIN = 200;
const REQUESTS_OF_PLACE = 50;
const REQUESTS_MAX = 3_000;

/**
 * Requests of a soak, by the number of places that may be wrong. Measured over 1,500 requests each:
 * a route of one field gave its last new answer at the 505th, one of three at the 916th, and one of
 * thirty still gave new ones at the end.
 */
function soakCount({ rpc, body, query }: Route): number {
  const fields = Object.keys({ ...body?.shape, ...query?.shape }).length;
  const places = fields + placesOf(goodBody(rpc) ?? {}).length;
  return Math.min(REQUESTS_MAX, REQUESTS_MIN + REQUESTS_OF_PLACE * places);
}

/** Who calls: one inhabitant until a route may have taken something away, as making one is dear. */
let caller: ReturnType<typeof inhabitant> | null = null;

for (const route of fuzzed) {
  const full = soakCount(route);
  const count = runs(1, full);
  test(`${route.method} ${route.path} answers ${count} generated requests`, async () => {
    caller ??= inhabitant();
    const { token, paramOf } = await caller;
    if (takesAway(route)) caller = null;
    const requests = fc.record({
      request: requestsTo(route, goodBody(route.rpc)),
      param: seldom(oddParam),
      authorization: seldom(oddAuthorization),
      isManaged: fc.boolean(),
    });
    const property = fc.asyncProperty(requests, async ({ request, param, authorization, isManaged }) => {
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => param ?? paramOf(route, name));
      const headers = {
        Authorization: authorization ?? `Bearer ${token}`,
        ...(isManaged ? { 'X-Management-Key': MANAGEMENT_KEY } : {}),
        ...request.headers,
      };
      const response = await exchange(route.method, `${path}${request.query}`, { headers, body: request.body });
      assertAnswered(route, response, 'X-Fields' in request.headers);
    });
    const undecodable = {
      request: { query: '', headers: {}, body: undefined },
      param: '%ff',
      authorization: null,
      isManaged: false,
    };
    const settings = {
      numRuns: count,
      examples: [[undecodable]] as [typeof undecodable][],
      includeErrorInReport: true,
    };
    await fc.assert(property, { ...settings, ...(soak ? {} : { seed: 1 }) });
    assert.ok(!('polluted' in {}), 'no prototype was changed');
    const health = await fetch(`${service.origin}/health`);
    assert.equal(health.status, 200);
  });
}
