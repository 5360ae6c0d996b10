import { type ExecutionConfig, simulate } from '../execution/index.js';
import { DEVIATION_MIN } from '../metrics/returns.js';
import { type BarSeries, createMask, getBit, type Mask, setBit } from '../series/index.js';
import { profitOf } from './lagged-columns.js';

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
 * How the bars after those of a mask move: mean log return from open to close less that of all
 * bars, in deviations of a bar. Above 0 is what the mask would wish for: a rise after an entry, a
 * fall after an exit; of the short side the other way round.
 */
interface MaskTiming {
  readonly mask: MaskName;
  /** Bars of the mask with two bars after them. */
  readonly count: number;
  /** Over the bar that follows, on whose open an order fills. */
  readonly next: number;
  /** Over the bar after that one. */
  readonly later: number;
  /** First bar of the mask that was counted, -1 without one. */
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

const BARS_MIN = 20;
/** A rule that trades well gains some hundredths of a deviation a bar. */
const NEXT_MIN = 0.3;
/** In standard errors of a mean of unrelated bars. */
const ERRORS_MIN = 5;

/**
 * Whether a mask goes along with the bar after it so much, and so much more than with the one after
 * that, that neither luck nor skill explains it: it was made with that bar in view.
 */
export const isForesight = ({ count, next, later }: MaskTiming): boolean =>
  count >= BARS_MIN && next >= Math.max(NEXT_MIN, ERRORS_MIN / Math.sqrt(count)) && next > 2 * later;

/** What can be said of masks without the rule that made them. Cost: two runs. */
export function auditMasks(input: MaskAuditInput): MaskAudit {
  const { bars, first, config } = input;
  const masks = masksOf(input);
  const tradesOf = (change: (mask: Mask) => Mask) => {
    const [entry, exit, shortEntry, shortExit] = masks.map(([, mask]) => change(mask));
    const short = shortEntry === undefined ? {} : { shortEntry, shortExit };
    return simulate({ bars, first, entry, exit, ...short, config }).trades;
  };
  const whole = tradesOf((mask) => mask);
  const lagged = tradesOf((mask) => oneBarLate(mask, bars.barCount));
  return {
    lag: {
      profit: profitOf(whole),
      laggedProfit: profitOf(lagged),
      trades: whole.length,
      laggedTrades: lagged.length,
    },
    timings: masks.map(([name, mask, sign]) => timingOf(name, mask, bars, first, sign)),
  };
}

/** The masks of both sides, with the sign of the return that each would wish for. */
function masksOf({ bars, entry, exit, shortEntry, shortExit }: MaskAuditInput): [MaskName, Mask, 1 | -1][] {
  const long: [MaskName, Mask, 1 | -1][] = [
    ['entry', entry, 1],
    ['exit', exit, -1],
  ];
  if (shortEntry === undefined || shortEntry === null) return long;
  return [...long, ['short_entry', shortEntry, -1], ['short_exit', shortExit ?? createMask(bars.barCount), 1]];
}

function oneBarLate(mask: Mask, barCount: number): Mask {
  const late = createMask(barCount);
  for (let bar = 1; bar < barCount; bar++) if (getBit(mask, bar - 1)) setBit(late, bar);
  return late;
}

/** @param sign of the return that the mask would wish for */
function timingOf(
  name: MaskTiming['mask'],
  mask: Mask,
  { open, close, barCount }: BarSeries,
  first: number,
  sign: 1 | -1,
): MaskTiming {
  const returns = close.map((price, bar) => sign * Math.log(price / open[bar])).subarray(first);
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const deviation = Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / returns.length);
  let [count, next, later, firstBar] = [0, 0, 0, -1];
  for (let bar = first; bar + 2 < barCount; bar++) {
    if (!getBit(mask, bar)) continue;
    if (count === 0) firstBar = bar;
    count++;
    next += returns[bar + 1 - first] - mean;
    later += returns[bar + 2 - first] - mean;
  }
  const perBar = count === 0 || !(deviation >= DEVIATION_MIN) ? 0 : 1 / (count * deviation);
  return { mask: name, count, next: next * perBar, later: later * perBar, bar: firstBar };
}
