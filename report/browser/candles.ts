import type { CloseupData, PackedEvent } from '../page-data.js';
import { unpack } from './page.js';

export interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

const parts = { open: 0, high: 1, low: 2, close: 3 } as const;

/** The bars that the page carries for its close-up, in four bytes per candle. */
export class Candles {
  readonly count: number;
  /** Number of bars in one candle. */
  readonly join: number;
  readonly #data: CloseupData;
  readonly #steps: Uint8Array;
  readonly #blocks: DataView;

  constructor(data: CloseupData) {
    this.#data = data;
    this.#steps = unpack(data.candles);
    this.#blocks = new DataView(unpack(data.heads).buffer);
    this.count = this.#steps.length / 4;
    this.join = data.join;
  }

  /** Candles of the trade's entry and exit. */
  ofTrade(trade: number): readonly [entry: number, exit: number] {
    const { entryBars, exitBars } = this.#data;
    return [Math.floor(entryBars[trade] / this.join), Math.floor(exitBars[trade] / this.join)];
  }

  /** What happened to a trade, in order. */
  tradeEvents(trade: number): readonly PackedEvent[] {
    return this.#data.events[trade] ?? [];
  }

  price(candle: number, part: keyof typeof parts): number {
    const head = 8 * Math.floor(candle / this.#data.block);
    const step = this.#blocks.getFloat32(head + 4, true);
    return this.#blocks.getFloat32(head, true) + this.#steps[4 * candle + parts[part]] * step;
  }

  /** Open time of a candle. Candles are evenly spaced within each run of bars without a gap. */
  seconds(candle: number): number {
    const { runs, stepSeconds } = this.#data;
    let low = 0;
    let high = runs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (runs[middle][0] <= candle) low = middle;
      else high = middle - 1;
    }
    const [first, seconds] = runs[low];
    return seconds + (candle - first) * stepSeconds;
  }

  /** The candle that is open at a time, which may lie between two candles; see `seconds`. */
  at(seconds: number): number {
    const { runs, stepSeconds } = this.#data;
    const run = runs.findLast(([, start]) => start <= seconds) ?? runs[0];
    return Math.max(0, Math.min(this.count, run[0] + (seconds - run[1]) / stepSeconds));
  }

  /**
   * Candles `from..to`, both ends included, with `join` candles merged into each; the last may hold
   * fewer.
   */
  joined(from: number, to: number, join: number): Candle[] {
    const made: Candle[] = [];
    for (let first = from; first <= to; first += join) {
      const last = Math.min(first + join - 1, to);
      let high = this.price(first, 'high');
      let low = this.price(first, 'low');
      for (let k = first + 1; k <= last; k++) {
        high = Math.max(high, this.price(k, 'high'));
        low = Math.min(low, this.price(k, 'low'));
      }
      made.push({ open: this.price(first, 'open'), high, low, close: this.price(last, 'close') });
    }
    return made;
  }
}
