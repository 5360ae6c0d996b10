/** Why a wanted entry was not filled. The gates stand in this order; the first that fails is the reason. */
export const denialReasons = [
  'exit_conflict',
  'min_balance',
  'cooldown',
  'max_positions',
  'daily_limit',
  'atr_warmup',
  'invalid_stop',
  'volatility_warmup',
  'insufficient_cash',
  'min_trade_amount',
] as const;

export type DenialReason = (typeof denialReasons)[number];

/** Codes for hot loops: a reason by its place in `denialReasons`, or ADMITTED. */
export const ADMITTED = -1;
export const denialCodes = Object.freeze(Object.fromEntries(denialReasons.map((reason, code) => [reason, code]))) as {
  readonly [Reason in DenialReason]: number;
};

/** Denied entries in bar order, one a bar at most. Columns, because there may be as many as bars. */
export interface Denials {
  readonly count: number;
  /** Bar at whose open the entry would have filled. */
  readonly bars: Int32Array;
  /** Index in `denialReasons`. */
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

/** Denials per reason that occurred. */
export function countDenials({ reasons }: Denials): Partial<Record<DenialReason, number>> {
  const counts: Partial<Record<DenialReason, number>> = {};
  for (const code of reasons) counts[denialReasons[code]] = (counts[denialReasons[code]] ?? 0) + 1;
  return counts;
}
