import type { WarningLog } from '../setting-warnings.js';
import type { MarketData } from './market.js';
import type { SqlExecutionStore } from './store.js';

/** What the use cases of execution need. */
export interface ExecutionServices {
  readonly store: SqlExecutionStore;
  readonly market: MarketData;
  /** The system clock in epoch ms, for the times of rows. Market time comes from `market`. */
  readonly now: () => number;
  /** Returns a new UUID. */
  readonly newId: () => string;
  /** Called with the warnings of an evaluation, once. */
  readonly onWarnings?: WarningLog;
}
