// The execution model as one plain loop over the bars. It shares no code with the engine, and is
// never fast.
import { visibleCoarseBars } from './timeframes.js';

export interface RefBar {
  /** Open time, epoch milliseconds. */
  t: number;
  o: number;
  h: number;
  l: number;
  c: number;
  v: number;
  /** Funding rate settled in the bar. */
  funding?: number;
}

export interface RefRequest {
  intervalMs: number;
  bars: RefBar[];
  /** Index of the first tradable bar. */
  first: number;
  entry: boolean[];
  exit: boolean[];
  /** What the caller gave; the rest comes from the published defaults. */
  config: Record<string, unknown>;
}

export type RefExitReason = 'SL' | 'TP' | 'SIGNAL' | 'MAX_HOLD' | 'LOSS_TIMEOUT' | 'PROFIT_TIMEOUT' | 'END';

export interface RefTrade {
  entry_bar_index: number;
  exit_bar_index: number;
  entry_price: number;
  exit_price: number;
  position_size: number;
  stop_loss_price: number;
  take_profit_price: number;
  profit_loss: number;
  profit_loss_pct: number;
  entry_fee: number;
  exit_fee: number;
  fees: number;
  slippage_cost: number;
  funding_paid: number;
  beginning_balance: number;
  ending_balance: number;
  bars_held: number;
  exit_reason: RefExitReason;
  outcome: 'win' | 'loss';
}

export interface RefResult {
  trades: RefTrade[];
  denied_entries: [number, string][];
  /** One value per tradable bar. */
  equity: number[];
  metrics: Record<string, number | null>;
}

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

const INTERVAL_NAMES: Record<number, string> = {
  [300 * SECOND_MS]: '5m',
  [900 * SECOND_MS]: '15m',
  [1800 * SECOND_MS]: '30m',
  [HOUR_MS]: '1h',
  [4 * HOUR_MS]: '4h',
  [DAY_MS]: '1d',
};

/** The published defaults, copied here so that a wrong default in the engine shows up. */
export const REFERENCE_DEFAULTS: Record<string, unknown> = {
  slippage_pct: 0.004,
  fee_pct: 0.0085,
  trading_days_per_year: 365,
  trading_hours_per_day: 24,
  position_size_calc: 'v2',
  max_risk_per_trade: 0.01,
  reward_factor: 2,
  stop_loss_calculation: 'dynamic_atr',
  fixed_stop_pct: 0.02,
  atr_period: 14,
  atr_volatility_factor: 2.0,
  atr_short_weight: 0.95,
  atr_long_weight: 0.05,
  atr_cap_multiplier: 2.1,
  initial_balance: 10000,
  min_balance_threshold: 0.1,
  min_trade_amount: 25,
  max_open_positions: 10,
  max_trades_per_day: 50,
  max_units_per_trade: 1_000_000,
  max_trade_amount: 10_000_000,
  max_volume_share: null,
  funding: true,
  volatility_window: 24,
  target_volatility: 0.1,
  volatility_mode: 'stddev',
  enable_volatility_adjustment: false,
  max_hold_time_hours: null,
  cooldown_bars: 24,
  daily_momentum_limit: 3,
  weekly_momentum_limit: 3,
  max_hold_bars: 1000,
  exit_on_loss_after_bars: 1000,
  exit_on_profit_after_bars: 1000,
  profit_threshold_pct: 0.05,
  cooldown_config: {
    '5m': { short_loss_limit: 4, long_loss_limit: 6, short_window_bars: 180, long_window_bars: 480 },
    '15m': { short_loss_limit: 4, long_loss_limit: 6, short_window_bars: 120, long_window_bars: 320 },
    '1h': { short_loss_limit: 4, long_loss_limit: 6, short_window_bars: 48, long_window_bars: 144 },
    '1d': { short_loss_limit: 4, long_loss_limit: 6, short_window_bars: 20, long_window_bars: 60 },
  },
};

// ----------------------------------------------------------------------------------- configuration

function fillDefaults(given: Record<string, unknown>): Record<string, unknown> {
  const filled = { ...REFERENCE_DEFAULTS };
  for (const key of Object.keys(given)) {
    if (given[key] !== undefined) filled[key] = given[key];
  }
  return filled;
}

function numberField(config: Record<string, unknown>, key: string): number {
  const value = config[key];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`${key} must be a finite number`);
  return value;
}

/** For the settings whose rule null switches off. */
function nullableField(config: Record<string, unknown>, key: string): number | null {
  return config[key] === null ? null : numberField(config, key);
}

function choiceField(config: Record<string, unknown>, key: string, choices: string[]): string {
  const value = config[key];
  if (typeof value !== 'string' || !choices.includes(value)) {
    throw new Error(`${key} must be one of ${choices.join(', ')}`);
  }
  return value;
}

interface CooldownTier {
  limit: number;
  window: number;
}

/**
 * Short and long tier. Takes the caller's values before defaults are filled in: the source depends
 * on the keys that the caller gave.
 */
export function referenceCooldownTiers(given: Record<string, unknown>, intervalMs: number): CooldownTier[] {
  const interval = INTERVAL_NAMES[intervalMs];
  if (interval === undefined) throw new Error(`no interval of ${intervalMs} ms`);
  const isGiven = (key: string) => given[key] !== undefined && given[key] !== null;
  const isChosen = (key: string) => isGiven(key) && given[key] !== (REFERENCE_DEFAULTS as Record<string, unknown>)[key];
  const legacyGiven =
    isChosen('cooldown_bars') || isChosen('daily_momentum_limit') || isChosen('weekly_momentum_limit');

  let source: Record<string, Record<string, number> | null | undefined> | null = null;
  if (isGiven('cooldown_config')) {
    source = given.cooldown_config as Record<string, Record<string, number>>;
  } else if (!legacyGiven) {
    source = REFERENCE_DEFAULTS.cooldown_config as Record<string, Record<string, number>>;
  }

  if (source !== null) {
    for (const key of Object.keys(source)) {
      const tiers = source[key];
      if (key.toLowerCase() === interval && tiers !== null && tiers !== undefined) {
        return [
          { limit: tiers.short_loss_limit ?? 0, window: tiers.short_window_bars ?? 0 },
          { limit: tiers.long_loss_limit ?? 0, window: tiers.long_window_bars ?? 0 },
        ];
      }
    }
  }

  const legacy = (key: string) => (isGiven(key) ? numberField(given, key) : numberField(REFERENCE_DEFAULTS, key));
  const bars = legacy('cooldown_bars');
  return [
    { limit: legacy('daily_momentum_limit'), window: bars },
    { limit: legacy('weekly_momentum_limit'), window: Math.max(bars, Math.ceil((7 * DAY_MS) / intervalMs)) },
  ];
}

// ------------------------------------------------------------------------------ ATR and volatility

function referenceTrueRange(bars: RefBar[], i: number): number {
  const bar = bars[i]!;
  if (i === 0) return bar.h - bar.l;
  const previousClose = bars[i - 1]!.c;
  return Math.max(bar.h - bar.l, Math.abs(bar.h - previousClose), Math.abs(bar.l - previousClose));
}

/** ATR at the last of the given bars; null while undefined. */
export function referenceAtr(known: RefBar[], period: number): number | null {
  if (known.length < period) return null;
  let sum = 0;
  for (let i = 0; i < period; i++) sum = sum + referenceTrueRange(known, i);
  let atr = sum / period;
  for (let i = period; i < known.length; i++) {
    atr = (atr * (period - 1) + referenceTrueRange(known, i)) / period;
  }
  return atr;
}

/** Weighted blend of both ATRs, capped relative to the short one; null while undefined. */
export function referenceEffectiveAtr(
  atrShort: number | null,
  atrLong: number | null,
  config: Record<string, unknown>,
): number | null {
  const shortWeight = numberField(config, 'atr_short_weight');
  const longWeight = numberField(config, 'atr_long_weight');
  const capMultiplier = nullableField(config, 'atr_cap_multiplier');
  if (atrShort === null) return null;
  let blended = shortWeight * atrShort;
  if (longWeight !== 0) {
    if (atrLong === null) return null;
    blended = shortWeight * atrShort + longWeight * atrLong;
  }
  if (capMultiplier === null || capMultiplier <= 0) return blended;
  return Math.min(blended, capMultiplier * atrShort);
}

/** Bars a year: of whole days above a day, else of the hours of the trading days. */
export function referencePeriods(config: Record<string, unknown>, intervalMs: number): number {
  const days = numberField(config, 'trading_days_per_year');
  const barsPerDay = (numberField(config, 'trading_hours_per_day') * 3_600_000) / intervalMs;
  if (barsPerDay >= 1) return days * barsPerDay;
  return Math.min(days, YEAR_MS / intervalMs);
}

/** Annualized volatility at the last of the given bars; null while undefined. */
export function referenceVolatility(
  known: RefBar[],
  mode: string,
  window: number,
  intervalMs: number,
  periodsPerYear = YEAR_MS / intervalMs,
): number | null {
  const d = known.length - 1;
  if (mode === 'stddev') {
    if (d < window || window < 2) return null;
    const returns: number[] = [];
    for (let k = d - window + 1; k <= d; k++) returns.push(known[k]!.c / known[k - 1]!.c - 1);
    return sampleDeviation(returns) * Math.sqrt(periodsPerYear);
  }
  if (d < window - 1) return null;
  let sum = 0;
  for (let k = d - window + 1; k <= d; k++) sum = sum + referenceTrueRange(known, k);
  return (sum / window / known[d]!.c) * Math.sqrt(periodsPerYear);
}

/** Factor on the position size; 1 when the adjustment is off, null while undefined. */
export function referenceVolatilityScale(
  known: RefBar[],
  intervalMs: number,
  config: Record<string, unknown>,
): number | null {
  const mode = choiceField(config, 'volatility_mode', ['stddev', 'atr', 'off']);
  if (config.enable_volatility_adjustment !== true || mode === 'off') return 1;
  const volatility = referenceVolatility(
    known,
    mode,
    numberField(config, 'volatility_window'),
    intervalMs,
    referencePeriods(config, intervalMs),
  );
  if (volatility === null) return null;
  if (volatility === 0) return 1;
  return Math.min(1, numberField(config, 'target_volatility') / volatility);
}

// ------------------------------------------------------------------------------------------ sizing

export interface RefSizing {
  byRisk: number;
  afterVolatility: number;
  afterMaxUnits: number;
  afterMaxTradeAmount: number;
  spendable: number;
  /** After the cash clamp. */
  size: number;
  denied: 'insufficient_cash' | 'min_trade_amount' | null;
}

/** Thresholds up to 1 are a share of the initial balance, larger ones an amount. */
export function referenceFloorAmount(config: Record<string, unknown>): number {
  const threshold = numberField(config, 'min_balance_threshold');
  return threshold <= 1 ? threshold * numberField(config, 'initial_balance') : threshold;
}

export function referenceSize(
  accountValue: number,
  cash: number,
  fillPrice: number,
  distance: number,
  scale: number,
  config: Record<string, unknown>,
  volume = 0,
): RefSizing {
  const version = choiceField(config, 'position_size_calc', ['v1', 'v2']);
  const byRisk = (accountValue * numberField(config, 'max_risk_per_trade')) / distance;
  const afterVolatility = byRisk * scale;
  const share = nullableField(config, 'max_volume_share');
  const units = numberField(config, 'max_units_per_trade');
  const afterMaxUnits = Math.min(afterVolatility, share === null ? units : Math.min(units, share * volume));
  const afterMaxTradeAmount = Math.min(afterMaxUnits, numberField(config, 'max_trade_amount') / fillPrice);
  const spendable = version === 'v1' ? cash : cash - referenceFloorAmount(config);
  const affordable = spendable / (fillPrice * (1 + numberField(config, 'fee_pct')));
  const size = Math.min(afterMaxTradeAmount, affordable);
  let denied: RefSizing['denied'] = null;
  if (spendable <= 0.000001) denied = 'insufficient_cash';
  else if (size * fillPrice < numberField(config, 'min_trade_amount') || size <= 0) denied = 'min_trade_amount';
  return { byRisk, afterVolatility, afterMaxUnits, afterMaxTradeAmount, spendable, size, denied };
}

// -------------------------------------------------------------------------------------- simulation

interface Position {
  entryBar: number;
  /** Open of the entry bar, before slippage. */
  entryRaw: number;
  entryPrice: number;
  entryFee: number;
  funding: number;
  size: number;
  stop: number;
  target: number;
  /** Decided at the last close, filled at the next open. */
  scheduled: RefExitReason | null;
}

function checkBars(bars: RefBar[]): void {
  for (let i = 0; i < bars.length; i++) {
    const { t, o, h, l, c, v } = bars[i]!;
    const finite = [t, o, h, l, c, v].every((value) => Number.isFinite(value));
    const positive = o > 0 && h > 0 && l > 0 && c > 0 && v >= 0;
    if (!finite || !positive || h < Math.max(o, c) || l > Math.min(o, c)) throw new Error(`bar ${i} is invalid`);
    if (i > 0 && t <= bars[i - 1]!.t) throw new Error(`bar ${i} is not after bar ${i - 1}`);
  }
}

function utcDate(t: number): string {
  return new Date(t).toISOString().slice(0, 10);
}

export function referenceSimulate(request: RefRequest): RefResult {
  const { intervalMs, bars, first, entry, exit } = request;
  checkBars(bars);
  const config = fillDefaults(request.config);
  const tiers = referenceCooldownTiers(request.config, intervalMs);
  choiceField(config, 'position_size_calc', ['v1', 'v2']);
  const stopMode = choiceField(config, 'stop_loss_calculation', ['dynamic_atr', 'fixed']);
  const slippage = numberField(config, 'slippage_pct');
  const feeRate = numberField(config, 'fee_pct');
  const initialBalance = numberField(config, 'initial_balance');
  const floorAmount = referenceFloorAmount(config);
  const maxHoldBars = referenceMaxHoldBars(config, intervalMs);
  const lossAfterBars = nullableField(config, 'exit_on_loss_after_bars');
  const profitAfterBars = nullableField(config, 'exit_on_profit_after_bars');
  const profitThreshold = numberField(config, 'profit_threshold_pct');

  const trades: RefTrade[] = [];
  const deniedEntries: [number, string][] = [];
  const equity: number[] = [];
  const lossBars: number[] = [];
  let cash = initialBalance;
  let realizedBalance = initialBalance;
  let positions: Position[] = [];
  let blockedThrough = Number.NEGATIVE_INFINITY;
  let entriesToday = 0;
  let exposedBars = 0;
  let entryWanted = false;
  let entryConflicts = false;

  function closePosition(position: Position, i: number, raw: number, reason: RefExitReason, atOpen: boolean): void {
    const exitPrice = raw * (1 - slippage);
    const exitFee = feeRate * position.size * exitPrice;
    cash = cash + (position.size * exitPrice - exitFee);
    const profitLoss =
      position.size * (exitPrice - position.entryPrice) - position.entryFee - exitFee - position.funding;
    const beginningBalance = realizedBalance;
    realizedBalance = realizedBalance + profitLoss;
    positions = positions.filter((other) => other !== position);
    trades.push({
      entry_bar_index: position.entryBar,
      exit_bar_index: i,
      entry_price: position.entryPrice,
      exit_price: exitPrice,
      position_size: position.size,
      stop_loss_price: position.stop,
      take_profit_price: position.target,
      profit_loss: profitLoss,
      profit_loss_pct: profitLoss / (position.size * position.entryPrice),
      entry_fee: position.entryFee,
      exit_fee: exitFee,
      fees: position.entryFee + exitFee,
      slippage_cost: position.size * (position.entryPrice - position.entryRaw) + position.size * (raw - exitPrice),
      funding_paid: position.funding,
      beginning_balance: beginningBalance,
      ending_balance: realizedBalance,
      bars_held: atOpen ? i - position.entryBar : i - position.entryBar + 1,
      exit_reason: reason,
      outcome: profitLoss > 0 ? 'win' : 'loss',
    });
    if (profitLoss < 0) {
      lossBars.push(i);
      for (const tier of tiers) {
        if (tier.limit > 0 && tier.window > 0) {
          const recent = lossBars.filter((bar) => bar > i - tier.window).length;
          if (recent >= tier.limit) blockedThrough = Math.max(blockedThrough, i + tier.window);
        }
      }
    }
  }

  /** Fills the wanted entry at the open of bar i, or returns the reason for a denial. */
  function tryEntry(i: number): string | null {
    const open = bars[i]!.o;
    const known = bars.slice(0, i); // nothing of bar i but its open may be used
    if (entryConflicts) return 'exit_conflict';

    let held = 0;
    for (const position of positions) held = held + position.size * open;
    const accountValue = cash + held;
    if (accountValue < floorAmount) return 'min_balance';
    if (i <= blockedThrough) return 'cooldown';
    if (positions.length >= numberField(config, 'max_open_positions')) return 'max_positions';
    if (entriesToday >= numberField(config, 'max_trades_per_day')) return 'daily_limit';

    const fillPrice = open * (1 + slippage);
    let distance: number;
    if (stopMode === 'fixed') {
      distance = fillPrice * numberField(config, 'fixed_stop_pct');
    } else {
      const period = numberField(config, 'atr_period');
      const atrShort = referenceAtr(known, period);
      const atrLong = referenceAtr(visibleCoarseBars(known, intervalMs, DAY_MS), period);
      const effective = referenceEffectiveAtr(atrShort, atrLong, config);
      if (effective === null) return 'atr_warmup';
      distance = effective * numberField(config, 'atr_volatility_factor');
    }
    const stop = fillPrice - distance;
    const target = fillPrice + distance * numberField(config, 'reward_factor');
    if (!(distance > 0) || !(stop > 0)) return 'invalid_stop';

    const scale = referenceVolatilityScale(known, intervalMs, config);
    if (scale === null) return 'volatility_warmup';

    const sizing = referenceSize(accountValue, cash, fillPrice, distance, scale, config, known[i - 1]!.v);
    if (sizing.denied !== null) return sizing.denied;

    const entryFee = feeRate * sizing.size * fillPrice;
    cash = cash - (sizing.size * fillPrice + entryFee);
    entriesToday = entriesToday + 1;
    positions.push({
      entryBar: i,
      entryRaw: open,
      entryPrice: fillPrice,
      entryFee,
      funding: 0,
      size: sizing.size,
      stop,
      target,
      scheduled: null,
    });
    return null;
  }

  for (let i = first; i < bars.length; i++) {
    const bar = bars[i]!;

    // Before the open.
    if (i > 0 && utcDate(bar.t) !== utcDate(bars[i - 1]!.t)) entriesToday = 0;

    // At the open: exits first, because they free a slot and cash for the entry.
    for (const position of [...positions]) {
      if (position.scheduled !== null) closePosition(position, i, bar.o, position.scheduled, true);
    }
    if (entryWanted) {
      const denial = tryEntry(i);
      if (denial !== null) deniedEntries.push([i, denial]);
    }
    if (positions.length > 0) exposedBars = exposedBars + 1;

    // Inside the bar, the entry bar included. Touching both levels counts as a loss unless the open
    // decided.
    for (const position of [...positions]) {
      if (bar.o <= position.stop) closePosition(position, i, bar.o, 'SL', false);
      else if (bar.o >= position.target) closePosition(position, i, bar.o, 'TP', false);
      else if (bar.l <= position.stop) closePosition(position, i, position.stop, 'SL', false);
      else if (bar.h >= position.target) closePosition(position, i, position.target, 'TP', false);
    }

    // Funding, for all positions held to the close.
    if (config.funding === true) {
      for (const position of positions) {
        const paid = position.size * bar.c * (bar.funding ?? 0);
        cash = cash - paid;
        position.funding = position.funding + paid;
      }
    }

    // End of data.
    if (i === bars.length - 1) {
      for (const position of [...positions]) closePosition(position, i, bar.c, 'END', false);
    }

    // At the close.
    let held = 0;
    for (const position of positions) held = held + position.size * bar.c;
    equity.push(cash + held);
    for (const position of positions) {
      const barsHeld = i - position.entryBar + 1;
      const unrealized = bar.c / position.entryPrice - 1;
      if (exit[i] === true) {
        position.scheduled = 'SIGNAL';
      } else if (maxHoldBars !== null && maxHoldBars > 0 && barsHeld >= maxHoldBars) {
        position.scheduled = 'MAX_HOLD';
      } else if (lossAfterBars !== null && lossAfterBars > 0 && barsHeld >= lossAfterBars && unrealized < 0) {
        position.scheduled = 'LOSS_TIMEOUT';
      } else if (
        profitAfterBars !== null &&
        profitAfterBars > 0 &&
        barsHeld >= profitAfterBars &&
        unrealized >= profitThreshold
      ) {
        position.scheduled = 'PROFIT_TIMEOUT';
      }
    }
    entryWanted = entry[i] === true;
    entryConflicts = exit[i] === true;
  }

  const metrics = referenceMetrics({
    intervalMs,
    initialBalance,
    bars: bars.slice(first),
    equity,
    trades,
    exposedBars,
    periodsPerYear: referencePeriods(config, intervalMs),
  });
  return { trades, denied_entries: deniedEntries, equity, metrics };
}

export function referenceMaxHoldBars(config: Record<string, unknown>, intervalMs: number): number | null {
  const bars = nullableField(config, 'max_hold_bars');
  const hours = nullableField(config, 'max_hold_time_hours');
  if ((bars === null || bars <= 0) && hours !== null) return Math.ceil((hours * HOUR_MS) / intervalMs);
  return bars;
}

// ----------------------------------------------------------------------------------------- metrics

export interface RefMetricsInput {
  intervalMs: number;
  /** By default those of 365 days around the clock. */
  periodsPerYear?: number;
  initialBalance: number;
  /** The tradable bars only. */
  bars: RefBar[];
  equity: number[];
  trades: Pick<RefTrade, 'profit_loss' | 'bars_held' | 'fees' | 'slippage_cost'>[];
  exposedBars: number;
}

function sum(values: number[]): number {
  let total = 0;
  for (const value of values) total = total + value;
  return total;
}

function mean(values: number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

function sampleDeviation(values: number[]): number {
  const average = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - average) ** 2)) / (values.length - 1));
}

function longestRun(flags: boolean[]): number {
  let longest = 0;
  let current = 0;
  for (const flag of flags) {
    current = flag ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return longest;
}

const METRIC_NAMES = [
  'sharpe_ratio',
  'sortino_ratio',
  'max_drawdown',
  'max_drawdown_duration',
  'total_return',
  'irr_annualized',
  'irr_daily',
  'calmar_ratio',
  'num_days',
  'avg_daily_return',
  'gain_to_pain_ratio',
  'total_trades',
  'win_rate',
  'profit_factor',
  'expectancy',
  'avg_win',
  'avg_loss',
  'max_consecutive_wins',
  'max_consecutive_losses',
  'avg_bars_held',
  'exposure',
  'total_fees',
  'total_slippage_cost',
  'starting_balance',
  'ending_balance',
  'net_pnl',
  'benchmark_asset_return',
];

export function referenceMetrics(input: RefMetricsInput): Record<string, number | null> {
  const { intervalMs, bars, trades } = input;
  const m = input.equity.length;
  if (m === 0) return Object.fromEntries(METRIC_NAMES.map((name) => [name, 0]));

  const e = [input.initialBalance, ...input.equity];
  const start = e[0]!;
  const end = e[m]!;
  const periodsPerYear = input.periodsPerYear ?? YEAR_MS / intervalMs;
  const elapsedMs = bars[m - 1]!.t + intervalMs - bars[0]!.t;

  const r: number[] = [];
  // A return over a value <= 0 counts as none.
  const returnOver = (value: number, before: number) => (before > 0 ? value / before - 1 : 0);
  for (let k = 1; k <= m; k++) r.push(returnOver(e[k]!, e[k - 1]!));

  const deviation = m < 2 ? 0 : sampleDeviation(r);
  const sharpe = m < 2 || deviation < 1e-15 ? 0 : (mean(r) / deviation) * Math.sqrt(periodsPerYear);
  const downside = Math.sqrt(sum(r.map((value) => Math.min(value, 0) ** 2)) / m);
  const sortino = downside < 1e-15 ? 0 : (mean(r) / downside) * Math.sqrt(periodsPerYear);

  let peak = start;
  let maxDrawdown = 0;
  const underwater: boolean[] = [];
  for (let k = 0; k <= m; k++) {
    peak = Math.max(peak, e[k]!);
    maxDrawdown = Math.max(maxDrawdown, 1 - e[k]! / peak);
    underwater.push(e[k]! < peak);
  }

  const compound = (periods: number) => (end <= 0 ? -1 : Math.min(1_000_000, (end / start) ** (1 / periods) - 1));
  const irrAnnualized = compound(elapsedMs / YEAR_MS);

  // The last value of a date is the one whose next bar has another date.
  const dailyReturns: number[] = [];
  let previous = start;
  for (let k = 1; k <= m; k++) {
    if (k === m || utcDate(bars[k]!.t) !== utcDate(bars[k - 1]!.t)) {
      dailyReturns.push(returnOver(e[k]!, previous));
      previous = e[k]!;
    }
  }
  const pain = Math.abs(sum(dailyReturns.filter((value) => value < 0)));

  const results = trades.map((trade) => trade.profit_loss);
  const wins = results.filter((value) => value > 0);
  const losses = results.filter((value) => !(value > 0));
  const lossSum = Math.abs(sum(losses));
  let profitFactor: number | null = 0;
  if (wins.length > 0) profitFactor = lossSum === 0 ? null : sum(wins) / lossSum;

  return {
    sharpe_ratio: sharpe,
    sortino_ratio: sortino,
    max_drawdown: maxDrawdown,
    max_drawdown_duration: longestRun(underwater),
    total_return: end / start - 1,
    irr_annualized: irrAnnualized,
    irr_daily: compound(elapsedMs / DAY_MS),
    calmar_ratio: maxDrawdown === 0 ? 0 : irrAnnualized / maxDrawdown,
    num_days: Math.floor(elapsedMs / DAY_MS),
    avg_daily_return: mean(dailyReturns),
    gain_to_pain_ratio: pain === 0 ? 0 : sum(dailyReturns) / pain,
    total_trades: trades.length,
    win_rate: trades.length === 0 ? 0 : wins.length / trades.length,
    profit_factor: profitFactor,
    expectancy: mean(results),
    avg_win: mean(wins),
    avg_loss: mean(losses),
    max_consecutive_wins: longestRun(results.map((value) => value > 0)),
    max_consecutive_losses: longestRun(results.map((value) => !(value > 0))),
    avg_bars_held: mean(trades.map((trade) => trade.bars_held)),
    exposure: input.exposedBars / m,
    total_fees: sum(trades.map((trade) => trade.fees)),
    total_slippage_cost: sum(trades.map((trade) => trade.slippage_cost)),
    starting_balance: start,
    ending_balance: end,
    net_pnl: end - start,
    benchmark_asset_return: bars[m - 1]!.c / bars[0]!.o - 1,
  };
}
