import { ADMITTED, Denial, dayGateOf, entriesOnDayOf, levelGateOf, sizeGateOf } from '../formulas/gates.js';
import { feeOf, stopDistanceOf, unitsMaxOf, utcDay } from '../formulas/prices-and-sizes.js';
import {
  bankruptcyShare,
  cashShare,
  isMargined,
  liquidationPrice,
  maintenanceShare,
  marginOf,
} from '../formulas/sides.js';
import { type Account, type Decision, type Position, signOf } from './account.js';
import type { FullConfig } from './full-config.js';
import { floorAmount, spendableCash } from './sizing.js';
import { slipOf, slippageCostOf, slipped } from './slippage.js';
import type { Sign } from './touches.js';

/** The bar in which an entry fills. */
interface FillBar {
  readonly index: number;
  readonly time: number;
  readonly open: number;
}

/** How an entry fills: its price before slippage, and whether it slips and when. */
export interface EntryFill {
  readonly raw: number;
  readonly isLimit: boolean;
  readonly isInside: boolean;
}

/** What may make an entry smaller than its size asks for. */
export type SizeLimit =
  | 'max_units_per_trade'
  | 'max_trade_amount'
  | 'max_volume_share'
  | 'max_gross_exposure'
  | 'min_balance_threshold'
  | 'cash';

/** The account of an entry, or the portfolio around it, at the open of the bar that fills it. */
export interface Standing {
  /** Account value. */
  readonly value: number;
  /** Multiplies the value wherever a size reads it. */
  readonly weight: number;
  /** A guard denies entries. */
  readonly isGuarded: boolean;
  /** The portfolio holds as many positions as it may. */
  readonly isFull: boolean;
  /** Notional that the limit of the portfolio leaves; Infinity without one. */
  readonly room: number;
  /** Called with each limit that made an entry smaller. */
  readonly limited?: (limit: SizeLimit) => void;
}

/** Relative rounding of the cash that is left after some thousand trades. */
const CASH_TOLERANCE = 1e-9;

/** Below this, a bracket of exposure counts as none. */
const EXPOSURE_DUST = 0.000001;

/** The gates up to the cooldown, which read nothing but the account. */
export function openingGate(
  { value, isGuarded }: Standing,
  account: Account,
  bar: FillBar,
  config: FullConfig,
): number {
  if (value < floorAmount(config)) return Denial.min_balance;
  if (isGuarded) return Denial.guard;
  return bar.index <= account.blockedThrough ? Denial.cooldown : ADMITTED;
}

export const hasOpposite = ({ positions }: Account, side: Decision['side']): boolean =>
  positions.some((position) => position.side !== side);

/** The gates of the number of positions and of entries of the day. */
export function countGate({ isFull }: Standing, account: Account, bar: FillBar, config: FullConfig): number {
  if (account.positions.length >= config.max_open_positions) return Denial.max_positions;
  if (isFull) return Denial.portfolio_positions;
  const entriesToday = entriesOnDayOf(utcDay(bar.time), account.entryDay, account.entriesOnDay);
  return dayGateOf(entriesToday, config.max_trades_per_day);
}

/**
 * Checks the gates of levels, cash and size, and computes the position that the entry would open;
 * the account does not change. Distance, size and caps read the price without impact, levels and
 * the smallest amount the fill.
 *
 * @returns the position, or the code of the first gate that fails
 */
export function proposeEntry(
  standing: Standing,
  account: Account,
  bar: FillBar,
  decision: Decision,
  fill: EntryFill,
  config: FullConfig,
): Position | number {
  const { side, volume } = decision;
  const sign = signOf(side);
  const { raw, isLimit, isInside } = fill;
  const plainPrice = isLimit ? raw : slipped(raw, sign, config.slippage_pct);
  const isFixed = config.stop_loss_calculation === 'fixed';
  const { fixed_stop_pct, atr_volatility_factor } = config;
  const distance = stopDistanceOf(isFixed, plainPrice, fixed_stop_pct, decision.atr ?? NaN, atr_volatility_factor);
  const scale = scaleOf(decision, config);
  const spendable = spendableCash(account.purse.cash, config);
  const lowest = sign === 1 ? plainPrice - distance : 1; // a short can fail by its distance only
  const levelGate = levelGateOf(distance, lowest, scale, spendable);
  if (levelGate !== ADMITTED) return levelGate;
  const value = standing.weight * standing.value;
  const room = Math.min(exposureRoom(account, value, bar.open, config), standing.room);
  if (room <= EXPOSURE_DUST) return Denial.max_exposure;

  const fee = isLimit ? (config.maker_fee_pct ?? config.fee_pct) : config.fee_pct;
  // A rebate is credited with the fill, so it pays for no part of it.
  const affordable = (price: number): number => spendable / (price * cashShare(config.leverage, Math.max(0, fee)));
  const base = baseSize(value, plainPrice, distance, decision.volatility ?? NaN, config) * scale;
  const capped = Math.min(base, cap(plainPrice, volume, config));
  let size = Math.min(Math.min(capped, affordable(plainPrice)), room / plainPrice);
  let entryPrice = plainPrice;
  if (!isLimit && config.impact_coefficient > 0) {
    entryPrice = slipped(raw, sign, slipOf(size, volume, config));
    size = Math.min(size, affordable(entryPrice));
  }
  const sizeGate = sizeGateOf(size, entryPrice, config.min_trade_amount);
  if (sizeGate !== ADMITTED) return sizeGate;
  if (standing.limited !== undefined && size < base * (1 - CASH_TOLERANCE)) {
    const cashLimit = spendable < account.purse.cash ? 'min_balance_threshold' : 'cash';
    const notional: readonly (readonly [SizeLimit, number])[] = [
      ['max_units_per_trade', config.max_units_per_trade * plainPrice],
      ['max_trade_amount', config.max_trade_amount],
      ['max_volume_share', (config.max_volume_share ?? Infinity) * volume * plainPrice],
      ['max_gross_exposure', room],
      [cashLimit, affordable(entryPrice) * plainPrice],
    ];
    standing.limited(notional.reduce((least, one) => (one[1] < least[1] ? one : least))[0]);
  }
  const { firstStop, stop, liquidation } = levelsAtEntry(sign, entryPrice, distance, config);
  return {
    firstStop, // spelled out, as the fields of `stepBarOf`
    stop,
    liquidation,
    side,
    entryBar: bar.index,
    isFilledInside: isInside,
    entryPrice,
    firstSize: size,
    size,
    distance,
    best: null,
    partsSold: 0,
    exits: [],
    entryFee: feeOf(fee, size, entryPrice),
    slippageCost: slippageCostOf(size, sign, raw, entryPrice),
    fundingPaid: 0,
    borrowPaid: 0,
    carryBorne: 0,
    scheduledReason: null,
  };
}

function levelsAtEntry(sign: Sign, entryPrice: number, distance: number, config: FullConfig) {
  const stop = config.stop_order ? entryPrice - sign * distance : null;
  const { leverage, maintenance_margin } = config;
  const [bankruptcy, maintenance] = [bankruptcyShare(sign, leverage), maintenanceShare(sign, maintenance_margin)];
  const liquidation = isMargined(sign, leverage) ? liquidationPrice(entryPrice, bankruptcy, maintenance) : null;
  return { firstStop: stop, stop, liquidation };
}

/** Factor on the base size; a volatility target is its own scale. NaN while warming up. */
function scaleOf({ volatility, volatilityScale }: Decision, { position_sizing }: FullConfig): number {
  if (position_sizing === 'volatility_target') return volatility === null ? NaN : 1;
  return volatilityScale ?? NaN;
}

function baseSize(value: number, price: number, distance: number, volatility: number, config: FullConfig): number {
  switch (config.position_sizing) {
    case 'risk':
      return (value * config.max_risk_per_trade) / distance;
    case 'fixed_amount':
      return config.trade_amount / price;
    case 'equity_share':
      return (config.trade_share * value) / price;
    case 'volatility_target':
      return (value * config.target_volatility) / volatility / price; // without end at a volatility of 0
  }
}

/** Largest size that the limits of one trade allow. */
const cap = (price: number, volume: number, config: FullConfig): number =>
  Math.min(
    unitsMaxOf(config.max_units_per_trade, config.max_volume_share ?? NaN, volume),
    config.max_trade_amount / price,
  );

/** Notional that the limit of gross exposure leaves, Infinity without a limit. */
function exposureRoom({ positions }: Account, value: number, open: number, config: FullConfig): number {
  const { max_gross_exposure } = config;
  if (max_gross_exposure === null) return Infinity;
  let gross = 0;
  for (const { size } of positions) gross += size * open;
  return max_gross_exposure * value - gross;
}

/** Pays for a proposed position, or locks its margin, and opens it. */
export function openPosition(account: Account, position: Position, time: number, config: FullConfig): void {
  const { side, firstSize, entryPrice, entryFee } = position;
  const day = utcDay(time);
  const paid = isMargined(signOf(side), config.leverage)
    ? marginOf(firstSize, entryPrice, config.leverage)
    : firstSize * entryPrice;
  account.purse.cash -= paid + entryFee;
  account.entriesOnDay = entriesOnDayOf(day, account.entryDay, account.entriesOnDay) + 1;
  account.entryDay = day;
  account.positions.push(position);
}
