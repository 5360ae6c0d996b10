import assert from 'node:assert/strict';
import test from 'node:test';
import { WebhookSender } from '../../../../service/webhooks/send.js';
import { freePort } from '../../../support/free-port.js';
import { type Receiver, startReceiver } from '../../../support/receiver.js';

let receiver: Receiver;
test.before(async () => {
  receiver = await startReceiver();
});
test.after(() => receiver.stop());

const never = new AbortController().signal;
const send = (sender: WebhookSender, url: string, signal = never) =>
  sender.send({ url, headers: { 'X-Test': 'yes' }, body: '{"a":"é"}' }, signal);

test('a private address is refused in any notation, and nothing is sent', async () => {
  const sender = new WebhookSender({ allowsPrivate: false });
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '169.254.169.254',
    '10.0.0.1',
  ];
  for (const host of hosts) {
    const url = `http://${host}:${receiver.port}/`;
    assert.equal(sender.mayReach(new URL(url)), false, host);
    const { status, error } = await send(sender, url);
    assert.equal(status, null);
    assert.match(error ?? '', / is not at a public address$/, host);
  }
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const named = new WebhookSender({ allowsPrivate: false, resolve });
  const { error } = await send(named, `http://localhost:${receiver.port}/`);
  assert.equal(error, 'localhost is not at a public address', 'without naming the address');
  assert.deepEqual(receiver.received, []);
});

test('a name is refused for any of its addresses', async () => {
  for (const last of ['127.0.0.1', '::1', '169.254.169.254']) {
    const resolve = async () => [
      { address: '1.1.1.1', family: 4 },
      { address: last, family: last.includes(':') ? 6 : 4 },
    ];
    const { error } = await send(new WebhookSender({ allowsPrivate: false, resolve }), 'http://mixed.example/');
    assert.equal(error, 'mixed.example is not at a public address');
  }
});

test('the connection goes to the checked address, once, even if the name resolves to another later', async () => {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return [{ address: asked.length === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }];
  };
  const sender = new WebhookSender({ allowsPrivate: true, resolve });
  const before = receiver.received.length;
  const answer = await send(sender, `http://hooks.example:${receiver.port}/a?b=c`);
  assert.deepEqual(answer, { status: 200, error: null });
  assert.deepEqual(asked, ['hooks.example']);
  const { path, headers, body } = receiver.received[before] ?? assert.fail();
  assert.deepEqual(
    [path, headers.host, headers['x-test'], body],
    ['/a?b=c', `hooks.example:${receiver.port}`, 'yes', '{"a":"é"}'],
  );
});

const local = { allowsPrivate: true };

test('a redirect is a refusal, and is not followed', async () => {
  const before = receiver.received.length;
  for (const status of [301, 302, 303, 307, 308]) {
    const redirecting = await startReceiver((_, response) => {
      response.writeHead(status, { Location: receiver.origin }).end();
    });
    assert.deepEqual(await send(new WebhookSender(local), redirecting.origin), {
      status,
      error: `HTTP ${status}: redirects are not followed`,
    });
    await redirecting.stop();
  }
  assert.equal(receiver.received.length, before);
});

test('a receiver that is silent, disconnects or does not exist has not accepted a delivery', async () => {
  const silent = await startReceiver(() => {});
  const waiting = new WebhookSender({ ...local, timeoutMs: 30 });
  assert.deepEqual(await send(waiting, silent.origin), { status: null, error: 'no answer within 0.03 s' });
  const unresolved = new WebhookSender({ ...local, timeoutMs: 30, resolve: () => new Promise(() => {}) });
  assert.equal((await send(unresolved, 'http://slow.example/')).error, 'no answer within 0.03 s');
  const stopping = new AbortController();
  const listener = await startReceiver(() => {}); // under load the delivery above may never arrive
  const pending = send(new WebhookSender(local), listener.origin, stopping.signal);
  await listener.until(1);
  stopping.abort(new Error('stopped'));
  await assert.rejects(pending, /^Error: stopped$/);
  await silent.stop();
  await listener.stop();
  const rude = await startReceiver((_, response) => response.destroy());
  assert.match((await send(new WebhookSender(local), rude.origin)).error ?? '', /socket hang up|ECONNRESET/);
  await rude.stop();
  const nobody = `http://127.0.0.1:${await freePort()}/`;
  assert.match((await send(new WebhookSender(local), nobody)).error ?? '', /ECONNREFUSED/);
  const nowhere = new WebhookSender({ ...local, resolve: async () => [] });
  assert.equal((await send(nowhere, 'http://none.example/')).error, 'none.example has no address');
});
