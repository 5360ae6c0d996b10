import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import test from 'node:test';
import { startHttpServer } from '../../../../http/index.js';
import { contract } from '../../../../rpc/index.js';
import { methodMeters } from '../../../../service/access/meters.js';
import { ApiError } from '../../../../service/api-error.js';
import type { Caller } from '../../../../service/caller.js';
import { openState } from '../../../../service/state/index.js';
import { onEachBackend } from '../../../support/backends.js';
import { runs } from '../../../support/scale.js';
import { newHome } from '../../../support/state.js';
import { root } from '../../../support/tree.js';
import { type MeteredOptions, startMeteredServer } from './metered-calls.js';

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

const code = (failure: unknown): string => (failure instanceof ApiError ? failure.code : String(failure));

/** Concurrent calls, and the count of each outcome. */
async function outcomes(count: number, call: (i: number) => Promise<unknown>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const outcome = await call(i).then(() => 'OK', code);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }),
  );
  return counts;
}

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
      const counts = await outcomes(40, (i) => client.call(metered, { strategy_id: String(i) }, options));
      assert.deepEqual(counts, { OK: 10, RESOURCE_NOT_FOUND: 10, INTERNAL_ERROR: 20 });
      assert.deepEqual((await quotas.month(orgId)).used, { api_calls: 10, oracle_backtest: 10 });
      assert.equal(records.length, 40);
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
    'over REST a header tells how a call was counted',
    { useCases: { [metered]: async () => ({ message: 'done' }) } },
    async ({ client }) => {
      const http = await startHttpServer({
        host: '127.0.0.1',
        port: 0,
        rpc: client,
        version: 'test',
        packageRoot: root,
        corsOrigin: '*',
        record: () => {},
        metrics: async () => '',
      });
      try {
        const billed = async (method: string, path: string, headers = {}) => {
          const response = await fetch(`http://127.0.0.1:${http.port}/api/v1${path}`, { method, headers });
          await response.text();
          return response.headers.get('X-Billed-Units');
        };
        const once = { 'Idempotency-Key': 'rest' };
        assert.equal(await billed('DELETE', '/strategies/x', once), '1');
        assert.equal(await billed('DELETE', '/strategies/x', once), '0');
        assert.equal(await billed('POST', '/strategies/x/unarchive'), null);
      } finally {
        await http.stop(0);
      }
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

  let nowMs = 0;
  check(
    'a unit goes back to the month in which it was counted',
    {
      clock: () => nowMs,
      useCases: {
        async [metered]() {
          nowMs = Date.UTC(2024, 1, 1);
          throw new ApiError('CONFLICT', 'too late');
        },
      },
    },
    async ({ client, quotas }, { orgId }) => {
      nowMs = Date.UTC(2024, 1, 1) - 1;
      await assert.rejects(client.call(metered, {}, options));
      assert.deepEqual((await quotas.month(orgId)).used, {});
      nowMs -= 1;
      assert.deepEqual((await quotas.month(orgId)).used, { api_calls: 0, oracle_backtest: 0 });
    },
  );
});

const CALLS = runs(100, 10_000);

test(`of ${CALLS} concurrent calls a tenth fits the limit: exactly those pass, and stay counted after a restart`, async () => {
  const home = await newHome();
  const caller = callerOf();
  let ran = 0;
  const setting = {
    ...defaults,
    caller,
    monthlyMax: { api_calls: CALLS / 10 },
    useCases: {
      [metered]: async () => {
        ran++;
        return { message: 'done' };
      },
    },
  };
  for (const [start, passing] of [
    ['first', CALLS / 10],
    ['second', 0],
  ] as const) {
    const state = await openState({ home });
    const server = await startMeteredServer(state, setting);
    const counts = await outcomes(CALLS, () => server.client.call(metered, {}, options));
    assert.deepEqual([counts.OK ?? 0, counts.USAGE_LIMIT_EXCEEDED], [passing, CALLS - passing], start);
    assert.equal(ran, CALLS / 10);
    const used = { api_calls: CALLS / 10, oracle_backtest: CALLS / 10 };
    assert.deepEqual((await server.quotas.month(caller.orgId)).used, used);
    await server.stop();
    await state.close();
  }
});

test('the methods with a meter are methods of the contract, where their service is part of it', () => {
  const methods = [...contract().methods.keys()];
  const named = Object.keys(methodMeters);
  const isServed = (name: string) => methods.some((method) => method.split('.')[0] === name.split('.')[0]);
  assert.deepEqual(
    named.filter((name) => isServed(name) && !methods.some((method) => method === name)),
    [],
  );
});
