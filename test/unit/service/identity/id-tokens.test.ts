import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after, before } from 'node:test';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { IdTokens, Workloads } from '../../../../service/identity/index.js';
import { DEVELOPMENT_SECRET, developmentToken, SECOND, setUpIdentity, T0 } from '../../../support/identity.js';

/** The claims of a token, and how it is signed. Times are epoch seconds. */
interface TokenPlan {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: { readonly alg?: string; readonly kid?: string };
  readonly key?: CryptoKey | Uint8Array;
}

/** An issuer over HTTP on a free port that signs any token a test asks for. */
async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { modulusLength: 2048 });
  const publicJwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  /** Replaces the answer of discovery. */
  const told: { discovery: object | null } = { discovery: null };
  const server = createServer((request, response) => {
    const document = told.discovery ?? { issuer: url, jwks_uri: `${url}/keys` };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(request.url === '/keys' ? { keys: [publicJwk] } : document));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve).unref(); // see receiver.ts
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(told, {
    url,
    publicJwk,
    /** A token with the given claims, signed by the published key unless the plan says otherwise. */
    sign: ({ claims = {}, header = {}, key }: TokenPlan): Promise<string> =>
      new SignJWT({ iss: url, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header })
        .sign(key ?? privateKey),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
type TestIssuer = Awaited<ReturnType<typeof startIssuer>>;
const nowS = T0 / SECOND;
const good = {
  sub: 'subject',
  aud: 'client',
  iat: nowS,
  exp: nowS + 600,
  email: 'Ann@Example.com',
  name: 'Ann',
  nonce: 'n1',
};

let issuer: TestIssuer;
let other: TestIssuer;
before(async () => {
  [issuer, other] = await Promise.all([startIssuer(), startIssuer()]);
});
after(() => Promise.all([issuer.close(), other.close()]));

const verifier = (developmentSecret?: string) =>
  new IdTokens({
    issuers: [
      { issuer: issuer.url, audiences: ['client', 'app'] },
      { issuer: other.url, audiences: ['elsewhere'] },
    ],
    clock: () => T0,
    ...(developmentSecret === undefined ? {} : { developmentSecret }),
  });

const refused = (reason: string) => ({ name: 'TokenRefused', reason });

test('a token of a configured issuer gives the identity of its subject', async () => {
  const expected = { issuer: issuer.url, subject: 'subject', email: 'ann@example.com', name: 'Ann' };
  assert.deepEqual(await verifier().verify(await issuer.sign({ claims: good }), 'n1'), expected);
  const token = await other.sign({ claims: { ...good, aud: 'elsewhere' } });
  assert.equal((await verifier().verify(token)).issuer, other.url);
});

const faults: readonly (readonly [what: string, reason: string, changes: Readonly<Record<string, unknown>>])[] = [
  ['another audience', 'audience', { aud: 'elsewhere' }],
  ['several audiences and a foreign party', 'audience', { aud: ['client', 'stranger'], azp: 'stranger' }],
  ['an issuer that is not configured', 'issuer', { iss: 'https://stranger.test' }],
  ['an end that is past', 'expired', { exp: nowS - 61 }],
  ['no end', 'claims', { exp: undefined }],
  ['a beginning to come', 'not_yet_valid', { nbf: nowS + 61 }],
  ['another nonce', 'nonce', { nonce: 'n2' }],
  ['no nonce', 'nonce', { nonce: undefined }],
  ['no subject', 'claims', { sub: undefined }],
  ['an address that is none', 'claims', { email: 'ann' }],
  ['an address that was not verified', 'claims', { email_verified: false }],
];

for (const [what, reason, changes] of faults) {
  test(`a token with ${what} is refused because of its ${reason}`, async () => {
    const token = await issuer.sign({ claims: { ...good, ...changes } });
    await assert.rejects(verifier().verify(token, 'n1'), refused(reason));
  });
}

test('several audiences are accepted if the token was made for one of ours', async () => {
  const token = await issuer.sign({ claims: { ...good, aud: ['client', 'stranger'], azp: 'client' } });
  assert.equal((await verifier().verify(token)).subject, 'subject');
});

const forgeries: readonly (readonly [what: string, reason: string, plan: () => Promise<TokenPlan>])[] = [
  ['a key of the forger', 'signature', async () => ({ key: (await generateKeyPair('RS256')).privateKey })],
  ['a key id that was never published', 'key', async () => ({ header: { kid: 'k9' } })],
  [
    'the public key as a shared secret',
    'algorithm',
    async () => {
      const publicKey = await importJWK(issuer.publicJwk, 'RS256', { extractable: true });
      const key = new TextEncoder().encode(await exportSPKI(publicKey as CryptoKey));
      return { header: { alg: 'HS256' }, key };
    },
  ],
];

for (const [what, reason, plan] of forgeries) {
  test(`a token signed with ${what} is refused`, async () => {
    const token = await issuer.sign({ claims: good, ...(await plan()) });
    await assert.rejects(verifier().verify(token), refused(reason));
  });
}

test('a token without a signature is refused', async () => {
  const token = new UnsecuredJWT({ ...good, iss: issuer.url }).encode();
  await assert.rejects(verifier().verify(token), refused('algorithm'));
  await assert.rejects(verifier(DEVELOPMENT_SECRET).verify(token), refused('algorithm'));
});

test('an issuer with a false name, or out of reach, is a failure and no refusal; it may recover', async (t) => {
  const shaky = await startIssuer();
  t.after(() => shaky.close());
  const idTokens = new IdTokens({ issuers: [{ issuer: shaky.url, audiences: ['client'] }], clock: () => T0 });
  const token = await shaky.sign({ claims: good });
  for (const discovery of [{ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }, { issuer: shaky.url }]) {
    shaky.discovery = discovery;
    await assert.rejects(idTokens.verify(token), { name: 'Error', message: /discovery document/ });
  }
  shaky.discovery = null;
  assert.equal((await idTokens.verify(token)).subject, 'subject');
  await shaky.close();
  const later = new IdTokens({ issuers: [{ issuer: shaky.url, audiences: ['client'] }], clock: () => T0 });
  await assert.rejects(later.verify(token), (error: Error) => error.name !== 'TokenRefused');
});

test('an issuer must use https', () => {
  const issuers = [{ issuer: 'http://issuer.test', audiences: ['client'] }];
  assert.throws(() => new IdTokens({ issuers, clock: () => T0 }), /must be https/);
});

test('tokens of the development secret count only where one is configured', async () => {
  const token = await developmentToken('dev@example.com', { exp: nowS + 60 });
  const identity = { issuer: 'development', subject: 'dev@example.com', email: 'dev@example.com', name: 'dev' };
  assert.deepEqual(await verifier(DEVELOPMENT_SECRET).verify(token), identity);
  await assert.rejects(verifier().verify(token), refused('issuer'));
});

test('the development secret cannot speak for users of an issuer', async () => {
  const token = await developmentToken('ann@example.com', { exp: nowS + 60, iss: issuer.url, aud: 'client' });
  assert.equal((await verifier(DEVELOPMENT_SECRET).verify(token)).issuer, 'development');
  await assert.rejects(verifier().verify(token), refused('algorithm'));
});

test('development tokens must be signed by the secret, have an end and carry the requested nonce', async () => {
  const idTokens = verifier(DEVELOPMENT_SECRET);
  const wrong = await developmentToken('a@example.com', { exp: nowS + 60 }, 'another secret of development');
  await assert.rejects(idTokens.verify(wrong), refused('signature'));
  await assert.rejects(idTokens.verify(await developmentToken('a@example.com', {})), refused('claims'));
  await assert.rejects(
    idTokens.verify(await developmentToken('a@example.com', { exp: nowS - 61 })),
    refused('expired'),
  );
  const token = await developmentToken('a@example.com', { exp: nowS + 60, nonce: 'n2' });
  await assert.rejects(idTokens.verify(token, 'n1'), refused('nonce'));
  assert.throws(() => verifier('short'), /at least 16/);
});

test('a workload token counts as it is, for the user and organization it is mapped to', async () => {
  const identity = await setUpIdentity();
  const { id: userId, org_id: orgId } = (await identity.login('robot@example.com')).user;
  const mapped = {
    issuer: issuer.url,
    audience: 'barline',
    subject: 'robot',
    userId,
    orgId,
    scopes: ['strategy:read'],
  };
  const { authenticator } = await setUpIdentity({ workloads: [mapped], store: identity.store });
  const token = await issuer.sign({ claims: { sub: 'robot', aud: 'barline', exp: nowS + 60 } });
  assert.deepEqual(await authenticator.authenticate(`Bearer ${token}`), {
    userId,
    orgId,
    role: 'owner',
    tier: 'local',
    credential: 'workload',
    credentialId: `${issuer.url}#robot`,
    scopes: ['strategy:read'],
  });
});

test('a workload token with another audience, subject, issuer, key or time does not count', async () => {
  const mapped = { issuer: issuer.url, audience: 'barline', subject: 'robot', userId: 'u', orgId: 'o', scopes: [] };
  const workloads = new Workloads([mapped, { ...mapped, audience: 'second', subject: 'other' }], () => T0);
  const claims = { sub: 'robot', aud: 'barline', exp: nowS + 60 };
  assert.deepEqual((await workloads.verify(await issuer.sign({ claims })))?.identity, mapped);
  const { privateKey } = await generateKeyPair('RS256');
  const strangers: TokenPlan[] = [
    { claims: { ...claims, aud: 'client' } },
    { claims: { ...claims, aud: 'second' } },
    { claims: { ...claims, sub: 'stranger' } },
    { claims: { ...claims, iss: other.url } },
    { claims: { ...claims, exp: nowS - 61 } },
    { claims, key: privateKey },
    { claims, header: { kid: 'k9' } },
  ];
  for (const plan of strangers)
    assert.equal(await workloads.verify(await issuer.sign(plan)), null, JSON.stringify(plan));
});
