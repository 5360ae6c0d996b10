import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { AnswerCache } from '../../../../service/access/index.js';
import type { Caller } from '../../../../service/caller.js';
import { grpcApi, restApi } from '../../../support/api.js';
import { onEachBackend } from '../../../support/backends.js';
import { startTestService, type TestService } from '../../../support/service.js';

const newCaller = (): Caller => ({
  userId: 'u',
  orgId: 'o',
  role: 'member',
  tier: 'local',
  credential: 'key',
  credentialId: 'k',
  scopes: [],
});

test('an answer is kept for its caller, method and request, until a row changes', () => {
  let changes = 0;
  const answers = new AnswerCache(['Strategies.List', 'Strategies.Get'], () => changes);
  const [mine, other] = [newCaller(), newCaller()];
  const [request, longer] = [Buffer.from([0, 0xff]), Buffer.from([0, 0xff, 0])];
  const answer = Buffer.from('an answer');
  const keptOf = (...[method, caller, bytes]: Parameters<AnswerCache['look']>) =>
    answers.look(method, caller, bytes)?.answer;
  answers.look('Strategies.List', mine, request)?.keep(answer);
  assert.equal(keptOf('Strategies.List', mine, request), answer);
  assert.equal(keptOf('Strategies.List', mine, longer), undefined);
  assert.equal(keptOf('Strategies.Get', mine, request), undefined);
  assert.equal(keptOf('Strategies.List', other, request), undefined, 'the same person, verified again');
  assert.equal(answers.look('Strategies.Create', mine, request), null);
  changes++;
  assert.equal(keptOf('Strategies.List', mine, request), undefined);
  const late = answers.look('Strategies.List', mine, request);
  changes++;
  late?.keep(answer);
  assert.equal(keptOf('Strategies.List', mine, request), undefined, 'a row changed while it was read');
  answers.look('Strategies.Get', mine, request)?.keep(Buffer.alloc(65_536));
  assert.equal(keptOf('Strategies.Get', mine, request), undefined, 'too large');
  const { entries, hits, misses } = answers.use();
  assert.deepEqual([entries, hits, misses], [1, 1, 9]);
});

test('kept answers take 16 MB at most', () => {
  const answers = new AnswerCache(['Strategies.List'], () => 0);
  for (let i = 0; i < 1_000; i++) {
    answers.look('Strategies.List', newCaller(), Buffer.alloc(0))?.keep(Buffer.alloc(60_000));
  }
  const { entries, bytes } = answers.use();
  assert.ok(entries > 200 && (bytes ?? 0) <= 16 * 1024 * 1024, `${entries} entries, ${bytes} bytes`);
});

onEachBackend((backend, open) => {
  test(`${backend}: what changes a row moves the count, and what reads does not`, async () => {
    const { db, changes, kind } = await open();
    if (kind === 'server') return assert.equal(changes, null, 'other processes change rows too');
    const count = changes ?? assert.fail();
    const name = 'of this test';
    const moves = async (act: () => Promise<unknown>): Promise<boolean> => {
      const before = count();
      await act();
      return count() !== before;
    };
    const secrets = db.selectFrom('server_secrets').where('name', '=', name);
    assert.ok(await moves(() => db.insertInto('server_secrets').values({ name, value: 'a' }).execute()));
    assert.ok(!(await moves(() => secrets.selectAll().execute())));
    assert.ok(await moves(() => db.updateTable('server_secrets').set({ value: 'b' }).execute()));
    assert.ok(
      await moves(() => sql`with gone as (delete from server_secrets returning name) select * from gone`.execute(db)),
    );
    assert.ok(await moves(() => secrets.forUpdate().selectAll().execute()), 'a lock precedes a change');
  });
});

/** Hits of the cache so far, as the metrics of a service tell them. */
async function hits({ origin }: TestService): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^barline_cache_hits\{cache="answers"\} (\d+)/m.exec(text)?.[1]);
}

test('a service answers repeated reads from the cache, and every change shows in the next read', async (t) => {
  const service = await startTestService();
  t.after(() => service.stop());
  const { token } = await service.login();
  const [rest, grpc] = [restApi(service.origin, token), grpcApi(service.client, token)];
  const condition = (name: string, signal_type: string) => ({ name, signal_type, timeframe: '1h', params: {} });
  const entry = [condition('rsi_cross_up', 'TRIGGER'), condition('is_above_sma', 'FILTER')];
  const strategy = (name: string) => ({ name, asset: 'BTC', entry });
  const names = async (api = rest): Promise<string[]> =>
    (await api.call('Strategies.List')).body.strategies.map((each: { name: string }) => each.name).sort();
  assert.deepEqual(await names(), []);
  const before = await hits(service);
  for (let tries = 0; (await hits(service)) < before + 10 && tries < 1_000; tries++) {
    assert.deepEqual([await names(), await names(grpc)], [[], []]); // the service itself changes rows in between
  }
  assert.ok((await hits(service)) >= before + 10);
  for (const [i, api] of [rest, grpc, rest].entries()) {
    const { code, message, body } = await api.call('Strategies.Create', strategy(`s${i}`));
    assert.equal(code, 'OK', message ?? '');
    const expected = ['s0', 's1', 's2'].slice(0, i + 1);
    assert.deepEqual([await names(), await names(grpc)], [expected, expected]);
    const renamed = { strategy_id: body.strategy.id, name: `s${i} renamed` };
    await api.call('Strategies.Update', renamed);
    assert.deepEqual(
      (await rest.call('Strategies.Get', { strategy_id: body.strategy.id })).body.strategy.name,
      renamed.name,
    );
    await api.call('Strategies.Update', { ...renamed, name: `s${i}` });
  }
  const stranger = restApi(service.origin, (await service.login()).token);
  assert.deepEqual(await names(stranger), []);

  const key = (await rest.call('Auth.CreateApiKey', { name: 'reader', scopes: ['strategy:read'] })).body;
  const reader = restApi(service.origin, key.key);
  for (let i = 0; i < 2; i++) assert.equal((await reader.call('Strategies.List')).code, 'OK');
  assert.equal((await reader.call('Webhooks.List')).code, 'INSUFFICIENT_PERMISSIONS');
  await rest.call('Auth.RevokeApiKey', { key_id: key.key_id });
  assert.equal((await reader.call('Strategies.List')).code, 'AUTH_REQUIRED', 'kept answers need a valid credential');
});

test('a read that follows a change never misses it, whatever else is read and written at the time', async (t) => {
  const service = await startTestService();
  t.after(() => service.stop());
  const people = await Promise.all([0, 1, 2].map(async () => restApi(service.origin, (await service.login()).token)));
  await Promise.all(
    people.map(async (api, i) => {
      for (let round = 0; round < 10; round++) {
        const name = `name ${i} ${round}`;
        await api.call('Auth.UpdateProfile', { name });
        const read = await Promise.all([0, 1, 2].map(() => api.call('Auth.GetProfile')));
        assert.deepEqual(
          read.map(({ body }) => body.name),
          [name, name, name],
        );
      }
    }),
  );
});
