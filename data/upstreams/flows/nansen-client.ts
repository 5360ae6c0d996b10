import type { z } from 'zod';
import { HOUR_MS } from '../../../engine/series/index.js';
import { withoutEnd } from '../../../engine/text.js';
import { mapSourced, type Sourced } from '../sourced.js';
import type { Chain } from '../tokens.js';
import { Upstream, type UpstreamLimits } from '../upstream.js';
import * as shapes from './nansen-shapes.js';

export interface NansenOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly limits?: Partial<UpstreamLimits>;
  /** Epoch ms. */
  readonly clock?: () => number;
}

const REQUESTS_PER_MINUTE = 300;
export const ROWS_MAX = 1_000;
/** Pages of hours: more than a year. */
const PAGES_MAX = 10;
const MINUTE_MS = 60_000;
/** How long answers count as fresh. */
export const freshMs = { trades: MINUTE_MS, flows: 5 * MINUTE_MS, holders: HOUR_MS, days: HOUR_MS };

/** The questions to Nansen that several reads share. */
export class NansenClient {
  readonly upstream: Upstream;
  readonly #clock: () => number;

  constructor({ baseUrl, key, limits, clock = Date.now }: NansenOptions) {
    this.#clock = clock;
    this.upstream = new Upstream({
      name: 'nansen',
      baseUrl: `${withoutEnd(baseUrl, '/')}/api/v1`,
      headers: { apiKey: key },
      limits: { perMinute: REQUESTS_PER_MINUTE, ...limits },
      clock,
    });
  }

  nowMs(): number {
    return this.#clock();
  }

  information(chain: Chain, address: string) {
    return this.upstream.ask({
      path: 'tgm/token-information',
      body: { chain, token_address: address, timeframe: '1d' },
      schema: shapes.tokenInformation,
      maxAgeMs: freshMs.holders,
    });
  }

  holders(chain: Chain, address: string, count: number) {
    const body = {
      chain,
      token_address: address,
      label_type: 'all_holders',
      pagination: { page: 1, per_page: count },
      order_by: [{ field: 'token_amount', direction: 'DESC' }],
    };
    return this.rows('tgm/holders', body, shapes.holder, freshMs.holders);
  }

  async flowPages(body: object) {
    const pages: Sourced<readonly z.infer<typeof shapes.tokenFlow>[]>[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const found = await this.upstream.ask({
        path: 'tgm/flows',
        body: { ...body, pagination: { page, per_page: ROWS_MAX }, order_by: [{ field: 'date', direction: 'ASC' }] },
        schema: shapes.page(shapes.tokenFlow),
        maxAgeMs: freshMs.flows,
      });
      if (found.value === null) break;
      pages.push({ ...found, value: found.value.data });
      if (found.value.pagination?.is_last_page !== false || found.value.data.length === 0) break;
    }
    return pages;
  }

  async rows<R extends z.ZodType>(
    path: string,
    body: object,
    row: R,
    maxAgeMs: number,
  ): Promise<Sourced<z.infer<R>[]>> {
    const found = await this.upstream.ask({ path, body, schema: shapes.page(row), maxAgeMs });
    return mapSourced(found, (value) => value?.data ?? []);
  }

  /** Said without a question to the provider. */
  nothing(): Sourced<null> {
    return { value: null, source: this.upstream.name, asOfMs: null, ageMs: 0, maxAgeMs: 0, isStale: false };
  }
}
