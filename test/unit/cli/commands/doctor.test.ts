import assert from 'node:assert/strict';
import test from 'node:test';
import { jsonOf, runCliBatch } from '../../../support/cli.js';
import { tempFolder } from '../../../support/data-fixtures.js';
import { noPostgres, startPostgres } from '../../../support/postgres.js';
import { noRedis, startRedis } from '../../../support/redis.js';
import { binanceAnswers } from '../../../support/trades-exchange.js';
import { startUpstream } from '../../../support/upstream-server.js';

interface Finding {
  readonly check: string;
  readonly isOk: boolean;
  readonly detail: string;
}

const SECRET = 'a-very-secret-key';

test('doctor reads the recordings and lists every provider with its state', async (t) => {
  const env = { BARLINE_NANSEN_KEY: SECRET, BARLINE_NANSEN_URL: 'http://127.0.0.1:9/deep' };
  const [run, wrong] = await runCliBatch([['doctor', '--json'], ['doctor']], { home: tempFolder(t), env });
  const findings = jsonOf(run) as Finding[];
  const detailOf = (name: string) => findings.find(({ check }) => check === name)?.detail;
  assert.match(detailOf('recordings') ?? '', /^7 series, trades and quotes of BTC and BTC-PERP, minute bars$/);
  assert.equal(
    detailOf('provider nansen'),
    'smart money and token flows (/on-chain): live, http://127.0.0.1:9, key set',
  );
  assert.match(
    detailOf('provider lunarcrush') ?? '',
    /off, recorded or generated data answers; BARLINE_LUNARCRUSH_KEY switches it on$/,
  );
  assert.match(detailOf('provider language model') ?? '', /off, its documented form answers; BARLINE_LLM_BASE_URL/);
  assert.equal(findings.filter(({ check }) => check.startsWith('provider ')).length, 8);
  assert.ok(!`${run.stdout}${wrong.stdout}`.includes(SECRET));
});

test('doctor --check calls the providers that are on, and fails if one does not answer', async (t) => {
  const trade = { timeMs: 1, price: 2, size: 3, takerSide: 'buy' as const };
  const market = { trades: [trade], book: { timeMs: 0, askPrice: 3, askSize: 1, bidPrice: 2, bidSize: 1 } };
  const server = await startUpstream(t, binanceAnswers({ spot: market, perpetual: market }));
  const trades = { BARLINE_TRADES_EXCHANGE: 'binance', BARLINE_TRADES_URL: server.url };
  const nansen = { BARLINE_NANSEN_KEY: SECRET, BARLINE_NANSEN_URL: server.url };
  const home = tempFolder(t);
  const [well] = await runCliBatch([['doctor', '--check', '--json']], { home, env: { ...trades, ...nansen } });
  const findings = jsonOf(well) as Finding[];
  const detailOf = (name: string) => findings.find(({ check }) => check === `provider ${name}`)?.detail ?? '';
  assert.match(detailOf('nansen'), /key set; HTTP 404 after \d+ ms$/);
  assert.match(detailOf('binance'), /without a key; a trade of BTC\/USDT after \d+ ms$/);
  assert.ok(server.requests.every((request) => !JSON.stringify(request).includes(SECRET)));
  const down = { BARLINE_NANSEN_KEY: SECRET, BARLINE_NANSEN_URL: 'http://127.0.0.1:9' };
  const [ill] = await runCliBatch([['doctor', '--check']], { home, env: down });
  assert.equal(ill.code, 2);
  assert.match(ill.stdout, /^FAIL provider nansen: http:\/\/127.0.0.1:9 does not answer$/m);
});

test('doctor reaches a PostgreSQL and a Redis that run', { skip: noPostgres || noRedis }, async (t) => {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  try {
    const env = { DATABASE_URL: await postgres.newDatabase(), REDIS_URL: redis.url };
    const [run] = await runCliBatch([['doctor']], { home: tempFolder(t), env });
    assert.match(run.stdout, /^ok {3}DATABASE_URL: \S+: PostgreSQL \d+/m);
    assert.match(run.stdout, /^ok {3}REDIS_URL: \S+: Redis \d+/m);
  } finally {
    await Promise.all([postgres.stop(), redis.stop()]);
  }
});

test('doctor, a service, and a command on its state name the setting of a server that does not answer', async (t) => {
  const home = tempFolder(t);
  const database = { DATABASE_URL: 'postgres://ann:secret@127.0.0.1:9/held' };
  const [doctor] = await runCliBatch([['doctor']], { home, env: database });
  assert.equal(doctor!.code, 2);
  assert.match(doctor!.stdout, /^FAIL DATABASE_URL: 127\.0\.0\.1:9\/held does not answer: .*ECONNREFUSED/m);
  assert.ok(!doctor!.stdout.includes('secret'));
  for (const [args, env, said] of [
    [['serve'], database, 'DATABASE_URL: 127.0.0.1:9/held does not answer: '],
    [['serve'], { REDIS_URL: 'redis://:secret@127.0.0.1:9' }, 'REDIS_URL: 127.0.0.1:9 does not answer: '],
    [['keys', 'list'], database, 'DATABASE_URL: 127.0.0.1:9/held does not answer: '],
  ] as const) {
    const [run] = await runCliBatch([[...args]], {
      home,
      env: { ...env, BARLINE_HTTP_PORT: '0', BARLINE_RPC_PORT: '0' },
    });
    assert.equal(run.code, 2, run.stderr);
    assert.ok(run.stderr.includes(`barline: ${said}connect ECONNREFUSED`), run.stderr);
    assert.ok(!run.stderr.includes('secret'));
  }
});
