import type { ServiceConfig } from './config.js';
import type { LedgerOptions } from './ledger.js';

export { columnSourcesOf } from './compose-columns.js';
export { type ListedSetting, listSettings, readServiceConfig, type ServiceConfig } from './config.js';
export { type LiveProvider, liveProviders } from './live-providers.js';
export { startLocalIssuer } from './local-issuer.js';
export { runService } from './run.js';
export { type RunningService, type ServicePart, serviceParts } from './start.js';

/** Reads the ledger of payments; see `ledger.ts`. */
export async function readLedger(config: ServiceConfig, options: LedgerOptions) {
  return (await import('./ledger.js')).readLedger(config, options);
}

/**
 * Creates an API key in the store of this machine. No server may have the store open. It imports
 * the store on demand, because the service loads that code in parallel with other work.
 */
export async function makeOperatorKey(config: ServiceConfig, email: string, name: string): Promise<string> {
  const { openState } = await import('../data/state/index.js');
  const { mintOperatorKey } = await import('./operator-key.js');
  const state = await openState({ home: config.BARLINE_HOME, databaseUrl: config.DATABASE_URL });
  try {
    return (await mintOperatorKey(state, config, email, name)).key;
  } finally {
    await state.close();
  }
}
