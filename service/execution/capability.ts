import { randomUUID } from 'node:crypto';
import type { MarketData } from '../../data/providers/index.js';
import { executionMethods, SqlExecutionStore } from './index.js';
import type { WarningLog } from '../index.js';
import type { Database } from '../state/index.js';
import type { UseCasesOf } from '../use-cases.js';

interface ExecutionParts {
  readonly db: Database;
  readonly market: MarketData;
  readonly clock: () => number;
  readonly onWarnings: WarningLog;
}

/** Execution on paper accounts. */
export const composeExecution = ({ db, market, clock, onWarnings }: ExecutionParts): UseCasesOf<'Execution'> =>
  executionMethods({ store: new SqlExecutionStore(db), market, now: clock, newId: randomUUID, onWarnings });
