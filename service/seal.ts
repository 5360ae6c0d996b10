import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts texts so that reading the store does not reveal them without the secret of the server:
 * AES-256-GCM, as nonce, tag, text.
 */
export class Seal {
  readonly #key: Buffer;

  /**
   * @param secret of the server, the same on all hosts of a deployment
   * @param purpose separates the keys: a text sealed for one purpose cannot be opened for another
   */
  constructor(secret: string, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  }

  seal(text: string): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws Error for bytes that were not sealed with this secret for this purpose */
  open(sealed: Uint8Array): string {
    const text = NONCE_BYTES + TAG_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, text));
    return Buffer.concat([decipher.update(sealed.subarray(text)), decipher.final()]).toString('utf8');
  }
}
