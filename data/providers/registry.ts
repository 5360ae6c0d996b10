import { openCcxt } from './ccxt.js';
import type { OpenProvider } from './provider.js';

/** The sources of bars, by provider name. A provider loads its library when it is opened. */
export const providers = {
  ccxt: openCcxt,
} as const satisfies Readonly<Record<string, OpenProvider>>;

export type ProviderName = keyof typeof providers;
