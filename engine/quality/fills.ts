import type { ExecutionConfig, Trade } from '../execution/index.js';
import { entryFill, exitFill } from '../execution/index.js';
import { feeOf, profitOf } from '../formulas/prices-and-sizes.js';
import { type BarSeries, FUNDING_COLUMN, isoTime } from '../series/index.js';
import { counted, percentText, type QualityFinding } from './finding.js';

/** Share of the volume of its bar above which a fill would have moved the price. */
const LARGE_SHARE = 0.01;
/** Share of all exits, or of the initial balance, from which the order inside bars matters. */
const AMBIGUOUS_SHARE = 0.05;
const AMBIGUOUS_PROFIT = 0.01;

/** Whether fills happened where the market could not, or may not, have given them. O(trades). */
export function fillFindings(bars: BarSeries, trades: readonly Trade[], config: ExecutionConfig): QualityFinding[] {
  return [...withoutVolume(bars, trades), ...ambiguous(bars, trades, config), ...large(bars, trades)];
}

const earlier = (a: number, b: number): number => Math.min(a, b);

/** A series without any volume has a finding of its own. */
function withoutVolume({ volume }: BarSeries, trades: readonly Trade[]): QualityFinding[] {
  const entries = trades.filter(({ entryBar }) => volume[entryBar] === 0);
  const exits = trades.filter(({ exitBar }) => volume[exitBar] === 0);
  const count = entries.length + exits.length;
  if (count === 0 || volume.every((one) => one === 0)) return [];
  const bar = [...entries.map(({ entryBar }) => entryBar), ...exits.map(({ exitBar }) => exitBar)].reduce(earlier);
  const message = `${counted(entries.length, 'entry', 'entries')} and ${counted(exits.length, 'exit')} filled in bars without volume, where nothing was traded`;
  return [{ kind: 'fills-without-volume', count, bar, message }];
}

/**
 * Exits in a bar whose range holds stop and target. The engine takes the stop; the profit of the
 * other order is that of the same positions, so sizes of later entries stay as they were.
 */
function ambiguous(
  { open, high, low }: BarSeries,
  trades: readonly Trade[],
  config: ExecutionConfig,
): QualityFinding[] {
  if ((config.detail_interval ?? null) !== null) return []; // finer bars have told the order
  const unclear = trades.filter(({ exitBar: bar, exitReason, stopPrice, targetPrice, details }) => {
    if (exitReason !== 'SL') return false;
    if (details?.side === 'short') {
      return open[bar] < stopPrice && high[bar] >= stopPrice && low[bar] <= targetPrice;
    }
    return open[bar] > stopPrice && low[bar] <= stopPrice && high[bar] >= targetPrice;
  });
  const missed = unclear.reduce((sum, trade) => sum + profitAtTarget(trade, config) - trade.profitLoss, 0);
  const gain = missed / config.initial_balance;
  const matters = unclear.length >= AMBIGUOUS_SHARE * trades.length || gain >= AMBIGUOUS_PROFIT;
  if (unclear.length === 0 || !matters) return [];
  const total = trades.reduce((sum, { profitLoss }) => sum + profitLoss, 0) / config.initial_balance;
  const fact = `${unclear.length} of ${counted(trades.length, 'exit')} lie in bars that touch stop and target`;
  const other = `the other order would give a return of ${percentText(total + gain)} instead of ${percentText(total)}`;
  const bar = unclear[0].exitBar; // trades are in closing order
  const message = `${fact} and count as losses: ${other} (sizes unchanged); finer bars tell the order`;
  return [{ kind: 'ambiguous-exits', count: unclear.length, bar, message }];
}

function profitAtTarget(trade: Trade, config: ExecutionConfig): number {
  const { size, entryPrice, targetPrice, entryFee } = trade;
  if (trade.details?.side === 'short') {
    const price = entryFill(targetPrice, config); // bought back
    return size * (entryPrice - price) - entryFee - feeOf(config.fee_pct, size, price);
  }
  const price = exitFill(targetPrice, config);
  return profitOf(size, entryPrice, price, entryFee, feeOf(config.fee_pct, size, price));
}

function large({ volume, time }: BarSeries, trades: readonly Trade[]): QualityFinding[] {
  const bars = trades.flatMap(({ entryBar, exitBar }) => [entryBar, exitBar]);
  let count = 0;
  let first = Infinity;
  let largest = 0;
  let largestBar = -1;
  for (const [k, bar] of bars.entries()) {
    const share = trades[k >> 1].size / volume[bar];
    if (!(share > LARGE_SHARE) || volume[bar] === 0) continue;
    count++;
    first = Math.min(first, bar);
    if (share <= largest) continue;
    largest = share;
    largestBar = bar;
  }
  if (count === 0) return [];
  const fact = `${count} of ${counted(bars.length, 'fill')} take more than ${percentText(LARGE_SHARE, 0)} of the volume of their bar`;
  const message = `${fact}, up to ${percentText(largest)} at ${isoTime(time[largestBar])}: the market would have moved`;
  return [{ kind: 'large-fills', count, bar: first, message }];
}

/** Trades on a perpetual that were held while no funding rate is known. */
export function unpaidFunding({ columns }: BarSeries, trades: readonly Trade[]): QualityFinding[] {
  const rates = columns[FUNDING_COLUMN];
  const unpaid = trades.filter(
    ({ entryBar, exitBar }) => rates === undefined || rates.subarray(entryBar, exitBar + 1).some(Number.isNaN),
  );
  if (unpaid.length === 0) return [];
  const fact = `${unpaid.length} of ${counted(trades.length, 'trade')} on a perpetual paid no funding, whose rates are not known`;
  const message = `${fact}: longs paid some 9 % a year of their positions in 2024 and 2025; add the column PerpFundingRate`;
  const bar = unpaid.map(({ entryBar }) => entryBar).reduce(earlier);
  return [{ kind: 'unpaid-funding', count: unpaid.length, bar, message }];
}
