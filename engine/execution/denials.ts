import { Denial } from '../formulas/gates.js';

export type DenialReason = keyof typeof Denial;

/** Indexed by code; hot loops carry the codes. */
export const denialReasons = Object.keys(Denial).filter((key) => Number.isNaN(Number(key))) as readonly DenialReason[];

/** Denied entries in bar order, at most one a bar and side. Columns, because every bar may have one. */
export interface Denials {
  readonly count: number;
  /** Bar at whose open the entry would have filled. */
  readonly bars: Int32Array;
  /** Index into `denialReasons`. */
  readonly reasons: Uint8Array;
}

/** Collects denials in columns that grow by doubling. */
export class DenialLog {
  private count = 0;
  private bars = new Int32Array(64);
  private reasons = new Uint8Array(64);

  add(bar: number, code: number): void {
    if (this.count === this.bars.length) this.grow();
    this.bars[this.count] = bar;
    this.reasons[this.count++] = code;
  }

  /** Denials so far. */
  get size(): number {
    return this.count;
  }

  finish(): Denials {
    const { count } = this;
    return { count, bars: this.bars.subarray(0, count), reasons: this.reasons.subarray(0, count) };
  }

  private grow(): void {
    const { bars, reasons } = this;
    this.bars = new Int32Array(2 * bars.length);
    this.reasons = new Uint8Array(2 * bars.length);
    this.bars.set(bars);
    this.reasons.set(reasons);
  }
}

/** Number of denials per reason, without the reasons that did not occur. */
export function countDenials({ reasons }: Pick<Denials, 'reasons'>): Partial<Record<DenialReason, number>> {
  const counts: Partial<Record<DenialReason, number>> = {};
  for (const code of reasons) counts[denialReasons[code]] = (counts[denialReasons[code]] ?? 0) + 1;
  return counts;
}
