import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openBars } from '../../data/bars/index.js';
import { type MarketData, openStoredMarketData } from '../../data/providers/index.js';
import { riskExample } from '../../http/documents/example-bodies.js';
import type { BacktestDeps, EndNotices, SavedStrategy, StrategySource } from '../../service/backtests/index.js';
import { Slot } from '../../service/backtests/index.js';
import type { Caller } from '../../service/caller.js';
import { inThisThread } from '../../workers/index.js';
import { memoryBacktestStore } from './backtest-store.js';
import { root } from './tree.js';

export const bundledStore = openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') });
/** One for a whole file of tests, so that series are read once. */
export const bundledMarket: MarketData = openStoredMarketData(bundledStore);

export const callerOf = (userId: string): Caller => ({
  userId,
  orgId: `org of ${userId}`,
  role: 'member',
  tier: 'free',
  credential: 'session',
  credentialId: 'session',
  scopes: [],
});

export interface SavedByUser extends SavedStrategy {
  readonly userId: string;
}

export const strategySource = (saved: Readonly<Record<string, SavedByUser>>): StrategySource => ({
  find: async ({ userId }, id) => (saved[id]?.userId === userId ? saved[id] : null),
});

/** Notices within one process. */
export function noticesHere(): EndNotices {
  const hearers = new Set<(id: string) => void>();
  return {
    async tell(id) {
      for (const hear of hearers) hear(id);
    },
    async hear(onEnd) {
      hearers.add(onEnd);
      return () => void hearers.delete(onEnd);
    },
  };
}

/**
 * Use cases over the bundled bars and a store in memory. Errors that only a log would show go to
 * `internalErrors`.
 */
export function backtestDeps(
  changes: Partial<BacktestDeps> = {},
): BacktestDeps & { readonly internalErrors: unknown[] } {
  const internalErrors: unknown[] = [];
  let nowMs = Date.UTC(2026, 0, 1);
  return {
    market: bundledMarket,
    engine: inThisThread,
    slot: new Slot(),
    store: memoryBacktestStore(),
    strategies: strategySource({}),
    queueLimits: { ofOrganization: 1_000, ofAll: 10_000 },
    admit: async () => {},
    engineVersion: '0.0.0-test',
    tries: { add: async () => {} },
    nowMs: () => (nowMs += 1_000),
    newId: randomUUID,
    onQueued: () => {},
    endNotices: noticesHere(),
    onInternalError: (error) => internalErrors.push(error),
    internalErrors,
    ...changes,
  };
}

const rule = (name: string, signal_type: string, params: object, timeframe = '1d') => ({
  name,
  signal_type,
  timeframe,
  params,
});

/** Trades a few times a year on daily bars. */
export const dipStrategy = {
  name: 'Dip buyer',
  asset: 'BTC',
  entry: [rule('rsi_oversold', 'TRIGGER', { window: 7, threshold: 45 })],
  exit: [rule('rsi_overbought', 'TRIGGER', { window: 7, threshold: 60 })],
};

/** Every field that a synchronous run requires. */
export const riskFields = riskExample;

export const runBody = {
  ...riskFields,
  asset: 'BTC',
  interval: '1d',
  strategy_json: JSON.stringify(dipStrategy),
  start_date: '2023-01-01',
  end_date: '2023-12-31',
};

/** A body without some of its fields; `runBody` by default. */
export const without = (names: readonly string[], body: object = runBody) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
