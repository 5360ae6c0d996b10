import type { SheetEvent, SheetTrade, TearSheet } from '../../report/index.js';
import { randomBars, seededRandom } from './random.js';

export interface SheetOptions {
  readonly seed?: number;
  readonly barCount?: number;
  readonly tradeCount?: number;
  readonly title?: string;
  readonly intervalMs?: number;
}

const WINDOW = 200;

/**
 * A seeded sheet whose figures are consistent: equity follows from the trades, metrics from the
 * equity.
 */
export function randomSheet(options: SheetOptions = {}): TearSheet {
  const { seed = 7, barCount = 5_000, tradeCount = 60, title = 'Random walk', intervalMs = 3_600_000 } = options;
  const startMs = Date.UTC(2021, 10, 17);
  const walk = randomBars({ seed, barCount, intervalMs, startMs, volatility: 0.006, gapChance: 0.0005 });
  const { time, open, high, low, close } = walk;
  const random = seededRandom(seed + 1);
  const initialBalance = 10_000;
  const equity = new Float64Array(barCount).fill(initialBalance);
  const trades: SheetTrade[] = [];
  let balance = initialBalance;
  let filledTo = 0;
  for (let t = 0; t < tradeCount; t++) {
    const slot = barCount / tradeCount;
    const entryBar = Math.floor(t * slot);
    const held = Math.max(1, Math.floor(slot * (0.1 + 0.8 * random())));
    const exitBar = Math.min(barCount - 1, entryBar + held);
    const entryPrice = open[entryBar]! * 1.0005;
    const exitPrice = open[exitBar]! * 0.9995;
    const size = (balance * 0.5) / entryPrice;
    const fees = 0.001 * size * (entryPrice + exitPrice);
    const profitLoss = size * (exitPrice - entryPrice) - fees;
    equity.fill(balance, filledTo, entryBar);
    for (let i = entryBar; i < exitBar; i++) equity[i] = balance + size * (close[i]! - entryPrice) - fees / 2;
    balance += profitLoss;
    filledTo = exitBar;
    trades.push({
      entry_time: time[entryBar]!,
      exit_time: time[exitBar]!,
      entry_price: entryPrice,
      exit_price: exitPrice,
      size,
      profit_loss: profitLoss,
      profit_loss_pct: profitLoss / (size * entryPrice),
      exit_reason: profitLoss > 0 ? (t % 3 === 0 ? 'TP' : 'SIGNAL') : 'SL',
      bars_held: exitBar - entryBar,
      stop_price: entryPrice * 0.97,
      target_price: t % 5 === 0 ? null : entryPrice * 1.06,
      fees,
      mae: 0.02 * random(),
      mfe: 0.05 * random(),
    });
  }
  equity.fill(balance, filledTo);
  const sharpe = close.map((_, i) => (i < WINDOW ? Number.NaN : 3 * Math.sin(i / 700) + random() - 0.5));
  const wins = trades.filter(({ profit_loss }) => profit_loss > 0).length;
  return {
    title,
    asset: 'BTC',
    interval: '1h',
    intervalMs,
    window: { startMs, endMs: time[barCount - 1]! + intervalMs },
    initialBalance,
    bars: { time, open, high, low, close },
    equity,
    rollingSharpe: { values: sharpe, windowBars: WINDOW },
    rollingRisk: {
      windowBars: WINDOW,
      volatility: sharpe.map((value) => 0.3 + 0.05 * value),
      beta: sharpe.map((value) => value / 4),
    },
    indicators: [
      { name: 'SMA(close,50)', values: close.map((price, i) => (i < 50 ? Number.NaN : price * 0.99)), isPrice: true },
      { name: 'RSI(close,14)', values: close.map((_, i) => 50 + 30 * Math.sin(i / 40)), isPrice: false },
    ],
    benchmark: {
      total_return: { value: close[barCount - 1]! / open[0]! - 1, unit: 'fraction' },
      max_drawdown: { value: 0.4321, unit: 'fraction' },
      sharpe_ratio: { value: 0.55, unit: 'ratio' },
    },
    monteCarlo: {
      ...{ pathCount: 1_000, meanBlockBars: 20, steps: 100, ruinProbability: 0.021 },
      finalGrowth: { p5: 0.81, p25: 0.95, p50: 1.08, p75: 1.23, p95: 1.47 },
      maxDrawdown: { p5: 0.06, p25: 0.1, p50: 0.14, p75: 0.19, p95: 0.29 },
      fan: Array.from({ length: 11 }, (_, i) => ({
        ...{ step: 10 * i, p5: 1 - 0.019 * i, p25: 1 - 0.005 * i },
        ...{ p50: 1 + 0.008 * i, p75: 1 + 0.023 * i, p95: 1 + 0.047 * i },
      })),
    },
    trades,
    metrics: {
      total_return: { value: balance / initialBalance - 1, unit: 'fraction', description: 'growth of the account' },
      benchmark_asset_return: { value: close[barCount - 1]! / open[0]! - 1, unit: 'fraction' },
      max_drawdown: { value: 0.1234, unit: 'fraction' },
      sharpe_ratio: { value: 0.95, unit: 'ratio' },
      total_trades: { value: trades.length, unit: 'trades' },
      win_rate: { value: trades.length === 0 ? 0 : wins / trades.length, unit: 'fraction' },
      profit_factor: { value: null, unit: 'ratio' },
      ending_balance: { value: balance, unit: 'amount' },
      total_fees: { value: trades.reduce((sum, { fees }) => sum + fees, 0), unit: 'amount' },
    },
    extendedMetrics: { beta: { value: Number.NaN, unit: 'ratio' }, tail_ratio: { value: 1.25, unit: 'ratio' } },
    diagnostics: {
      bars: barCount,
      trigger_true: tradeCount * 4,
      filter_true: Math.floor(barCount / 2),
      both_true: tradeCount * 2,
      denied: tradeCount === 0 ? {} : { max_positions: tradeCount - 10, cooldown: 10 },
      filled: tradeCount,
      verdict: tradeCount === 0 ? 'The trigger was true on 0 of the bars.' : null,
    },
    rules: {
      entry: [
        {
          name: 'sma_cross_up',
          role: 'TRIGGER',
          params: { window_fast: 5, window_slow: 50 },
          timeframe: '4h',
          description: 'Fires when the fast simple average crosses above the slow one.',
        },
      ],
      exit: [
        { name: 'no_such_rule', role: 'TRIGGER', params: {}, timeframe: '1h', description: '', refusal: 'unknown' },
      ],
    },
    executionDefaults: { fee_pct: 0.0085, max_hold_bars: 1_000, position_size_calc: 'v2', cooldown_config: null },
    execution: {
      fee_pct: 0.001,
      max_hold_bars: null,
      position_size_calc: 'v2',
      cooldown_config: { '1h': { limit: 3 } },
    },
    manifest: { content_hash: '0123456789abcdef'.repeat(4), version: '0.1.0' },
    warnings: [],
    deniedSignals: [],
  };
}

const HOUR_MS = 3_600_000;

/** Every second trade of a sheet becomes a short that scaled out and whose stop moved; one is liquidated. */
export function bothSides(sheet: TearSheet): TearSheet {
  const trades = sheet.trades.map((trade, i): SheetTrade => {
    const isShort = i % 2 === 1;
    const stops = isShort ? [1.03, 1.01, 0.99] : [0.97, 0.99, 1.01];
    const events: SheetEvent[] = [
      { kind: 'placed', time: trade.entry_time, price: trade.entry_price },
      { kind: 'entry', time: trade.entry_time, price: trade.entry_price, size: trade.size },
      ...stops.map(
        (at, k): SheetEvent => ({ kind: 'stop', time: trade.entry_time + k * HOUR_MS, price: trade.entry_price * at }),
      ),
      { kind: 'target', time: trade.entry_time, price: trade.entry_price * (isShort ? 0.94 : 1.06) },
      {
        kind: 'part',
        time: trade.entry_time + HOUR_MS,
        price: trade.entry_price * 1.001,
        size: trade.size / 2,
        reason: 'SCALE_OUT',
      },
      { kind: 'exit', time: trade.exit_time, price: trade.exit_price, size: trade.size / 2, reason: trade.exit_reason },
    ];
    return { ...trade, side: isShort ? 'short' : 'long', events, ...(i === 4 && { exit_reason: 'LIQUIDATION' }) };
  });
  const figures = { trades: 30, win_rate: 0.5, net_pnl: -12.5, profit_factor: 0.9, fees: 3 };
  const units: Record<string, string> = { trades: 'trades', win_rate: 'fraction', net_pnl: 'amount', fees: 'amount' };
  const named = (side: string) =>
    Object.entries(figures).map(
      ([name, value]) => [`${side}_${name}`, { value, unit: units[name] ?? 'ratio' }] as const,
    );
  return {
    ...sheet,
    trades,
    extendedMetrics: { ...sheet.extendedMetrics, ...Object.fromEntries([...named('long'), ...named('short')]) },
  };
}
