/**
 * One bar as an exchange gives it: open time (epoch ms UTC), open, high, low, close, volume in the
 * base asset.
 */
export type BarRow = readonly [time: number, open: number, high: number, low: number, close: number, volume: number];

/**
 * The port to a source of bars. A provider makes one request per call and returns the answer.
 * `fetchBars` does paging, retries, checks and storage, so these are the same for every provider.
 *
 * A call fails with a `ProviderFault` where another try may help, and with an `EngineError` where
 * it cannot.
 */
export interface BarProvider {
  /** The source as stored with its bars: `binance`. Another name is another source. */
  readonly name: string;
  /** Address of a mirror, when the bars do not come from the exchange itself. */
  readonly via?: string | undefined;
  /**
   * Checks once, before the first page, that the exchange has such bars.
   *
   * @throws NOT_FOUND for an unknown symbol, INVALID_FIELD for an interval that it does not offer
   * @returns the most bars that a page can hold
   */
  open(symbol: string, intervalMs: number, signal: AbortSignal): Promise<{ readonly pageBarsMax: number }>;
  /** The exchange's clock; null where it offers none. */
  fetchTime(signal: AbortSignal): Promise<number | null>;
  /**
   * Up to `limit` bars that open at or after `fromMs`, as the exchange returns them: perhaps in
   * another order, with bars that were not requested, or with the bar that is still forming.
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
  /** The provider's name for the exchange. */
  readonly exchange: string;
  readonly symbol: string;
  /**
   * Origin of a proxy or mirror that answers in place of the exchange's own hosts, under the same
   * paths.
   */
  readonly apiUrl?: string | undefined;
  /** Limit for a whole answer, up to its last byte; by default 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Minimum time between two requests of unit weight; by default the exchange's own. */
  readonly rateLimitMs?: number | undefined;
}

/**
 * @throws EngineError when the provider does not know the exchange, or when something it needs is
 *   not installed
 */
export type OpenProvider = (options: ProviderOptions) => Promise<BarProvider>;

type FaultReason = 'network' | 'timeout' | 'rate limit' | 'server' | 'answer';

/** A failure that may pass: the network, a limit, a truncated answer. */
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
