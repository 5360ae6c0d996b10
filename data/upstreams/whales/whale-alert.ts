import { z } from 'zod';
import { UpstreamFault } from '../fault.js';
import { joinSourced, type Sourced } from '../sourced.js';
import type { Token } from '../tokens.js';
import { type Adapter, Upstream, type UpstreamLimits } from '../upstream.js';
import {
  type TransferParty,
  WHALE_HISTORY_MS,
  type WhaleQuery,
  type WhalesPort,
  type WhaleTransfer,
  type WhaleTransfers,
} from './port.js';

interface WhaleAlertOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly limits?: Partial<UpstreamLimits>;
  /** Epoch ms. */
  readonly clock?: () => number;
}

/** The rate of the smallest plan. */
const REQUESTS_PER_MINUTE = 10;
/** Requests for one answer: some of a minute's, so that other questions are answered too. */
const PAGES_MAX = 6;
const PAGE_ROWS = 100;
const MAX_AGE_MS = 60_000;

const party = z.object({
  address: z.string().nullish(),
  owner: z.string().nullish(),
  owner_type: z.string().nullish(),
});

const transaction = z.object({
  blockchain: z.string(),
  symbol: z.string(),
  hash: z.string(),
  from: party,
  to: party,
  /** Seconds since the epoch. */
  timestamp: z.number(),
  amount: z.number(),
  amount_usd: z.number(),
});

const answer = z.object({
  result: z.literal('success'),
  cursor: z.string().nullish(),
  /** Absent where there are no transfers. */
  transactions: z.array(transaction).nullish(),
});

/**
 * Large transfers from the REST API of Whale Alert, version 1.
 * @see https://docs.whale-alert.io, section on transactions
 */
export class WhaleAlert implements WhalesPort, Adapter {
  readonly #upstream: Upstream;
  readonly #clock: () => number;

  constructor({ baseUrl, key, limits, clock = Date.now }: WhaleAlertOptions) {
    this.#clock = clock;
    this.#upstream = new Upstream({
      name: 'whale-alert',
      baseUrl,
      headers: { 'X-WA-API-KEY': key },
      limits: { perMinute: REQUESTS_PER_MINUTE, ...limits },
      clock,
    });
  }

  get upstreams() {
    return [this.#upstream];
  }

  async nowMs(): Promise<number> {
    return this.#clock();
  }

  /**
   * The provider gives the oldest transfers first. Where there are more than fit the requests of an
   * answer, the newest are read instead of the oldest, and the answer is not complete.
   */
  async transfers({ token, usdMin, backMs }: WhaleQuery): Promise<Sourced<WhaleTransfers>> {
    const toMs = this.#clock();
    const fromMs = toMs - Math.min(backMs, WHALE_HISTORY_MS);
    const first = await this.#page({ token, usdMin, fromMs, toMs, name: `${backMs}` });
    const oldest = first.value.rows[0]?.timestamp;
    const newest = first.value.rows.at(-1)?.timestamp;
    if (!first.value.hasMore || oldest === undefined || newest === undefined) return joinPages([first], true);
    const densityMs = Math.max(1_000, (newest - oldest) * 1_000) / PAGE_ROWS;
    const reachMs = densityMs * PAGE_ROWS * (PAGES_MAX - 2);
    const rest = { token, usdMin, toMs };
    if (toMs - reachMs <= newest * 1_000) return this.#onwards([first], { ...rest, fromMs, name: `${backMs}` });
    const late = await this.#page({ ...rest, fromMs: toMs - reachMs, name: `${backMs} late` });
    const read = await this.#onwards([late], { ...rest, fromMs: toMs - reachMs, name: `${backMs} late` });
    return { ...read, value: { ...read.value, isComplete: false } };
  }

  /** Reads on until the last page, the last allowed request, or the end of the minute's rate. */
  async #onwards(pages: Sourced<Page>[], question: PageQuestion): Promise<Sourced<WhaleTransfers>> {
    for (let last = pages.at(-1); last?.value.hasMore === true; last = pages.at(-1)) {
      if (pages.length >= PAGES_MAX) return joinPages(pages, false);
      try {
        pages.push(await this.#page({ ...question, cursor: last.value.cursor }));
      } catch (error) {
        if (error instanceof UpstreamFault && error.reason === 'own rate') return joinPages(pages, false);
        throw error;
      }
    }
    return joinPages(pages, true);
  }

  async #page({ token, usdMin, fromMs, toMs, cursor, name }: PageQuestion): Promise<Sourced<Page>> {
    const currency = token?.ticker.toLowerCase();
    const found = await this.#upstream.ask({
      path: 'v1/transactions',
      query: {
        start: Math.floor(fromMs / 1_000),
        end: Math.floor(toMs / 1_000),
        min_value: Math.floor(usdMin),
        limit: PAGE_ROWS,
        currency,
        cursor,
      },
      name: JSON.stringify([currency, usdMin, name, cursor]),
      schema: answer,
      maxAgeMs: MAX_AGE_MS,
    });
    const rows = found.value?.transactions ?? [];
    const next = found.value?.cursor ?? undefined;
    return { ...found, value: { rows, cursor: next, hasMore: rows.length >= PAGE_ROWS && next !== undefined } };
  }
}

interface PageQuestion {
  readonly token: Token | null;
  readonly usdMin: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly cursor?: string | undefined;
  /** Tells windows apart, which move with the clock. */
  readonly name: string;
}

interface Page {
  readonly rows: readonly z.infer<typeof transaction>[];
  readonly cursor: string | undefined;
  readonly hasMore: boolean;
}

function joinPages(pages: readonly Sourced<Page>[], isComplete: boolean): Sourced<WhaleTransfers> {
  const [first, ...others] = pages as readonly [Sourced<Page>, ...Sourced<Page>[]];
  const transfers = pages.flatMap(({ value }) => value.rows.map(transfer));
  transfers.sort((a, b) => b.timeMs - a.timeMs);
  return joinSourced({ transfers, isComplete }, first, ...others);
}

const transfer = (row: z.infer<typeof transaction>): WhaleTransfer => ({
  hash: row.hash,
  blockchain: row.blockchain,
  symbol: row.symbol.toUpperCase(),
  amount: row.amount,
  amountUsd: row.amount_usd,
  timeMs: row.timestamp * 1_000,
  from: toParty(row.from),
  to: toParty(row.to),
});

/** The provider writes `unknown`, or nothing, for an owner that it does not know. */
const toParty = ({ address, owner, owner_type: type }: z.infer<typeof party>): TransferParty => ({
  address: address ?? '',
  owner: owner === undefined || owner === null || owner === '' || owner === 'unknown' ? null : owner,
  isExchange: type === 'exchange',
});
