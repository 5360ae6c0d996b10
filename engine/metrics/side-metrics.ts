import { isSoldAtOpen, type Simulation, type Trade } from '../execution/index.js';
import type { BarSeries } from '../series/index.js';
import { meanOf } from './run-facts.js';

/** What the trades of one side made. */
export interface SideResults {
  readonly trades: number;
  /** Fraction of the trades with a profit; 0 without trades. */
  readonly win_rate: number;
  /** Sum over the trades, quote currency. */
  readonly net_pnl: number;
  /** 0 without profits; null without losses. */
  readonly profit_factor: number | null;
  /** Mean profit and loss of a trade. */
  readonly expectancy: number;
  /** Mean profit and loss over the notional at the entry. */
  readonly avg_return: number;
  readonly avg_bars_held: number;
  readonly fees: number;
  /** Below 0 where it was received. */
  readonly funding_paid: number;
  readonly borrow_paid: number;
}

/** What a run adds to its metrics that uses sides, margin, orders or guards. */
export interface SideMetrics {
  /** Fraction of the bars with a position of the side open after the fills at their open. */
  readonly exposure_long: number;
  readonly exposure_short: number;
  /** Notionals of both sides over the account value at a close: mean and largest. */
  readonly gross_exposure: number;
  readonly largest_gross_exposure: number;
  /** Long less short notional over the account value: mean, and the value farthest from 0. */
  readonly net_exposure: number;
  readonly largest_net_exposure: number;
  /** Profit of the trades that locked margin over the sum of their margins; null without any. */
  readonly return_on_margin: number | null;
  readonly liquidations: number;
  readonly long: SideResults;
  readonly short: SideResults;
}

type Unit = 'ratio' | 'fraction' | 'bars' | 'trades' | 'amount';
interface Described {
  readonly unit: Unit;
  readonly description: string;
}

/** Units and meanings of the figures of one side. */
export const sideResultTable = {
  trades: { unit: 'trades', description: 'closed trades' },
  win_rate: { unit: 'fraction', description: 'trades with a profit' },
  net_pnl: { unit: 'amount', description: 'sum of profit and loss' },
  profit_factor: { unit: 'ratio', description: 'sum of the profits over the absolute sum of the losses' },
  expectancy: { unit: 'amount', description: 'mean profit and loss of a trade' },
  avg_return: { unit: 'fraction', description: 'mean profit and loss over the notional of the entry' },
  avg_bars_held: { unit: 'bars', description: 'mean holding time' },
  fees: { unit: 'amount', description: 'fees of all legs' },
  funding_paid: { unit: 'amount', description: 'funding, below 0 where it was received' },
  borrow_paid: { unit: 'amount', description: 'cost of what was borrowed' },
} as const satisfies Record<keyof SideResults, Described>;

/** Units and meanings of the figures of both sides together. */
export const sideMetricTable = {
  exposure_long: { unit: 'fraction', description: 'bars with a long position open' },
  exposure_short: { unit: 'fraction', description: 'bars with a short position open' },
  gross_exposure: { unit: 'ratio', description: 'mean of both notionals over the account value, at the closes' },
  largest_gross_exposure: { unit: 'ratio', description: 'largest of both notionals over the account value' },
  net_exposure: { unit: 'ratio', description: 'mean of long less short notional over the account value' },
  largest_net_exposure: { unit: 'ratio', description: 'long less short notional where it was farthest from 0' },
  return_on_margin: { unit: 'ratio', description: 'profit of the margined trades over the sum of their margins' },
  liquidations: { unit: 'trades', description: 'trades that lost their whole margin' },
} as const satisfies Record<Exclude<keyof SideMetrics, 'long' | 'short'>, Described>;

/** @param first index of the first tradable bar */
export function measureSides(
  { trades, equity }: Pick<Simulation, 'trades' | 'equity'>,
  bars: BarSeries,
  first: number,
): SideMetrics {
  const long = trades.filter((trade) => !isShort(trade));
  const short = trades.filter(isShort);
  const notionals = [notionalAtCloses(long, bars, first), notionalAtCloses(short, bars, first)];
  const exposure = exposures(notionals[0], notionals[1], equity);
  const margined = trades.flatMap(({ details, profitLoss }) =>
    details?.margin ? [{ ...details.margin, profitLoss }] : [],
  );
  const margin = sumOf(margined, ({ amount }) => amount);
  return {
    exposure_long: barsHeld(long, bars.barCount, first) / equity.length,
    exposure_short: barsHeld(short, bars.barCount, first) / equity.length,
    ...exposure,
    return_on_margin: margined.length === 0 ? null : sumOf(margined, ({ profitLoss }) => profitLoss) / margin,
    liquidations: trades.filter(({ exitReason }) => exitReason === 'LIQUIDATION').length,
    long: results(long),
    short: results(short),
  };
}

const isShort = ({ details }: Trade): boolean => details?.side === 'short';

const sumOf = <T>(items: readonly T[], term: (item: T) => number): number =>
  items.reduce((sum, item) => sum + term(item), 0);

function results(trades: readonly Trade[]): SideResults {
  const count = trades.length;
  const wins = trades.filter(({ profitLoss }) => profitLoss > 0);
  const won = sumOf(wins, ({ profitLoss }) => profitLoss);
  const net = sumOf(trades, ({ profitLoss }) => profitLoss);
  const lost = sumOf(trades, ({ profitLoss }) => Math.min(0, profitLoss));
  return {
    trades: count,
    win_rate: meanOf(wins.length, count),
    net_pnl: net,
    profit_factor: wins.length === 0 ? 0 : lost === 0 ? null : won / -lost,
    expectancy: meanOf(net, count),
    avg_return: meanOf(
      sumOf(trades, ({ profitLossPct }) => profitLossPct),
      count,
    ),
    avg_bars_held: meanOf(
      sumOf(trades, ({ barsHeld }) => barsHeld),
      count,
    ),
    fees: sumOf(trades, ({ entryFee, exitFee }) => entryFee + exitFee),
    funding_paid: sumOf(trades, ({ fundingPaid }) => fundingPaid),
    borrow_paid: sumOf(trades, ({ details }) => details?.borrowPaid ?? 0),
  };
}

/** Bars with one of the trades open after the fills at their open, or opened inside them. */
function barsHeld(trades: readonly Trade[], barCount: number, first: number): number {
  const isHeld = new Uint8Array(barCount);
  for (const { entryBar, exitBar, exitReason } of trades) {
    isHeld.fill(1, entryBar, isSoldAtOpen(exitReason) ? exitBar : exitBar + 1);
  }
  return isHeld.subarray(first).reduce((sum, one) => sum + one, 0);
}

/** Notional of the trades at each close. A position sold in a bar is not held at its close. */
function notionalAtCloses(trades: readonly Trade[], { barCount, close }: BarSeries, first: number): Float64Array {
  const notional = new Float64Array(barCount - first);
  for (const { entryBar, exitBar, size, details } of trades) {
    let left = size;
    const exits = details?.exits ?? [];
    let sold = 0;
    for (let i = entryBar; i < exitBar; i++) {
      for (; sold < exits.length && exits[sold].bar <= i; sold++) left -= exits[sold].size;
      notional[i - first] += left * close[i];
    }
  }
  return notional;
}

/** Exposures at the closes; an account without value has none. */
function exposures(long: Float64Array, short: Float64Array, equity: Float64Array) {
  let [gross, net, largestGross, largestNet] = [0, 0, 0, 0];
  for (let i = 0; i < equity.length; i++) {
    if (!(equity[i] > 0)) continue;
    const [both, difference] = [(long[i] + short[i]) / equity[i], (long[i] - short[i]) / equity[i]];
    gross += both;
    net += difference;
    largestGross = Math.max(largestGross, both);
    if (Math.abs(difference) > Math.abs(largestNet)) largestNet = difference;
  }
  return {
    gross_exposure: meanOf(gross, equity.length),
    largest_gross_exposure: largestGross,
    net_exposure: meanOf(net, equity.length),
    largest_net_exposure: largestNet,
  };
}
