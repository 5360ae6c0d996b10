import { randomUUID } from 'node:crypto';
import { StrategyStore } from '../../data/state/index.js';
import { startHttpServer } from '../../http/index.js';
import { strategyHandlers } from '../../rpc/handlers/strategies.js';
import { RpcClient } from '../../rpc/index.js';
import { startRpcServer } from '../../rpc/server.js';
import { ApiError } from '../../service/api-error.js';
import type { Caller } from '../../service/caller.js';
import { Strategies } from '../../service/strategies/index.js';
import { openTestState } from './state.js';

export interface TestService {
  readonly client: RpcClient;
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  /** A new user with an organization of its own. */
  login(): Promise<{ token: string; userId: string }>;
  stop(): Promise<void>;
}

/** The whole service on an embedded store of its own, over real sockets. */
export async function startTestService(): Promise<TestService> {
  const state = await openTestState();
  const strategies = new Strategies({
    store: new StrategyStore(state.db),
    composition: 'strict',
    limitOf: () => 3,
    now: () => new Date(),
  });
  const callers = new Map<string, Caller>();
  const bugs: unknown[] = [];
  const rpc = await startRpcServer({
    address: '127.0.0.1:0',
    gate: {
      admit: async (_method, { bearer }) => {
        const caller = callers.get(bearer ?? '');
        if (caller === undefined) throw new ApiError('AUTH_REQUIRED', 'Missing or invalid authentication token');
        return caller;
      },
      once: async ({ run }) => ({ answer: await run(), isReplay: false }),
    },
    record: ({ error }) => {
      if (error !== undefined) bugs.push(error);
    },
    handlers: {
      ...strategyHandlers(strategies),
      'Auth.CheckAccess': async () => ({}),
      'Config.GetHealth': async () => ({ status: 'healthy', service: 'barline', version: '1', checks: {} }),
    },
  });
  const client = new RpcClient(`127.0.0.1:${rpc.port}`);
  const http = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    rpc: client,
    version: '0',
    corsOrigin: '*',
    record: ({ error }) => {
      if (error !== undefined) bugs.push(error);
    },
    metrics: async () => '',
  });
  return {
    client,
    origin: `http://127.0.0.1:${http.port}`,
    async login() {
      const userId = randomUUID();
      const token = randomUUID();
      const rest = { role: 'owner', tier: 'free', credential: 'session', credentialId: token, scopes: [] } as const;
      callers.set(`Bearer ${token}`, { userId, orgId: randomUUID(), ...rest });
      return { token, userId };
    },
    async stop() {
      await http.stop();
      client.close();
      await rpc.stop();
      await state.close();
      if (bugs.length > 0) throw new AggregateError(bugs, 'the service met with bugs');
    },
  };
}
