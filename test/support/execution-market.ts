import { EngineError } from '../../engine/errors.js';
import { type BarSeries, firstBarFrom, sliceBars } from '../../engine/series/index.js';
import type { MarketData } from '../../service/execution/market.js';

/**
 * Bars by `ASSET interval`, of which a caller sees those closed by `nowMs`. The price is set by the
 * test, or the last close.
 */
export class TestMarket implements MarketData {
  readonly fetched: string[] = [];
  /** How far back the latest call asked for bars. */
  fromMs = NaN;
  price: number | null = null;
  generated: readonly string[] = [];

  constructor(
    readonly series: Readonly<Record<string, BarSeries>>,
    public now: number,
  ) {}

  async nowMs(): Promise<number> {
    return this.now;
  }

  async bars(asset: string, intervalMs: number, fromMs: number): Promise<BarSeries> {
    this.fetched.push(`${asset} ${intervalMs}`);
    this.fromMs = fromMs;
    const bars = this.#find(asset, intervalMs);
    const from = firstBarFrom(bars, fromMs);
    return sliceBars(bars, from, Math.max(from, firstBarFrom(bars, this.now - intervalMs + 1)));
  }

  async generatedColumns(): Promise<readonly string[]> {
    return this.generated;
  }

  async latestPrice(asset: string, intervalMs: number) {
    const bars = this.#find(asset, intervalMs);
    const closed = firstBarFrom(bars, this.now - intervalMs + 1);
    return { price: this.price ?? bars.close[closed - 1], timeMs: this.now };
  }

  #find(asset: string, intervalMs: number): BarSeries {
    const bars = this.series[`${asset} ${intervalMs}`];
    if (bars === undefined) throw new EngineError('NOT_FOUND', `no bars of ${asset}`);
    return bars;
  }
}
