import { randomUUID } from 'node:crypto';
import type { MarketData } from '../data/providers/index.js';
import { executionMethods, SqlExecutionStore } from '../service/execution/index.js';
import type { WarningLog } from '../service/index.js';
import type { Database } from '../service/state/index.js';
import type { UseCasesOf } from '../service/use-cases.js';

interface ExecutionParts {
  readonly db: Database;
  readonly market: MarketData;
  readonly clock: () => number;
  readonly onWarnings: WarningLog;
}

/** Execution on paper accounts. */
export const composeExecution = ({ db, market, clock, onWarnings }: ExecutionParts): UseCasesOf<'Execution'> =>
  executionMethods({ store: new SqlExecutionStore(db), market, now: clock, newId: randomUUID, onWarnings });
