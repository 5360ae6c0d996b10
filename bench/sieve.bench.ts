// Asks: how long does the sieve take to score 99 strategies, over REST and by itself? Needs
// `npm run build`.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openBars } from '../data/bars/index.js';
import { openStoredMarketData } from '../data/providers/index.js';
import { readSieve } from '../data/sieve/index.js';
import { SieveMarkets, scoreStrategies } from '../service/sieve/capability.js';
import { root } from '../test/support/tree.js';
import { medianMsOf, type Sizes, type Timing, yardstickMs } from './measure.js';
import { newBenchHome, startBenchService } from './service-under-load.js';

const ITEMS = 99;
const rule = (name: string, signal_type: string, params: object, timeframe = '1h') => ({
  ...{ name, signal_type, params, timeframe },
});

/** No two of them are the same, on two assets and two intervals. */
const strategies = Array.from({ length: ITEMS }, (_, i) => ({
  asset: i % 2 === 0 ? 'BTC' : 'ETH',
  entry: [
    rule('rsi_cross_up', 'TRIGGER', { window: 5 + (i % 45), threshold: 20 + (i % 40) }),
    rule('is_above_sma', 'FILTER', { window: 10 + i }, i % 3 === 0 ? '4h' : '1h'),
    rule('rsi_oversold', 'FILTER', { window: 5 + (i % 30) }),
  ],
  exit: [rule('sma_cross_down', 'TRIGGER', { window_fast: 5, window_slow: 20 + i })],
  execution_config: { fee_pct: (i % 10) / 1_000, slippage_pct: 0.0005, reward_factor: 1 + (i % 5) },
}));

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const home = newBenchHome();
  const sampleDir = join(root, 'sample');
  const market = openStoredMarketData(openBars({ home, sampleDir }));
  const stored = readSieve(sampleDir);
  const deps = { markets: new SieveMarkets(market), loadSieve: () => stored, codeVersion: 'bench' };
  const alone = await scoreStrategies({ strategies }, deps);
  const different = new Set(alone.predictions.map((one) => JSON.stringify(one))).size;
  assert.ok(different > 0.9 * ITEMS, 'values of a parameter that fall into one bin score alike, few do here');
  const service = await startBenchService(home);
  try {
    const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ strategies });
    const post = async () => {
      const response = await fetch(`${service.origin}/api/v1/oracle/sieve/score`, { method: 'POST', headers, body });
      return (await response.json()) as typeof alone;
    };
    const answer = await post();
    assert.deepEqual(answer.predictions, alone.predictions, 'the service says what the use case says');
    assert.equal(answer.model_version, stored?.version);
    const times = isSmoke ? 2 : 200;
    for (let i = 0; i < times / 10; i++) await post();
    const rest = await medianMsOf(times, async () => void (await post()));
    const own = await medianMsOf(times, async () => void (await scoreStrategies({ strategies }, deps)));
    return [report(`score of ${ITEMS} strategies over REST`, rest), report('the same without a server', own)];
  } finally {
    await service.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

function report(name: string, p50Ms: number): Timing {
  console.log(`${name.padEnd(38)} ${p50Ms.toFixed(1).padStart(7)} ms`);
  return { name, bars: ITEMS, p50Ms, nsPerBar: (p50Ms * 1e6) / ITEMS, yardsticks: p50Ms / yardstickMs(10_000) };
}
