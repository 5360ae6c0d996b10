import { isoTime } from '../engine/series/index.js';
import { SqlPaymentStore } from '../service/payments/index.js';
import type { ServiceConfig } from '../service/settings/index.js';
import { openState } from '../service/state/index.js';
import { requireDatabase } from './servers.js';

export interface LedgerOptions {
  /** Most payments to list. */
  readonly limit: number;
  readonly onlyUnsettled: boolean;
}

/**
 * Reads the ledger of payments in the store of this machine, newest first, with its sums over all
 * time. No server may have the store open, unless it is a PostgreSQL server.
 */
export async function readLedger(config: ServiceConfig, { limit, onlyUnsettled }: LedgerOptions) {
  await requireDatabase(config);
  const state = await openState({ home: config.BARLINE_HOME, databaseUrl: config.DATABASE_URL });
  try {
    const store = new SqlPaymentStore(state.db);
    const payments = (await store.list(limit, onlyUnsettled)).map(
      ({ createdAtMs, settledAtMs, lastError: last_error, ...row }) => ({
        created_at: isoTime(createdAtMs),
        ...row,
        last_error,
        settled_at: settledAtMs === null ? null : isoTime(settledAtMs),
      }),
    );
    return { payments, totals: await store.totals(0, Number.MAX_SAFE_INTEGER) };
  } finally {
    await state.close();
  }
}
