import assert from 'node:assert/strict';
import test from 'node:test';
import { assertRefused, runCliBatch } from '../../../support/cli.js';
import { freePort } from '../../../support/free-port.js';
import { startServiceProcess } from '../../../support/service-process.js';
import { newHome } from '../../../support/state.js';

const json = { 'Content-Type': 'application/json' };

const startDev = async (settings: Readonly<Record<string, string>>) =>
  startServiceProcess(await newHome(), settings, ['--issuer-port', '0'], 'dev');

/** `barline dev` with settings that it refuses. */
async function assertDevRefused(settings: Readonly<Record<string, string>>, pattern: RegExp): Promise<void> {
  const env = { BARLINE_RPC_PORT: '0', BARLINE_LOG_LEVEL: 'silent', ...settings };
  const [run] = await runCliBatch([['dev', '--issuer-port', '0']], { home: await newHome(), env });
  assertRefused(run, pattern);
}

/** Two more services want an address of the running one. */
async function assertPortsTaken(origin: string, said: string): Promise<void> {
  const rpcPort = /^gRPC +\S+:(\d+)/m.exec(said)?.[1] ?? assert.fail('says where gRPC is');
  const inUse = (setting: string) =>
    new RegExp(`^barline: port \\d+ is in use; ${setting} sets another \\(listen EADDRINUSE.*:\\d+\\)\\s*$`);
  // The process ends.
  await assert.rejects(startDev({ BARLINE_HTTP_PORT: new URL(origin).port }), { message: inUse('BARLINE_HTTP_PORT') });
  await assertDevRefused(
    { BARLINE_HTTP_PORT: String(await freePort()), BARLINE_RPC_PORT: rpcPort },
    inUse('BARLINE_RPC_PORT'),
  );
}

test('barline dev accepts any name at login, by curl and by redirect, without a network; its ports are taken', async (t) => {
  const service = await startDev({ BARLINE_HTTP_PORT: String(await freePort()) });
  t.after(() => service.kill());
  const issuer = /curl -s (http:\S+)\/id-token/.exec(service.said.join('\n'))?.[1] ?? assert.fail('says how');
  const body = JSON.stringify({ email: 'me@example.com' });
  const token = (await (await fetch(`${issuer}/id-token`, { method: 'POST', headers: json, body })).json()) as {
    id_token: string;
  };
  const login = await fetch(`${service.origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ idp_token: token.id_token }),
  });
  const session = (await login.json()) as { user: { id: string; email: string } };
  assert.equal(session.user.email, 'me@example.com');

  const start = service.said.join('\n').match(/open (\S+) in a browser/)?.[1] ?? assert.fail('says where');
  const begun = await fetch(start, { redirect: 'manual' });
  const cookie = begun.headers
    .getSetCookie()
    .map((set) => set.split(';', 1)[0])
    .join('; ');
  const away = new URL(begun.headers.get('location') ?? '');
  assert.equal(away.origin, issuer);
  away.searchParams.set('login_hint', 'me@example.com');
  const back = (await fetch(away, { redirect: 'manual' })).headers.get('location') ?? '';
  const redirected = await fetch(back, { headers: { cookie } });
  const again = (await redirected.json()) as { user: { id: string } };
  assert.equal(again.user.id, session.user.id);
  await assertPortsTaken(service.origin, service.said.join('\n'));
  assert.equal(await service.terminate(), 0);
});

test('barline dev serves this machine only', async () => {
  await assertDevRefused(
    { BARLINE_HTTP_HOST: '0.0.0.0', BARLINE_HTTP_PORT: String(await freePort()) },
    /^barline: BARLINE_HTTP_HOST must be 127\.0\.0\.1 or localhost for barline dev, was 0\.0\.0\.0\n$/,
  );
});
