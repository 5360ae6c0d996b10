import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sharedEndNotices } from '../../service/backtests/execute.js';
import type {
  BacktestContent,
  BacktestDeps,
  EndNotices,
  SavedStrategy,
  StrategySource,
} from '../../service/backtests/index.js';
import { Slot } from '../../service/backtests/index.js';
import { SqlBacktestStore } from '../../service/backtests/store.js';
import { SqlHeldOutDays } from '../../service/experiments/held-out.js';
import { inThisThread } from '../../workers/index.js';
import { bundledMarket } from './backtests.js';
import { emptyState } from './shared-state.js';

export interface SavedByUser extends SavedStrategy {
  readonly userId: string;
}

export const strategySource = (saved: Readonly<Record<string, SavedByUser>>): StrategySource => ({
  find: async ({ userId }, id) => (saved[id]?.userId === userId ? saved[id] : null),
});

/** One for the process, since it never stops to listen. */
let endNotices: EndNotices | null = null;

/**
 * Use cases over the bundled bars and the emptied store of this process, so a test has one at a
 * time. Errors that only a log would show go to `internalErrors`.
 */
export async function backtestDeps(
  changes: Partial<BacktestDeps> = {},
): Promise<BacktestDeps & { readonly internalErrors: unknown[] }> {
  const internalErrors: unknown[] = [];
  const state = await emptyState();
  let nowMs = Date.UTC(2026, 0, 1);
  endNotices ??= sharedEndNotices(state, (error) => assert.fail(String(error)));
  return {
    market: bundledMarket,
    engine: inThisThread,
    slot: new Slot(),
    store: new SqlBacktestStore<BacktestContent>(state.db),
    strategies: strategySource({}),
    queueLimits: { ofOrganization: 1_000, ofAll: 10_000 },
    admit: async () => {},
    engineVersion: '0.0.0-test',
    tries: { add: async () => {} },
    heldOut: (orgId) => new SqlHeldOutDays(state.db, orgId),
    nowMs: () => (nowMs += 1_000),
    newId: randomUUID,
    onQueued: () => {},
    endNotices,
    onInternalError: (error) => internalErrors.push(error),
    internalErrors,
    ...changes,
  };
}
