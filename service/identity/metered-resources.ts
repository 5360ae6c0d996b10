/**
 * Resources with a monthly counter; `tokens` are tokens of language models, `defi_pro_calls` the
 * paid DeFi reads.
 */
export const meteredResources = ['backtests', 'api_calls', 'oracle_data_queries', 'tokens', 'defi_pro_calls'] as const;
export type MeteredResource = (typeof meteredResources)[number];

/** Paid DeFi reads of an organization in a month, where a tier does not say otherwise. */
export const DEFI_PRO_CALLS = 1_000;
