import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, errors as jose, jwtVerify } from 'jose';
import type { WallClock } from '../wall-clock.js';

/** Most seconds that the clock of an issuer may differ from ours, either way. */
export const CLOCK_SKEW_MAX_S = 60;

/** Longest wait for an answer of an issuer. */
const ISSUER_ANSWER_MS_MAX = 5_000;
const DISCOVERY_BYTES_MAX = 100_000;

/**
 * Only signatures by a private key: an attacker can sign with the public key as an HMAC secret, or
 * without a key.
 */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Why a token was refused. For logs and tests only: callers do not learn the reason. */
type RefusalReason =
  | 'malformed'
  | 'algorithm'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'not_yet_valid'
  | 'nonce'
  | 'key'
  | 'signature'
  | 'claims';

export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';

  constructor(
    readonly reason: RefusalReason,
    cause?: unknown,
  ) {
    super(`token refused: ${reason}`, { cause });
  }
}

export interface IssuerAddress {
  /** Exactly as in the `iss` claim. Plain http is allowed only on this machine. */
  readonly issuer: string;
  /** Address of the keys; by default the discovery document names it. */
  readonly jwksUri?: string;
}

interface TokenChecks {
  /** The `aud` claim must have one of them. */
  readonly audiences: readonly string[];
  readonly nonce?: string;
}

/** An OpenID Connect issuer, known by its discovery document and its published keys. */
export class OidcIssuer {
  readonly #address: IssuerAddress;
  readonly #clock: WallClock;
  #keys: Promise<JWTVerifyGetKey> | null = null;

  /** @throws Error for an address that is neither https nor on this machine */
  constructor(address: IssuerAddress, clock: WallClock) {
    requireSafeUrl(address.issuer);
    if (address.jwksUri !== undefined) requireSafeUrl(address.jwksUri);
    this.#address = address;
    this.#clock = clock;
  }

  get issuer(): string {
    return this.#address.issuer;
  }

  /**
   * The claims of a token that this issuer signed for one of `audiences`. The token is valid now
   * and has a subject.
   * @throws TokenRefused; another Error if the issuer's keys cannot be fetched
   */
  async verify(token: string, { audiences, nonce }: TokenChecks): Promise<JWTPayload & { readonly sub: string }> {
    const keys = await this.#openKeys();
    let claims: JWTPayload;
    try {
      const options = { issuer: this.issuer, audience: [...audiences], algorithms, ...timeChecks(this.#clock) };
      claims = (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      throw toRefusal(error);
    }
    requireParty(claims, audiences);
    requireNonce(claims, nonce);
    return withSubject(claims);
  }

  /**
   * Fetched on first use and shared by all that wait. A failure is not kept, so the next token
   * tries again.
   */
  #openKeys(): Promise<JWTVerifyGetKey> {
    this.#keys ??= this.#locateKeys().then(
      (url) => createRemoteJWKSet(new URL(url), { timeoutDuration: ISSUER_ANSWER_MS_MAX }),
      (error) => {
        this.#keys = null;
        throw error;
      },
    );
    return this.#keys;
  }

  async #locateKeys(): Promise<string> {
    if (this.#address.jwksUri !== undefined) return this.#address.jwksUri;
    const response = await fetch(`${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal: AbortSignal.timeout(ISSUER_ANSWER_MS_MAX),
    });
    const text = await response.text();
    if (!response.ok || text.length > DISCOVERY_BYTES_MAX) throw new Error(`no discovery document at ${this.issuer}`);
    const document = JSON.parse(text) as { readonly issuer?: unknown; readonly jwks_uri?: unknown };
    if (document.issuer !== this.issuer || typeof document.jwks_uri !== 'string') {
      throw new Error(`the discovery document at ${this.issuer} names issuer ${String(document.issuer)}`);
    }
    requireSafeUrl(document.jwks_uri);
    return document.jwks_uri;
  }
}

export const timeChecks = (clock: WallClock) => ({
  clockTolerance: CLOCK_SKEW_MAX_S,
  currentDate: new Date(clock()),
  requiredClaims: ['exp', 'sub'],
});

export function withSubject(claims: JWTPayload): JWTPayload & { readonly sub: string } {
  const { sub } = claims;
  if (typeof sub !== 'string' || sub.length < 1 || sub.length > 255) throw new TokenRefused('claims');
  return { ...claims, sub };
}

export function requireNonce(claims: JWTPayload, nonce: string | undefined): void {
  if (nonce !== undefined && claims.nonce !== nonce) throw new TokenRefused('nonce');
}

/**
 * A token for several audiences names the party it was issued to, which must be one of ours too.
 */
function requireParty(claims: JWTPayload, audiences: readonly string[]): void {
  if (!Array.isArray(claims.aud) || claims.aud.length < 2) return;
  if (typeof claims.azp !== 'string' || !audiences.includes(claims.azp)) throw new TokenRefused('audience');
}

const byClaim: Readonly<Record<string, RefusalReason>> = { iss: 'issuer', aud: 'audience', nbf: 'not_yet_valid' };

/**
 * The refusal that an error of jose means; an error that is not about the token is returned
 * unchanged.
 */
export function toRefusal(error: unknown): unknown {
  if (error instanceof jose.JWTExpired) return new TokenRefused('expired', error);
  if (error instanceof jose.JWTClaimValidationFailed) return new TokenRefused(byClaim[error.claim] ?? 'claims', error);
  if (error instanceof jose.JWSSignatureVerificationFailed) return new TokenRefused('signature', error);
  if (error instanceof jose.JOSEAlgNotAllowed || error instanceof jose.JOSENotSupported) {
    return new TokenRefused('algorithm', error);
  }
  if (error instanceof jose.JWKSNoMatchingKey || error instanceof jose.JWKSMultipleMatchingKeys) {
    return new TokenRefused('key', error);
  }
  if (error instanceof jose.JWSInvalid || error instanceof jose.JWTInvalid) return new TokenRefused('malformed', error);
  return error;
}

export const isLoopback = ({ hostname }: URL): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);

function requireSafeUrl(text: string): void {
  const url = new URL(text);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) return;
  throw new Error(`issuer address must be https, or http on this machine, was ${text}`);
}
