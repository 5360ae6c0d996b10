import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type CallRecord, contract, RpcClient, startRpcServer } from '../../../../rpc/index.js';
import { SqlIdempotencyStore } from '../../../../service/access/idempotency-keys.js';
import { Gate, Idempotency, type MethodMeters, Quotas, RateLimits } from '../../../../service/access/index.js';
import { SqlUsageStore } from '../../../../service/access/usage-counts.js';
import { ApiError } from '../../../../service/api-error.js';
import type { Caller } from '../../../../service/caller.js';
import { type Authenticator, defaultTiers, type MeteredResource, Tiers } from '../../../../service/identity/index.js';
import type { State } from '../../../../service/state/index.js';
import type { UseCases } from '../../../../service/use-cases.js';
import { anyStreams } from '../../../support/api.js';
import { onEachBackend } from '../../../support/backends.js';

interface MeteredServer {
  readonly client: RpcClient;
  readonly quotas: Quotas;
  /** Of all calls so far. */
  readonly records: readonly CallRecord[];
  stop(): Promise<void>;
}

interface MeteredOptions {
  readonly caller: Caller;
  readonly methodMeters: MethodMeters;
  readonly useCases: Partial<UseCases>;
  readonly monthlyMax?: Partial<Record<MeteredResource, number>>;
}

/**
 * A gRPC server with the real gate over real counters. A test chooses its use cases and meters;
 * every call has the same caller.
 */
async function startMeteredServer(state: State, options: MeteredOptions): Promise<MeteredServer> {
  const { caller, methodMeters, useCases, monthlyMax = {} } = options;
  const [local] = defaultTiers;
  if (local === undefined) throw new Error('there are no tiers');
  const tiers = new Tiers([{ ...local, monthlyMax: { ...local.monthlyMax, ...monthlyMax } }]);
  const quotas = new Quotas({ store: new SqlUsageStore(state.db), tiers, clock: Date.now });
  const self = { name: 'this process', hasEnded: () => false };
  const gate = new Gate({
    authenticator: { authenticate: async () => caller } as unknown as Authenticator,
    rateLimits: new RateLimits({ requests: 1_000_000, windowS: 60 }),
    quotas,
    payments: null,
    idempotency: new Idempotency(
      new SqlIdempotencyStore(state.db),
      'a secret of the tests, long enough',
      Date.now,
      self,
    ),
    methodMeters,
  });
  const none = async () => ({});
  const names = [...contract().methods.keys()];
  const all = { ...Object.fromEntries(names.map((name) => [name, none])), ...useCases } as UseCases;
  const records: CallRecord[] = [];
  const server = await startRpcServer({
    address: '127.0.0.1:0',
    gate,
    streams: anyStreams,
    useCases: all,
    record: (call) => records.push(call),
  });
  const client = new RpcClient(`127.0.0.1:${server.port}`);
  return {
    client,
    quotas,
    records,
    async stop() {
      client.close();
      await server.stop(1_000);
    },
  };
}

const credential = 'a credential';
const callerOf = (changes: Partial<Caller> = {}): Caller => ({
  userId: randomUUID(),
  orgId: randomUUID(),
  role: 'member',
  tier: 'local',
  credential: 'key',
  credentialId: randomUUID(),
  scopes: [],
  ...changes,
});

/** Existing methods stand in for those that will be metered. */
const meters = {
  'Strategies.Delete': 'oracle_backtest',
  'Strategies.Archive': 'oracle_data_query',
  'Backtests.ReadColumns': 'oracle_simulate',
} as const;
const metered = 'Strategies.Delete';
const defaults = { methodMeters: meters, useCases: {} };
const options = { authorization: credential };

onEachBackend((backend, open, alike) => {
  const check = (
    statement: string,
    set: Partial<MeteredOptions>,
    act: (server: Awaited<ReturnType<typeof startMeteredServer>>, caller: Caller) => Promise<void>,
  ) =>
    alike(`${backend}: ${statement}`, async () => {
      const caller = set.caller ?? callerOf();
      const server = await startMeteredServer(await open(), { ...defaults, caller, ...set });
      try {
        await act(server, caller);
      } finally {
        await server.stop();
      }
    });

  check(
    'calls that fail are not counted, for any failure',
    {
      useCases: {
        async [metered]({ strategy_id }) {
          const kind = Number(strategy_id) % 4;
          if (kind === 1) throw new ApiError('RESOURCE_NOT_FOUND', 'gone');
          if (kind === 2) throw new TypeError('a bug');
          return { message: 'done', ...(kind === 3 ? { unknown: 'to the contract' } : {}) };
        },
      },
    },
    async ({ client, quotas, records }, { orgId }) => {
      const calls = [0, 1, 2, 3].map((kind) => client.call(metered, { strategy_id: String(kind) }, options));
      const failures = (await Promise.allSettled(calls)).map((call) =>
        call.status === 'rejected' ? call.reason.code : null,
      );
      assert.deepEqual(failures, [null, 'RESOURCE_NOT_FOUND', 'INTERNAL_ERROR', 'INTERNAL_ERROR']);
      assert.deepEqual((await quotas.month(orgId)).used, { api_calls: 1, oracle_backtest: 1 });
      assert.equal(records.length, 4);
    },
  );

  check(
    'a repeated answer is not counted, and says so',
    { useCases: { [metered]: async () => ({ message: randomUUID() }) } },
    async ({ client, quotas }, { orgId }) => {
      const call = (idempotencyKey?: string) => client.call(metered, {}, { ...options, idempotencyKey });
      const [first, again, other] = [await call('k'), await call('k'), await call()];
      assert.deepEqual(again.body, first.body);
      assert.deepEqual(
        [first, again, other].map(({ isReplayed, billedUnits }) => [isReplayed, billedUnits]),
        [
          [false, 1],
          [true, 0],
          [false, 1],
        ],
      );
      assert.deepEqual((await quotas.month(orgId)).used, { api_calls: 2, oracle_backtest: 2 });
      const unmetered = await client.call('Strategies.Unarchive', {}, { ...options });
      assert.equal(unmetered.billedUnits, null);
    },
  );

  check(
    'a refused call neither counts nor runs; each counter has its own limit',
    {
      caller: callerOf({ scopes: ['strategy:delete', 'strategy:update_status'] }),
      monthlyMax: { oracle_data_queries: 1 },
    },
    async ({ client, quotas }, { orgId }) => {
      await client.call('Strategies.Archive', { strategy_id: 'x' }, options);
      await assert.rejects(client.call('Strategies.Archive', {}, options), {
        code: 'USAGE_LIMIT_EXCEEDED',
        message: /^Monthly limit of oracle_data_queries: 1\/1 used until /,
      });
      await client.call(metered, {}, options);
      const month = { api_calls: 1, oracle_backtest: 1, oracle_data_queries: 1, oracle_data_query: 1 };
      assert.deepEqual((await quotas.month(orgId)).used, month);
      await assert.rejects(client.stream('Backtests.ReadColumns', {}, options).next(), {
        code: 'INSUFFICIENT_PERMISSIONS',
      });
      assert.deepEqual((await quotas.month(orgId)).used, month);
    },
  );

  const failAfter = Number.POSITIVE_INFINITY;
  let parts = failAfter;
  check(
    'a stream counts once it has answered with a part',
    {
      useCases: {
        async *'Backtests.ReadColumns'() {
          for (let i = 0; i < 3; i++) {
            if (i === parts) throw new ApiError('ENGINE_BUSY', 'busy');
            yield { arrow: Buffer.from('x') };
          }
        },
      },
    },
    async ({ client, quotas }, { orgId }) => {
      const read = async () => {
        for await (const _ of client.stream('Backtests.ReadColumns', {}, options));
      };
      parts = 0;
      await assert.rejects(read());
      assert.deepEqual((await quotas.month(orgId)).used, { api_calls: 0, oracle_simulate: 0 });
      parts = 1;
      await assert.rejects(read());
      parts = failAfter;
      await read();
      assert.deepEqual((await quotas.month(orgId)).used, { api_calls: 2, oracle_simulate: 2 });
    },
  );

  let begun: () => void = () => {};
  check(
    'a call that its client cancelled is not counted when its use case stops',
    {
      useCases: {
        async [metered](_, { signal }) {
          begun();
          await once(signal, 'abort');
          throw signal.reason;
        },
      },
    },
    async ({ client, quotas, records }, { orgId }) => {
      const controller = new AbortController();
      const hasBegun = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const pending = client.call(metered, {}, { ...options, signal: controller.signal });
      await hasBegun;
      controller.abort();
      await assert.rejects(pending);
      while (records.length === 0) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(records[0]?.code, 'CANCELLED');
      assert.deepEqual((await quotas.month(orgId)).used, { api_calls: 0, oracle_backtest: 0 });
    },
  );
});
