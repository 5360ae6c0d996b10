import { join } from 'node:path';
import { openBars } from '../data/bars/index.js';
import {
  readRecordedQuotes,
  readRecordedSeries,
  readRecordedTrades,
  recordedSeriesNames,
} from '../data/recordings/index.js';
import { CcxtTrades, openHeldTrades } from '../data/upstreams/trades/index.js';
import type { LiveProvider, ServiceConfig } from '../server/index.js';
import type { Environment } from './environment.js';

const CHECK_MS_MAX = 5_000;

const recordingsIn = (packageRoot: string): string => join(packageRoot, 'sample/recordings');

/** Reads every bundled recording. */
export async function checkRecordings({ home, packageRoot }: Environment): Promise<string> {
  const folder = recordingsIn(packageRoot);
  for (const name of recordedSeriesNames) await readRecordedSeries(folder, name);
  const markets = openHeldTrades(folder).instruments.map((instrument) => instrument.replace(/\/.*/, ''));
  for (const market of markets) {
    await readRecordedTrades(folder, market);
    await readRecordedQuotes(folder, market);
  }
  const [bars] = await openBars({ home: join(home, 'none'), sampleDir: folder }).check();
  if (bars === undefined || bars.problems.length > 0) throw new Error(bars?.problems.join('; ') ?? 'no minute bars');
  return `${recordedSeriesNames.length} series, trades and quotes of ${markets.join(' and ')}, minute bars`;
}

/**
 * The state of a provider in words; with `isChecked`, a provider that is on is called too.
 * @throws Error when it does not answer
 */
export async function describeProvider(
  provider: LiveProvider,
  config: ServiceConfig,
  { packageRoot }: Environment,
  isChecked: boolean,
): Promise<string> {
  const { gives, endpoints, switchedBy, isOn, hasKey, origin } = provider;
  const what = `${gives} (${endpoints})`;
  const instead = endpoints === '/ai-copilot' ? 'its documented form' : 'recorded or generated data';
  if (!isOn) return `${what}: off, ${instead} answers; ${switchedBy} switches it on`;
  const state = `${what}: live, ${origin ?? 'through ccxt'}${hasKey ? ', key set' : ', without a key'}`;
  if (!isChecked) return state;
  const startMs = performance.now();
  const answer = await (provider.endpoints === '/marketdata' ? trade(config, packageRoot) : reached(origin ?? ''));
  return `${state}; ${answer} after ${(performance.now() - startMs).toFixed(0)} ms`;
}

/** Any HTTP answer shows that the address is right. No key is sent. */
async function reached(origin: string): Promise<string> {
  const response = await fetch(origin, { redirect: 'manual', signal: AbortSignal.timeout(CHECK_MS_MAX) }).catch(() => {
    throw new Error(`${origin} does not answer`);
  });
  await response.body?.cancel();
  return `HTTP ${response.status}`;
}

async function trade(config: ServiceConfig, packageRoot: string): Promise<string> {
  const trades = new CcxtTrades({
    exchange: config.BARLINE_TRADES_EXCHANGE ?? '',
    apiUrl: config.BARLINE_TRADES_URL,
    recorded: openHeldTrades(recordingsIn(packageRoot)),
  });
  const { value } = await trades.latestTrade({ base: 'BTC', quote: 'USDT' });
  return value === null ? 'no market BTC/USDT' : 'a trade of BTC/USDT';
}
