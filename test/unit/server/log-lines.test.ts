import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import test, { after, before } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { readableLine } from '../../../server/log-lines.js';
import { createObserver } from '../../../server/observe.js';
import { listSettings, readServiceConfig, redacted } from '../../../service/settings/config.js';
import { MANAGEMENT_KEY, startTestService, type TestService } from '../../support/service.js';

const lines: string[] = [];
const sink = new Writable({
  decodeStrings: false,
  write(text: string, _encoding, done) {
    lines.push(...text.split('\n').filter((line) => line !== ''));
    done();
  },
});

let service: TestService;
before(async () => {
  service = await startTestService({}, createObserver('debug', 'test', sink));
});
after(() => service.stop());

/** The line of the request with this id. It is written when the connection has its answer. */
async function requestLine(id: string): Promise<Record<string, unknown>> {
  for (;;) {
    const line = lines.map((text) => JSON.parse(text)).find((one) => one.request_id === id && one.msg === 'request');
    if (line !== undefined) return line;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('the log has the caller of a request, whether it succeeds or fails, and no secret', async () => {
  const { token, userId, orgId } = await service.login();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const send = (id: string, method: string, path: string, init: RequestInit = {}) =>
    fetch(`${service.origin}/api/v1${path}`, {
      method,
      ...init,
      headers: { 'X-Request-Id': id, ...headers, ...init.headers },
    });
  const minted = await send('mint', 'POST', '/auth/api-keys', { body: JSON.stringify({ name: 'logged' }) });
  const { key, key_id: id } = (await minted.json()) as { key: string; key_id: string };
  const ofKey = { Authorization: `Bearer ${key}`, 'X-Management-Key': MANAGEMENT_KEY };
  await send('listed', 'GET', '/strategies', { headers: ofKey });
  await send('refused', 'GET', '/strategies/none', { headers: ofKey });
  await send('nobody', 'GET', '/strategies', { headers: { Authorization: 'Bearer local_wrong_key_of_nobody' } });
  const session = await requestLine('mint');
  assert.deepEqual([session.user_id, session.org_id, session.credential], [userId, orgId, 'session']);
  for (const name of ['listed', 'refused']) {
    const line = await requestLine(name);
    assert.deepEqual(
      [line.user_id, line.org_id, line.credential, line.credential_id],
      [userId, orgId, 'key', id],
      name,
    );
  }
  const nobody = await requestLine('nobody');
  assert.deepEqual([nobody.status, 'user_id' in nobody], [401, false]);
  const log = lines.join('\n');
  for (const secret of [token, key, MANAGEMENT_KEY, 'local_wrong_key_of_nobody']) assert.ok(!log.includes(secret));
});

test('neither the log of the start nor the list of settings has a secret', () => {
  const secret = 'SECRETSECRETSECRETSECRETSECRETSECRET';
  const environment = {
    DATABASE_URL: `postgres://u:${secret}@db/x`,
    REDIS_URL: `redis://:${secret}@cache`,
    BARLINE_SECRET: secret,
    BARLINE_MANAGEMENT_KEY: secret,
    BARLINE_DEV_SECRET: secret,
    BARLINE_OIDC_REDIRECT: JSON.stringify({
      ...{ issuer: 'https://a.example', clientId: 'c', clientSecret: secret },
      redirectUri: 'https://b.example/back',
    }),
    BARLINE_NANSEN_KEY: secret,
    BARLINE_NANSEN_URL: `https://me:${secret}@proxy.example/x`,
    BARLINE_WHALE_ALERT_KEY: secret,
    BARLINE_LUNARCRUSH_KEY: secret,
    BARLINE_COINGECKO_KEY: secret,
    BARLINE_COINAPI_KEY: secret,
    BARLINE_DEFILLAMA_KEY: secret,
    BARLINE_X402_FACILITATOR: `https://me:${secret}@pay.example`,
    BARLINE_X402_FACILITATOR_KEY: secret,
  };
  const listed = listSettings(environment);
  for (const shown of [redacted(readServiceConfig(environment)), listed]) {
    assert.ok(!JSON.stringify(shown).includes(secret));
  }
  const mayHold = listed.filter(({ name }) => /_KEY$|SECRET/.test(name));
  assert.deepEqual(
    mayHold.filter(({ isSecret }) => !isSecret).map(({ name }) => name),
    [],
    'a variable named after a key or a secret is one',
  );
});

test('a person reads time, level, message and fields in one line, without control characters', () => {
  const time = Date.UTC(2025, 0, 2, 3, 4, 5, 678);
  const line = (fields: object) => JSON.stringify({ level: 30, time, service: 'barline', version: '1', ...fields });
  assert.equal(
    readableLine(line({ method: 'GET', status: 200, user_id: null, msg: 'request' }), false),
    '03:04:05.678 INFO  request method=GET status=200',
  );
  const failed = { level: 50, err: { stack: 'Error: no\n    at x' }, msg: 'call failed', note: 'a\u001b[2Jb' };
  assert.equal(
    readableLine(line(failed), false),
    '03:04:05.678 ERROR call failed note="a\\u001b[2Jb"\n    Error: no\n        at x',
  );
  const coloured = readableLine(line({ msg: 'ready' }), true);
  assert.notEqual(coloured, stripVTControlCharacters(coloured));
  assert.equal(stripVTControlCharacters(coloured), '03:04:05.678 INFO  ready');
});
