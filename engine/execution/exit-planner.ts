import { type BarSeries, getBit, type Mask, nextBit } from '../series/index.js';
import type { Extremes } from '../timeframes/index.js';
import type { ExecutionConfig } from './config.js';
import { BLOCK_BARS, derivedColumns } from './derived.js';
import { barLimit, decideExit } from './exits.js';
import type { LongPosition } from './long-account.js';

/**
 * Bars tested one by one before the search skips by block; near touches are found sooner that way.
 */
const PLAIN_BARS = 32;
/**
 * First span of bars searched for touch and timeout together. Each span is twice as long as the one
 * before, so the cost follows the bars held.
 */
const FIRST_SPAN = 64;

/**
 * Finds the exit of a position at its entry: the exit depends on levels, limits, exit rule and
 * bars, but not on the account. Positions must be planned in entry order.
 */
export class ExitPlanner {
  private signalBar = -1;
  private blocks: Extremes | null = null;

  constructor(
    private readonly bars: BarSeries,
    private readonly exit: Mask,
    private readonly config: ExecutionConfig,
  ) {}

  /**
   * Sets the exit bar of the position, and the reason when it is sold at an open. Without a reason
   * it is sold inside that bar by its levels, or at the end of the data. A touch inside a bar comes
   * before the decisions at its close.
   */
  plan(position: LongPosition): void {
    const { bars, exit, config } = this;
    const { entryBar, stopPrice, targetPrice } = position;
    const last = bars.barCount - 1;
    const certain = Math.min(this.nextSignal(entryBar), entryBar + barLimit(config.hold_limit_bars) - 1, last);
    const patience = Math.min(
      barLimit(config.exit_on_loss_after_bars),
      barLimit(config.exit_on_profit_after_bars),
      last, // keeps the sum an integer when both are off
    );
    const earliest = Math.min(certain, entryBar + patience - 1);

    for (let from = entryBar, span = FIRST_SPAN; from <= certain; from += span, span *= 2) {
      const to = Math.min(from + span - 1, certain);
      const touch = this.firstTouch(from, to, stopPrice, targetPrice);
      for (let bar = Math.max(from, earliest); bar <= to && bar < touch && bar < last; bar++) {
        const reason = decideExit(position, 1, bar, bars.close[bar], getBit(exit, bar), config);
        if (reason === null) continue;
        position.exitBar = bar + 1;
        position.scheduledReason = reason;
        return;
      }
      if (touch <= to) {
        position.exitBar = touch;
        return;
      }
    }
    position.exitBar = last;
  }

  /** First bar at or after `from` where the exit rule is true, or Infinity. */
  private nextSignal(from: number): number {
    if (this.signalBar < from) {
      const bar = nextBit(this.exit, from);
      this.signalBar = bar === -1 ? Infinity : bar;
    }
    return this.signalBar;
  }

  /**
   * First bar from `from` to `to` that touches a level, or `to + 1`. The open of a bar lies within
   * its range, so low and high are enough.
   */
  private firstTouch(from: number, to: number, stop: number, target: number): number {
    const { low, high } = this.bars;
    const near = Math.min(from + PLAIN_BARS, to + 1);
    let bar = from;
    for (; bar < near; bar++) if (low[bar] <= stop || high[bar] >= target) return bar;
    if (bar > to) return bar;

    this.blocks ??= derivedColumns(this.bars).extremes();
    const { lows, highs } = this.blocks;
    while (bar <= to) {
      const block = Math.floor(bar / BLOCK_BARS);
      const end = Math.min((block + 1) * BLOCK_BARS, to + 1);
      if (lows[block] <= stop || highs[block] >= target) {
        for (; bar < end; bar++) if (low[bar] <= stop || high[bar] >= target) return bar;
      }
      bar = end;
    }
    return bar;
  }
}
