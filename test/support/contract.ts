import assert from 'node:assert/strict';
import test from 'node:test';
import { createObserver } from '../../server/observe.js';
import { defaultTiers } from '../../service/identity/index.js';
import { type Api, assertAnswerDocumented, grpcApi } from './api.js';
import { freePort } from './free-port.js';
import { paymentSettings } from './payment-settings.js';
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

/** A service whose users may read paid data so often. */
export const PAID_READS_MAX = 5;
export const paidService = once(() => startTestService({ BARLINE_TIERS: tierOf({ defi_pro_calls: PAID_READS_MAX }) }));

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
  /** A user of another organization, who logs in at the first call. */
  readonly other: Api;
  readonly service: TestService;
}

/**
 * One behaviour of the API, over gRPC. Each answer, in the form that REST gives it, must be one that
 * the document describes. That REST passes requests, answers and failures on is proved for all
 * methods alike: by test/unit/http/translation.test.ts and the cases `examples` and `errors`.
 */
export function contract(name: string, act: (run: ContractCase) => Promise<void>): void {
  test(name, async () => {
    const service = await sharedService();
    const apiOf = async () => documented(grpcApi(service.client, (await service.login()).token));
    let opened: Promise<Api> | null = null;
    const other: Api = {
      async call(...request) {
        opened ??= apiOf();
        return (await opened).call(...request);
      },
    };
    await act({ api: await apiOf(), other, service });
  });
}

const documented = (api: Api): Api => ({
  async call(method, ...rest) {
    const answer = await api.call(method, ...rest);
    assertAnswerDocumented(method, answer);
    return answer;
  },
});
