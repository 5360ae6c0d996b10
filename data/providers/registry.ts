import { openCcxt } from './ccxt.js';
import type { OpenProvider } from './provider.js';

/**
 * Where bars can be fetched from, by the name of the provider. A library is loaded when its
 * provider is opened.
 */
export const providers = {
  ccxt: openCcxt,
} as const satisfies Readonly<Record<string, OpenProvider>>;

export type ProviderName = keyof typeof providers;
