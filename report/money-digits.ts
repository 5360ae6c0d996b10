const MONEY_DIGITS_MAX = 12;

/**
 * Decimals of an amount of money in any currency: two, and below a tenth as many as show three
 * significant digits, so that an account in bitcoin has figures too.
 */
export function moneyDigits(value: number): number {
  const size = Math.abs(value);
  if (!(size > 0 && size < 0.1)) return 2;
  const shown = Number(size.toPrecision(3));
  let digits = 2;
  while (digits < MONEY_DIGITS_MAX && Number(shown.toFixed(digits)) !== shown) digits++;
  return digits;
}
