import type { ExecutionConfig } from './config.js';
import { type FullConfig, fullConfig } from './full-config.js';
import { fieldOf, type SettingName, settingNames } from './settings.js';

/** When a setting is read, in words and of a run. Settings that are always read have no line. */
type ReadWhen = readonly [words: string, isRead: (config: FullConfig, hasShorts: boolean) => boolean];

const withOrders: ReadWhen = ['entry_order limit or stop', ({ entry_order }) => entry_order !== 'market'];

/** Both the stop distance and the offset of entry orders may come from it. */
const withAtr: ReadWhen = [
  'stop_loss_calculation dynamic_atr or entry_offset_atr',
  ({ stop_loss_calculation, entry_order, entry_offset_atr }) =>
    stop_loss_calculation === 'dynamic_atr' || (entry_order !== 'market' && entry_offset_atr !== null),
];

const withVolatility: ReadWhen = [
  'enable_volatility_adjustment or position_sizing volatility_target',
  ({ enable_volatility_adjustment, position_sizing }) =>
    enable_volatility_adjustment || position_sizing === 'volatility_target',
];

const withMargin: ReadWhen = ['leverage or short rules', ({ leverage }, hasShorts) => hasShorts || leverage > 1];

const readWhen: Partial<Readonly<Record<SettingName, ReadWhen>>> = {
  reward_factor: ['target_calculation reward', ({ target_calculation }) => target_calculation === 'reward'],
  max_risk_per_trade: ['position_sizing risk', ({ position_sizing }) => position_sizing === 'risk'],
  fixed_stop_pct: ['stop_loss_calculation fixed', ({ stop_loss_calculation }) => stop_loss_calculation === 'fixed'],
  atr_volatility_factor: [
    'stop_loss_calculation dynamic_atr',
    ({ stop_loss_calculation }) => stop_loss_calculation === 'dynamic_atr',
  ],
  atr_period: withAtr,
  atr_short_weight: withAtr,
  atr_long_weight: withAtr,
  atr_cap_multiplier: withAtr,
  volatility_window: withVolatility,
  target_volatility: withVolatility,
  volatility_mode: withVolatility,
  enable_volatility_adjustment: [
    'another position_sizing than volatility_target, which is its own adjustment, and a volatility_mode',
    ({ position_sizing, volatility_mode }) => position_sizing !== 'volatility_target' && volatility_mode !== 'off',
  ],
  max_hold_time_hours: ['max_hold_bars off', ({ max_hold_bars }) => max_hold_bars === null || max_hold_bars <= 0],
  profit_threshold_pct: [
    'exit_on_profit_after_bars',
    ({ exit_on_profit_after_bars: bars }) => bars !== null && bars > 0,
  ],
  opposite_entry: ['short rules', (_, hasShorts) => hasShorts],
  maintenance_margin: withMargin,
  borrow_rate: withMargin,
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

/** What a setting acts with, where the others of a run leave it unread; null where it acts. */
export function unreadBeside(name: SettingName, config: ExecutionConfig, hasShorts: boolean): string | null {
  const [words, isRead] = readWhen[name] ?? [null];
  return isRead?.(fullConfig(config), hasShorts) === false ? words : null;
}

/**
 * Names the settings that differ from their defaults and that nothing reads beside the others.
 * @param hasShorts whether the run has short rules
 * @returns one warning, or none
 */
export function idleSettingWarnings(config: ExecutionConfig, hasShorts: boolean): string[] {
  const full = fullConfig(config);
  const idle = settingNames.flatMap((name) => {
    const words = full[name] === fieldOf(name).default ? null : unreadBeside(name, config, hasShorts);
    return words === null ? [] : [`${name} acts only with ${words}`];
  });
  return idle.length === 0 ? [] : [`settings-without-effect: ${idle.join('; ')}`];
}
