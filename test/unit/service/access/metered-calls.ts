import { type CallRecord, contract, RpcClient, startRpcServer } from '../../../../rpc/index.js';
import { SqlIdempotencyStore } from '../../../../service/access/idempotency-keys.js';
import { Gate, Idempotency, type MethodMeters, Quotas, RateLimits } from '../../../../service/access/index.js';
import { SqlUsageStore } from '../../../../service/access/usage-counts.js';
import type { Caller } from '../../../../service/caller.js';
import { type Authenticator, defaultTiers, type MeteredResource, Tiers } from '../../../../service/identity/index.js';
import type { State } from '../../../../service/state/index.js';
import type { UseCases } from '../../../../service/use-cases.js';

export interface MeteredServer {
  readonly client: RpcClient;
  readonly quotas: Quotas;
  /** Of all calls so far. */
  readonly records: readonly CallRecord[];
  stop(): Promise<void>;
}

export interface MeteredOptions {
  readonly caller: Caller;
  readonly methodMeters: MethodMeters;
  readonly useCases: Partial<UseCases>;
  readonly monthlyMax?: Partial<Record<MeteredResource, number>>;
  readonly clock?: () => number;
}

/**
 * A gRPC server with the real gate over real counters. A test chooses its use cases and meters;
 * every call has the same caller.
 */
export async function startMeteredServer(state: State, options: MeteredOptions): Promise<MeteredServer> {
  const { caller, methodMeters, useCases, monthlyMax = {}, clock = Date.now } = options;
  const [local] = defaultTiers;
  if (local === undefined) throw new Error('there are no tiers');
  const tiers = new Tiers([{ ...local, monthlyMax: { ...local.monthlyMax, ...monthlyMax } }]);
  const quotas = new Quotas({ store: new SqlUsageStore(state.db), tiers, clock });
  const self = { name: 'this process', hasEnded: () => false };
  const gate = new Gate({
    authenticator: { authenticate: async () => caller } as unknown as Authenticator,
    rateLimits: new RateLimits({ requests: 1_000_000, windowS: 60 }),
    quotas,
    payments: null,
    idempotency: new Idempotency(new SqlIdempotencyStore(state.db), 'a secret of the tests, long enough', clock, self),
    methodMeters,
  });
  const none = async () => ({});
  const names = [...contract().methods.keys()];
  const all = { ...Object.fromEntries(names.map((name) => [name, none])), ...useCases } as UseCases;
  const records: CallRecord[] = [];
  const server = await startRpcServer({
    address: '127.0.0.1:0',
    gate,
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
