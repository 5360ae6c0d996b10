import type { ExecutionStore } from '../../data/state/index.js';
import type { WarningLog } from '../setting-warnings.js';
import type { MarketData } from './market.js';

/** What the use cases of execution work with. */
export interface ExecutionServices {
  readonly store: ExecutionStore;
  readonly market: MarketData;
  /**
   * The clock on the wall, epoch ms: when rows were made. What "now" is on the market is the
   * market's to say.
   */
  readonly now: () => number;
  /** A UUID that nobody has yet. */
  readonly newId: () => string;
  /** Told of the warnings of an evaluation, once. */
  readonly onWarnings?: WarningLog;
}
