import { ADMITTED } from '../formulas/gates.js';
import { ColumnPool } from '../series/column-pool.js';
import { countUpTo, getBit, nextBit } from '../series/index.js';
import { type Kernels, kernelsOver } from '../simd/kernels.js';
import { stretchesAlone } from './alone.js';
import { type AtrSource, atrSource, effectiveAtr } from './atr.js';
import { DenialLog } from './denials.js';
import { ExitPlanner } from './exit-planner.js';
import { fundingBars, fundingRate } from './funding.js';
import { jump } from './jump.js';
import {
  buy,
  type LongAccount,
  longGate,
  openLongAccount,
  payFunding,
  proposeLong,
  sellRest,
  sellScheduled,
  sellTouched,
} from './long-account.js';
import { MovedRanges } from './moved-ranges.js';
import { checkInput, isPlain, type Simulation, type SimulationInput } from './simulation.js';
import type { Trade } from './trade.js';
import { volatilityScale } from './volatility.js';

/**
 * Runs one configuration over a series. Trades, denials and equity equal the bar-by-bar `step` in
 * every bit, but the run jumps from event to event. An event is a bar after an entry signal, or one
 * that closes a position or settles funding; these two are known at the entry. Cost follows entry
 * signals and bars held. For runs that use sides, margin, orders or guards see `jump`.
 *
 * @throws RangeError when a mask or `first` does not fit the bars; EngineError when the config is
 *   not valid
 */
export function simulate(input: SimulationInput): Simulation {
  checkInput(input);
  if (!isPlain(input)) return jump(input);
  return new JumpRun(input).run();
}

class JumpRun {
  private readonly account: LongAccount;
  private readonly trades: Trade[] = [];
  private readonly denials = new DenialLog();
  private readonly equity: Float64Array;
  /** Null when the equity is not in the memory of the bars. */
  private readonly kernels: Kernels | null;
  private readonly moved = new MovedRanges();
  private readonly planner: ExitPlanner;
  private atr: AtrSource | null = null;
  /** First bar whose equity is not yet written. */
  private marked: number;
  /** Bar of the nearest exit among the open positions. */
  private nextExit: number;
  /** Bar of the next settlement while a position is open, else barCount. */
  private nextFunding: number;
  private readonly fundingBars: Int32Array;
  private exposedBars = 0;

  constructor(private readonly input: SimulationInput) {
    const { bars, first, exit, config, equity } = input;
    this.account = openLongAccount(config);
    const room = equity ?? ColumnPool.beside(bars.close).take(bars.barCount - first);
    this.kernels = kernelsOver(room.length, [room, bars.close]);
    this.equity = room;
    this.planner = new ExitPlanner(bars, exit, config);
    this.marked = first;
    this.nextExit = bars.barCount;
    this.nextFunding = bars.barCount;
    this.fundingBars = fundingBars(bars, config);
  }

  run(): Simulation {
    const { bars, first, entry } = this.input;
    const { positions } = this.account;
    let wanted = nextBit(entry, first);
    for (;;) {
      const fill = wanted === -1 ? bars.barCount : wanted + 1;
      const bar = Math.min(fill, this.nextExit, this.nextFunding);
      if (bar >= bars.barCount) break;
      if (bar === this.nextExit) this.sellAtOpen(bar);
      if (bar === fill) {
        this.enter(bar);
        wanted = nextBit(entry, bar);
        this.seekFunding(bar);
      }
      if (bar === this.nextFunding) this.markTo(bar);
      if (bar === this.nextExit || bar === this.nextFunding) {
        const isExposed = positions.length > 0;
        this.sellInside(bar);
        if (isExposed && positions.length === 0) this.exposedBars++; // `markTo` does not count it
      }
    }
    this.markTo(bars.barCount);
    const { trades, exposedBars } = this;
    const equity = this.keptEquity();
    return {
      trades,
      denials: this.denials.finish(),
      equity,
      movedRanges: this.moved.finish(equity.length),
      alone: stretchesAlone(this.input, trades),
      exposedBars,
    };
  }

  /** The array that the caller lent, or a copy of the pool's. */
  private keptEquity(): Float64Array {
    const { equity, input } = this;
    if (equity === input.equity) return equity;
    const kept = equity.slice();
    ColumnPool.beside(input.bars.close).give([equity]);
    return kept;
  }

  private sellAtOpen(bar: number): void {
    const { bars, config } = this.input;
    this.markTo(bar);
    sellScheduled(this.account, bar, bars.open[bar], config, this.trades);
  }

  private enter(bar: number): void {
    const { account, input, denials } = this;
    const { bars, exit, config } = input;
    const time = bars.time[bar];
    const open = bars.open[bar];
    const code = longGate(account, bar, time, open, getBit(exit, bar - 1), config);
    if (code !== ADMITTED) {
      denials.add(bar, code);
      return;
    }
    const scale = volatilityScale(bars, bar - 1, config);
    const entry = proposeLong(account, bar, open, this.atrAt(bar - 1), scale, config, bars.volume[bar - 1]);
    if (typeof entry === 'number') {
      denials.add(bar, entry);
      return;
    }
    this.markTo(bar);
    buy(account, entry, time);
    this.planner.plan(entry);
    this.nextExit = Math.min(this.nextExit, entry.exitBar);
  }

  private sellInside(bar: number): void {
    const { account, trades } = this;
    const { bars, config } = this.input;
    sellTouched(account, bar, bars.open[bar], bars.high[bar], bars.low[bar], config, trades);
    payFunding(account, bars.close[bar], fundingRate(bars, bar, config));
    if (bar === bars.barCount - 1) sellRest(account, bar, bars.close[bar], config, trades);
    this.nextExit = bars.barCount;
    for (const position of account.positions) this.nextExit = Math.min(this.nextExit, position.exitBar);
    this.seekFunding(bar + 1);
  }

  /** Finds the first settlement at or after `bar`. */
  private seekFunding(bar: number): void {
    const { fundingBars: settled, account, input } = this;
    if (settled.length === 0) return;
    const isHeld = account.positions.length > 0;
    this.nextFunding = (isHeld ? settled[countUpTo(settled, bar - 1)] : undefined) ?? input.bars.barCount;
  }

  private atrAt(bar: number): number {
    const { bars, config } = this.input;
    if (config.stop_loss_calculation === 'fixed') return NaN;
    this.atr ??= atrSource(bars, config);
    return effectiveAtr(this.atr, bar, config);
  }

  /**
   * Values the account at the closes before `to`, adding in the order of `longValue`, and counts
   * the exposed bars.
   */
  private markTo(to: number): void {
    const { equity, account, moved, kernels } = this;
    const { positions, cash } = account;
    const { bars, first } = this.input;
    const { close } = bars;
    const from = this.marked;
    if (from === to) return;
    this.marked = to;
    if (positions.length === 0) {
      if (cash !== equity[from - first - 1]) moved.add(from - first, from - first + 1);
      if (equity === this.input.equity) {
        // Metrics read only the ends of a flat range. Filling all of it would cost a strategy that
        // trades rarely as much as the rest of its run.
        equity[from - first] = cash;
        equity[to - first - 1] = cash;
      } else if (kernels === null) {
        equity.fill(cash, from - first, to - first);
      } else {
        // `fill` of shared memory writes value by value.
        kernels.fill(equity.byteOffset, from - first, to - first, cash);
      }
      return;
    }
    this.exposedBars += to - from;
    // The range ends with the next close, which shows the proceeds of the exit.
    moved.add(from - first, to - first + 1);
    const { size } = positions[0];
    if (kernels !== null) {
      const bytes = equity.BYTES_PER_ELEMENT;
      const out = equity.byteOffset + (from - first) * bytes;
      kernels.mark(close.byteOffset + from * bytes, cash, size, to - from, out);
    } else {
      for (let i = from; i < to; i++) equity[i - first] = cash + size * close[i];
    }
    for (let p = 1; p < positions.length; p++) {
      const { size } = positions[p];
      for (let i = from; i < to; i++) equity[i - first] += size * close[i];
    }
  }
}
