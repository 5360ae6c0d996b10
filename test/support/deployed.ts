import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBars } from '../../data/bars/index.js';
import { openStoredMarketData } from '../../data/providers/index.js';
import { advance } from '../../service/deployed/advance.js';
import { type Deployed, type DeployedSet, readDeployedSet } from '../../service/deployed/definition.js';
import { type DeployedMarket, findStart, NextBars, type Replay } from '../../service/deployed/next-bar.js';
import { startingAccount } from '../../service/deployed/runner.js';
import type { DeployedEvent, DeployedProgress } from '../../service/deployed/stored.js';
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

/** Trades both sides with margin, orders that rest, stops that move, and parts sold on the way. */
export const sidedStrategy = {
  ...livelyStrategy,
  id: 'both',
  name: 'Both sides',
  short_entry: {
    any: [
      [rule('rsi_cross_down', 'TRIGGER', { window: 3, threshold: 50 })],
      [{ ...rule('sma_cross_down', 'TRIGGER', { window_fast: 3, window_slow: 9 }), within_bars: 2 }],
    ],
  },
  short_exit: [{ ...rule('rsi_cross_up', 'TRIGGER', { window: 3, threshold: 60 }), asset: 'ETH' }],
  execution_config: {
    ...livelyStrategy.execution_config,
    ...{ leverage: 3, borrow_rate: 0.1, opposite_entry: 'hedge', max_gross_exposure: 2 },
    ...{ entry_order: 'limit', entry_offset_pct: 0.001, entry_valid_bars: 4, maker_fee_pct: 0.0002 },
    ...{ trailing_distance: 0.8, trailing_start: 0.3, break_even_at: 0.5, scale_out: [[0.5, 0.5]] },
    ...{ guard_daily_loss: 0.2, stop_loss_calculation: 'fixed', fixed_stop_pct: 0.01 },
  },
};

/** The set above with a strategy of both sides. */
export const bothSet = {
  personas: [...livelySet.personas, { id: 'cleo', name: 'Cleo', strategies: [sidedStrategy] }],
};

function member(deployed: typeof livelyStrategy, asset: string, weight = 1) {
  const { id: _, asset: __, timeframe: ___, name, ...strategy } = deployed;
  return { asset, weight, strategy: { ...strategy, name: `${name} ${asset}` } };
}

/** One account over two assets with three members, one of them on both sides, and limits. */
export const livelyPortfolio = {
  id: 'majors',
  name: 'Majors',
  timeframe: '1h',
  portfolio: {
    initial_balance: 20_000,
    max_open_positions: 3,
    max_gross_exposure: 2,
    rank_by: 'roc(close, 5)',
    guards: { daily_loss: 0.05, pause_bars: 6 },
    members: [member(livelyStrategy, 'BTC', 0.8), member(livelyStrategy, 'ETH'), member(sidedStrategy, 'BTC')],
  },
};

/** Weights of two assets, moved each day. */
export const dailyRotation = {
  id: 'rotation',
  name: 'Rotation',
  timeframe: '1h',
  portfolio: {
    allocation: {
      ...{ assets: ['ETH', 'BTC'], every: '1d', rank_by: 'roc(close, 24)', top: 1, where: 'close > sma(close, 12)' },
      reserve: 0.1,
    },
    guards: { max_drawdown: 0.03, pause_bars: 12 },
    execution_config: { fee_pct: 0.0005, slippage_pct: 0.0002 },
  },
};

/** The set above with portfolios. */
export const portfolioSet = {
  personas: [...bothSet.personas, { id: 'dee', name: 'Dee', strategies: [livelyPortfolio, dailyRotation] }],
};

/** Definitions of strategies of one persona. */
export const deployedOf = (...strategies: readonly object[]): Deployed[] => [
  ...readDeployedSet({ personas: [{ id: 'ada', name: 'Ada', strategies }] }).strategies.values(),
];

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

export function freshProgress(deployed: Deployed): DeployedProgress {
  const { config } = deployed;
  return {
    startMs: null,
    account: startingAccount(deployed),
    accountValue: config.initial_balance,
    lastPrice: null,
    totalTrades: 0,
    highestStep: 0,
    lowestStep: 0,
    tickedAtMs: null,
  };
}

/** All that a strategy does from its start to the last bar held, without a store. */
export async function wholeReplay(deployed: Deployed, market: DeployedMarket, replay: Replay) {
  const startMs = await findStart(deployed, market, replay);
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
