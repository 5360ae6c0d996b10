import assert from 'node:assert/strict';
import test from 'node:test';
import { contract } from '../../support/contract.js';
import { goodBody } from '../../support/good-bodies.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { assertRefused } from '../../support/refusals.js';

let receiver: Receiver;
test.before(async () => {
  receiver = await startReceiver();
});
test.after(() => receiver.stop());

contract(
  'a webhook is created, read, given another secret and deleted; its secret is shown once',
  async ({ api, other }) => {
    const request = {
      url: `${receiver.origin}/x?y=1`,
      events: ['backtest.failed', 'backtest.failed'],
      description: 'mine',
    };
    const { body: made } = await api.call('Webhooks.Create', request);
    assert.match(made.secret, /^whsec_[\w-]{43}$/);
    const { id, created_at, created_by, ...rest } = made.webhook;
    assert.equal(created_by, (await api.call('Auth.GetProfile')).body.id);
    assert.deepEqual(rest, { url: request.url, events: ['backtest.failed'], description: 'mine' });
    const { body: second } = await api.call('Webhooks.Create', { url: receiver.origin });
    assert.deepEqual([second.webhook.events, second.webhook.description], [['*'], null]);
    const { body: list } = await api.call('Webhooks.List');
    assert.deepEqual(new Set(list.webhooks.map((each: { id: string }) => each.id)), new Set([id, second.webhook.id]));
    assert.equal(list.total, 2);
    assert.equal((await other.call('Webhooks.List')).body.total, 0);
    const { body: read } = await api.call('Webhooks.Get', { id });
    assert.deepEqual(read.webhook, made.webhook);
    assert.ok(!JSON.stringify([list, read]).includes('secret'));
    const { body: rotated } = await api.call('Webhooks.Rotate', { id });
    assert.match(rotated.secret, /^whsec_/);
    assert.notEqual(rotated.secret, made.secret);
    assert.equal((await api.call('Webhooks.Delete', { id })).code, 'OK');
    assert.equal((await api.call('Webhooks.Delete', { id })).code, 'RESOURCE_NOT_FOUND');
    assert.equal((await api.call('Webhooks.List')).body.total, 1);
  },
);

contract("removing a member removes that member's webhooks and no others", async ({ api, other }) => {
  const { org_id: id } = (await api.call('Auth.GetProfile')).body;
  const guest = (await other.call('Auth.GetProfile')).body;
  const { webhook: elsewhere } = (await other.call('Webhooks.Create', { url: receiver.origin })).body;
  await api.call('Auth.AddMember', { id, user_id: guest.id, role: 'admin' });
  await other.call('Auth.SwitchOrganization', { org_id: id });
  await other.call('Webhooks.Create', { url: receiver.origin });
  const own = (await api.call('Webhooks.Create', { url: receiver.origin })).body.webhook;
  await api.call('Auth.ChangeRole', { id, user_id: guest.id, role: 'member' });
  assert.equal((await api.call('Webhooks.List')).body.total, 2);
  await api.call('Auth.AddMember', { id: guest.org_id, user_id: own.created_by, role: 'viewer' });
  assert.equal((await api.call('Auth.RemoveMember', { id, user_id: guest.id })).code, 'OK');
  assert.deepEqual((await api.call('Webhooks.List')).body.webhooks, [own]);
  assert.notEqual(elsewhere.id, own.id);
});

contract('an invalid webhook is refused with field, bound and value', async ({ api }) => {
  for (const [request, code, message] of [
    [{}, 'MISSING_FIELD', /url/],
    [{ url: 'ftp://example.com/' }, 'INVALID_FIELD', /^url must be an http/],
    [{ url: 'https://user:word@example.com/' }, 'INVALID_FIELD', /^url must not contain/],
    [
      { url: receiver.origin, events: ['backtest.begun'] },
      'INVALID_FIELD',
      /^events must be among .*"backtest.begun"$/,
    ],
  ] as const) {
    assertRefused(await api.call('Webhooks.Create', request), code, message);
  }
});

contract('a test and the end of a submitted run are delivered and logged', async ({ api }) => {
  const path = '/tested';
  const own = () => receiver.received.filter((each) => each.path === path);
  const { id } = (await api.call('Webhooks.Create', { url: `${receiver.origin}${path}` })).body.webhook;
  const { body: queued } = await api.call('Webhooks.Test', { id });
  assert.deepEqual(
    [queued.delivery.type, queued.delivery.status, queued.delivery.attempts],
    ['webhook.test', 'pending', 0],
  );
  assert.deepEqual(queued.delivery.payload.data, { webhook_id: id });
  const { body: run } = await api.call('Backtests.Submit', goodBody('Backtests.Submit'));
  const until = receiver.received.length;
  for (let count = until; own().length < 2; count++) await receiver.until(count);
  const ended = own().find(({ headers }) => headers['x-barline-event'] !== 'webhook.test');
  const event = JSON.parse(ended?.body ?? '{}');
  assert.deepEqual([event.type, event.id], ['backtest.completed', `backtest.completed:${run.backtest_id}`]);
  assert.equal(event.data.backtest_id, run.backtest_id);
  const settled = async () => {
    for (;;) {
      const { body } = await api.call('Webhooks.ListDeliveries', { id, status: 'delivered' });
      if (body.total === 2) return;
    }
  };
  await settled();
  const { body: log } = await api.call('Webhooks.ListDeliveries', { id, limit: 1, offset: 1 });
  assert.deepEqual([log.deliveries.length, log.total, log.deliveries[0].id], [1, 2, queued.delivery.id]);
  assert.equal((await api.call('Webhooks.ListDeliveries', { id, status: 'failed' })).body.total, 0);
});
