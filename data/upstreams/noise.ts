/**
 * Mixes up to four whole numbers into 32 bits that look random: a round of MurmurHash3 for each,
 * with the finaliser of the same.
 */
export function hash32(a: number, b = 0, c = 0, d = 0): number {
  return mixed(mixed(mixed(mixed(0x9e3779b9, a), b), c), d) >>> 0;
}

function mixed(state: number, part: number): number {
  let bits = state ^ part;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** The hash of a text, FNV-1a over its UTF-16 units. */
export function textHash(text: string): number {
  let bits = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) bits = Math.imul(bits ^ text.charCodeAt(i), 0x01000193);
  return hash32(bits);
}

/** Uniform in [0, 1), decided by the parts. */
export const uniform = (a: number, b = 0, c = 0, d = 0): number => hash32(a, b, c, d) / 2 ** 32;

/**
 * Smooth noise in [-1, 1]: a random value at every whole `at`, with an eased curve between them.
 */
export function smoothNoise(seed: number, at: number): number {
  const left = Math.floor(at);
  const part = at - left;
  const eased = part * part * (3 - 2 * part);
  const from = uniform(seed, left);
  return 2 * (from + (uniform(seed, left + 1) - from) * eased) - 1;
}

/** `length` characters of an alphabet, decided by a seed and a number. */
export function noiseText(alphabet: string, length: number, seed: number, number: number): string {
  const base = alphabet.length;
  const perDraw = Math.floor(32 / Math.log2(base)); // digits to this base that 32 bits decide
  let text = '';
  for (let i = 0; i < length; i += perDraw) {
    let bits = hash32(seed, number, i);
    for (let left = Math.min(perDraw, length - i); left > 0; left--) {
      text += alphabet[bits % base];
      bits = Math.floor(bits / base);
    }
  }
  return text;
}
