// Asks: how fast does each GET endpoint of the data domains answer from held and generated data,
// one call after the other, and what do mixed calls take at 200 a second?
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import autocannon from 'autocannon';
import type { Route } from '../http/route.js';
import { routes } from '../http/routes.js';
import { medianMsOf, type Sizes, type Timing, yardstickMs } from './measure.js';
import { type BenchService, newBenchHome, startBenchService } from './service-under-load.js';

const domains = /^\/api\/v1\/(on-chain|social|crypto-assets|defi|marketdata)\//;

/**
 * A value for each parameter of a path, and for each parameter of a query that some endpoint
 * requires.
 */
const examples: Readonly<Record<string, string>> = {
  base: 'BTC',
  quote: 'USDT',
  symbol: 'BTC',
  topic: 'BTC',
  username: 'block_captain',
  protocol: 'uniswap',
  chain: 'ethereum',
  period: 'ONE_HOUR',
  start_time: '2024-08-09T00:00:00Z',
  end_time: '2024-08-09T00:01:00Z',
};
const optional: readonly string[] = ['chain'];

/** Few enough that the paid reads stay below 1,000 calls a month, the load included. */
const ROUNDS = 40;
const LOAD_SECONDS = 15;
const REQUESTS_PER_SECOND = 200;
const CONNECTIONS = 10;
const P50_MS_AIM = 50;

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const urls = routes.filter(({ method, path }) => method === 'get' && domains.test(path)).map(urlOf);
  assert.ok(urls.length >= 8);
  const home = newBenchHome();
  const service = await startBenchService(home);
  const headers = { Authorization: `Bearer ${service.key}` };
  try {
    const timings: Timing[] = [];
    for (const url of urls) timings.push(await alone(service, url, headers, isSmoke));
    timings.push(await together(service, urls, headers, isSmoke));
    console.log(`resident: ${service.peakResidentMb().toFixed(0)} MB`);
    return timings;
  } finally {
    await service.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

function urlOf(route: Route): string {
  const example = (name: string): string => {
    const value = examples[name];
    if (value === undefined) throw new Error(`${route.path}: no example of ${name}`);
    return encodeURIComponent(value);
  };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => example(name));
  const query = Object.keys(route.query?.shape ?? {})
    .filter((name) => name in examples && !optional.includes(name))
    .map((name) => `${name}=${example(name)}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** One call after the other. The first two answers must be the same. */
async function alone(service: BenchService, url: string, headers: Record<string, string>, isSmoke: boolean) {
  const read = async () => {
    const response = await fetch(`${service.origin}${url}`, { headers });
    // The age grows while we read.
    const { age_seconds: _, ...body } = (await response.json()) as Record<string, unknown>;
    assert.equal(response.status, 200, `${url}: ${JSON.stringify(body).slice(0, 300)}`);
    return body;
  };
  const first = await read();
  assert.ok(['recorded', 'generated'].includes(String(first.source)), `${url} says where its data is from`);
  assert.equal(first.is_stale, false);
  assert.deepEqual(await read(), first, `${url} answers the same again`);
  const p50Ms = await medianMsOf(isSmoke ? 1 : ROUNDS, async () => {
    await read();
  });
  const [path = url] = url.split('?');
  console.log(`${path.padEnd(60)} p50 ${p50Ms.toFixed(1).padStart(6)} ms${missed(p50Ms)}`);
  return timing(path, p50Ms);
}

async function together(service: BenchService, urls: readonly string[], headers: object, isSmoke: boolean) {
  const result = await autocannon({
    url: service.origin,
    requests: urls.map((path) => ({ method: 'GET', path, headers: { ...headers } })),
    duration: isSmoke ? 1 : LOAD_SECONDS,
    connections: CONNECTIONS,
    overallRate: REQUESTS_PER_SECOND,
  });
  assert.equal(result.errors + result.non2xx + result.timeouts, 0, 'every request is answered well');
  const { p50, p99 } = result.latency;
  console.log(
    `${urls.length} endpoints mixed, ${REQUESTS_PER_SECOND} requests/s: p50 ${p50} ms, p99 ${p99} ms${missed(p50)}`,
  );
  return timing(`${REQUESTS_PER_SECOND} mixed requests/s, p50`, p50);
}

const missed = (p50Ms: number): string => (p50Ms > P50_MS_AIM ? `, over the aim of ${P50_MS_AIM} ms` : '');

const timing = (name: string, p50Ms: number): Timing => ({
  name,
  bars: 1,
  p50Ms,
  nsPerBar: p50Ms * 1e6,
  yardsticks: p50Ms / yardstickMs(10_000),
});
