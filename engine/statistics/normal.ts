/**
 * Below this distance from 0 the distribution function is approximated around its middle:
 * qnorm(3/4).
 */
const MIDDLE = 0.67448975;
/** From here on the tail is an asymptotic series: sqrt(32). */
const FAR = 5.656854249492381;
const INVERSE_ROOT_TWO_PI = 0.3989422804014327;

/** Coefficients of Cody, highest power first. */
const middleOver = [0.06568233791820745, 2.2352520354606837, 161.02823106855587, 1067.6894854603709, 18154.98125334356];
const middleUnder = [1, 47.20258190468824, 976.0985517377767, 10260.932208618979, 45507.789335026726];
const nearOver = [
  1.0765576773720192e-8, 0.39894151208813466, 8.883149794388375, 93.50665613217785, 597.2702763948002,
  2494.5375852903726, 6848.190450536283, 11602.65143764735, 9842.714838383978,
];
const nearUnder = [
  1, 22.266688044328117, 235.387901782625, 1519.377599407555, 6485.558298266761, 18615.571640885097, 34900.95272114598,
  38912.00328609327, 19685.429676859992,
];
const farOver = [
  0.02307344176494017, 0.215898534057957, 0.1274011611602473, 0.022235277870649807, 0.001421619193227893,
  2.9112874951168793e-5,
];
const farUnder = [
  1, 1.284260096144911, 0.4682382124808651, 0.06598813786892856, 0.0037823963320275824, 7.297515550839662e-5,
];

/**
 * Standard normal distribution function: the probability of a value of at most `x`, with a relative
 * error of about 1e-15 down to x = -37.5, where results become subnormal; 0 from -39 down. The
 * upper tail, 1 less the result, is the value at `-x`. NaN for NaN.
 *
 * Rational approximations of Cody 1969, "Rational Chebyshev approximations for the error function",
 * in the form of his ANORM (Algorithm 715).
 */
export function normalCdf(x: number): number {
  const distance = Math.abs(x);
  if (!(distance > MIDDLE)) {
    const square = x * x;
    return 0.5 + (x * polynomial(middleOver, square)) / polynomial(middleUnder, square);
  }
  const tail = distance < 39 ? tailBeyond(distance) : 0;
  return x < 0 ? tail : 1 - tail;
}

function tailBeyond(distance: number): number {
  let scaled: number;
  if (distance <= FAR) {
    scaled = polynomial(nearOver, distance) / polynomial(nearUnder, distance);
  } else {
    const square = 1 / (distance * distance);
    scaled = (INVERSE_ROOT_TWO_PI - (square * polynomial(farOver, square)) / polynomial(farUnder, square)) / distance;
  }
  // the square in two parts, the first exact, because exp would magnify a rounding error
  const coarse = Math.trunc(distance * 16) / 16;
  const rest = (distance - coarse) * (distance + coarse);
  return Math.exp(-0.5 * coarse * coarse) * Math.exp(-0.5 * rest) * scaled;
}

/** Coefficients of Wichura, highest power first. */
const centralOver = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
  133.14166789178438, 3.3871328727963665,
];
const centralUnder = [
  5226.495278852546, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579,
  42.31333070160091, 1,
];
const outerOver = [
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
  5.769497221460691, 4.630337846156546, 1.4234371107496835,
];
const outerUnder = [
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
  1.6763848301838038, 2.053191626637759, 1,
];
const farthestOver = [
  2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
  1.7848265399172913, 5.463784911164114, 6.657904643501103,
];
const farthestUnder = [
  2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133, 0.014875361290850615,
  0.1369298809227358, 0.599832206555888, 1,
];

/**
 * Inverse of the standard normal distribution function, with a relative error of about 1e-15. For a
 * small upper tail `q` call `-inverseNormalCdf(q)`, because `1 - q` has lost its digits. Minus and
 * plus infinity at 0 and 1, NaN outside.
 *
 * Wichura 1988, Algorithm AS 241, PPND16.
 */
export function inverseNormalCdf(probability: number): number {
  const offset = probability - 0.5;
  if (Math.abs(offset) <= 0.425) {
    const r = 0.180625 - offset * offset;
    return (offset * polynomial(centralOver, r)) / polynomial(centralUnder, r);
  }
  const tail = offset < 0 ? probability : 1 - probability;
  if (!(tail > 0)) return tail === 0 ? Math.sign(offset) * Infinity : NaN;
  const r = Math.sqrt(-Math.log(tail));
  const size =
    r <= 5
      ? polynomial(outerOver, r - 1.6) / polynomial(outerUnder, r - 1.6)
      : polynomial(farthestOver, r - 5) / polynomial(farthestUnder, r - 5);
  return offset < 0 ? -size : size;
}

/** Horner's rule, highest power first. */
function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * x + coefficient;
  return sum;
}
