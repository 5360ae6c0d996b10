import { notFound } from '../api-error.js';

const symbolForm = /^[A-Z0-9][A-Z0-9._]{0,31}$/;

/**
 * The symbol of an asset in upper case; `BTC-USD` and `BTC/USDT` name BTC. A perpetual is no asset.
 * @throws ApiError RESOURCE_NOT_FOUND for text that cannot be one
 */
export function readSymbol(text: string): string {
  const upper = text.trim().toUpperCase();
  const [symbol = ''] = upper.split(/[-/]/, 1);
  if (!symbolForm.test(symbol) || upper.endsWith('-PERP')) throw notFound('asset', text);
  return symbol;
}
