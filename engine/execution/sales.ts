import { isBookedLoss } from '../formulas/cooldown-rules.js';
import { barsHeldOf } from '../formulas/exit-rules.js';
import { feeOf } from '../formulas/prices-and-sizes.js';
import { isMargined, marginedProceeds, marginOf } from '../formulas/sides.js';
import { type Account, carryBorne, isOnMargin, type Position, signOf, targetPrice, worthOnMargin } from './account.js';
import { bookLoss } from './cooldown.js';
import type { FullConfig } from './full-config.js';
import { slipOf, slippageCostOf, slipped } from './slippage.js';
import type { Fill } from './touches.js';
import { isSoldAtOpen, type Trade, type TradeDetails } from './trade.js';

/** Where and when a sale fills. */
interface SaleBar {
  readonly index: number;
  /** Of the bar before it. */
  readonly volumeBefore: number;
}

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
  const trade = {
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
    details: details(position, profitLoss, config),
  };
  if (account.isPlain !== true) return trade; // made without a spread, which takes ten times as long
  const { details: _, ...plain } = trade;
  return plain;
}

function profitOfPosition(position: Position, exitFee: number, { leverage }: FullConfig): number {
  const { side, exits, entryFee, fundingPaid, borrowPaid } = position;
  const gain = sumOver(exits, (exit) => exit.gain);
  // What a margined position got back has its exit fees taken off.
  if (isMargined(signOf(side), leverage)) return gain - entryFee - fundingPaid - borrowPaid;
  return gain - entryFee - exitFee - fundingPaid;
}

function details(position: Position, profitLoss: number, config: FullConfig): TradeDetails {
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

const sumOver = <T>(items: readonly T[], term: (item: T) => number): number =>
  items.reduce((sum, item) => sum + term(item), 0);
