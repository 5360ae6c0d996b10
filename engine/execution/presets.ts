import { wrongField } from '../errors.js';
import { formatInterval } from '../series/intervals.js';
import type { ExecutionSettings } from './config.js';
import type { PositionSettings } from './position-fields.js';

type PresetSettings = Partial<ExecutionSettings & PositionSettings>;

/** Large enough never to bind, and exact as a double. */
const NO_LIMIT = 1_000_000_000_000_000;
const NO_COOLDOWN = { short_loss_limit: 0, long_loss_limit: 0, short_window_bars: 0, long_window_bars: 0 };

/** Sets of execution settings that a config names by `preset`; its other settings win over them. */
const presets = {
  /** The rules alone decide: no stop, target, cooldown or holding limit, one position with all cash. */
  'signals-only': (intervalMs: number): PresetSettings => ({
    stop_order: false,
    // The distance still passes a gate, and a fixed one needs no history.
    stop_loss_calculation: 'fixed',
    target_calculation: 'none',
    position_sizing: 'equity_share',
    trade_share: 1,
    position_size_calc: 'v1',
    min_balance_threshold: 0,
    min_trade_amount: 0,
    max_open_positions: 1,
    max_trades_per_day: NO_LIMIT,
    max_units_per_trade: NO_LIMIT,
    max_trade_amount: NO_LIMIT,
    max_hold_time_hours: null,
    max_hold_bars: null,
    exit_on_loss_after_bars: null,
    exit_on_profit_after_bars: null,
    cooldown_config: { [formatInterval(intervalMs)]: NO_COOLDOWN },
  }),
};

export type PresetName = keyof typeof presets;

export const presetNames = Object.keys(presets) as readonly PresetName[];

/** The settings of a preset for a run interval. @throws INVALID_FIELD for an unknown name */
export function presetSettings(name: unknown, intervalMs: number): PresetSettings {
  if (typeof name !== 'string' || !Object.hasOwn(presets, name)) {
    throw wrongField('preset', presetNames.join(' or '), name);
  }
  return presets[name as PresetName](intervalMs);
}
