/** Where the paths of each version of the API begin. No other file writes these prefixes. */
export const pathPrefixes = { v1: '/api/v1', v2: '/api/v2', kb: '/kb/api' } as const;
