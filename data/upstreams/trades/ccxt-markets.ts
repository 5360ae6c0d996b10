import { EngineError } from '../../../engine/errors.js';
import { openExchange, passingReason } from '../../providers/ccxt-exchange.js';
import type { CcxtExchange } from '../../providers/ccxt-library.js';
import { UpstreamFault } from '../fault.js';
import { type ReceiveRules, receive } from '../receive.js';
import { defaultLimits, type UpstreamLimits } from '../upstream.js';
import type { Pair } from './port.js';

export interface MarketsOptions {
  /** The name of the exchange in ccxt. */
  readonly exchange: string;
  /** Origin of a proxy or mirror of the exchange. */
  readonly apiUrl?: string | undefined;
  readonly limits?: Partial<UpstreamLimits>;
  /** Minimum time between two requests; by default the exchange's own. */
  readonly rateLimitMs?: number | undefined;
  /** Lets tests simulate an installation without ccxt. */
  readonly importLibrary?: () => Promise<unknown>;
}

/** The markets of one exchange. Spot markets and perpetuals are listed by different hosts. */
export class Markets {
  readonly #options: MarketsOptions;
  readonly #opened = new Map<boolean, Promise<CcxtExchange>>();
  /** Of the request in progress. */
  #rules: ReceiveRules | null = null;

  constructor(options: MarketsOptions) {
    this.#options = options;
  }

  /** Runs `use` with the exchange and its symbol of a pair; null where it has no such market. */
  async with<T>(
    pair: Pair,
    rules: ReceiveRules,
    use: (exchange: CcxtExchange, symbol: string) => Promise<T>,
  ): Promise<T | null> {
    this.#rules = rules;
    try {
      const exchange = await this.#open(!pair.base.endsWith(PERPETUAL));
      const symbol = symbols(pair).find((one) => Object.hasOwn(exchange.markets ?? {}, one));
      return symbol === undefined ? null : await use(exchange, symbol);
    } catch (error) {
      throw asFault(error, rules);
    }
  }

  /** Opens the exchange and reads its markets once; a failure is not kept. */
  #open(isSpotOnly: boolean): Promise<CcxtExchange> {
    const opened = this.#opened.get(isSpotOnly) ?? this.#listed(isSpotOnly);
    this.#opened.set(isSpotOnly, opened);
    opened.catch(() => this.#opened.delete(isSpotOnly));
    return opened;
  }

  async #listed(isSpotOnly: boolean): Promise<CcxtExchange> {
    const exchange = await openExchange({
      ...this.#options,
      isSpotOnly,
      // The deadline comes first.
      timeoutMs: 2 * (this.#options.limits?.deadlineMs ?? defaultLimits.deadlineMs),
      fetch: (input, init) => this.#fetch(input, init),
    });
    await exchange.loadMarkets();
    const kind = isSpotOnly ? 'spot' : 'swap';
    const isListed = Object.values(exchange.markets ?? {}).some(({ type }) => type === kind);
    if (isListed || exchange.has[kind] !== true) return exchange;
    throw new UpstreamFault(exchange.id, 'shape', 'a list of markets that is not as documented');
  }

  async #fetch(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
    const url = new URL(String(input));
    const headers = Object.fromEntries(new Headers(init.headers));
    // biome-ignore lint/style/noNonNullAssertion: a request is made only within `with`
    const rules = this.#rules!;
    const json = await receive({ url, headers }, { ...rules, absentStatuses: [] });
    return new Response(JSON.stringify(json), { headers: { 'Content-Type': 'application/json' } });
  }
}

const PERPETUAL = '-PERP';

/** What ccxt calls the market of a pair: the pair itself, or for USD its usual stand-in. */
function symbols({ base, quote }: Pair): string[] {
  const quotes = quote === 'USD' ? ['USD', 'USDT'] : [quote];
  if (!base.endsWith(PERPETUAL)) return quotes.map((each) => `${base}/${each}`);
  const asset = base.slice(0, -PERPETUAL.length);
  return quotes.map((each) => `${asset}/${each}:${each}`); // linear: settled in the quote currency
}

/** The messages of the library hold addresses, so only the kind of its error is told. */
function asFault(error: unknown, { provider, signal }: ReceiveRules): unknown {
  if (error instanceof UpstreamFault || !(error instanceof Error)) return error;
  if (signal.aborted) return new UpstreamFault(provider, 'timeout', 'no complete answer before the deadline');
  if (error instanceof EngineError) {
    return error.code === 'INVALID_FIELD' ? error : new UpstreamFault(provider, 'refused', error.message);
  }
  return new UpstreamFault(provider, passingReason(error) ?? 'shape', `an answer that ccxt refuses (${error.name})`);
}
