import assert from 'node:assert/strict';
import test from 'node:test';
import { endpointOf, isMethod } from '../../../contract/index.js';
import type { Route } from '../../../http/route.js';
import { routes } from '../../../http/routes.js';
import { openToolbox } from '../../../mcp/toolbox.js';
import { type MethodName, contract as protocol, type UnaryName } from '../../../rpc/index.js';
import { readAnswer, restApi } from '../../support/api.js';
import { sharedService } from '../../support/contract.js';
import { connect, refusedContent } from '../../support/mcp.js';
import type { TestService } from '../../support/service.js';

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

/** One endpoint of each scope, since `scopes.test.ts` proves the decision for every method. */
const ofEachScope: readonly Route[] = [
  ...new Map(guarded.filter((route) => isScope(requirementOf(route))).map((route) => [requirementOf(route), route])),
].map(([, route]) => route);

async function mint(token: string, scopes: readonly string[]): Promise<string> {
  const { body } = await restApi(service.origin, token).call('Auth.CreateApiKey', { name: 'matrix', scopes });
  return body.key;
}

test('every method of the contract has its access stated, a handler and, unless internal, a route', () => {
  const internal = [
    'Auth.CheckAccess',
    'Auth.ListGranted',
    'Config.GetHealth',
    'Backtests.ReadColumns',
    'Corpus.QueryColumns',
    'Experiments.ReadRows',
    'Series.ReadBars',
  ];
  const methods = [...protocol().methods.keys()];
  assert.ok(methods.length > 20);
  for (const method of methods) {
    assert.ok(isMethod(method), `${method} is in the table of access`);
    assert.ok(internal.includes(method) || routes.some(({ rpc }) => rpc === method), `${method} has a route`);
  }
});

/** Some plain routes, and all with an adapter of their own; every method is asked over gRPC below. */
const sampled = guarded.filter((route, i) => i < 3 || (route.toFrames ?? route.send ?? route.stream) !== undefined);

/** Which credentials are good the tests of `service/identity` prove. */
test('no endpoint is open to a caller without a credential', async () => {
  for (const route of sampled) {
    const { http, code } = await attempt(route, null);
    assert.deepEqual([http?.status, code], [401, 'AUTH_REQUIRED'], `${route.method} ${route.path}`);
  }
});

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

test('a key without the scope of an endpoint is told which scope it lacks', async () => {
  const { token } = await service.login();
  const key = await mint(token, ['nothing:known']);
  for (const route of ofEachScope) {
    const answer = await attempt(route, `Bearer ${key}`);
    assert.equal(answer.http?.status, 403, route.path);
    assert.equal(answer.code, 'INSUFFICIENT_PERMISSIONS');
    assert.ok(answer.message?.includes(requirementOf(route)), `${answer.message} names the scope`);
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
  for (const scope of ['strategy:read', 'nothing:known']) {
    const key = await mint(token, [scope]);
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
  const key = await mint(token, ['nothing:known']);
  const client = await connect('http session', service, key);
  const guardedTools = tools.filter(({ methods }) => needs(methods).some(isScope));
  // One path refuses for all tools.
  for (const { name, methods } of guardedTools.filter((_, i) => i % 10 === 0)) {
    const { code, message } = refusedContent(await client.callTool({ name, arguments: { bogus: 1 } }));
    assert.equal(code, 'INSUFFICIENT_PERMISSIONS', name);
    assert.ok(
      needs(methods).some((need) => message.includes(need)),
      `${name}: ${message}`,
    );
  }
  await client.close();
});
