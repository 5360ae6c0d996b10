/** The recipient of the tests; on no chain. */
export const PAY_TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const NETWORK = 'eip155:84532';

/** Settings that switch payments on. */
export const paymentSettings = (facilitatorUrl: string): Readonly<Record<string, string>> => ({
  BARLINE_X402_PAY_TO: PAY_TO,
  BARLINE_X402_NETWORK: NETWORK,
  BARLINE_X402_FACILITATOR: facilitatorUrl,
  BARLINE_X402_TIMEOUT_MS: '500',
});
