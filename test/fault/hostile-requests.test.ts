import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request as send } from 'node:http';
import test from 'node:test';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { Route } from '../../http/route.js';
import { routes } from '../../http/routes.js';
import { openToolbox } from '../../mcp/toolbox.js';
import { RpcClient, type UnaryName } from '../../rpc/index.js';
import { type ContractMethod, contract } from '../../rpc/protos.js';
import { assertDocumented } from '../support/api.js';
import { exampleFor, type Sender, sender } from '../support/example-calls.js';
import { richBodies } from '../support/good-bodies.js';
import { idToken } from '../support/id-token.js';
import { seededRandom } from '../support/random.js';
import { fullSoak, runs, soak } from '../support/scale.js';
import { DEV_SECRET, MANAGEMENT_KEY } from '../support/service.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';
import {
  type HostileRequest,
  hostileJson,
  hostileMessage,
  hostileObject,
  hostileRestRequest,
} from './hostile-requests.js';
import { probeLive } from './live-probe.js';

/**
 * Hostile requests to every method, over REST, gRPC and MCP, with and without a credential, against
 * a service in a process of its own: it goes on serving, every request gets its answer, none is a
 * bug of the service, every refusal of REST has the documented form, and none keeps the service from
 * answering others.
 */
const AT_ONCE = 8;
/** In a soak another seed each time; a failure names it. */
const SEED = Number(process.env.BARLINE_HOSTILE_SEED ?? (soak ? Date.now() % 1_000_000_000 : 1));
/** The promise is 250 ms; other tests of `npm test` share the processors. */
const AHEAD_MS_MAX = fullSoak ? 250 : 2_000;
const ANSWER_MS_MAX = 30_000;

let service: ServiceProcess;
let client: Client;
/** Who owns what the paths of requests name. */
let owner: Sender;
const unlimited = JSON.stringify([
  {
    ...{ id: 'small', name: 'Small', strategiesMax: null, backtestsPerSweepMax: null, concurrentSweepsMax: null },
    monthlyMax: { backtests: null, api_calls: null },
  },
]);
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
test.before(async () => {
  service = await startServiceProcess(await newHome(), {
    ...{ BARLINE_RATE_LIMIT_PER_MINUTE: '100000000', BARLINE_LOG_LEVEL: 'error' },
    ...{ BARLINE_DEV_SECRET: DEV_SECRET, BARLINE_MANAGEMENT_KEY: MANAGEMENT_KEY, BARLINE_TIERS: unlimited },
    BARLINE_WEBHOOK_PRIVATE_HOSTS: 'allow',
  });
  const address = service.said.flatMap((line) => /^gRPC +(\S+)/.exec(line)?.[1] ?? [])[0] ?? assert.fail('no address');
  client = new Client(address, credentials.createInsecure());
  const rpc = new RpcClient(address);
  const login = async () => {
    const { body } = await rpc.call('Auth.Login', { idp_token: await idToken(DEV_SECRET) });
    return { token: body.access_token, userId: body.user.id, orgId: body.user.org_id };
  };
  owner = await sender({
    client: rpc,
    origin: service.origin,
    rpcAddress: address,
    login,
    stop: async () => rpc.close(),
  });
});
test.after(async () => {
  agent.destroy();
  client.close();
  await owner.service.stop();
  await service.kill();
});

/** A service may be busy. */
const isPromised = (text: string): boolean => text.includes('"ENGINE_BUSY"');

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function exchange({ method, path, headers, body }: HostileRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.origin);
    const options = {
      ...{ hostname, port, path, agent, timeout: ANSWER_MS_MAX },
      method: method.toUpperCase(),
      headers: { 'Content-Type': 'application/json', ...headers },
    };
    const request = send(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        // A stream has no end.
        if (/^text\/event-stream/.test(response.headers['content-type'] ?? '')) request.destroy();
      });
      response.on('close', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', () => {}); // `close` follows
    });
    request.on('timeout', () => reject(new Error(`no answer within ${ANSWER_MS_MAX} ms`)));
    request.on('error', reject);
    request.end(body);
  });
}

const bearer = (random: () => number): Readonly<Record<string, string>> =>
  random() < 0.7 ? { Authorization: `Bearer ${owner.token}` } : {};

/** @returns what is wrong with the answer; null where nothing is */
type Attack = (seed: number) => Promise<string | null>;

/** An address on the allowlist would lock out all users. */
const isOfAllowlist = ({ path }: Route): boolean => path.includes('allowlist');

/** What the paths of a route name, made by its first attack. */
const known = new Map<Route, Promise<Readonly<Record<string, string>>>>();
function namedBy(route: Route): Promise<Readonly<Record<string, string>>> {
  const made =
    known.get(route) ??
    (isOfAllowlist(route) ? Promise.resolve({ path: {} }) : exampleFor(route, owner)).then(({ path }) =>
      Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)])),
    );
  known.set(route, made);
  return made;
}

const overRest =
  (route: Route): Attack =>
  async (seed) => {
    const request = hostileRestRequest(seed, route, await namedBy(route));
    const random = seededRandom(seed);
    const isManaged = !isOfAllowlist(route) && random() < 0.5;
    const more = { ...bearer(random), ...(isManaged ? { 'X-Management-Key': MANAGEMENT_KEY } : {}) };
    const answer = await exchange({ ...request, headers: { ...request.headers, ...more } });
    const { status: code, text } = answer;
    if (!(code >= 200 && code < 500) && !isPromised(text)) return `${code} ${text.slice(0, 300)}`;
    assertDocumentedForm(route, answer, 'X-Fields' in request.headers);
    return null;
  };

const MESSAGE_CHARS_MAX = 2_000;

/** @param isMasked true where the answer may lack what the document promises */
function assertDocumentedForm(route: Route, { status: code, headers, text }: Answer, isMasked: boolean): void {
  if (!/^application\/json/.test(headers['content-type'] ?? '')) {
    const isOther = route.send !== undefined || route.toFrames !== undefined;
    assert.ok(isOther && code < 400, 'JSON, except for pages and streams');
    return;
  }
  const body = JSON.parse(text) as Record<string, unknown>;
  if (code >= 400 || !isMasked) assertDocumented(route, code, body);
  if (code < 400) return;
  assert.deepEqual([body.success, body.correlation_id], [false, headers['x-correlation-id']]);
  const message = String(body.message);
  assert.ok(message.length <= MESSAGE_CHARS_MAX, `a message of ${message.length} characters`);
  assert.doesNotMatch(message, /[\r\n]|\bat .+:\d+:\d+|(was|against|holds) undefined/);
}

const allowed: readonly number[] = [
  ...[status.OK, status.CANCELLED, status.INVALID_ARGUMENT, status.NOT_FOUND, status.ALREADY_EXISTS, status.ABORTED],
  ...[status.PERMISSION_DENIED, status.UNAUTHENTICATED, status.RESOURCE_EXHAUSTED, status.FAILED_PRECONDITION],
  status.UNAVAILABLE,
];

const overGrpc =
  ({ definition, request: type }: ContractMethod): Attack =>
  (seed) => {
    const random = seededRandom(seed);
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(bearer(random))) metadata.set(name, value);
    if (random() < 0.1) metadata.set('x-request-id', '__proto__'.repeat(100));
    const message = hostileMessage(random, type);
    const { path, requestSerialize } = definition;
    const raw = (bytes: Buffer): Buffer => bytes;
    const deadline = Date.now() + ANSWER_MS_MAX;
    return new Promise((resolve) => {
      const told = (error: Pick<ServiceError, 'code' | 'details'>): void =>
        resolve(
          allowed.includes(error.code) || isPromised(error.details) ? null : `${status[error.code]} ${error.details}`,
        );
      if (definition.responseStream) {
        const call = client.makeServerStreamRequest(path, requestSerialize, raw, message, metadata, { deadline });
        call.on('data', () => call.cancel());
        call.on('error', told);
        call.on('end', () => resolve(null));
        setTimeout(() => call.cancel(), 500).unref(); // a stream may have nothing to say yet
      } else {
        client.makeUnaryRequest(path, requestSerialize, raw, message, metadata, { deadline }, (error) =>
          error === null ? resolve(null) : told(error),
        );
      }
    });
  };

const overMcp =
  ({ name, input }: ReturnType<typeof openToolbox>[number]): Attack =>
  async (seed) => {
    const random = seededRandom(seed);
    const fields = Object.keys(input.properties);
    const args = random() < 0.1 ? hostileJson(random) : hostileObject(random, fields, undefined);
    const called = random() < 0.05 ? hostileJson(random) : JSON.stringify(name);
    const { status: code, text } = await exchange({
      method: 'post',
      path: '/mcp?toolsets=all',
      headers: {
        ...{ Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' },
        ...bearer(random),
        ...session,
      },
      body: Buffer.from(
        `{"jsonrpc":"2.0","id":${seed},"method":"tools/call","params":{"name":${called},"arguments":${args}}}`,
      ),
    });
    return code < 500 && !/INTERNAL_ERROR/.test(text)
      ? null
      : isPromised(text)
        ? null
        : `${code} ${text.slice(0, 300)}`;
  };

let session: Readonly<Record<string, string>> = {};

async function openSession(): Promise<void> {
  const response = await fetch(`${service.origin}/mcp?toolsets=all`, {
    method: 'POST',
    headers: {
      ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      Authorization: `Bearer ${owner.token}`,
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    }),
  });
  await response.text();
  session = { 'Mcp-Session-Id': response.headers.get('mcp-session-id') ?? assert.fail('no session') };
}

/** Needs an issuer. */
const untried = ['Auth.StartRedirect'];
/** They would end what the credential of the test stands for. */
const endsAccess = /^(Auth\.(Logout|RevokeKey|RevokeApiKey)|ApiKeys?\.Revoke)/;

function attacks(): readonly (readonly [name: string, attack: Attack])[] {
  const tried = ({ rpc }: { readonly rpc: string }) => !untried.includes(rpc) && !endsAccess.test(rpc);
  return [
    ...routes.filter(tried).map((route) => [`${route.method} ${route.path}`, overRest(route)] as const),
    ...[...contract().methods.values()]
      .filter(({ name }) => tried({ rpc: name }))
      .map((method) => [method.name, overGrpc(method)] as const),
    ...openToolbox('test').map((tool) => [`tool ${tool.name}`, overMcp(tool)] as const),
  ];
}

test('the sound bodies that hostile requests start from are accepted', async () => {
  for (const [method, body] of Object.entries(richBodies) as [UnaryName, object][]) {
    if (/Allowlist/.test(method)) continue; // it would lock out all other users
    const route = routes.find(({ rpc }) => rpc === method) ?? assert.fail(method);
    await owner.call(method, { ...body, ...(await exampleFor(route, owner)).path });
  }
});

const all = attacks();
/** Each method once over each way in, and in a soak many times. */
const COUNT = runs(all.length, 200_000, 4_000);
const uncaught = /^barline_uncaught_errors_total (\d+)/m;

test(`${COUNT} hostile requests to every method neither end nor hold up the service`, async (t) => {
  await openSession();
  // The first such request loads the knowledge base.
  await fetch(`${service.origin}/kb/api/documents`);
  const probe = probeLive(service.origin, { pid: service.pid });
  const wrong: string[] = [];
  let next = 0;
  const attackOn = async (): Promise<void> => {
    for (let i = next++; i < COUNT && wrong.length < 20; i = next++) {
      const [name, attack] = all[i % all.length] ?? assert.fail('no attack');
      const startMs = performance.now();
      const problem = await attack(SEED * 1_000_003 + i).catch(String);
      const ms = performance.now() - startMs;
      if (problem !== null) wrong.push(`${name}, seed ${SEED}, request ${i}, ${Math.round(ms)} ms: ${problem}`);
      if (soak && ms > 1_000) t.diagnostic(`${name}, seed ${SEED}, request ${i}: ${Math.round(ms)} ms`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, attackOn));
  const { maxMs, aheadMsMax, answers } = await probe.stop();
  t.diagnostic(`seed ${SEED}: ${answers} answers of /live after ${aheadMsMax} ms of work and ${maxMs} ms at most`);
  if (wrong.length > 0) for (const line of service.logged) t.diagnostic(line.slice(0, 2_000));
  assert.deepEqual(wrong, []);
  const metrics = await (await fetch(`${service.origin}/metrics`)).text();
  assert.equal(uncaught.exec(metrics)?.[1], '0', 'every failure was caught');
  assert.ok(service.isRunning(), 'the process has not ended');
  assert.ok(answers > 0 && aheadMsMax < AHEAD_MS_MAX, `/live answered after ${aheadMsMax} ms of work, seed ${SEED}`);
});
