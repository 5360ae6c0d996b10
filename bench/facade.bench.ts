// Asks: how much does REST add to the gRPC call behind it, what share of the rate of a bare
// Express-to-gRPC pair do reads reach, and how long do the slowest reads take at 200 requests a
// second?
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import autocannon from 'autocannon';
import { RpcClient } from '../rpc/index.js';
import { medianOf, type Sizes, type Timing, yardstickMs } from './measure.js';
import { newBenchHome, startBarePeer, startBenchService } from './service-under-load.js';

const path = '/api/v1/strategies';
const strategy = {
  asset: 'BTC',
  entry: [
    { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} },
    { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: { window: 50 } },
  ],
};
const STRATEGIES = 20;
const CONNECTIONS = 10;

export async function run(sizes: Sizes): Promise<Timing[]> {
  const home = newBenchHome();
  const service = await startBenchService(home);
  const client = new RpcClient(service.rpcAddress);
  try {
    const authorization = `Bearer ${service.key}`;
    for (let i = 0; i < STRATEGIES; i++) {
      await client.call('Strategies.Create', { ...strategy, name: `strategy ${i}` }, { authorization });
    }
    const { body } = await client.call('Strategies.List', {}, { authorization });
    const peer = await startBarePeer(body);
    try {
      return [
        await added(client, service.origin, authorization, body, sizes),
        await rates(service.origin, peer.origin, authorization, sizes),
        await slowest(service.origin, authorization, sizes),
      ];
    } finally {
      await peer.stop();
    }
  } finally {
    client.close();
    await service.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Asks for the same list over gRPC and REST in turn, one call after the other. */
async function added(
  client: RpcClient,
  origin: string,
  authorization: string,
  expected: object,
  { isSmoke }: Sizes,
): Promise<Timing> {
  const byRpc: number[] = [];
  const byRest: number[] = [];
  for (let round = 0; round < (isSmoke ? 5 : 1_500); round++) {
    const start = performance.now();
    await client.call('Strategies.List', {}, { authorization });
    const between = performance.now();
    const response = await fetch(`${origin}${path}`, { headers: { Authorization: authorization } });
    const json = await response.json();
    byRest.push(performance.now() - between);
    byRpc.push(between - start);
    if (round === 0) assert.deepEqual(json, { success: true, ...expected }, 'both ways give the same answer');
  }
  const [rpcMs, restMs] = [medianOf(byRpc), medianOf(byRest)];
  console.log(`list of ${STRATEGIES} strategies: gRPC ${rpcMs.toFixed(2)} ms, REST ${restMs.toFixed(2)} ms p50`);
  return timing('facade adds to the gRPC call, p50', restMs - rpcMs);
}

async function rates(origin: string, bare: string, authorization: string, { isSmoke }: Sizes): Promise<Timing> {
  const shares: number[] = [];
  const freshShares: number[] = [];
  let bareRate = 0;
  let asked = 0;
  for (let round = 0; round < (isSmoke ? 1 : 3); round++) {
    const ours = await load(`${origin}${path}`, authorization, { duration: isSmoke ? 1 : 6, connections: CONNECTIONS });
    const theirs = await load(`${bare}${path}`, authorization, { duration: isSmoke ? 1 : 6, connections: CONNECTIONS });
    const fresh = await load(origin, authorization, {
      duration: isSmoke ? 1 : 6,
      connections: CONNECTIONS,
      // No other request had the same limit, so no answer is kept for it.
      requests: [{ setupRequest: (request) => ({ ...request, path: `${path}?limit=${STRATEGIES + asked++}` }) }],
    });
    bareRate = theirs.requests.average;
    shares.push(ours.requests.average / bareRate);
    freshShares.push(fresh.requests.average / bareRate);
    console.log(
      `reads/s: ${ours.requests.average.toFixed(0)}, each of another page ${fresh.requests.average.toFixed(0)}, bare Express to gRPC ${bareRate.toFixed(0)}`,
    );
  }
  const share = medianOf(shares);
  const freshShare = medianOf(freshShares);
  console.log(
    `share of the bare rate: ${(100 * share).toFixed(0)} %, ${(100 * freshShare).toFixed(0)} % of new questions`,
  );
  return { ...timing('read at full rate', 1_000 / (share * bareRate)), ratio: share };
}

async function slowest(origin: string, authorization: string, { isSmoke }: Sizes): Promise<Timing> {
  const result = await load(`${origin}${path}`, authorization, {
    duration: isSmoke ? 1 : 15,
    connections: CONNECTIONS,
    overallRate: 200,
  });
  console.log(`at 200 requests/s: p50 ${result.latency.p50} ms, p99 ${result.latency.p99} ms`);
  return timing('read at 200 requests/s, p99', result.latency.p99);
}

async function load(url: string, authorization: string, options: Partial<autocannon.Options>) {
  const result = await autocannon({ url, headers: { Authorization: authorization }, ...options });
  assert.equal(result.errors + result.non2xx + result.timeouts, 0, 'every request is answered well');
  return result;
}

const timing = (name: string, p50Ms: number): Timing => ({
  name,
  bars: 1,
  p50Ms,
  nsPerBar: p50Ms * 1e6,
  yardsticks: p50Ms / yardstickMs(10_000),
});
