import { resolveConfig } from '../../engine/execution/index.js';
import type { BacktestPlan } from '../../service/backtests/index.js';
import { uuid } from './uuid.js';

/** A plan that uses every field that a store must return unchanged. */
export function planOf(n: number, changes: Partial<BacktestPlan> = {}): BacktestPlan {
  return {
    id: uuid(n),
    userId: uuid(901),
    orgId: uuid(903),
    strategyId: null,
    strategyName: 'snake_case "quoted" 日本',
    sessionId: null,
    asset: 'BTC-USDT',
    interval: '1D',
    baseAsset: 'BTC',
    startMs: Date.UTC(2024, 0, 1),
    endMs: Date.UTC(2024, 1, 1),
    config: resolveConfig({ interval: 86_400_000 }).config,
    request: {
      strategy: { entry: [] },
      asset: 'BTC-USDT',
      interval: '1D',
      window: { start: '2024-01-01' },
      config: {},
    },
    warnings: ['a warning'],
    createdAtMs: 1_000 * n,
    isShared: false,
    isAwaited: false,
    ...changes,
  };
}
