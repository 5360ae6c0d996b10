import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { SignIn } from '../../../../service/identity/records.js';
import { SqlIdentityStore } from '../../../../service/identity/store.js';
import type { State } from '../../../../service/state/index.js';
import { onEachStore } from '../../../support/backends.js';

const T0 = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;

const signIn = (subject: string, changes: Partial<SignIn> = {}): SignIn => ({
  identity: { issuer: 'https://issuer.test', subject, email: `${subject}@example.com`, name: subject },
  tier: 'local',
  refreshHash: randomUUID(),
  atMs: T0,
  expiresAtMs: T0 + 30 * DAY,
  ...changes,
});

const person = () => `person-${randomUUID()}`;

const identitiesIn = ({ db }: State) => new SqlIdentityStore(db);

/** They share a store: each test creates its own users. */
onEachStore('identities', identitiesIn, (check, checkBoth) => {
  check('a later login finds the user, adopts the new e-mail address and keeps name and tier', async (store) => {
    const subject = person();
    const first = await store.signIn(signIn(subject));
    await store.renameUser(first.principal.user.id, 'Chosen');
    const identity = { issuer: 'https://issuer.test', subject, email: 'new@example.com', name: 'Other' };
    const again = await store.signIn(signIn(subject, { identity, tier: 'pro', atMs: T0 + DAY }));
    assert.deepEqual(again.principal.user, { ...first.principal.user, email: 'new@example.com', name: 'Chosen' });
    assert.deepEqual(again.principal.organization, first.principal.organization);
    assert.notEqual(again.session.id, first.session.id);
  });

  check('the same subject of another issuer, and the same address, are another user', async (store) => {
    const request = signIn(person());
    const one = await store.signIn(request);
    const identity = { ...request.identity, issuer: 'https://other.test' };
    const other = await store.signIn(signIn('', { identity }));
    assert.notEqual(other.principal.user.id, one.principal.user.id);
    assert.notEqual(other.principal.organization.id, one.principal.organization.id);
  });

  checkBoth('concurrent first logins create one user with one organization', async (store) => {
    const subject = person();
    const logins = await Promise.all(Array.from({ length: 8 }, () => store.signIn(signIn(subject))));
    assert.equal(new Set(logins.map(({ principal }) => principal.user.id)).size, 1);
    assert.equal(new Set(logins.map(({ principal }) => principal.organization.id)).size, 1);
    assert.equal(new Set(logins.map(({ session }) => session.id)).size, 8);
    assert.equal((await store.listMembers(logins[0].principal.organization.id)).length, 1);
  });

  check('a session moves only to an organization of its user', async (store) => {
    const host = await store.signIn(signIn(person()));
    const guest = await store.signIn(signIn(person()));
    const orgId = host.principal.organization.id;
    assert.equal(await store.moveSession(guest.session.id, orgId), null);
    assert.equal((await store.findSession(guest.session.id))?.credential.orgId, guest.principal.organization.id);
    const userId = guest.principal.user.id;
    await store.addMember({ orgId, userId, role: 'viewer', invitedBy: host.principal.user.id, atMs: T0 });
    const moved = await store.moveSession(guest.session.id, orgId);
    assert.equal(moved?.role, 'viewer');
    assert.deepEqual(moved?.organization, host.principal.organization);
    assert.deepEqual((await store.findSession(guest.session.id))?.principal, moved);
    assert.equal(await store.moveSession(randomUUID(), orgId), null);
  });

  const mint = (store: SqlIdentityStore, userId: string, orgId: string, hash: string, createdAtMs = T0) =>
    store.addApiKey(
      {
        userId,
        orgId,
        name: 'ci',
        keyPrefix: 'local_abcdef',
        scopes: ['strategy:read', 'odd "scope", {}'],
        mintedAs: 'admin',
        createdAtMs,
        expiresAtMs: null,
      },
      hash,
    );

  check('a key is revoked once, by its owner only', async (store) => {
    const { principal } = await store.signIn(signIn(person()));
    const [userId, orgId] = [principal.user.id, principal.organization.id];
    const hash = randomUUID();
    const key = await mint(store, userId, orgId, hash);
    assert.equal(await store.revokeApiKey(randomUUID(), orgId, key.id, T0), null);
    assert.equal(await store.revokeApiKey(userId, randomUUID(), key.id, T0), null);
    assert.equal(await store.revokeApiKey(userId, orgId, randomUUID(), T0), null);
    assert.equal((await store.findApiKeyByHash(hash))?.credential.revokedAtMs, null);
    assert.deepEqual(await store.revokeApiKey(userId, orgId, key.id, T0 + 3), { ...key, revokedAtMs: T0 + 3 });
    assert.deepEqual(await store.revokeApiKey(userId, orgId, key.id, T0 + 8), { ...key, revokedAtMs: T0 + 3 });
    assert.equal((await store.findApiKeyByHash(hash))?.credential.revokedAtMs, T0 + 3);
  });

  check('roles change, but only owners change owners, and the last owner stays', async (store) => {
    const host = await store.signIn(signIn(person()));
    const guest = await store.signIn(signIn(person()));
    const orgId = host.principal.organization.id;
    const [hostId, guestId] = [host.principal.user.id, guest.principal.user.id];
    await store.addMember({ orgId, userId: guestId, role: 'member', invitedBy: hostId, atMs: T0 });
    const change = (userId: string, role: 'owner' | 'viewer', mayTouchOwners: boolean) =>
      store.changeRole({ orgId, userId, role, mayTouchOwners });
    assert.equal((await change(randomUUID(), 'viewer', true)).outcome, 'unknown');
    assert.equal((await change(hostId, 'viewer', false)).outcome, 'protected');
    assert.equal((await change(hostId, 'viewer', true)).outcome, 'last_owner');
    assert.equal((await change(hostId, 'owner', true)).outcome, 'done');
    assert.equal((await change(guestId, 'viewer', false)).outcome, 'done');
    assert.equal((await store.findPrincipal(guestId, orgId))?.role, 'viewer');
    assert.equal((await change(guestId, 'owner', true)).outcome, 'done');
    assert.equal((await change(hostId, 'viewer', true)).outcome, 'done');
    assert.equal((await store.findPrincipal(hostId, orgId))?.role, 'viewer');
  });

  checkBoth('two owners who leave at once do not leave an organization without one', async (store) => {
    const host = await store.signIn(signIn(person()));
    const guest = await store.signIn(signIn(person()));
    const orgId = host.principal.organization.id;
    const ids = [host.principal.user.id, guest.principal.user.id];
    await store.addMember({ orgId, userId: ids[1], role: 'owner', invitedBy: ids[0], atMs: T0 });
    const leaving = ids.map((userId) => store.removeMember({ orgId, userId, mayTouchOwners: true }));
    const outcomes = (await Promise.all(leaving)).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes.sort(), ['done', 'last_owner']);
    assert.equal((await store.listMembers(orgId)).length, 1);
  });
});
