import type { ExecutionField, FieldValue } from './field.js';

type PositionField = ExecutionField & {
  readonly default: number | boolean | string | null;
  readonly isLeftOut: true;
};

/**
 * The settings of sides, margin, orders, moving levels, sizes, guards and bars, a part of the table
 * `executionFields`. A run that uses none of them keeps its config, its hash and its identity.
 */
export const positionFields = {
  opposite_entry: {
    kind: 'enum',
    values: ['deny', 'close', 'reverse', 'hedge'],
    default: 'deny',
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    description: 'what an entry does while positions of the other side are open',
  },
  leverage: {
    kind: 'number',
    min: 1,
    max: 125,
    default: 1,
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    unit: 'notional over margin',
    description: 'notional of an entry over the margin that it locks',
  },
  maintenance_margin: {
    kind: 'number',
    min: 0,
    max: 0.5,
    default: 0.005,
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    unit: 'fraction of the notional',
    description: 'margin at which the venue closes a position; must be below 1 / leverage',
  },
  borrow_rate: {
    kind: 'number',
    min: 0,
    max: 10,
    default: 0,
    section: null,
    fastPath: 'default',
    isLeftOut: true,
    unit: 'fraction per year',
    description: 'paid on what is borrowed, where the bars have no settled funding',
  },
  max_gross_exposure: {
    kind: 'number',
    above: 0,
    max: 125,
    nullable: true,
    default: null,
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    unit: 'multiple of the account value',
    description: 'largest sum of the notionals of both sides; no limit when null',
  },
  stop_order: {
    kind: 'boolean',
    default: true,
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    description: 'place the stop; without it the stop distance still sets size and target',
  },
  trailing_distance: {
    kind: 'number',
    above: 0,
    max: 100,
    nullable: true,
    default: null,
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    unit: 'multiple of the stop distance',
    description: 'distance at which the stop follows the best price; it stays when null',
  },
  trailing_start: {
    kind: 'number',
    min: 0,
    max: 100,
    default: 0,
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    unit: 'multiple of the stop distance',
    description: 'gain of the best price from which on the stop trails',
  },
  break_even_at: {
    kind: 'number',
    min: 0,
    max: 100,
    nullable: true,
    default: null,
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    unit: 'multiple of the stop distance',
    description: 'gain of the best price at which the stop moves to the entry; never when null',
  },
  break_even_offset_pct: {
    kind: 'number',
    min: -0.5,
    max: 0.5,
    default: 0,
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    unit: 'fraction of the entry price',
    description: 'where break_even_at moves the stop, beyond the entry price',
  },
  target_calculation: {
    kind: 'enum',
    values: ['reward', 'fixed', 'schedule', 'none'],
    default: 'reward',
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    description: 'target from reward_factor, from fixed_target_pct, from target_schedule, or no target',
  },
  fixed_target_pct: {
    kind: 'number',
    above: 0,
    max: 10,
    default: 0.04,
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    unit: 'fraction of the entry price',
    description: 'target of target_calculation fixed',
  },
  target_schedule: {
    kind: 'pairs',
    nullable: true,
    default: null,
    section: null,
    fastPath: 'indirect', // beside the settings
    isLeftOut: true,
    unit: '[bars held, fraction of the entry price]',
    description: 'targets of target_calculation schedule, each from its bar on; the first from bar 0',
  },
  target_order: {
    kind: 'enum',
    values: ['market', 'limit'],
    default: 'market',
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    description: 'a limit target fills without slippage and pays maker_fee_pct, but a touch does not fill it',
  },
  maker_fee_pct: {
    kind: 'number',
    min: -0.1,
    max: 0.5,
    nullable: true,
    default: null,
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    unit: 'fraction of the notional',
    description: 'fee of limit fills, below 0 for a rebate, which is credited; fee_pct when null',
  },
  scale_out: {
    kind: 'pairs',
    nullable: true,
    default: null,
    section: null,
    fastPath: 'default',
    isLeftOut: true,
    unit: '[multiple of the stop distance, part of the first size]',
    description: 'parts of a position that are sold at gains on the way to the target',
  },
  entry_order: {
    kind: 'enum',
    values: ['market', 'limit', 'stop'],
    default: 'market',
    section: null,
    fastPath: 'default',
    isLeftOut: true,
    description: 'enter at the next open, or by an order better than the close (limit) or beyond it (stop)',
  },
  entry_offset_pct: {
    kind: 'number',
    min: 0,
    below: 1,
    nullable: true,
    default: null,
    section: null,
    fastPath: 'indirect', // of entry_order
    isLeftOut: true,
    unit: 'fraction of the decision close',
    description: 'distance of a limit or stop entry from the decision close',
  },
  entry_offset_atr: {
    kind: 'number',
    min: 0,
    max: 100,
    nullable: true,
    default: null,
    section: null,
    fastPath: 'indirect', // of entry_order
    isLeftOut: true,
    unit: 'multiple of the effective ATR',
    description: 'distance of a limit or stop entry from the decision close',
  },
  entry_valid_bars: {
    kind: 'integer',
    min: 1,
    max: 1000,
    default: 1,
    section: null,
    fastPath: 'indirect', // of entry_order
    isLeftOut: true,
    unit: 'bars',
    description: 'bars for which a limit or stop entry works',
  },
  position_sizing: {
    kind: 'enum',
    values: ['risk', 'fixed_amount', 'equity_share', 'volatility_target'],
    default: 'risk',
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    description: 'size from max_risk_per_trade, trade_amount, trade_share or target_volatility',
  },
  trade_amount: {
    kind: 'number',
    above: 0,
    default: 1000,
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    unit: 'amount',
    description: 'notional of position_sizing fixed_amount',
  },
  trade_share: {
    kind: 'number',
    above: 0,
    max: 125,
    default: 0.1,
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    unit: 'fraction of the account value',
    description: 'notional of position_sizing equity_share',
  },
  impact_coefficient: {
    kind: 'number',
    min: 0,
    default: 0,
    section: null,
    fastPath: 'read',
    isLeftOut: true,
    unit: 'fraction at the size of one bar of volume',
    description: 'price impact of a fill: this times the square root of its share of the volume',
  },
  detail_interval: {
    kind: 'interval',
    nullable: true,
    default: null,
    section: null,
    fastPath: 'default',
    isLeftOut: true,
    description: 'interval of the finer bars that decide the order of events inside a bar',
  },
  allow_generated_bars: {
    kind: 'boolean',
    default: false,
    section: null,
    fastPath: 'indirect', // it chooses the bars
    isLeftOut: true,
    description: 'draw bars within held coarser ones where none of the interval are held; otherwise the run is refused',
  },
  guard_max_drawdown: {
    kind: 'number',
    above: 0,
    max: 1,
    nullable: true,
    default: null,
    section: null,
    fastPath: 'default',
    isLeftOut: true,
    unit: 'fraction',
    description: 'drawdown of the account at which all positions are sold and entries pause',
  },
  guard_daily_loss: {
    kind: 'number',
    above: 0,
    max: 1,
    nullable: true,
    default: null,
    section: null,
    fastPath: 'default',
    isLeftOut: true,
    unit: 'fraction',
    description: 'loss of a UTC day at which all positions are sold and entries pause for the rest of it',
  },
  guard_group_stop: {
    kind: 'number',
    above: 0,
    max: 1,
    nullable: true,
    default: null,
    section: null,
    fastPath: 'default',
    isLeftOut: true,
    unit: 'fraction of the account value',
    description: 'loss of all open positions together at which they are sold and entries pause',
  },
  guard_pause_bars: {
    kind: 'integer',
    min: 0,
    default: 24,
    section: null,
    fastPath: 'indirect', // of the guards
    isLeftOut: true,
    unit: 'bars',
    description: 'bars without entries after a guard broke; 0 is for the rest of the run',
  },
} as const satisfies Readonly<Record<string, PositionField>>;

export type PositionFieldName = keyof typeof positionFields;

/** The settings of the table, each with a value. */
export type PositionSettings = {
  readonly [Name in PositionFieldName]: FieldValue<(typeof positionFields)[Name]>;
};

export const positionFieldNames = Object.keys(positionFields) as PositionFieldName[];

export const isPositionField = (name: string): name is PositionFieldName => Object.hasOwn(positionFields, name);

export const positionDefaults = Object.freeze(
  Object.fromEntries(positionFieldNames.map((name) => [name, positionFields[name].default])),
) as PositionSettings;

/** The settings of the table that differ from their defaults. */
export const usedPositionFields = (config: Readonly<Partial<PositionSettings>>): PositionFieldName[] =>
  positionFieldNames.filter((name) => config[name] !== undefined && config[name] !== positionDefaults[name]);

/** Whether a setting of the table changes the rules of the run, and not only its bars. */
export const changesRules = (config: Readonly<Partial<PositionSettings>>): boolean =>
  usedPositionFields(config).some((name) => name !== 'allow_generated_bars');
