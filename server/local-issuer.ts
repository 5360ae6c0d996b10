import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/*
 * An OpenID Connect issuer for the developer's own machine, so that login works offline. It
 * believes every e-mail address, so it listens on the loopback only and runs only if a command
 * starts it. A full provider (oidc-provider is the usual library) would bring sessions, consent,
 * registration and a store for all of them; this login needs only a page, a code and a key.
 */

export interface LocalIssuerSettings {
  /** 0 means any free port. Users belong to an issuer, so another port means other users. */
  readonly port: number;
  readonly clientId: string;
  /** Exact addresses to which codes and tokens may be sent. */
  readonly redirectUris: readonly string[];
  /** Epoch ms. */
  readonly clock: () => number;
}

interface Person {
  readonly email: string;
  readonly name?: string | undefined;
  readonly nonce?: string | undefined;
}

export interface LocalIssuer {
  readonly url: string;
  idToken(person: Person): Promise<string>;
  close(): Promise<void>;
}

interface Code extends Person {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly expiresAtMs: number;
}

const TOKEN_S = 3_600;
const CODE_MS = 60_000;
const CODES_MAX = 1_000;
const BODY_BYTES_MAX = 10_000;
const KEY_ID = 'local';

/** An invalid request; the message is its OAuth error code. */
class Refused extends Error {}

/**
 * Starts the issuer with a newly generated key. Long because its useCases are closures over one key
 * and one table of codes; each of them is short.
 */
export async function startLocalIssuer(settings: LocalIssuerSettings): Promise<LocalIssuer> {
  const { clientId, clock } = settings;
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'ES256', use: 'sig' }] };
  const codes = new Map<string, Code>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (error instanceof Refused) return sendJson(response, 400, { error: error.message });
      return sendJson(response, 500, { error: 'server_error' });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(settings.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const metadata = {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['code', 'id_token'],
    grant_types_supported: ['authorization_code', 'implicit'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
    scopes_supported: ['openid', 'email', 'profile'],
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Guards against DNS rebinding: a foreign page's own host name shows in this header.
    if (!hosts.includes(request.headers.host ?? '')) throw new Refused('invalid_request');
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    switch (`${request.method} ${pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return sendJson(response, 200, metadata);
      case 'GET /jwks':
        return sendJson(response, 200, jwks);
      case 'GET /authorize':
        return authorize(searchParams, response);
      case 'POST /token':
        return sendJson(response, 200, await redeem(new URLSearchParams(await readBody(request))));
      case 'POST /id-token':
        return sendJson(response, 200, { id_token: await idToken(await readPerson(request)), expires_in: TOKEN_S });
      default:
        return sendJson(response, 404, { error: 'not_found' });
    }
  }

  /** Redirects at once if `login_hint` is given, else shows a page that asks for the address. */
  async function authorize(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const redirectUri = query.get('redirect_uri') ?? '';
    if (query.get('client_id') !== clientId || !settings.redirectUris.includes(redirectUri)) {
      throw new Refused('invalid_client'); // no redirect: the address is not trusted
    }
    const email = query.get('login_hint') ?? '';
    if (email === '') return sendPage(response, query, new URL(redirectUri).origin);
    const person = { email: readEmail(email), nonce: query.get('nonce') ?? undefined };
    const given = new URLSearchParams();
    const state = query.get('state');
    if (state !== null) given.set('state', state);
    const target = new URL(redirectUri);
    if (query.get('response_type') === 'id_token') {
      given.set('id_token', await idToken(person));
      target.hash = given.toString();
    } else {
      given.set('code', newCode(person, query, redirectUri));
      target.search = given.toString();
    }
    response.writeHead(302, { Location: target.href, 'Cache-Control': 'no-store' }).end();
  }

  function newCode(person: Person, query: URLSearchParams, redirectUri: string): string {
    const challenge = query.get('code_challenge') ?? '';
    if (challenge === '' || query.get('code_challenge_method') !== 'S256') throw new Refused('invalid_request');
    const [oldest] = codes.keys();
    if (codes.size >= CODES_MAX && oldest !== undefined) codes.delete(oldest);
    const code = randomBytes(32).toString('base64url');
    codes.set(code, { ...person, challenge, redirectUri, expiresAtMs: clock() + CODE_MS });
    return code;
  }

  /** Redeems a code once, for the client that holds the verifier of its challenge. */
  async function redeem(form: URLSearchParams): Promise<object> {
    if (form.get('grant_type') !== 'authorization_code') throw new Refused('unsupported_grant_type');
    const key = form.get('code') ?? '';
    const code = codes.get(key);
    codes.delete(key);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      code !== undefined &&
      clock() < code.expiresAtMs &&
      form.get('client_id') === clientId &&
      form.get('redirect_uri') === code.redirectUri &&
      challenge === code.challenge;
    if (!isGood) throw new Refused('invalid_grant');
    // OAuth requires an access token; nothing here accepts this one.
    const accessToken = randomBytes(32).toString('base64url');
    return { access_token: accessToken, token_type: 'Bearer', expires_in: TOKEN_S, id_token: await idToken(code) };
  }

  function idToken({ email, name, nonce }: Person): Promise<string> {
    const nowS = Math.floor(clock() / 1000);
    const subject = createHash('sha256').update(email).digest('hex').slice(0, 32);
    return new SignJWT({ email, email_verified: true, name: name ?? email.split('@')[0], ...(nonce && { nonce }) })
      .setProtectedHeader({ alg: 'ES256', kid: KEY_ID, typ: 'JWT' })
      .setIssuer(url)
      .setSubject(subject)
      .setAudience(clientId)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + TOKEN_S)
      .sign(privateKey);
  }

  const close = () =>
    new Promise<void>((resolve, reject) => {
      server.close((error) => (error === undefined ? resolve() : reject(error)));
      server.closeAllConnections();
    });
  return { url, idToken: (person) => idToken({ ...person, email: readEmail(person.email) }), close };
}

/** Reads `{email, name?, nonce?}` as JSON. The content type keeps out forms of other pages. */
async function readPerson(request: IncomingMessage): Promise<Person> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) throw new Refused('invalid_request');
  let body: unknown;
  try {
    body = JSON.parse(await readBody(request));
  } catch {
    throw new Refused('invalid_request');
  }
  const { email, name, nonce } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const optional = [name, nonce].map((value) => (typeof value === 'string' ? value : undefined));
  return { email: readEmail(email), name: optional[0], nonce: optional[1] };
}

function readEmail(value: unknown): string {
  if (typeof value === 'string' && value.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(value)) return value.toLowerCase();
  throw new Refused('invalid_request');
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Refused('invalid_request');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

/**
 * A form that repeats the request with an address. `origin` is where the browser is sent
 * afterwards.
 */
function sendPage(response: ServerResponse, query: URLSearchParams, origin: string): void {
  const fields = [...query]
    .filter(([name]) => name !== 'login_hint')
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`);
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; form-action 'self' ${origin}; base-uri 'none'; frame-ancestors 'none'`,
    'Cache-Control': 'no-store',
  });
  response.end(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign in (development)</title></head>
<body><h1>Sign in</h1><p>Development only: any address will do.</p>
<form action="/authorize">${fields.join('')}
<label>E-mail <input type="email" name="login_hint" required autofocus></label> <button>Sign in</button></form></body></html>
`);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
// biome-ignore lint/style/noNonNullAssertion: the pattern matches only keys of the table
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char]!);
