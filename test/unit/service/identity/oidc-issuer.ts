import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** The claims of a token, and how it is signed. Times are epoch seconds. */
export interface TokenPlan {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: { readonly alg?: string; readonly kid?: string };
  readonly key?: CryptoKey | Uint8Array;
}

/** An issuer over HTTP on a free port that signs any token a test asks for. */
export class TestIssuer {
  readonly url: string;
  readonly publicJwk: JWK;
  readonly #privateKey: CryptoKey;
  readonly #close: () => Promise<void>;
  /** Requests for the keys so far. */
  keyRequests = 0;
  /** Replaces the answer of discovery. */
  discovery: object | null = null;

  private constructor(url: string, publicJwk: JWK, privateKey: CryptoKey, close: () => Promise<void>) {
    this.url = url;
    this.publicJwk = publicJwk;
    this.#privateKey = privateKey;
    this.#close = close;
  }

  static async start(): Promise<TestIssuer> {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { modulusLength: 2048 });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
    const server = createServer((request, response) => {
      const isKeys = request.url === '/keys';
      if (isKeys) issuer.keyRequests++;
      const document = issuer.discovery ?? { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(isKeys ? { keys: [jwk] } : document));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve).unref(); // see receiver.ts
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const issuer = new TestIssuer(url, jwk, privateKey, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return issuer;
  }

  /** A token with the given claims, signed by the published key unless the plan says otherwise. */
  sign({ claims = {}, header = {}, key }: TokenPlan): Promise<string> {
    return new SignJWT({ iss: this.url, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header })
      .sign(key ?? this.#privateKey);
  }

  /** May be called again. */
  close(): Promise<void> {
    return this.#close();
  }
}
