/**
 * One bar as an exchange gives it: open time (epoch ms UTC), open, high, low, close, volume in the
 * base asset.
 */
export type BarRow = readonly [time: number, open: number, high: number, low: number, close: number, volume: number];

/**
 * The port to a place that has bars. A provider asks one question per call and says what came back:
 * paging, retries, checks and storage are the business of `fetchBars`, so that they are the same
 * for every provider.
 *
 * A call fails with a `ProviderFault` where asking again may help, and with an `EngineError` where
 * it cannot.
 */
export interface BarProvider {
  /** Under which bars are stored: `binance`. Another name is another source. */
  readonly name: string;
  /** Where the bars come from when that is not the exchange itself: the address of a mirror. */
  readonly via?: string | undefined;
  /**
   * Checks that the exchange has such bars, once before the first page.
   *
   * @throws NOT_FOUND for an unknown symbol, INVALID_FIELD for an interval that it does not offer
   * @returns the most bars that a page can hold
   */
  open(symbol: string, intervalMs: number, signal: AbortSignal): Promise<{ readonly pageBarsMax: number }>;
  /** The exchange's clock, or null where it has none to ask. */
  fetchTime(signal: AbortSignal): Promise<number | null>;
  /**
   * Up to `limit` bars that open at or after `fromMs`, as the exchange gives them: perhaps in
   * another order, with bars that were not asked for, or with the bar that is still forming.
   */
  fetchPage(
    symbol: string,
    intervalMs: number,
    fromMs: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly BarRow[]>;
}

export interface ProviderOptions {
  /** As the provider names it. */
  readonly exchange: string;
  readonly symbol: string;
  /**
   * Origin of a proxy or mirror that answers in place of the exchange's own hosts, under the same
   * paths.
   */
  readonly apiUrl?: string | undefined;
}

/**
 * @throws EngineError where the provider knows no such exchange, or something it needs is not
 *   installed
 */
export type OpenProvider = (options: ProviderOptions) => Promise<BarProvider>;

type FaultReason = 'network' | 'timeout' | 'rate limit' | 'server' | 'answer';

/** A failure that may pass: the network, a limit, an answer cut short. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';

  constructor(
    readonly reason: FaultReason,
    message: string,
    /** How long the exchange asks us to wait. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}
