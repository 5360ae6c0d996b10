import { type ExecutionConfig, simulate } from '../execution/index.js';
import { DEVIATION_MIN } from '../metrics/returns.js';
import { type BarSeries, createMask, getBit, type Mask, setBit } from '../series/index.js';
import { totalProfit } from './early-columns.js';

interface MaskAuditInput {
  readonly bars: BarSeries;
  /** First tradable bar. */
  readonly first: number;
  readonly entry: Mask;
  readonly exit: Mask;
  /** The masks of the short side; null where there is none. */
  readonly shortEntry?: Mask | null;
  readonly shortExit?: Mask | null;
  readonly config: ExecutionConfig;
}

/** Names of masks in requests. */
export type MaskName = 'entry' | 'exit' | 'short_entry' | 'short_exit';

/**
 * How the bars after the bars of a mask move: mean log return from open to close less the mean of
 * all bars, in deviations of a bar. Above 0, prices move as the mask would wish: up after an entry,
 * down after an exit; on the short side the other way round.
 */
interface MaskTiming {
  readonly mask: MaskName;
  /** All bars of the mask, or those at which it becomes true: a state knows most where it begins. */
  readonly of: 'bars' | 'starts';
  /** Those with two bars after them. */
  readonly count: number;
  /** Over the bar that follows, on whose open an order fills. */
  readonly next: number;
  /** Sample deviation of the values whose mean is `next`; 0 for fewer than 2. */
  readonly spread: number;
  /** Over the bar after that one. */
  readonly later: number;
  /** First bar that was counted, -1 without one. */
  readonly bar: number;
}

/** What the result of the masks owes to their newest bar. */
interface MaskLag {
  /** Sum over all trades, quote currency. */
  readonly profit: number;
  /** The same with all masks one bar later. */
  readonly laggedProfit: number;
  readonly trades: number;
  readonly laggedTrades: number;
}

export interface MaskAudit {
  readonly lag: MaskLag;
  readonly timings: readonly MaskTiming[];
}

const BARS_MIN = 10;
/** A rule that trades well gains some hundredths of a deviation a bar. */
const NEXT_MIN = 0.3;
/** In standard errors of a mean, of unrelated bars and of the bars that were counted. */
const ERRORS_MIN = 4;

/**
 * Whether a mask goes along with the bar after it so much, and so much more than with the one after
 * that, that neither luck nor skill explains it: it was made with that bar in view. A rule that buys
 * a fall and comes a bar early precedes a fall, so both directions count.
 */
export function isForesight({ count, next, spread, later }: MaskTiming): boolean {
  const error = Math.max(1, spread) / Math.sqrt(count);
  const found = Math.abs(next);
  return count >= BARS_MIN && found >= Math.max(NEXT_MIN, ERRORS_MIN * error) && found > 2 * Math.abs(later);
}

/** What can be said of masks without the rule that made them. Cost: two runs. */
export function auditMasks(input: MaskAuditInput): MaskAudit {
  const { bars, first, config } = input;
  const masks = namedMasks(input);
  const trades = (change: (mask: Mask) => Mask) => {
    const [entry, exit, shortEntry, shortExit] = masks.map(([, mask]) => change(mask));
    const short = shortEntry === undefined ? {} : { shortEntry, shortExit };
    return simulate({ bars, first, entry, exit, ...short, config }).trades;
  };
  const whole = trades((mask) => mask);
  const lagged = trades((mask) => laterMask(mask, bars.barCount));
  return {
    lag: {
      profit: totalProfit(whole),
      laggedProfit: totalProfit(lagged),
      trades: whole.length,
      laggedTrades: lagged.length,
    },
    timings: timings(masks, bars, first),
  };
}

/** A mask with the sign of the return that it would wish for. */
type NamedMask = readonly [MaskName, Mask, 1 | -1];

/** The masks of both sides. */
function namedMasks({ bars, entry, exit, shortEntry, shortExit }: MaskAuditInput): NamedMask[] {
  const long: NamedMask[] = [
    ['entry', entry, 1],
    ['exit', exit, -1],
  ];
  if (shortEntry === undefined || shortEntry === null) return long;
  return [...long, ['short_entry', shortEntry, -1], ['short_exit', shortExit ?? createMask(bars.barCount), 1]];
}

function timings(masks: readonly NamedMask[], bars: BarSeries, first: number): MaskTiming[] {
  const moves = standardMoves(bars, first);
  return masks.flatMap(([name, mask, sign]) =>
    (['bars', 'starts'] as const).map((of) => timing({ name, of, mask, sign }, moves, first)),
  );
}

/** Log returns from open to close less their mean, in their deviations; 0 where none moves. */
function standardMoves({ open, close }: BarSeries, first: number): Float64Array {
  const returns = close.map((price, bar) => Math.log(price / open[bar])).subarray(first);
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const deviation = Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / returns.length);
  return returns.map((value) => (deviation >= DEVIATION_MIN ? (value - mean) / deviation : 0));
}

interface Timed {
  readonly name: MaskTiming['mask'];
  readonly of: MaskTiming['of'];
  readonly mask: Mask;
  /** Of the return that the mask would wish for. */
  readonly sign: 1 | -1;
}

/** @param moves of the bars from `first` on */
function timing({ name, of, mask, sign }: Timed, moves: Float64Array, first: number): MaskTiming {
  const counted: number[] = [];
  for (let k = 0; k + 2 < moves.length; k++) {
    const goesOn = of === 'starts' && first + k > 0 && getBit(mask, first + k - 1);
    if (getBit(mask, first + k) && !goesOn) counted.push(k);
  }
  const count = counted.length;
  const meanAfter = (bars: number) =>
    count === 0 ? 0 : counted.reduce((sum, k) => sum + sign * moves[k + bars], 0) / count;
  const next = meanAfter(1);
  const squares = counted.reduce((sum, k) => sum + (sign * moves[k + 1] - next) ** 2, 0);
  const spread = count < 2 ? 0 : Math.sqrt(squares / (count - 1));
  return { mask: name, of, count, next, spread, later: meanAfter(2), bar: count === 0 ? -1 : first + counted[0] };
}

export function laterMask(mask: Mask, barCount: number): Mask {
  const late = createMask(barCount);
  for (let bar = 1; bar < barCount; bar++) if (getBit(mask, bar - 1)) setBit(late, bar);
  return late;
}

/** A column one bar later; NaN where there was no bar before. */
export function laterColumn(cells: Float64Array): Float64Array {
  const late = new Float64Array(cells.length).fill(NaN);
  late.set(cells.subarray(0, -1), Math.min(1, cells.length));
  return late;
}

/**
 * A mask whose bars from `first` on are moved by some bars, those beyond the end to the start: as
 * many bars in rows as long, at other times.
 */
export function rotatedMask(mask: Mask, barCount: number, first: number, by: number): Mask {
  const rotated = createMask(barCount);
  for (let bar = 0; bar < barCount; bar++) {
    if (getBit(mask, bar)) setBit(rotated, rotatedBar(bar, barCount, first, by));
  }
  return rotated;
}

/** The same of a column. */
export function rotatedColumn(cells: Float64Array, first: number, by: number): Float64Array {
  const rotated = new Float64Array(cells.length);
  for (let bar = 0; bar < cells.length; bar++) rotated[rotatedBar(bar, cells.length, first, by)] = cells[bar];
  return rotated;
}

const rotatedBar = (bar: number, barCount: number, first: number, by: number): number =>
  bar < first ? bar : first + ((bar - first + by) % (barCount - first));
