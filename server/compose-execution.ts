import { randomUUID } from 'node:crypto';
import type { MarketData } from '../data/providers/index.js';
import { type Database, SqlExecutionStore } from '../data/state/index.js';
import { executionHandlers, type HandlersOf } from '../rpc/index.js';
import type { WarningLog } from '../service/index.js';

interface ExecutionParts {
  readonly db: Database;
  readonly market: MarketData;
  readonly clock: () => number;
  readonly onWarnings: WarningLog;
}

/** Execution on paper accounts. */
export const composeExecution = ({ db, market, clock, onWarnings }: ExecutionParts): HandlersOf<'Execution'> =>
  executionHandlers({ store: new SqlExecutionStore(db), market, now: clock, newId: randomUUID, onWarnings });
