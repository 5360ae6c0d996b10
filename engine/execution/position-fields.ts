import type { FieldBounds } from './bounds.js';

/** Ascending pairs of numbers, such as `[[0, 0.06], [24, 0.02]]`. */
export type NumberPairs = readonly (readonly [at: number, value: number])[];

type PositionField = Omit<FieldBounds, 'kind'> & {
  readonly kind: FieldBounds['kind'] | 'pairs' | 'interval';
  readonly default: number | boolean | string | null;
};

/**
 * The settings of sides, margin, orders, moving levels, sizes and guards, one line each. A resolved
 * config holds such a setting only where it differs from its default. So a run that uses none of
 * them keeps its config, its hash and its identity.
 */
const positionFields = {
  opposite_entry: {
    kind: 'enum',
    values: ['deny', 'close', 'reverse', 'hedge'],
    default: 'deny',
    description: 'what an entry does while positions of the other side are open',
  },
  leverage: {
    kind: 'number',
    min: 1,
    max: 125,
    default: 1,
    unit: 'notional over margin',
    description: 'notional of an entry over the margin that it locks',
  },
  maintenance_margin: {
    kind: 'number',
    min: 0,
    max: 0.5,
    default: 0.005,
    unit: 'fraction of the notional',
    description: 'margin at which the venue closes a position; must be below 1 / leverage',
  },
  borrow_rate: {
    kind: 'number',
    min: 0,
    max: 10,
    default: 0,
    unit: 'fraction per year',
    description: 'paid on what is borrowed, where the bars have no settled funding',
  },
  max_gross_exposure: {
    kind: 'number',
    above: 0,
    max: 125,
    nullable: true,
    default: null,
    unit: 'multiple of the account value',
    description: 'largest sum of the notionals of both sides; no limit when null',
  },
  stop_order: {
    kind: 'boolean',
    default: true,
    description: 'place the stop; without it the stop distance still sets size and target',
  },
  trailing_distance: {
    kind: 'number',
    above: 0,
    max: 100,
    nullable: true,
    default: null,
    unit: 'multiple of the stop distance',
    description: 'distance at which the stop follows the best price; it stays when null',
  },
  trailing_start: {
    kind: 'number',
    min: 0,
    max: 100,
    default: 0,
    unit: 'multiple of the stop distance',
    description: 'gain of the best price from which on the stop trails',
  },
  break_even_at: {
    kind: 'number',
    min: 0,
    max: 100,
    nullable: true,
    default: null,
    unit: 'multiple of the stop distance',
    description: 'gain of the best price at which the stop moves to the entry; never when null',
  },
  break_even_offset_pct: {
    kind: 'number',
    min: -0.5,
    max: 0.5,
    default: 0,
    unit: 'fraction of the entry price',
    description: 'where break_even_at moves the stop, beyond the entry price',
  },
  target_calculation: {
    kind: 'enum',
    values: ['reward', 'fixed', 'schedule', 'none'],
    default: 'reward',
    description: 'target from reward_factor, from fixed_target_pct, from target_schedule, or no target',
  },
  fixed_target_pct: {
    kind: 'number',
    above: 0,
    max: 10,
    default: 0.04,
    unit: 'fraction of the entry price',
    description: 'target of target_calculation fixed',
  },
  target_schedule: {
    kind: 'pairs',
    nullable: true,
    default: null,
    unit: '[bars held, fraction of the entry price]',
    description: 'targets of target_calculation schedule, each from its bar on; the first from bar 0',
  },
  target_order: {
    kind: 'enum',
    values: ['market', 'limit'],
    default: 'market',
    description: 'a limit target fills without slippage and pays maker_fee_pct, but a touch does not fill it',
  },
  maker_fee_pct: {
    kind: 'number',
    min: 0,
    max: 0.5,
    nullable: true,
    default: null,
    unit: 'fraction of the notional',
    description: 'fee of limit fills; fee_pct when null',
  },
  scale_out: {
    kind: 'pairs',
    nullable: true,
    default: null,
    unit: '[multiple of the stop distance, part of the first size]',
    description: 'parts of a position that are sold at gains on the way to the target',
  },
  entry_order: {
    kind: 'enum',
    values: ['market', 'limit', 'stop'],
    default: 'market',
    description: 'enter at the next open, or by an order better than the close (limit) or beyond it (stop)',
  },
  entry_offset_pct: {
    kind: 'number',
    min: 0,
    below: 1,
    nullable: true,
    default: null,
    unit: 'fraction of the decision close',
    description: 'distance of a limit or stop entry from the decision close',
  },
  entry_offset_atr: {
    kind: 'number',
    min: 0,
    max: 100,
    nullable: true,
    default: null,
    unit: 'multiple of the effective ATR',
    description: 'distance of a limit or stop entry from the decision close',
  },
  entry_valid_bars: {
    kind: 'integer',
    min: 1,
    max: 1000,
    default: 1,
    unit: 'bars',
    description: 'bars for which a limit or stop entry works',
  },
  position_sizing: {
    kind: 'enum',
    values: ['risk', 'fixed_amount', 'equity_share', 'volatility_target'],
    default: 'risk',
    description: 'size from max_risk_per_trade, trade_amount, trade_share or target_volatility',
  },
  trade_amount: {
    kind: 'number',
    above: 0,
    default: 1000,
    unit: 'amount',
    description: 'notional of position_sizing fixed_amount',
  },
  trade_share: {
    kind: 'number',
    above: 0,
    max: 125,
    default: 0.1,
    unit: 'fraction of the account value',
    description: 'notional of position_sizing equity_share',
  },
  impact_coefficient: {
    kind: 'number',
    min: 0,
    default: 0,
    unit: 'fraction at the size of one bar of volume',
    description: 'price impact of a fill: this times the square root of its share of the volume',
  },
  detail_interval: {
    kind: 'interval',
    nullable: true,
    default: null,
    description: 'interval of the finer bars that decide the order of events inside a bar',
  },
  guard_max_drawdown: {
    kind: 'number',
    above: 0,
    max: 1,
    nullable: true,
    default: null,
    unit: 'fraction',
    description: 'drawdown of the account at which all positions are sold and entries pause',
  },
  guard_daily_loss: {
    kind: 'number',
    above: 0,
    max: 1,
    nullable: true,
    default: null,
    unit: 'fraction',
    description: 'loss of a UTC day at which all positions are sold and entries pause for the rest of it',
  },
  guard_group_stop: {
    kind: 'number',
    above: 0,
    max: 1,
    nullable: true,
    default: null,
    unit: 'fraction of the account value',
    description: 'loss of all open positions together at which they are sold and entries pause',
  },
  guard_pause_bars: {
    kind: 'integer',
    min: 0,
    default: 24,
    unit: 'bars',
    description: 'bars without entries after a guard broke; 0 is for the rest of the run',
  },
} as const satisfies Readonly<Record<string, PositionField>>;

export type PositionFieldName = keyof typeof positionFields;

type ValueOf<F extends PositionField> =
  | (F extends { readonly values: readonly (infer V)[] }
      ? V
      : F['kind'] extends 'boolean'
        ? boolean
        : F['kind'] extends 'pairs'
          ? NumberPairs
          : F['kind'] extends 'interval'
            ? string
            : number)
  | (F extends { readonly nullable: true } ? null : never);

/** The settings of the table, each with a value. */
export type PositionSettings = {
  readonly [Name in PositionFieldName]: ValueOf<(typeof positionFields)[Name]>;
};

export const positionFieldNames = Object.keys(positionFields) as PositionFieldName[];

/** The line of a setting, typed with the attributes that only some lines have. */
export const positionFieldOf = (name: PositionFieldName): PositionField => positionFields[name];

export const isPositionField = (name: string): name is PositionFieldName => Object.hasOwn(positionFields, name);

export const positionDefaults = Object.freeze(
  Object.fromEntries(positionFieldNames.map((name) => [name, positionFields[name].default])),
) as PositionSettings;

/** The settings of the table that differ from their defaults. */
export const usedPositionFields = (config: Readonly<Partial<PositionSettings>>): PositionFieldName[] =>
  positionFieldNames.filter((name) => config[name] !== undefined && config[name] !== positionDefaults[name]);
