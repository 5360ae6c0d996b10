import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from '../../data/hashes/index.js';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_DIGITS = 32;
const CHECK_DIGITS = 6;
const SHOWN_DIGITS = 6;

const keyPattern = new RegExp(`^([a-z][a-z0-9]{0,15})_([0-9A-Za-z]{${RANDOM_DIGITS}})([0-9A-Za-z]{${CHECK_DIGITS}})$`);

/**
 * A new key: prefix, 32 random base-62 digits (190 bits), and 6 digits of the CRC-32 over both. The
 * check digits reveal a mistyped or truncated key without a look into the store.
 * @param prefix lower-case letters and digits, without the underscore; clients choose their server
 *   by it
 */
export function newApiKey(prefix: string): { readonly key: string; readonly keyPrefix: string } {
  if (!/^[a-z][a-z0-9]{0,15}$/.test(prefix))
    throw new Error(`prefix of API keys must match [a-z][a-z0-9]*, was ${prefix}`);
  const body = `${prefix}_${randomDigits()}`;
  return { key: body + checkDigits(body), keyPrefix: body.slice(0, prefix.length + 1 + SHOWN_DIGITS) };
}

/** Whether a text could be a key of any server: its form and check digits are valid. */
export function isApiKey(text: string): boolean {
  const match = keyPattern.exec(text);
  return match !== null && checkDigits(`${match[1]}_${match[2]}`) === match[3];
}

/**
 * The stored form of a key or refresh token. One round of SHA-256 without salt suffices here,
 * though not for passwords: slow salted hashes protect guessable secrets, while 190 random bits
 * cannot be guessed even against a fast hash. An unsalted hash can be found through an index.
 */
export const hashOfSecret = (secret: string): string => sha256(secret);

/**
 * Drops bytes from 248 on: 256 is not a multiple of 62, so the first digits would appear more
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
