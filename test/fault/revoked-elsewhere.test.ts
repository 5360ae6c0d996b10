import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { CACHE_MS_MAX } from '../../service/identity/credential-cache.js';
import { type Api, restApi } from '../support/api.js';
import { noPostgres, type PostgresServer, startPostgres } from '../support/postgres.js';
import { startTestService, type TestService } from '../support/service.js';

/** Two services on one database: what one revokes the other refuses, before its cache expires. */

const options = { skip: noPostgres };
/** Well before the cache entry would expire. */
const WORD_MS_MAX = CACHE_MS_MAX / 2;

const tier = (id: string) => ({ id, name: id, strategiesMax: 3, monthlyMax: { backtests: null, api_calls: null } });

let server: PostgresServer;
let database: string;
let here: TestService;
let there: TestService;
test.before(async () => {
  if (noPostgres !== false) return;
  server = await startPostgres();
  database = await server.newDatabase();
  const settings = { DATABASE_URL: database, BARLINE_TIERS: JSON.stringify([tier('small'), tier('large')]) };
  here = await startTestService(settings);
  there = await startTestService(settings);
});
test.after(async () => {
  await here?.stop();
  await there?.stop();
  await server?.stop();
});

/** Waits until the other service refuses a credential that it had cached. */
async function assertRefusedThere(call: () => ReturnType<Api['call']>): Promise<void> {
  const deadline = Date.now() + WORD_MS_MAX;
  for (;;) {
    const { code } = await call();
    if (code === 'AUTH_REQUIRED') return;
    assert.ok(Date.now() < deadline, `still ${code}`);
    await sleep(10);
  }
}

async function knownThere(token: string): Promise<() => ReturnType<Api['call']>> {
  const api = restApi(there.origin, token);
  const call = () => api.call('Auth.GetProfile');
  // The second time from the cache.
  for (let i = 0; i < 2; i++) assert.equal((await call()).code, 'OK');
  return call;
}

test('a key revoked on one is refused on the other', options, async () => {
  const api = restApi(here.origin, (await here.login()).token);
  const { body } = await api.call('Auth.CreateApiKey', { name: 'shared' });
  const call = await knownThere(body.key);
  assert.equal((await api.call('Auth.RevokeApiKey', { key_id: body.key_id })).code, 'OK');
  await assertRefusedThere(call);
});

test('wrong promo codes on one count on the other', options, async () => {
  const { token } = await here.login();
  const codes: (string | undefined)[] = [];
  for (let i = 0; i < 12; i++) {
    const api = restApi((i % 2 === 0 ? here : there).origin, token);
    codes.push((await api.call('PromoCodes.Validate', { code: `WRONG${i}`, tier_id: 'small', scope: 'user' })).code);
  }
  assert.deepEqual(codes, [...Array<string>(10).fill('OK'), 'RATE_LIMITED', 'RATE_LIMITED']);
});

test('a credential revoked while the other gets no notices is still refused there', options, async () => {
  const { token } = await here.login();
  const call = await knownThere(token);
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen "barline_credentials"%'`,
  );
  await client.end();
  assert.equal(rowCount, 2);
  assert.equal((await restApi(here.origin, token).call('Auth.Logout')).code, 'OK');
  await assertRefusedThere(call);
});
