/**
 * A typed REST client: `npm run client` writes the types beside this file, openapi-fetch does the rest.
 *
 * A write has a key of its own, so it takes effect once although it is sent again until it is answered.
 *
 *   BARLINE_API_KEY=local_... npx tsx examples/clients/rest.ts
 */
import { setTimeout as sleep } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const { BARLINE_URL = 'http://localhost:5001', BARLINE_API_KEY = '' } = process.env;

const barline = createClient<paths>({
  baseUrl: BARLINE_URL,
  headers: { Authorization: `Bearer ${BARLINE_API_KEY}` },
  fetch: sendUntilAnswered,
});

/** Sends the same key each time, after a broken connection and when the service says how long to wait. */
async function sendUntilAnswered(request: Request): Promise<Response> {
  if (request.method !== 'GET') request.headers.set('Idempotency-Key', crypto.randomUUID());
  for (let retriesLeft = 5, waitMs = 250; ; retriesLeft--, waitMs *= 2) {
    const response = await fetch(request.clone()).catch((error: unknown) => {
      if (retriesLeft === 0) throw error;
      return null;
    });
    const seconds = response?.headers.get('Retry-After') ?? null;
    if (response !== null && (seconds === null || retriesLeft === 0)) return response;
    await sleep(Math.max(waitMs, 1_000 * Number(seconds)));
  }
}

type Rule = components['schemas']['Rule'];

const entry: Rule[] = [
  { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} },
  { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: { window: 50 } },
];

const created = await barline.POST('/api/v1/strategies', { body: { name: 'Dip Buyer', asset: 'BTC-USD', entry } });
if (created.error !== undefined) throw new Error(`${created.error.code}: ${created.error.message}`);
const { strategy } = created.data;
console.log(`created ${strategy.name} on ${strategy.asset}, ${strategy.status}`);

const page = await barline.GET('/api/v1/strategies', { params: { query: { limit: 10 } } });
for (const { name, created_at } of page.data?.strategies ?? []) console.log(`${created_at} ${name}`);

const path = { strategy_id: strategy.id };
await barline.DELETE('/api/v1/strategies/{strategy_id}', { params: { path } });
const gone = await barline.GET('/api/v1/strategies/{strategy_id}', { params: { path } });
console.log(`then ${gone.response.status} ${gone.error?.code}`);
