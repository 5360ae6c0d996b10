import { type ExecutionConfig, type ExitReason, isSoldAtOpen } from '../execution/index.js';
import { barsHeldOf } from '../formulas/exit-rules.js';
import { boughtAt, costOf, feeOf, proceedsOf, profitOf, slippageOf, soldAt } from '../formulas/prices-and-sizes.js';
import type { MemberTrade, PortfolioSimulation } from './result.js';
import { type BegunAccount, SharedAccount, type SharedInput } from './shared-account.js';
import { lastBarBefore } from './timeline.js';
import { type AllocatedAsset, decideWeights, isBoundary, type RebalancePeriod, type WeightRule } from './weights.js';

/**
 * Part of the account value below which an asset is at its weight: without a band, rounding alone
 * would sell and count a trade of some 1e-17 units.
 */
const ROUNDING = 1e-9;

export interface AllocationInput extends SharedInput {
  /** At least one; all bars have one interval. */
  readonly assets: readonly AllocatedAsset[];
  readonly rule: WeightRule;
  readonly every: RebalancePeriod;
  /** An asset whose weight is off by less than this part of the account is left alone. */
  readonly band: number;
  /** Balance, slippage and fee are read. */
  readonly config: ExecutionConfig;
}

/** What the account holds of an asset. */
export interface Holding {
  units: number;
  /** Fill price and the price before slippage, by units. */
  meanPrice: number;
  meanRaw: number;
  entryFee: number;
  /** First purchase since the asset was last at 0. */
  entryBar: number;
  /** Profit and loss of its sales. */
  realized: number;
  /** A guard broke: sold at the next open. */
  isScheduled: boolean;
  /** Weight to move to at the next open; null where nothing waits. */
  target: number | null;
  /** Newest bar of the asset; -1 before the first one. */
  bar: number;
}

/** Runs an allocation: page 07, section 8, "weights instead of rules". */
export function simulateAllocation(input: AllocationInput): PortfolioSimulation {
  const run = new AllocationRun(input);
  return run.run();
}

interface BegunAllocation extends BegunAccount {
  /** The time before the window; null where there is none. */
  readonly timeBefore: number | null;
  /** One for each asset. Its bars are numbered as in the input. */
  readonly holdings: readonly Holding[];
  /** Takes the fills, in order. */
  readonly log: AllocationFill[];
}

/** A purchase, or a sale, which is a trade. */
export type AllocationFill =
  | { readonly kind: 'purchase'; readonly asset: number; readonly price: number; readonly units: number }
  | { readonly kind: 'sale'; readonly asset: number; readonly trade: MemberTrade };

export const openHolding = (bar: number): Holding => ({
  ...{ units: 0, meanPrice: 0, meanRaw: 0, entryFee: 0, entryBar: -1, realized: 0, isScheduled: false, target: null },
  bar,
});

export class AllocationRun {
  private readonly shared: SharedAccount;
  private readonly timeline;
  private readonly ledger;
  private readonly holdings: readonly Holding[];
  private readonly purse;
  /** Assets that are held, in the order of the list, and whether that may have changed. */
  private held: number[] = [];
  private isMoved = true;
  /** Assets that were sold completely since the last close. */
  private sold: number[] = [];

  /** @param begun what to go on from; default: a new account */
  constructor(
    private readonly input: AllocationInput,
    private readonly begun: BegunAllocation | null = null,
  ) {
    const { assets, start, config } = input;
    const series = assets.map(({ bars }) => bars);
    this.shared = new SharedAccount(series, input, config.initial_balance, begun);
    this.timeline = this.shared.timeline;
    this.ledger = this.shared.ledger;
    this.purse = this.shared.purse;
    this.holdings = begun?.holdings ?? assets.map(({ bars }) => openHolding(lastBarBefore(bars, start)));
  }

  run(): PortfolioSimulation {
    const last = this.timeline.times.length - 1;
    this.shared.run((i) => {
      this.step(i, i === last);
      return i + 1;
    });
    return this.ledger.finish();
  }

  /**
   * Moves the account through one time.
   * @param isLast no time follows: all holdings are sold at its close
   * @returns its value at the close
   */
  step(i: number, isLast: boolean): number {
    this.open(i);
    this.close(i, isLast);
    return this.shared.guard.latest;
  }

  /** Sales of guards, then the moves that wait. */
  private open(i: number): void {
    const { timeline, holdings, ledger } = this;
    const isPaused = this.shared.isGuarded(i);
    const moving: number[] = [];
    for (let a = 0; a < holdings.length; a++) {
      const holding = holdings[a];
      const bar = timeline.bars[a][i];
      if (isPaused) holding.target = null;
      if (bar < 0) continue;
      holding.bar = bar;
      if (holding.isScheduled) this.sell(i, a, holding.units, this.priceAt(a, 'open'), 'GUARD');
      holding.isScheduled = false;
      if (holding.target !== null) moving.push(a);
    }
    if (moving.length > 0) this.move(i, moving);
    ledger.addHeld(this.holding());
  }

  /** The assets that are held. */
  private holding(): readonly number[] {
    if (this.isMoved) this.held = [...this.holdings.keys()].filter((a) => this.holdings[a].units > 0);
    this.isMoved = false;
    return this.held;
  }

  /** Moves assets to the weights that wait for them, sales first. */
  private move(i: number, assets: readonly number[]): void {
    const { holdings, timeline, input } = this;
    const { slippage_pct, fee_pct } = input.config;
    const value = this.value((a) => this.priceAt(a, timeline.bars[a][i] < 0 ? 'close' : 'open'));
    let sold = 0;
    const purchases: { readonly a: number; readonly units: number; readonly price: number; readonly raw: number }[] =
      [];
    for (const a of assets) {
      const holding = holdings[a];
      const raw = this.priceAt(a, 'open');
      const weight = holding.target ?? 0;
      holding.target = null;
      const missing = weight * value - holding.units * raw;
      if (weight === 0) sold += this.sell(i, a, holding.units, raw, 'REBALANCE');
      else if (Math.abs(missing) < Math.max(input.band, ROUNDING) * value) continue;
      else if (missing < 0) sold += this.sell(i, a, -missing / raw, raw, 'REBALANCE');
      else if (missing > 0) purchases.push({ a, units: missing / raw, price: boughtAt(raw, slippage_pct), raw });
    }
    const cost = purchases.reduce(
      (sum, { units, price }) => sum + costOf(units, price, feeOf(fee_pct, units, price)),
      0,
    );
    const part = cost > this.purse.cash ? Math.max(0, this.purse.cash) / cost : 1;
    let bought = 0;
    for (const { a, units, price, raw } of purchases) {
      this.buy(a, units * part, price, raw);
      bought += units * part * price;
    }
    if (sold > 0 || bought > 0) this.ledger.rebalances.push({ time: i, sold, bought });
  }

  private buy(a: number, units: number, price: number, raw: number): void {
    if (!(units > 0)) return;
    this.isMoved = true;
    const holding = this.holdings[a];
    const fee = feeOf(this.input.config.fee_pct, units, price);
    if (holding.units === 0) Object.assign(holding, { meanPrice: 0, meanRaw: 0, entryFee: 0, entryBar: holding.bar });
    const held = holding.units + units;
    holding.meanPrice = (holding.meanPrice * holding.units + price * units) / held;
    holding.meanRaw = (holding.meanRaw * holding.units + raw * units) / held;
    holding.units = held;
    holding.entryFee += fee;
    this.purse.cash -= costOf(units, price, fee);
    this.begun?.log.push({ kind: 'purchase', asset: a, price, units });
  }

  /**
   * Sells a part or all; each sale is a trade with its share of the entry fees.
   * @returns the notional of the fill
   */
  private sell(i: number, a: number, units: number, raw: number, exitReason: ExitReason): number {
    const holding = this.holdings[a];
    if (!(units > 0)) return 0;
    this.isMoved = true;
    const { slippage_pct, fee_pct } = this.input.config;
    const { meanPrice, meanRaw, entryBar, bar } = holding;
    const exitPrice = soldAt(raw, slippage_pct);
    const exitFee = feeOf(fee_pct, units, exitPrice);
    const entryFee = units === holding.units ? holding.entryFee : holding.entryFee * (units / holding.units);
    const profitLoss = profitOf(units, meanPrice, exitPrice, entryFee, exitFee);
    this.purse.cash += proceedsOf(units, exitPrice, exitFee);
    holding.units -= units;
    if (holding.units === 0) this.sold.push(a);
    holding.entryFee -= entryFee;
    const beginningBalance = this.purse.realizedBalance;
    this.purse.realizedBalance += profitLoss;
    holding.realized += profitLoss;
    const trade: MemberTrade = {
      ...{ member: a, exitTime: i, entryBar, exitBar: bar, entryPrice: meanPrice, exitPrice, size: units },
      ...{ stopPrice: NaN, targetPrice: NaN, profitLoss, profitLossPct: profitLoss / (units * meanPrice) },
      ...{ entryFee, exitFee, fundingPaid: 0, beginningBalance, endingBalance: this.purse.realizedBalance, exitReason },
      slippageCost: slippageOf(units, meanPrice, meanRaw) + slippageOf(units, raw, exitPrice),
      barsHeld: barsHeldOf(entryBar, bar, isSoldAtOpen(exitReason)),
    };
    this.ledger.trades.push(trade);
    this.begun?.log.push({ kind: 'sale', asset: a, trade });
    return units * exitPrice;
  }

  /** The end of the data, marking, guards and the next decision. */
  private close(i: number, isLast: boolean): void {
    const { holdings, timeline, ledger, input } = this;
    const { times, intervalMs } = timeline;
    const before = i === 0 ? (this.begun?.timeBefore ?? null) : times[i - 1];
    const isDue = before === null || isBoundary(input.every, before + intervalMs, times[i] + intervalMs);
    if (isDue) this.sellEnded(i);
    if (isLast) {
      for (const a of holdings.keys()) this.sell(i, a, holdings[a].units, this.priceAt(a, 'close'), 'END');
    }
    const { value, openLoss } = this.mark();
    ledger.addClose(i, value, this.purse.cash);
    const isPaused = this.shared.isGuarded(i);
    if (this.shared.readGuards(i, value, openLoss)) {
      for (const holding of holdings) Object.assign(holding, { isScheduled: holding.units > 0, target: null });
      return;
    }
    if (isPaused || !isDue) return;
    const weights = decideWeights(
      input.assets,
      holdings.map(({ bar }, a) => (this.shared.hasEnded(i, a, bar) ? -1 : bar)),
      input.rule,
    );
    for (const [a, holding] of holdings.entries()) holding.target = weights[a];
  }

  /**
   * Sells the holdings of assets whose bars have ended, also while a guard waits for their open.
   */
  private sellEnded(i: number): void {
    for (const a of this.holding()) {
      if (!this.shared.hasEnded(i, a, this.holdings[a].bar)) continue;
      const raw = this.shared.endedPrice(this.priceAt(a, 'close'));
      this.sell(i, a, this.holdings[a].units, raw, 'ENDED');
      Object.assign(this.holdings[a], { isScheduled: false, target: null });
    }
  }

  /** Marks the holdings, and the sales since the last close. */
  private mark(): { readonly value: number; readonly openLoss: number } {
    let value = this.purse.cash;
    let openLoss = 0;
    for (const a of this.sold.splice(0)) this.ledger.mark(a, 0, 0, this.holdings[a].realized);
    for (const a of this.holding()) {
      const { units, meanPrice, entryFee, realized } = this.holdings[a];
      const close = this.priceAt(a, 'close');
      const gain = units * (close - meanPrice);
      const notional = units * close;
      value += notional;
      openLoss -= gain;
      this.ledger.mark(a, notional, notional, realized + gain - entryFee);
    }
    return { value, openLoss };
  }

  private priceAt(a: number, price: 'open' | 'close'): number {
    return this.input.assets[a].bars[price][this.holdings[a].bar];
  }

  private value(priceOf: (a: number) => number): number {
    let value = this.purse.cash;
    for (const a of this.holding()) value += this.holdings[a].units * priceOf(a);
    return value;
  }
}
