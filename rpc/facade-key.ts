import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * Proves to the gRPC server that an address comes from a REST facade that knows its secret, so no
 * other client can name one. The proof covers the address: a reader of the network can claim that
 * address and no other.
 */
export class FacadeKey {
  readonly #key: Buffer;

  /** @param secret that the facade and the server share */
  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'addresses of clients', 32));
  }

  /** The address with its proof, as metadata. */
  sign(address: string): string {
    return `${address} ${this.#proof(address).toString('base64url')}`;
  }

  /** The address that a facade signed; null for anything else. */
  read(signed: string): string | null {
    const [address = '', text = ''] = signed.split(' ');
    const proof = Buffer.from(text, 'base64url');
    const expected = this.#proof(address);
    return proof.length === expected.length && timingSafeEqual(proof, expected) ? address : null;
  }

  #proof(address: string): Buffer {
    return createHmac('sha256', this.#key).update(address).digest();
  }
}
