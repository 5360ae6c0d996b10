/**
 * A typed REST client: `npm run client` writes the types beside this file, openapi-fetch does the rest.
 *
 *   BARLINE_KEY=local_... npx tsx examples/clients/rest.ts
 */
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const { BARLINE_URL = 'http://localhost:5001', BARLINE_KEY = '' } = process.env;

const barline = createClient<paths>({
  baseUrl: BARLINE_URL,
  headers: { Authorization: `Bearer ${BARLINE_KEY}` },
});

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
