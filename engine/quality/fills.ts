import type { SimulationInput, Trade } from '../execution/index.js';
import { type BarSeries, FUNDING_COLUMN, isoTime } from '../series/index.js';
import { accountBounds } from './account-bounds.js';
import { profitBounds } from './event-orders.js';
import { counted, percentText, type QualityFinding } from './finding.js';

/** Share of the volume of its bar above which a fill would have moved the price. */
const LARGE_SHARE = 0.01;
/** Share of all exits, or of the initial balance, from which the order inside bars matters. */
const AMBIGUOUS_SHARE = 0.05;
const AMBIGUOUS_PROFIT = 0.01;
/** Bounds of the account this many times as wide as the ones of the same entries say too little. */
const WIDTH_MAX = 4;

/** Whether fills happened where the market could not, or may not, have given them. O(trades). */
export function fillFindings(run: SimulationInput, trades: readonly Trade[]): QualityFinding[] {
  const { bars } = run;
  return [...withoutVolume(bars, trades), ...ambiguous(run, trades), ...large(bars, trades)];
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

/** Trades that hang on the order of events inside bars; see `profitBounds` and `accountBounds`. */
function ambiguous(run: SimulationInput, trades: readonly Trade[]): QualityFinding[] {
  const { entry_order, scale_out, detail_interval, initial_balance } = run.config;
  if ((detail_interval ?? null) !== null) return []; // finer bars have told the order
  // Without parts and orders that work, only a loss in a bar that reaches the target leaves a doubt.
  if (!(entry_order || scale_out || trades.some((trade) => reachesTarget(run.bars, trade)))) return [];
  const judged = profitBounds(run);
  const unclear = judged.filter(({ low, high }) => low < high);
  if (unclear.length === 0) return [];
  const accountReturn = (profit: number) => profit / initial_balance;
  const own = sumOf(trades.map(({ profitLoss }) => profitLoss));
  const same = { low: sumOf(judged.map((one) => one.low)), high: sumOf(judged.map((one) => one.high)) };
  const account = accountBounds(run);
  const isTold = account !== null && account.high - account.low <= WIDTH_MAX * (same.high - same.low);
  const [low, high] = isTold
    ? [accountReturn(account.low - initial_balance), accountReturn(account.high - initial_balance)]
    : [accountReturn(same.low), accountReturn(same.high)];
  if (unclear.length < AMBIGUOUS_SHARE * trades.length && high - low < AMBIGUOUS_PROFIT) return [];
  const fact = `${unclear.length} of ${counted(trades.length, 'trade')} hang on the order of entry, stop and target inside a bar`;
  const bounds = isTold
    ? `whatever it was, the account returns ${percentText(low)} to ${percentText(high)}`
    : `the worst orders give the same entries and sizes a return of ${percentText(low)}, the best ${percentText(high)}`;
  const bar = unclear.map(({ trade }) => trade.exitBar).reduce(earlier);
  const message = `${fact}: ${bounds}, the run ${percentText(accountReturn(own))}; finer bars tell the order`;
  return [{ kind: 'ambiguous-exits', count: unclear.length, bar, message }];
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const reachesTarget = ({ high, low }: BarSeries, { exitBar, targetPrice, details }: Trade): boolean =>
  details?.side === 'short' ? low[exitBar] <= targetPrice : high[exitBar] >= targetPrice;

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
