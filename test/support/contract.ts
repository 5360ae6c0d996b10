import assert from 'node:assert/strict';
import test from 'node:test';
import { createObserver } from '../../server/observe.js';
import { defaultTiers } from '../../service/identity/index.js';
import { type Answer, type Api, asRest, assertAnswerDocumented, grpcApi, isRead, restApi } from './api.js';
import { freePort } from './free-port.js';
import { paymentSettings } from './payment-settings.js';
import { soak } from './scale.js';
import { startTestService, type TestService } from './service.js';

/** Starts a service at the first call; the last test of the file stops it. */
function once<Service extends TestService>(start: () => Promise<Service>): () => Promise<Service> {
  let service: Promise<Service> | null = null;
  test.after(async () => (await service)?.stop());
  return () => {
    service ??= start();
    return service;
  };
}

/** Less than all columns of the bundled bars, more than those of one asset. */
export const QUERY_BYTES_MAX = 16 * 1024 * 1024;

/** The service that most contract tests share. */
export const sharedService = once(() => startTestService({ BARLINE_QUERY_BYTES_MAX: String(QUERY_BYTES_MAX) }));

const pro = defaultTiers.find(({ id }) => id === 'pro');

/** A paid tier with these limits of a month. */
export const tierOf = (calls: { readonly api_calls?: number; readonly defi_pro_calls: number }): string =>
  JSON.stringify([{ ...pro, strategiesMax: null, monthlyMax: { ...pro?.monthlyMax, ...calls } }]);

/** A service whose users may call metered methods once, and read paid data ten times. */
export const PAID_READS_MAX = 10;
export const meteredService = once(() =>
  startTestService({ BARLINE_TIERS: tierOf({ api_calls: 1, defi_pro_calls: PAID_READS_MAX }) }),
);

/** Calls of one caller in a minute. */
export const STRICT_CALLS = 20;

export interface StrictService extends TestService {
  /** What it has logged as a warning or worse. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** Counts the calls that end in a failure of the server; `stop` expects as many. */
  expectBug(): void;
}

/** A service with low limits that sells calls, and a sign-in page that cannot be reached. */
export const strictService = once(async (): Promise<StrictService> => {
  const lines: Record<string, unknown>[] = [];
  const out = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const redirect = { issuer, clientId: 'x', redirectUri: 'http://127.0.0.1/back' };
  const settings = {
    ...paymentSettings('http://127.0.0.1:9'), // an unpaid call asks no facilitator
    BARLINE_RATE_LIMIT_PER_MINUTE: String(STRICT_CALLS),
    BARLINE_OIDC_REDIRECT: JSON.stringify(redirect),
    BARLINE_TIERS: tierOf({ api_calls: 2, defi_pro_calls: 0 }),
  };
  const service = await startTestService(settings, createObserver('warn', 'test', out));
  let bugs = 0;
  return {
    ...service,
    lines,
    expectBug: () => void bugs++,
    stop: () =>
      service.stop().then(
        () => assert.equal(bugs, 0),
        (error: unknown) => {
          if (!(error instanceof AggregateError) || error.errors.length !== bugs) throw error;
        },
      ),
  };
});

export interface ContractCase {
  readonly api: Api;
  /** A user of another organization. */
  readonly other: Api;
  /** The user of `api`, for calls whose number or answer varies, such as polling. */
  readonly unrecorded: Api;
  readonly service: TestService;
}

/**
 * One behaviour of the API, over gRPC. The first read of a method, and its first refusal with each
 * code, are asked over REST too, by the same user: the answers must be the same, and those that the
 * document describes.
 */
export function contract(name: string, act: (run: ContractCase) => Promise<void>): void {
  test(name, async () => {
    const service = await sharedService();
    const { token } = await service.login();
    const unrecorded = grpcApi(service.client, token);
    const api = mirrored(unrecorded, restApi(service.origin, token));
    const other = onFirstCall('grpc', async () => {
      const login = await service.login();
      return mirrored(grpcApi(service.client, login.token), restApi(service.origin, login.token));
    });
    await act({ api, other, unrecorded, service });
  });
}

/**
 * A behaviour whose requests or answers differ in form between the transports: it runs over each,
 * with users of its own, and all answers must be the same but for ids, times, tokens and generated
 * names.
 */
export function contractBothWays(name: string, act: (run: ContractCase) => Promise<void>): void {
  test(name, async () => {
    const service = await sharedService();
    const transcripts: unknown[][] = [];
    for (const transport of ['grpc', 'rest'] as const) {
      const transcript: unknown[] = [];
      const apiOf = async (): Promise<Api> => {
        const { token } = await service.login();
        return transport === 'grpc' ? grpcApi(service.client, token) : restApi(service.origin, token);
      };
      const unrecorded = await apiOf();
      const other = recorded(onFirstCall(transport, apiOf), transcript);
      await act({ api: recorded(unrecorded, transcript), other, unrecorded, service });
      transcripts.push(transcript);
    }
    assert.deepEqual(transcripts[1], transcripts[0], 'REST answers what gRPC answers');
  });
}

/** Kinds of answers that REST has given in this process, by method and code. */
const mirroredKinds = new Set<string>();

/**
 * Asks again over REST what changes nothing, a read or a call that was refused. One answer of each
 * kind shows that REST passes it on; in a soak all do.
 */
function mirrored(grpc: Api, rest: Api): Api {
  return {
    transport: 'grpc',
    async call(method, request, headers) {
      const answer = await grpc.call(method, request, headers);
      const kind = `${method} ${answer.code}`;
      if ((answer.code !== 'OK' || isRead(method)) && (soak || !mirroredKinds.has(kind))) {
        mirroredKinds.add(kind);
        const again = await rest.call(method, request, headers);
        assert.deepEqual(settled(method, again), settled(method, asRest(method, answer)), `${method} over REST`);
        return again.http === undefined ? answer : { ...answer, http: again.http };
      }
      if (answer.code === 'OK') assertAnswerDocumented(method, answer);
      return answer;
    },
  };
}

/** An API whose user logs in at the first call, since most cases need one user. */
function onFirstCall(transport: Api['transport'], open: () => Promise<Api>): Api {
  let opened: Promise<Api> | null = null;
  return {
    transport,
    async call(...request) {
      opened ??= open();
      return (await opened).call(...request);
    },
  };
}

function recorded(api: Api, transcript: unknown[]): Api {
  return {
    transport: api.transport,
    async call(method, request, headers) {
      const answer = await api.call(method, request, headers);
      transcript.push(settled(method, api.transport === 'grpc' ? asRest(method, answer) : answer));
      return answer;
    },
  };
}

const volatile: readonly [RegExp, string][] = [
  [/"(access_token|refresh_token|key|key_prefix|secret)":"[^"]+"/g, '"$1":"($1)"'],
  [/\b(local_\w{6})\w*/g, '(key)'],
  [/Person [0-9a-f]{4}/g, '(person)'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '(id)'],
  [/"next_page_token":"[^"]+"/g, '"next_page_token":"(token)"'],
  [/exp_20\d{6}T\d{12}Z/g, '(experiment)'],
  [/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '(time)'],
  [/"(\w*_seconds|execution_time|rate)":[\d.e-]+/g, '"$1":0'],
];

/**
 * An answer without what differs between runs. REST leaves out some fields that gRPC leaves unset,
 * as its document says.
 */
function settled(method: string, { code, message, body }: Answer): unknown {
  let text = JSON.stringify({ method, code, message, body }, (_, value) => (value === null ? undefined : value));
  for (const [pattern, replacement] of volatile) text = text.replace(pattern, replacement);
  return JSON.parse(text);
}
