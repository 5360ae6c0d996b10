import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBars } from '../../data/bars/index.js';
import { openStoredMarketData } from '../../data/providers/index.js';
import type { DeployedEvent, DeployedProgress } from '../../data/state/index.js';
import { openPaperAccount } from '../../engine/index.js';
import { advance } from '../../service/deployed/advance.js';
import { type DeployedDefinition, type DeployedSet, readDeployedSet } from '../../service/deployed/definition.js';
import { type DeployedMarket, NextBars, startOf } from '../../service/deployed/next-bar.js';
import type { Replay } from '../../service/deployed/replay.js';
import { temporaryFolder } from './temporary-folder.js';
import { root } from './tree.js';

const rule = (name: string, signal_type: string, params: object) => ({ name, signal_type, timeframe: null, params });

/** Trades every few bars, with a stop so near that some entries end within their bar. */
export const livelyStrategy = {
  id: 'lively',
  name: 'Lively',
  asset: 'BTC',
  timeframe: '1h',
  entry: [
    rule('rsi_cross_up', 'TRIGGER', { window: 3, threshold: 50 }),
    rule('is_above_sma', 'FILTER', { window: 10 }),
  ],
  exit: [rule('rsi_cross_down', 'TRIGGER', { window: 3, threshold: 40 })],
  reward_factor: 1.5,
  execution_config: {
    stop_loss_calculation: 'fixed',
    fixed_stop_pct: 0.004,
    fee_pct: 0.0005,
    slippage_pct: 0.0002,
    max_risk_per_trade: 0.02,
    max_open_positions: 2,
    cooldown_config: { '1h': { short_loss_limit: 3, short_window_bars: 8, long_loss_limit: 0, long_window_bars: 0 } },
  },
};

export const livelySet = {
  personas: [
    {
      id: 'ada',
      name: 'Ada',
      description: 'Two at once',
      strategies: [livelyStrategy, { ...livelyStrategy, id: 'ether', asset: 'ETH-USD' }],
    },
    { id: 'bob', name: 'Bob', strategies: [{ ...livelyStrategy, id: 'slow', timeframe: '4h', exit: [] }] },
  ],
};

export const oneStrategy = (changes: object = {}): DeployedSet =>
  readDeployedSet({ personas: [{ id: 'ada', name: 'Ada', strategies: [{ ...livelyStrategy, ...changes }] }] });

/** A file for BARLINE_DEPLOYED. */
export function deployedFile(json: unknown = livelySet): string {
  const path = join(temporaryFolder('deployed'), 'deployed.json');
  writeFileSync(path, JSON.stringify(json));
  return path;
}

export const bundledMarket = () =>
  openStoredMarketData(openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') }));

export function freshProgress({ config }: DeployedDefinition): DeployedProgress {
  return {
    startMs: null,
    account: openPaperAccount(config),
    accountValue: config.initial_balance,
    lastPrice: null,
    totalTrades: 0,
    highestStep: 0,
    lowestStep: 0,
    tickedAtMs: null,
  };
}

/** All that a strategy does from its start to the last bar held, without a store. */
export async function wholeReplay(deployed: DeployedDefinition, market: DeployedMarket, replay: Replay) {
  const startMs = await startOf(deployed, market, replay);
  const nextBars = new NextBars(market);
  let progress: DeployedProgress = { ...freshProgress(deployed), startMs };
  const events: DeployedEvent[] = [];
  const trades: object[] = [];
  const equity: number[] = [];
  for (;;) {
    const bar = await nextBars.next(deployed, progress, startMs);
    if (bar === null) return { startMs, progress, events, trades, equity };
    const next = advance(deployed, progress, bar);
    progress = { ...progress, ...next.progress };
    events.push(...next.events);
    trades.push(...next.trades);
    equity.push(progress.accountValue);
  }
}
