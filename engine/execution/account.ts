import { isBookedLoss } from '../formulas/cooldown-rules.js';
import { barsHeldOf } from '../formulas/exit-rules.js';
import { boughtAt, feeOf, fundingOf, soldAt, valueWith } from '../formulas/prices-and-sizes.js';
import {
  bankruptcyShare,
  isMargined,
  marginedProceeds,
  marginedWorth,
  marginOf,
  movedStop,
  percentTarget,
  rewardTarget,
} from '../formulas/sides.js';
import { DAY_MS } from '../series/index.js';
import { bookLoss, type CooldownState } from './cooldown.js';
import type { DenialReason } from './denials.js';
import type { FullConfig } from './full-config.js';
import { type GuardState, openGuard } from './guards.js';
import { sumOfParts, WHOLE_DUST } from './position-checks.js';
import type { Fill, Held, Levels, Sign } from './touches.js';
import { type ExitReason, isSoldAtOpen, type PartExit, type Trade, type TradeDetails } from './trade.js';

export type Side = 'long' | 'short';

export const signOf = (side: Side): Sign => (side === 'long' ? 1 : -1);

/**
 * State of an account that trades both sides, carried from bar to bar. Plain data without NaN or
 * infinities, so it survives JSON.
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
   * Carry that the cash could not pay, so that the margin of what is left has borne it: what is left
   * is never worth less. Absent in accounts stored before there was such a limit.
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
  return {
    ...(isPlain && { isPlain }),
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
}

/** Cash and the worths of the open positions at one price, added in entry order. */
export function accountValue({ purse, positions }: Account, price: number, config: FullConfig): number {
  let value = purse.cash;
  for (const position of positions) value = withWorth(value, position, price, config);
  return value;
}

/** A value and the worth of a position more. */
export const withWorth = (value: number, position: Position, price: number, config: FullConfig): number =>
  isOnMargin(position, config)
    ? value + worthOnMargin(position, price, config)
    : valueWith(value, position.size, price);

const isOnMargin = ({ side }: Position, { leverage }: FullConfig): boolean => isMargined(signOf(side), leverage);

function worthOnMargin(position: Position, price: number, { leverage }: FullConfig): number {
  const { side, size, entryPrice } = position;
  const margin = marginOf(size, entryPrice, leverage);
  return Math.max(carryBorne(position), marginedWorth(margin, signOf(side), size, price, entryPrice));
}

const carryBorne = ({ carryBorne = 0 }: Position): number => carryBorne;

/**
 * What an open position has earned at a price: its parts sold, and the rest, after the fees and the
 * costs of carry paid so far.
 */
export function openProfit(position: Position, price: number, config: FullConfig): number {
  const { size, entryPrice, exits, entryFee, fundingPaid, borrowPaid } = position;
  const isMargined = isOnMargin(position, config);
  const unrealized = isMargined
    ? worthOnMargin(position, price, config) - marginOf(size, entryPrice, config.leverage)
    : size * (price - entryPrice);
  const fees = isMargined ? 0 : sumOver(exits, ({ fee }) => fee); // margined gains are after fees
  return sumOver(exits, ({ gain }) => gain) - fees + unrealized - entryFee - fundingPaid - borrowPaid;
}

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
    parts: scaleOut.map(([at, part]) => ({ price: entryPrice + sign * at * distance, size: part * firstSize })),
    isSoldInParts: Math.abs(sumOfParts(scaleOut) - 1) <= WHOLE_DUST,
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

/** Where and when a sale fills. */
interface SaleBar {
  readonly index: number;
  /** Of the bar before it. */
  readonly volumeBefore: number;
}

/** Largest slippage and impact together. */
const SLIP_MAX = 0.5;

/** Slippage of a fill with the impact of its share of a volume; a volume of 0 is all taken. */
export function slipOf(size: number, volume: number, { slippage_pct, impact_coefficient }: FullConfig): number {
  const share = volume > 0 ? size / volume : 1;
  return Math.min(SLIP_MAX, slippage_pct + impact_coefficient * Math.sqrt(share));
}

/** A purchase slips up, a sale down: at the entry of a long position and at the exit of a short one. */
export const slipped = (raw: number, sign: Sign, slip: number): number =>
  sign === 1 ? boughtAt(raw, slip) : soldAt(raw, slip);

/**
 * What a fill that slips up (1) or down (-1) lost against its raw price. Without slippage it is 0 and
 * not -0, which JSON does not keep.
 */
export const slippageCostOf = (size: number, direction: Sign, raw: number, price: number): number =>
  size * (direction === 1 ? price - raw : raw - price);

/** Fills sales of one position in order; the last of them may close it. */
export function fillSales(
  account: Account,
  position: Position,
  fills: readonly Fill[],
  bar: SaleBar,
  config: FullConfig,
  trades: Trade[],
): void {
  for (const fill of fills) fillSale(account, position, fill, bar, config);
  if (position.size > 0) return;
  account.positions.splice(account.positions.indexOf(position), 1);
  trades.push(closedTrade(account, position, bar.index, config));
}

function fillSale(account: Account, position: Position, fill: Fill, bar: SaleBar, config: FullConfig): void {
  const { size, raw, reason, isLimit } = fill;
  const { side, entryPrice } = position;
  const sign = signOf(side);
  const isLiquidated = reason === 'LIQUIDATION';
  const isExact = isLimit || isLiquidated;
  const direction = sign === 1 ? -1 : 1;
  const price = isExact ? raw : slipped(raw, direction, slipOf(size, bar.volumeBefore, config));
  const rate = isLimit ? (config.maker_fee_pct ?? config.fee_pct) : config.fee_pct;
  const fee = isLiquidated ? 0 : feeOf(rate, size, price);
  let gain = sign * size * (price - entryPrice);
  if (isMargined(sign, config.leverage)) {
    const margin = marginOf(size, entryPrice, config.leverage);
    const borne = carryBorne(position) * (size / position.size);
    const proceeds = Math.max(borne, isLiquidated ? 0 : marginedProceeds(margin, gain, fee));
    account.purse.cash += proceeds;
    gain = proceeds - margin;
    position.carryBorne = carryBorne(position) - borne;
  } else account.purse.cash += size * price - fee;
  position.size -= size;
  position.partsSold += reason === 'SCALE_OUT' ? 1 : 0;
  position.slippageCost += slippageCostOf(size, direction, raw, price);
  position.exits.push({ bar: bar.index, price, size, reason, fee, gain });
}

function closedTrade(account: Account, position: Position, exitBar: number, config: FullConfig): Trade {
  const { entryBar, entryPrice, firstSize, entryFee, exits, fundingPaid, stop } = position;
  // biome-ignore lint/style/noNonNullAssertion: a closed position has an exit
  const exitReason = exits.at(-1)!.reason;
  const exitFee = sumOver(exits, ({ fee }) => fee);
  const profitLoss = profitOfPosition(position, exitFee, config);
  const beginningBalance = account.purse.realizedBalance;
  const endingBalance = beginningBalance + profitLoss;
  account.purse.realizedBalance = endingBalance;
  if (isBookedLoss(profitLoss)) bookLoss(account, exitBar, config);
  const isOne = exits.length === 1;
  return {
    entryBar,
    exitBar,
    entryPrice,
    exitPrice: isOne
      ? exits[0].price
      : sumOver(exits, ({ size, price }) => size * price) / sumOver(exits, ({ size }) => size),
    size: firstSize,
    stopPrice: stop ?? NaN,
    targetPrice: targetPrice(position, exitBar, config),
    profitLoss,
    profitLossPct: profitLoss / (firstSize * entryPrice),
    entryFee,
    exitFee,
    slippageCost: position.slippageCost,
    fundingPaid,
    beginningBalance,
    endingBalance,
    barsHeld: barsHeldOf(entryBar, exitBar, isSoldAtOpen(exitReason)),
    exitReason,
    ...(account.isPlain !== true && { details: detailsOf(position, profitLoss, config) }),
  };
}

function profitOfPosition(position: Position, exitFee: number, { leverage }: FullConfig): number {
  const { side, exits, entryFee, fundingPaid, borrowPaid } = position;
  const gain = sumOver(exits, (exit) => exit.gain);
  // What a margined position got back has its exit fees taken off.
  if (isMargined(signOf(side), leverage)) return gain - entryFee - fundingPaid - borrowPaid;
  return gain - entryFee - exitFee - fundingPaid;
}

function detailsOf(position: Position, profitLoss: number, config: FullConfig): TradeDetails {
  const { side, entryPrice, firstSize, firstStop, liquidation, borrowPaid, exits } = position;
  const amount = marginOf(firstSize, entryPrice, config.leverage);
  return {
    side,
    initialStopPrice: firstStop ?? NaN,
    borrowPaid,
    margin:
      liquidation === null ? null : { amount, returnOnMargin: profitLoss / amount, liquidationPrice: liquidation },
    exits:
      config.scale_out === null ? null : exits.map(({ bar, price, size, reason }) => ({ bar, price, size, reason })),
  };
}

const sumOver = <T>(items: readonly T[], term: (item: T) => number): number =>
  items.reduce((sum, item) => sum + term(item), 0);

/** What every open position owes at a close for being held; below 0 where it receives. */
type Carry = (position: Position) => number;

/** The rate settled by the close of a bar; shorts receive what longs pay. */
export const settledFunding =
  (close: number, rate: number): Carry =>
  ({ side, size }) =>
    signOf(side) * fundingOf(size, close, rate);

const YEAR_MS = 365 * DAY_MS;

/** The rate on what is borrowed: by a short the asset, by a long what its margin lacks. */
export const borrowing =
  (close: number, intervalMs: number, { borrow_rate, leverage }: FullConfig): Carry =>
  ({ side, size, entryPrice }) => {
    const borrowed = side === 'short' ? size * close : size * entryPrice * (1 - 1 / leverage);
    return (borrowed * borrow_rate * intervalMs) / YEAR_MS;
  };

/** What the margin of a position can still bear at a close; infinite for one that is paid in full. */
const bearable = (position: Position, close: number, config: FullConfig): number =>
  isOnMargin(position, config) ? worthOnMargin(position, close, config) - carryBorne(position) : Infinity;

/** Whether a charge at a close takes all that is left of a margined position, where no cash pays it. */
export const mayUseUp = (position: Position, due: number, close: number, config: FullConfig): boolean =>
  due > 0 && due >= bearable(position, close, config);

/**
 * Takes carry at a close: from the cash while there is any, and from the margin of the position then,
 * so that the account does not fall below 0. A long that is paid in full has no margin, and its
 * charges take the cash below 0.
 * @returns the positions that are used up; they are liquidated
 */
export function payCarry(
  account: Account,
  carry: Carry,
  paidAs: 'fundingPaid' | 'borrowPaid',
  close: number,
  config: FullConfig,
): Position[] {
  const { purse } = account;
  const usedUp: Position[] = [];
  for (const position of account.positions) {
    const due = carry(position);
    if (due === 0) continue;
    const cash = Math.max(0, purse.cash);
    const most = cash + bearable(position, close, config);
    const paid = Math.min(due, most);
    purse.cash -= paid;
    position[paidAs] += paid;
    if (most === Infinity) continue;
    position.carryBorne = Math.max(0, carryBorne(position) + (paid > 0 ? Math.max(0, paid - cash) : paid));
    if (due >= most) usedUp.push(position);
  }
  return usedUp;
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

/** What is left of a position before a bar is judged. */
export const heldOf = ({ size, partsSold }: Position): Held => ({ size, partsSold });
