import type { WallClock } from '../wall-clock.js';
import { peek } from './id-tokens.js';
import { CLOCK_SKEW_MAX_S, type IssuerAddress, OidcIssuer, TokenRefused } from './oidc-issuer.js';

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
