import assert from 'node:assert/strict';
import test from 'node:test';
import { endpointOf, isMethod } from '../../../contract/index.js';
import type { Route } from '../../../http/route.js';
import { routes } from '../../../http/routes.js';
import { openToolbox } from '../../../mcp/toolbox.js';
import { type MethodName, contract as protocol, type UnaryName } from '../../../rpc/index.js';
import { AccessTokens } from '../../../service/identity/index.js';
import { type Answer, readAnswer, restApi } from '../../support/api.js';
import { sharedService } from '../../support/contract.js';
import { connect, refusedContent } from '../../support/mcp.js';
import { soak } from '../../support/scale.js';
import { SECRET, type TestService } from '../../support/service.js';

/**
 * Every endpoint against every kind of caller that may not use it. A request is as empty as it can
 * be: access is judged before the server looks at anything else.
 */

let service: TestService;
test.before(async () => {
  service = await sharedService();
});

const ID = '00000000-0000-4000-8000-000000000000';

async function attempt(route: Route, token: string | null, params: Readonly<Record<string, string>> = {}) {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ID);
  const response = await fetch(`${service.origin}${path}`, {
    method: route.method.toUpperCase(),
    redirect: 'manual',
    headers: token === null ? {} : { Authorization: token },
    ...(route.body === undefined ? {} : { body: '{}' }),
  });
  return readAnswer(route, response);
}

const requirementOf = ({ rpc }: Route): string => endpointOf(rpc).access;
/** Those that anybody may call while no calls are sold. */
const isOpen = (requirement: string): boolean => requirement === 'public' || requirement === 'payable';
const guarded = routes.filter((route) => !isOpen(requirementOf(route)));

/** Endpoints whose requirement passes; there are some. */
function guardedBy(passes: (requirement: string) => boolean): readonly Route[] {
  const some = guarded.filter((route) => passes(requirementOf(route)));
  assert.ok(some.length > 1, `${some.length} endpoints`);
  return some;
}

const isScope = (requirement: string): boolean => requirement.includes(':');

/** One endpoint of each scope, since `scopes.test.ts` proves the decision for every method; in a soak all. */
const ofEachScope: readonly Route[] = soak
  ? guarded.filter((route) => isScope(requirementOf(route)))
  : [...new Map(guarded.map((route) => [requirementOf(route), route])).values()].filter((route) =>
      isScope(requirementOf(route)),
    );

async function mint(token: string, scopes: readonly string[]): Promise<{ key: string; id: string }> {
  const { body } = await restApi(service.origin, token).call('Auth.CreateApiKey', { name: 'matrix', scopes });
  return { key: body.key, id: body.key_id };
}

/** A user with the role viewer in the organization that the session acts for. */
async function viewer(): Promise<string> {
  const owner = await service.login();
  const guest = await service.login();
  const owning = restApi(service.origin, owner.token);
  await owning.call('Auth.AddMember', { id: owner.orgId, user_id: guest.userId, role: 'viewer' });
  const { body } = await restApi(service.origin, guest.token).call('Auth.SwitchOrganization', { org_id: owner.orgId });
  return body.access_token;
}

test('every method of the contract has its access stated, a handler and, unless internal, a route', () => {
  const internal = [
    'Auth.CheckAccess',
    'Auth.ListGranted',
    'Config.GetHealth',
    'Backtests.ReadColumns',
    'Corpus.QueryColumns',
  ];
  const methods = [...protocol().methods.keys()];
  assert.ok(methods.length > 20);
  for (const method of methods) {
    assert.ok(isMethod(method), `${method} is in the table of access`);
    assert.ok(internal.includes(method) || routes.some(({ rpc }) => rpc === method), `${method} has a route`);
  }
});

/** What computes or looks up from a body, and leaves nothing changed. */
const readByPost: readonly MethodName[] = [
  'CryptoAssets.AnalyseRisk',
  'Execution.Evaluate',
  'Execution.EvaluateBulk',
  'Execution.EvaluateInline',
  'OnChain.ListDexTrades',
  'OnChain.ListHistoricalHoldings',
  'OnChain.ListPerpTrades',
  'OnChain.ListTokenDexTrades',
  'OnChain.ListTokenFlows',
  'OnChain.ReadSeries',
  'Sieve.Score',
  'Signals.Evaluate',
  'Signals.EvaluateMultipleSeries',
  'Signals.Match',
  'Signals.Search',
  'Signals.Validate',
  'Signals.ValidateParams',
];

test('a scope to read is enough for what reads, and for nothing else', () => {
  const isToRead = (route: Route): boolean => requirementOf(route).endsWith(':read');
  const written = routes.filter((route) => isToRead(route) && route.method !== 'get').map(({ rpc }) => rpc);
  assert.deepEqual([...new Set(written)].sort(), readByPost);
  const changing = routes.filter(({ method }) => ['put', 'patch', 'delete'].includes(method));
  assert.ok(changing.length > 10);
  for (const route of changing) {
    const requirement = requirementOf(route);
    assert.ok(isScope(requirement) || ['session', 'management'].includes(requirement), `${route.path}: ${requirement}`);
  }
  const read = routes.filter((route) => route.method === 'get' && isScope(requirementOf(route)) && !isToRead(route));
  assert.deepEqual([...new Set(read.map(({ rpc }) => rpc))], ['Batch.GetStatus']); // by the scope to run one
});

const refusedCredentials: readonly [what: string, token: () => Promise<string | null>][] = [
  ['no credential', async () => null],
  ['a header of another kind', async () => 'Basic dXNlcjpwYXNz'],
  ['a malformed token', async () => 'Bearer nonsense'],
  ['a malformed key', async () => 'Bearer local_nonsense'],
  ['a token signed with another secret', async () => `Bearer ${await foreignToken()}`],
  ['an expired token', async () => `Bearer ${await expiredToken()}`],
  ['a revoked key', async () => `Bearer ${await revokedKey()}`],
  ['a token of a session that has ended', async () => `Bearer ${await endedSession()}`],
];

async function tokenBy(secret: string, nowMs: number): Promise<string> {
  const { token, userId, orgId } = await service.login();
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
  const session = { id: sid, userId, orgId, createdAtMs: nowMs, expiresAtMs: nowMs + 86_400_000, revokedAtMs: null };
  return (await new AccessTokens(secret, () => nowMs).mint(session)).token;
}

const foreignToken = () => tokenBy('a secret of another service, long enough', Date.now());
const expiredToken = () => tokenBy(SECRET, Date.now() - 2 * 3_600_000);

async function revokedKey(): Promise<string> {
  const { token } = await service.login();
  const { key, id } = await mint(token, []);
  const keyed = restApi(service.origin, key);
  assert.equal((await keyed.call('Auth.GetProfile')).code, 'OK', 'it works until it is revoked');
  await restApi(service.origin, token).call('Auth.RevokeApiKey', { key_id: id });
  return key;
}

async function endedSession(): Promise<string> {
  const { token } = await service.login();
  await restApi(service.origin, token).call('Auth.Logout');
  return token;
}

/**
 * One gate judges credentials, so it is enough to ask every endpoint without one, and every kind of
 * credential at its share of the endpoints: with all of them in a soak.
 */
function asked(kind: number): readonly Route[] {
  const kinds = refusedCredentials.length - 1;
  return soak || kind === 0 ? guarded : guarded.filter((_, i) => i % kinds === kind - 1);
}

for (const [kind, [what, tokenOf]] of refusedCredentials.entries()) {
  test(`${what} opens no endpoint`, async () => {
    const token = await tokenOf();
    const routes = asked(kind);
    assert.ok(routes.length > 10);
    for (const route of routes) {
      const answer = await attempt(route, token);
      const name = `${route.method} ${route.path}`;
      assert.equal(answer.http?.status, 401, name);
      assert.equal(answer.code, 'AUTH_REQUIRED', name);
      const isSent = token?.startsWith('Bearer') === true;
      const message = isSent ? 'Invalid or expired token' : 'Missing or invalid authentication token';
      assert.equal(answer.message, message, name);
      const body = JSON.parse(answer.http?.text ?? '') as Record<string, unknown>;
      assert.ok(typeof body.hint === 'string' && typeof body.docs === 'string' && body.error === 'Unauthorized', name);
    }
  });
}

test('public endpoints ignore credentials, valid or not', async () => {
  let asked = 0;
  for (const route of routes.filter(({ isPublic }) => isPublic === true)) {
    assert.equal(requirementOf(route), 'public');
    if (route.send !== undefined) continue; // pages and redirects have tests of their own
    const [plain, sent] = [await attempt(route, null), await attempt(route, 'Bearer nonsense')];
    assert.equal(sent.code, plain.code, route.path);
    assert.notEqual(plain.code, 'AUTH_REQUIRED', route.path);
    asked++;
  }
  assert.ok(asked >= 3, `${asked} public endpoints`);
  assert.deepEqual(
    routes.filter((route) => (requirementOf(route) === 'public') !== (route.isPublic === true)),
    [],
  );
});

test('the document names the scope of each endpoint', async () => {
  const response = await fetch(`${service.origin}/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, { security: object[] }>> };
  for (const route of routes) {
    const requires = requirementOf(route);
    const bearer = requires.includes(':') ? [requires] : [];
    const expected = requires === 'public' ? [] : requires === 'payable' ? [{}, { bearer }] : [{ bearer }];
    assert.deepEqual(paths[route.path]?.[route.method]?.security, expected, `${route.method} ${route.path}`);
  }
});

test('a key without the scope of an endpoint is told which scope it lacks', async () => {
  const { token } = await service.login();
  const { key } = await mint(token, ['nothing:known']);
  for (const route of ofEachScope) {
    const answer = await attempt(route, `Bearer ${key}`);
    assert.equal(answer.http?.status, 403, route.path);
    assert.equal(answer.code, 'INSUFFICIENT_PERMISSIONS');
    assert.ok(answer.message?.includes(requirementOf(route)), `${answer.message} names the scope`);
  }
});

test('a key whose only scope is that of an endpoint is admitted', async () => {
  const { token } = await service.login();
  for (const route of ofEachScope) {
    const { key } = await mint(token, [requirementOf(route)]);
    assertLetThrough(await attempt(route, `Bearer ${key}`), route);
  }
});

test('a viewer reads everything and changes only what is their own', async () => {
  const token = await viewer();
  for (const route of ofEachScope) {
    const answer = await attempt(route, `Bearer ${token}`);
    // A login changes only what belongs to its user, in any role.
    const isOwn = requirementOf(route) === 'identity:manage';
    if (isOwn || requirementOf(route).endsWith(':read')) assertLetThrough(answer, route);
    else assert.equal(answer.code, 'INSUFFICIENT_PERMISSIONS', `${route.method} ${route.path}`);
  }
});

function assertLetThrough({ code, message }: Answer, { method, path }: Route): void {
  assert.ok(
    !['AUTH_REQUIRED', 'INSUFFICIENT_PERMISSIONS', 'PERMISSION_DENIED', 'INTERNAL_ERROR'].includes(code),
    `${method} ${path}: ${code} ${message}`,
  );
}

test('endpoints that need a session refuse a key', async () => {
  const { token } = await service.login();
  const { key } = await mint(token, []);
  for (const route of guardedBy((requirement) => requirement === 'session')) {
    const answer = await attempt(route, `Bearer ${key}`);
    assert.equal(answer.http?.status, 403, route.path);
    assert.equal(answer.code, 'PERMISSION_DENIED', route.path);
  }
});

test('endpoints that need the management key refuse callers without it', async () => {
  const { token } = await service.login();
  for (const route of guardedBy((requirement) => requirement === 'management')) {
    const answer = await attempt(route, `Bearer ${token}`);
    assert.equal(answer.http?.status, 403, route.path);
    assert.equal(answer.code, 'PERMISSION_DENIED', route.path);
  }
});

/** Calls a method without a credential, as a unary call or a stream. */
async function called(method: MethodName): Promise<void> {
  if (isUnary(method)) await service.client.call(method, {});
  else for await (const _ of service.client.stream(method, {}));
}

const isUnary = (method: MethodName): method is UnaryName =>
  protocol().methods.get(method)?.definition.responseStream === false;

test('the same holds over gRPC, for every method', async () => {
  for (const method of protocol().methods.keys()) {
    if (isOpen(endpointOf(method).access)) continue;
    await assert.rejects(called(method), { code: 'AUTH_REQUIRED' }, method);
  }
});

const tools = openToolbox('test');
const needs = (methods: readonly MethodName[]): readonly string[] => methods.map((method) => endpointOf(method).access);

test('agents see the tools that the scopes of their key allow, and no others', async () => {
  const { token } = await service.login();
  const scopes = new Set(tools.flatMap(({ methods }) => needs(methods)).filter(isScope));
  assert.ok(scopes.size > 10);
  for (const scope of [...scopes, 'nothing:known']) {
    const { key } = await mint(token, [scope]);
    const client = await connect('http', service, key);
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    await client.close();
    const allowed = tools.filter(({ methods }) => needs(methods).every((need) => !isScope(need) || need === scope));
    assert.deepEqual(
      listed,
      allowed.map(({ name }) => name),
      scope,
    );
  }
});

test('a tool that the scopes of a key do not allow is refused with the scope, with any arguments', async () => {
  const { token } = await service.login();
  const { key } = await mint(token, ['nothing:known']);
  const client = await connect('http session', service, key);
  const guardedTools = tools.filter(({ methods }) => needs(methods).some(isScope));
  assert.ok(guardedTools.length > 50);
  for (const { name, methods } of guardedTools) {
    const { code, message } = refusedContent(await client.callTool({ name, arguments: { bogus: 1 } }));
    assert.equal(code, 'INSUFFICIENT_PERMISSIONS', name);
    assert.ok(
      needs(methods).some((need) => message.includes(need)),
      `${name}: ${message}`,
    );
  }
  await client.close();
});
