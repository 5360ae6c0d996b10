import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from '../../data/hashes/index.js';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_DIGITS = 32;
const CHECK_DIGITS = 6;
const SHOWN_DIGITS = 6;

const keyPattern = new RegExp(`^([a-z][a-z0-9]{0,15})_([0-9A-Za-z]{${RANDOM_DIGITS}})([0-9A-Za-z]{${CHECK_DIGITS}})$`);

/**
 * A new key: prefix, 32 random digits of base 62 (190 bits), and the CRC-32 of all that in 6
 * digits, by which a mistyped or cut-off key is told from a real one without asking anybody.
 * @param prefix lower-case letters and digits, without the underscore; clients choose their server
 *   by it
 */
export function newApiKey(prefix: string): { readonly key: string; readonly keyPrefix: string } {
  if (!/^[a-z][a-z0-9]{0,15}$/.test(prefix))
    throw new Error(`prefix of API keys must match [a-z][a-z0-9]*, was ${prefix}`);
  const body = `${prefix}_${randomDigits()}`;
  return { key: body + checkDigits(body), keyPrefix: body.slice(0, prefix.length + 1 + SHOWN_DIGITS) };
}

/** Whether a text can be a key of any server: right in form and in its check digits. */
export function isApiKey(text: string): boolean {
  const match = keyPattern.exec(text);
  return match !== null && checkDigits(`${match[1]}_${match[2]}`) === match[3];
}

/**
 * What is stored of a key or a refresh token. One round of SHA-256 without salt is right for these,
 * and would be wrong for passwords: slow salted hashes protect guessable secrets, and 190 random
 * bits cannot be guessed however fast the hash. An unsalted hash can be looked up by an index.
 */
export const hashOfSecret = (secret: string): string => sha256(secret);

/**
 * Bytes from 248 on are dropped: 256 is no multiple of 62, and the first digits would come up more
 * often.
 */
function randomDigits(): string {
  let digits = '';
  while (digits.length < RANDOM_DIGITS) {
    for (const byte of randomBytes(RANDOM_DIGITS)) {
      if (byte < 248 && digits.length < RANDOM_DIGITS) digits += DIGITS[byte % 62];
    }
  }
  return digits;
}

function checkDigits(text: string): string {
  let digits = '';
  for (let rest = crc32(text), i = 0; i < CHECK_DIGITS; i++, rest = Math.floor(rest / 62)) {
    digits = DIGITS[rest % 62] + digits;
  }
  return digits;
}
