import { decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { clip } from '../../engine/text.js';
import type { WallClock } from '../wall-clock.js';
import {
  CLOCK_SKEW_MAX_S,
  type IssuerAddress,
  OidcIssuer,
  requireNonce,
  TokenRefused,
  timeChecks,
  toRefusal,
  withSubject,
} from './oidc-issuer.js';
import type { Identity } from './records.js';
import { isEmail, isPlainText } from './refusals.js';

/** An issuer whose users may log in, with the client ids for which its tokens are made. */
export interface LoginIssuer extends IssuerAddress {
  readonly audiences: readonly string[];
}

interface IdTokenSettings {
  readonly issuers: readonly LoginIssuer[];
  /**
   * For development only: a token signed with HS256 and this secret (claims sub, email, name, exp)
   * is accepted for any user. At least 16 characters. If absent, such tokens are refused.
   */
  readonly developmentSecret?: string;
  readonly clock: WallClock;
}

/**
 * Development identities have an issuer of their own, so the secret cannot impersonate users of
 * other issuers.
 */
const DEVELOPMENT_ISSUER = 'development';

const TOKEN_CHARS_MAX = 16_384;
const NAME_CHARS_MAX = 200;
const SECRET_CHARS_MIN = 16;

/** Verifies ID tokens and returns the identity that they name. */
export class IdTokens {
  readonly #issuers: ReadonlyMap<string, { readonly issuer: OidcIssuer; readonly audiences: readonly string[] }>;
  readonly #developmentKey: Uint8Array | null;
  readonly #clock: WallClock;

  constructor({ issuers, developmentSecret, clock }: IdTokenSettings) {
    if (developmentSecret !== undefined && developmentSecret.length < SECRET_CHARS_MIN) {
      throw new Error(`development secret must have at least ${SECRET_CHARS_MIN} characters`);
    }
    this.#issuers = new Map(
      issuers.map((each) => [each.issuer, { issuer: new OidcIssuer(each, clock), audiences: each.audiences }]),
    );
    this.#developmentKey = developmentSecret === undefined ? null : new TextEncoder().encode(developmentSecret);
    this.#clock = clock;
  }

  /**
   * @param nonce what the token must carry, if this server requested it with one
   * @throws TokenRefused; another Error if the issuer's keys cannot be fetched
   */
  async verify(token: string, nonce?: string): Promise<Identity> {
    const { algorithm, issuer } = peek(token);
    if (algorithm === 'HS256' && this.#developmentKey !== null) {
      return identity(await this.#verifyDevelopment(token, this.#developmentKey, nonce), DEVELOPMENT_ISSUER);
    }
    const known = this.#issuers.get(issuer ?? '');
    if (known === undefined) throw new TokenRefused('issuer');
    const checks = { audiences: known.audiences, ...(nonce === undefined ? {} : { nonce }) };
    return identity(await known.issuer.verify(token, checks), known.issuer.issuer);
  }

  async #verifyDevelopment(token: string, key: Uint8Array, nonce: string | undefined) {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], ...timeChecks(this.#clock) });
      requireNonce(payload, nonce);
      return withSubject(payload);
    } catch (error) {
      throw toRefusal(error);
    }
  }
}

/** Reads the unchecked claims that decide who verifies a token. */
function peek(token: string): { readonly algorithm: unknown; readonly issuer: string | undefined } {
  if (token.length > TOKEN_CHARS_MAX) throw new TokenRefused('malformed');
  try {
    return { algorithm: decodeProtectedHeader(token).alg, issuer: decodeJwt(token).iss };
  } catch (error) {
    throw new TokenRefused('malformed', error);
  }
}

/** Refuses an address that its issuer calls unverified, because the allowlist goes by address. */
function identity(claims: JWTPayload & { readonly sub: string }, issuer: string): Identity {
  const { sub: subject, email, name, email_verified: isVerified } = claims;
  if (typeof email !== 'string' || !isEmail(email) || isVerified === false || isVerified === 'false') {
    throw new TokenRefused('claims');
  }
  if (!isPlainText(subject)) throw new TokenRefused('claims');
  const given = typeof name === 'string' && isPlainText(name) ? clip(name.trim(), NAME_CHARS_MAX) : '';
  // biome-ignore lint/style/noNonNullAssertion: a text that is split has a first part
  return { issuer, subject, email: email.toLowerCase(), name: given === '' ? email.split('@')[0]! : given };
}

/**
 * A cloud machine identity and the member that it acts for. Its tokens are sent as they are,
 * without a login.
 */
export interface WorkloadIdentity extends IssuerAddress {
  /** Required `aud`: a value for this server only, not the client id of a login. */
  readonly audience: string;
  /** Required `sub`. */
  readonly subject: string;
  readonly userId: string;
  readonly orgId: string;
  /** Empty means everything that the member's role allows. */
  readonly scopes: readonly string[];
}

interface VerifiedWorkload {
  readonly identity: WorkloadIdentity;
  readonly expiresAtMs: number;
}

/** Finds the workload that a bearer token belongs to. */
export class Workloads {
  readonly #identities: readonly WorkloadIdentity[];
  readonly #issuers: ReadonlyMap<string, OidcIssuer>;

  constructor(identities: readonly WorkloadIdentity[], clock: WallClock) {
    this.#identities = identities;
    this.#issuers = new Map(identities.map((each) => [each.issuer, new OidcIssuer(each, clock)]));
  }

  /**
   * Null for a token of no known workload.
   * @throws Error if the issuer's keys cannot be fetched
   */
  async verify(token: string): Promise<VerifiedWorkload | null> {
    try {
      const issuer = this.#issuers.get(peek(token).issuer ?? '');
      if (issuer === undefined) return null;
      const known = this.#identities.filter((each) => each.issuer === issuer.issuer);
      const claims = await issuer.verify(token, { audiences: known.map(({ audience }) => audience) });
      const identity = known.find(
        ({ subject, audience }) => subject === claims.sub && [claims.aud].flat().includes(audience),
      );
      // biome-ignore lint/style/noNonNullAssertion: the verifier requires the claim
      return identity === undefined ? null : { identity, expiresAtMs: (claims.exp! + CLOCK_SKEW_MAX_S) * 1000 };
    } catch (error) {
      if (error instanceof TokenRefused) return null;
      throw error;
    }
  }
}
