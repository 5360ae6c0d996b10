import type { ExecutionConfig } from './config.js';
import { type FullConfig, fullConfig } from './full-config.js';
import { type PositionFieldName, usedPositionFields } from './position-fields.js';

/** When a setting is read, in words and of a config. Settings that are always read have no line. */
type ReadWhen = readonly [words: string, isRead: (config: FullConfig) => boolean];

const withOrders: ReadWhen = ['entry_order limit or stop', ({ entry_order }) => entry_order !== 'market'];

const readWhen: Partial<Readonly<Record<PositionFieldName, ReadWhen>>> = {
  trailing_distance: ['stop_order', ({ stop_order }) => stop_order],
  trailing_start: ['trailing_distance', ({ trailing_distance }) => trailing_distance !== null],
  break_even_at: ['stop_order', ({ stop_order }) => stop_order],
  break_even_offset_pct: ['break_even_at', ({ break_even_at }) => break_even_at !== null],
  fixed_target_pct: ['target_calculation fixed', ({ target_calculation }) => target_calculation === 'fixed'],
  target_schedule: ['target_calculation schedule', ({ target_calculation }) => target_calculation === 'schedule'],
  target_order: [
    'a target or scale_out',
    ({ target_calculation, scale_out }) => target_calculation !== 'none' || scale_out !== null,
  ],
  maker_fee_pct: [
    'target_order limit or entry_order limit',
    ({ target_order, entry_order }) => target_order === 'limit' || entry_order === 'limit',
  ],
  entry_offset_pct: withOrders,
  entry_offset_atr: withOrders,
  entry_valid_bars: withOrders,
  trade_amount: ['position_sizing fixed_amount', ({ position_sizing }) => position_sizing === 'fixed_amount'],
  trade_share: ['position_sizing equity_share', ({ position_sizing }) => position_sizing === 'equity_share'],
  guard_pause_bars: [
    'guard_max_drawdown or guard_group_stop',
    ({ guard_max_drawdown, guard_group_stop }) => guard_max_drawdown !== null || guard_group_stop !== null,
  ],
};

/** Settings of sides, margin, orders and guards that were given and that nothing reads, in words. */
export function idleSettings(config: ExecutionConfig): string[] {
  const full = fullConfig(config);
  return usedPositionFields(config).flatMap((name) => {
    const [words, isRead] = readWhen[name] ?? [];
    return isRead === undefined || isRead(full) ? [] : [`${name} acts only with ${words}`];
  });
}
