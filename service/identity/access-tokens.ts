import { createSecretKey, type KeyObject } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { WallClock } from '../wall-clock.js';
import type { Session } from './records.js';

/** Lifetime of an access token, seconds. */
const ACCESS_TOKEN_S = 3_600;

const SECRET_BYTES_MIN = 32;

/** Distinguishes access tokens from other tokens signed with HS256. */
const TYPE = 'at+jwt';
const PARTY = 'barline';

interface AccessClaims {
  readonly sessionId: string;
  readonly expiresAtMs: number;
}

/**
 * Signs and reads access tokens. A token names a session; the store knows whether that is still
 * open.
 */
export class AccessTokens {
  readonly #key: KeyObject;
  readonly #clock: WallClock;

  /** @param secret at least 32 bytes, the same on all hosts of a deployment */
  constructor(secret: string, clock: WallClock) {
    const bytes = Buffer.from(secret);
    if (bytes.length < SECRET_BYTES_MIN) {
      throw new Error(`secret of access tokens must have at least ${SECRET_BYTES_MIN} bytes, had ${bytes.length}`);
    }
    this.#key = createSecretKey(bytes);
    this.#clock = clock;
  }

  /** A token for an hour, or until the session ends if that is sooner. */
  async mint({ id, userId, expiresAtMs }: Session): Promise<{ readonly token: string; readonly expiresInS: number }> {
    const nowS = Math.floor(this.#clock() / 1000);
    const expiresInS = Math.min(ACCESS_TOKEN_S, Math.max(0, Math.floor(expiresAtMs / 1000) - nowS));
    const token = await new SignJWT({ sid: id })
      .setProtectedHeader({ alg: 'HS256', typ: TYPE })
      .setSubject(userId)
      .setIssuer(PARTY)
      .setAudience(PARTY)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + expiresInS)
      .sign(this.#key);
    return { token, expiresInS };
  }

  /** Null for anything but a valid, unexpired token of this service. */
  async read(token: string): Promise<AccessClaims | null> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        typ: TYPE,
        issuer: PARTY,
        audience: PARTY,
        requiredClaims: ['exp', 'sid'],
        currentDate: new Date(this.#clock()),
      });
      // biome-ignore lint/style/noNonNullAssertion: the verifier requires the claim
      return typeof payload.sid === 'string' ? { sessionId: payload.sid, expiresAtMs: payload.exp! * 1000 } : null;
    } catch {
      // `jose` throws for every defect of a token, and with a local key nothing else can fail.
      return null;
    }
  }
}
