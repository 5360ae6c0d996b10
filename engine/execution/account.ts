import { valueWith } from '../formulas/prices-and-sizes.js';
import {
  bankruptcyShare,
  isMargined,
  marginedWorth,
  marginOf,
  movedStop,
  percentTarget,
  rewardTarget,
} from '../formulas/sides.js';
import { isWhole, partPrice } from '../formulas/touches.js';
import type { CooldownState } from './cooldown.js';
import type { DenialReason } from './denials.js';
import type { FullConfig } from './full-config.js';
import { type GuardState, openGuard } from './guards.js';
import { sumOfParts } from './position-checks.js';
import type { Held, Levels, Sign } from './touches.js';
import type { ExitReason, PartExit } from './trade.js';

export type Side = 'long' | 'short';

export const signOf = (side: Side): Sign => (side === 'long' ? 1 : -1);

/**
 * State of an account of one asset, carried from bar to bar. Plain data without NaN or infinities,
 * so it survives JSON. The caller numbers the bars, one number per bar present in the data.
 */
export interface Account extends CooldownState {
  /**
   * Of a strategy that buys only, pays in full, and has a stop and a target that stay; its trades
   * have no details.
   */
  readonly isPlain?: true;
  readonly purse: Purse;
  /** In entry order. */
  positions: Position[];
  /** UTC day of the latest entry, and the entries filled on it. */
  entryDay: number;
  entriesOnDay: number;
  /** Entry at the next open, decided at the last close. */
  pendingEntry: Decision | null;
  /** Denials decided at the last close; they are told at the next bar. */
  refusals: Refusal[];
  /** Working entry orders, older first. */
  orders: WorkingOrder[];
  ordersPlaced: number;
  ordersExpired: number;
  guard: GuardState;
}

/** What the members of a portfolio share, and an account of one asset has alone. */
export interface Purse {
  /** Quote currency. */
  cash: number;
  /** Initial balance plus profit and loss of all closed trades. */
  realizedBalance: number;
}

export const openPurse = (balance: number): Purse => ({ cash: balance, realizedBalance: balance });

export interface Refusal {
  readonly side: Side;
  readonly reason: DenialReason;
}

/** What was known at the close that decided an entry; null where the history is too short. */
export interface Decision {
  readonly side: Side;
  readonly atr: number | null;
  readonly volatilityScale: number | null;
  /** Annualized; read by position_sizing volatility_target. */
  readonly volatility: number | null;
  readonly volume: number;
}

export interface WorkingOrder extends Decision {
  readonly level: number;
  /** The last bar in which it may fill. */
  readonly lastBar: number;
}

export interface Position {
  readonly side: Side;
  readonly entryBar: number;
  /** Filled inside its entry bar, not at the open. */
  readonly isFilledInside: boolean;
  readonly entryPrice: number;
  /** Base asset, at the entry and now. */
  readonly firstSize: number;
  size: number;
  /** Between entry and first stop. */
  readonly distance: number;
  readonly firstStop: number | null;
  stop: number | null;
  readonly liquidation: number | null;
  /** Best price since the entry; null before the first bar that counts. */
  best: number | null;
  partsSold: number;
  exits: (PartExit & { readonly fee: number; readonly gain: number })[];
  readonly entryFee: number;
  /** Of the legs filled so far. */
  slippageCost: number;
  fundingPaid: number;
  borrowPaid: number;
  /**
   * Carry that the cash could not pay, so that the margin of the rest has borne it: the rest is
   * never worth less. Absent in accounts stored before there was such a limit.
   */
  carryBorne?: number;
  /** Reason of a sale at the next open. */
  scheduledReason: ExitReason | null;
  /**
   * Target in place of the one that the settings make; null for none. Only where a caller keeps the
   * position, or an earlier version stored it.
   */
  readonly givenTarget?: number | null;
}

export function openAccount(
  config: Pick<FullConfig, 'initial_balance'>,
  { purse = openPurse(config.initial_balance), isPlain = false } = {},
): Account {
  const account: Account = {
    purse,
    positions: [],
    lossBars: [],
    blockedThrough: -1,
    entryDay: -1,
    entriesOnDay: 0,
    pendingEntry: null,
    refusals: [],
    orders: [],
    ordersPlaced: 0,
    ordersExpired: 0,
    guard: openGuard(config.initial_balance),
  };
  return isPlain ? { ...account, isPlain } : account;
}

/** Cash and the worths of the open positions at one price, added in entry order. */
export function accountValue({ purse, positions }: Account, price: number, config: FullConfig): number {
  let value = purse.cash;
  for (const position of positions) value = withWorth(value, position, price, config);
  return value;
}

/** What the open positions have lost together before costs; below 0 for a profit. */
export function openLossOf({ positions }: Account, close: number): number {
  let loss = 0;
  for (const { side, size, entryPrice } of positions) loss -= signOf(side) * size * (close - entryPrice);
  return loss;
}

/** A value and the worth of a position more. */
export const withWorth = (value: number, position: Position, price: number, config: FullConfig): number =>
  isOnMargin(position, config)
    ? value + worthOnMargin(position, price, config)
    : valueWith(value, position.size, price);

/** To the values from one number to another (exclusive) the worth of a position at the price of each. */
export function addWorths(
  values: Float64Array,
  position: Position,
  prices: Float64Array,
  from: number,
  to: number,
  config: FullConfig,
): void {
  const { size } = position;
  if (isOnMargin(position, config)) {
    for (let k = from; k < to; k++) values[k] += worthOnMargin(position, prices[k], config);
  } else for (let k = from; k < to; k++) values[k] = valueWith(values[k], size, prices[k]);
}

export const isOnMargin = ({ side }: Position, { leverage }: FullConfig): boolean => isMargined(signOf(side), leverage);

export function worthOnMargin(position: Position, price: number, { leverage }: FullConfig): number {
  const { side, size, entryPrice } = position;
  const margin = marginOf(size, entryPrice, leverage);
  return Math.max(carryBorne(position), marginedWorth(margin, signOf(side), size, price, entryPrice));
}

export const carryBorne = ({ carryBorne = 0 }: Position): number => carryBorne;

/** The levels of a position in the bar `bar`, as they stood at its open. */
export function levelsOf(position: Position, bar: number, config: FullConfig): Levels {
  const { side, entryPrice, firstSize, distance, stop, firstStop, liquidation } = position;
  const sign = signOf(side);
  const scaleOut = config.scale_out ?? [];
  return {
    sign,
    stop: stop ?? NaN,
    isStopMoved: stop !== firstStop,
    liquidation: liquidation ?? NaN,
    bankruptcy: entryPrice * bankruptcyShare(sign, config.leverage),
    target: targetPrice(position, bar, config),
    parts: scaleOut.map(([at, part]) => ({
      price: partPrice(sign, entryPrice, at, distance),
      size: part * firstSize,
    })),
    isSoldInParts: isWhole(sumOfParts(scaleOut)),
    isLimit: config.target_order === 'limit',
  };
}

/** The target in the bar `bar`; NaN where there is none. */
export function targetPrice(
  { side, entryBar, entryPrice, distance, givenTarget }: Position,
  bar: number,
  config: FullConfig,
): number {
  if (givenTarget !== undefined) return givenTarget ?? NaN;
  const sign = signOf(side);
  if (config.target_calculation === 'reward') return rewardTarget(sign, entryPrice, distance, config.reward_factor);
  if (config.target_calculation === 'fixed') return percentTarget(sign, entryPrice, config.fixed_target_pct);
  if (config.target_calculation === 'none') return NaN;
  // biome-ignore lint/style/noNonNullAssertion: checked settings have a schedule, which begins at bar 0
  const [, pct] = config.target_schedule!.findLast(([bars]) => bars <= bar - entryBar)!;
  return percentTarget(sign, entryPrice, pct);
}

/**
 * Moves the stop of a position at the close of a bar, to act from the next bar on. A stop never
 * moves against its position.
 */
export function moveStop(position: Position, bar: number, favourable: number, config: FullConfig): void {
  if (position.isFilledInside && position.entryBar === bar) return;
  const { side, entryPrice, distance, stop } = position;
  const sign = signOf(side);
  const best = position.best === null || sign * favourable > sign * position.best ? favourable : position.best;
  position.best = best;
  if (stop === null) return;
  const { trailing_distance, trailing_start: start, break_even_at, break_even_offset_pct: offset } = config;
  const [trailing, breakEvenAt] = [trailing_distance ?? NaN, break_even_at ?? NaN];
  position.stop = movedStop(sign, stop, best, entryPrice, distance, trailing, start, breakEvenAt, offset);
}

/** The open part of a position before a bar is judged. */
export const heldOf = ({ size, partsSold }: Position): Held => ({ size, partsSold });
