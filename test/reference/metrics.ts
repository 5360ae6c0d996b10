// The extended metrics in the plainest form: arrays, sorts and sums. It shares no code with the
// engine.

export interface RefMetricBar {
  t: number;
  o: number;
  h: number;
  l: number;
  c: number;
}

export interface RefMetricTrade {
  entryBar: number;
  exitBar: number;
  entryPrice: number;
  exitPrice: number;
  size: number;
  stopPrice: number;
  targetPrice: number;
  profitLoss: number;
  entryFee: number;
  exitFee: number;
  slippageCost: number;
  exitReason: string;
}

export interface RefMetricRun {
  intervalMs: number;
  /** All bars, including those before the first tradable one. */
  bars: RefMetricBar[];
  first: number;
  /** One value per tradable bar. */
  equity: number[];
  initial: number;
  trades: RefMetricTrade[];
  exposedBars: number;
}

const DAY = 24 * 60 * 60 * 1000;
const DUST = 1e-15;

const sum = (values: number[]): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};
const mean = (values: number[]): number => sum(values) / values.length;
const ascending = (values: number[]): number[] => [...values].sort((a, b) => a - b);
const central = (values: number[], power: number): number => {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** power));
};
const sampleDeviation = (values: number[]): number => {
  const middle = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1));
};
const largest = (values: number[]): number => values.reduce((a, b) => (b > a ? b : a));
const smallest = (values: number[]): number => values.reduce((a, b) => (b < a ? b : a));
const over = (numerator: number, denominator: number): number | null =>
  denominator === 0 ? null : numerator / denominator;

/** Change from each value to the next; 0 where the first of the two is 0 or less. */
export const changes = (values: number[]): number[] =>
  values.slice(1).map((value, k) => (values[k] > 0 ? (value - values[k]) / values[k] : 0));

/** Quantile p of the values, interpolated between neighbours in sorted order. */
export function refQuantile(values: number[], p: number): number {
  const sorted = ascending(values);
  const position = p * (sorted.length - 1);
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  const share = position - Math.floor(position);
  return below * (1 - share) + above * share;
}

/** Takes values from the worst up until they make a twentieth of all values. */
export function refShortfall(values: number[]): number {
  let wanted = values.length / 20;
  let taken = 0;
  for (const value of ascending(values)) {
    const weight = Math.min(1, wanted);
    taken += weight * value;
    wanted -= weight;
  }
  return taken / (values.length / 20);
}

export function refRollingSharpe(equity: number[], initial: number, window: number, perYear: number): number[] {
  const returns = changes([initial, ...equity]);
  const out: number[] = [];
  for (let end = window; end <= returns.length; end++) {
    const part = returns.slice(end - window, end);
    const deviation = sampleDeviation(part);
    out.push(deviation < DUST ? 0 : (mean(part) / deviation) * Math.sqrt(perYear));
  }
  return out;
}

/** Every market price during the position's life at the edges of its bars. */
function pricesSeen(bars: RefMetricBar[], trade: RefMetricTrade): number[] {
  const seen: number[] = [];
  for (let i = trade.entryBar; i < trade.exitBar; i++) seen.push(bars[i].o, bars[i].l, bars[i].h);
  const { o, h, l } = bars[trade.exitBar];
  seen.push(o);
  const isGap = o <= trade.stopPrice || o >= trade.targetPrice;
  if (trade.exitReason === 'END') seen.push(l, h);
  if (trade.exitReason === 'SL' && !isGap) seen.push(trade.stopPrice);
  if (trade.exitReason === 'TP' && !isGap) seen.push(l, trade.targetPrice);
  return seen;
}

export function refExcursions(bars: RefMetricBar[], trades: RefMetricTrade[]): Record<string, number[]> {
  const out: Record<string, number[]> = { mae: [], mfe: [], maeFullBars: [], mfeFullBars: [] };
  for (const trade of trades) {
    const whole = bars.slice(trade.entryBar, trade.exitBar + 1).flatMap(({ l, h }) => [l, h]);
    for (const [prices, suffix] of [[pricesSeen(bars, trade), ''] as const, [whole, 'FullBars'] as const]) {
      const moves = prices.map((price) => (price - trade.entryPrice) / trade.entryPrice);
      out[`mae${suffix}`].push(-Math.min(0, smallest(moves)));
      out[`mfe${suffix}`].push(Math.max(0, largest(moves)));
    }
  }
  return out;
}

const reasons = ['SL', 'TP', 'SIGNAL', 'MAX_HOLD', 'LOSS_TIMEOUT', 'PROFIT_TIMEOUT', 'END'];

function refTradeMetrics(bars: RefMetricBar[], trades: RefMetricTrade[]) {
  const wins = trades.filter((trade) => trade.profitLoss > 0).map((trade) => trade.profitLoss);
  const losses = trades.filter((trade) => !(trade.profitLoss > 0)).map((trade) => trade.profitLoss);
  const lost = -sum(losses);
  const payoff = wins.length === 0 || lost === 0 ? null : mean(wins) / (lost / losses.length);
  const multiples = trades.map((trade) => trade.profitLoss / (trade.size * (trade.entryPrice - trade.stopPrice)));
  const spread = trades.length < 2 ? 0 : sampleDeviation(multiples);
  const { mae, mfe, maeFullBars, mfeFullBars } = refExcursions(bars, trades);
  const exits: Record<string, unknown> = {};
  for (const reason of reasons) {
    const results = trades.filter((trade) => trade.exitReason === reason).map((trade) => trade.profitLoss);
    exits[reason] = { count: results.length, mean_profit_loss: results.length === 0 ? null : mean(results) };
  }
  return {
    system_quality_number: spread < DUST ? null : (Math.sqrt(trades.length) * mean(multiples)) / spread,
    payoff_ratio: payoff,
    kelly_fraction: payoff === null ? null : wins.length / trades.length - losses.length / trades.length / payoff,
    avg_mae: trades.length === 0 ? null : mean(mae),
    worst_mae: trades.length === 0 ? null : largest(mae),
    avg_mfe: trades.length === 0 ? null : mean(mfe),
    best_mfe: trades.length === 0 ? null : largest(mfe),
    worst_mae_full_bars: trades.length === 0 ? null : largest(maeFullBars),
    best_mfe_full_bars: trades.length === 0 ? null : largest(mfeFullBars),
    exits_by_reason: exits,
    fees_paid: sum(trades.flatMap((trade) => [trade.entryFee, trade.exitFee])),
    slippage_paid: sum(trades.map((trade) => trade.slippageCost)),
  };
}

/** Returns of the calendar days (10 characters of a time) or months (7), grouped by name. */
function periodReturns(times: number[], values: number[], initial: number, characters: number): number[] {
  const last = new Map<string, number>();
  values.forEach((value, k) => {
    last.set(new Date(times[k]).toISOString().slice(0, characters), value);
  });
  return changes([initial, ...last.values()]);
}

/** The forms that days and months share. */
function refPeriods(returns: number[], perYear: number, suffix: string): Record<string, number | null> {
  const deviation = returns.length < 2 ? null : sampleDeviation(returns);
  return {
    [`value_at_risk_95_${suffix}`]: Math.max(0, -refQuantile(returns, 0.05)),
    [`conditional_value_at_risk_95_${suffix}`]: Math.max(0, -refShortfall(returns)),
    [`volatility_annualized_${suffix}`]: deviation === null ? null : deviation * Math.sqrt(perYear),
    [`sharpe_ratio_${suffix}`]:
      deviation === null || deviation < DUST ? null : (mean(returns) * Math.sqrt(perYear)) / deviation,
  };
}

/** Least squares with the errors of Newey and West, by the matrices of the textbook. */
export function refAlphaLine(account: number[], asset: number[]) {
  const n = account.length;
  if (n < 20 || Math.sqrt(central(asset, 2)) < DUST) return null;
  const [sx, sxx] = [sum(asset), sum(asset.map((x) => x * x))];
  const [sy, sxy] = [sum(account), sum(asset.map((x, k) => x * account[k]))];
  const determinant = n * sxx - sx * sx;
  const inverse = [
    [sxx / determinant, -sx / determinant],
    [-sx / determinant, n / determinant],
  ];
  const alpha = inverse[0][0] * sy + inverse[0][1] * sxy;
  const beta = inverse[1][0] * sy + inverse[1][1] * sxy;
  const scores = account.map((y, k) => {
    const residual = y - alpha - beta * asset[k];
    return [residual, residual * asset[k]];
  });
  const lags = Math.floor(4 * (n / 100) ** (2 / 9));
  const meat = [0, 1].map((i) =>
    [0, 1].map((j) => {
      let total = 0;
      for (let k = 0; k < n; k++) {
        for (let l = Math.max(0, k - lags); l <= Math.min(n - 1, k + lags); l++) {
          total += (1 - Math.abs(k - l) / (lags + 1)) * scores[k][i] * scores[l][j];
        }
      }
      return total;
    }),
  );
  let variance = 0;
  for (const i of [0, 1]) for (const j of [0, 1]) variance += inverse[0][i] * meat[i][j] * inverse[0][j];
  const error = Math.sqrt((variance * n) / (n - 2));
  return error >= DUST ? { alpha, beta, t: alpha / error } : null;
}

function refDays(days: number[], assetDays: number[]): Record<string, number | null> {
  const deviation = Math.sqrt(central(days, 2));
  const losses = days.map((r) => Math.min(r, 0));
  const downside = Math.sqrt(mean(losses.map((r) => r * r)));
  const low = refQuantile(days, 0.05);
  const line = refAlphaLine(days, assetDays);
  return {
    ...refPeriods(days, 365, 'daily'),
    sortino_ratio_daily: downside === 0 ? null : (mean(days) / downside) * Math.sqrt(365),
    value_at_risk_95_normal_daily:
      days.length < 2 ? null : Math.max(0, 1.6448536269514722 * sampleDeviation(days) - mean(days)),
    omega_ratio_daily: over(sum(days.map((r) => Math.max(r, 0))), -sum(losses)),
    tail_ratio_daily: over(Math.abs(refQuantile(days, 0.95)), Math.abs(low)),
    skewness_daily: deviation < DUST ? null : central(days, 3) / deviation ** 3,
    excess_kurtosis_daily: deviation < DUST ? null : central(days, 4) / deviation ** 4 - 3,
    alpha_compounded: line === null ? null : (1 + line.alpha) ** 365 - 1,
    alpha_t: line === null ? null : line.t,
    beta_daily: line === null ? null : line.beta,
  };
}

/** Of a run of at least one tradable bar. */
export function refExtendedMetrics(run: RefMetricRun): Record<string, unknown> {
  const { intervalMs, bars, first, equity, initial, trades, exposedBars } = run;
  const tradable = bars.slice(first);
  const count = equity.length;
  const perYear = (365 * DAY) / intervalMs;
  const years = (tradable[count - 1].t - tradable[0].t + intervalMs) / (365 * DAY);
  const returns = changes([initial, ...equity]);
  const asset = changes([tradable[0].o, ...tradable.map((bar) => bar.c)]);
  const assetVariance = central(asset, 2);
  const middle = mean(returns);
  const assetMiddle = mean(asset);
  const covariance = mean(returns.map((r, k) => (r - middle) * (asset[k] - assetMiddle)));
  const beta = Math.sqrt(assetVariance) < DUST ? null : covariance / assetVariance;
  const deviation = Math.sqrt(central(returns, 2));

  const peaks = equity.map((_, k) => largest([initial, ...equity.slice(0, k + 1)]));
  const drawdowns = equity.map((value, k) => (peaks[k] - value) / peaks[k]);
  const falls = equity.map((value, k) => peaks[k] - value);
  const times = tradable.map((bar) => bar.t);
  const months = periodReturns(times, equity, initial, 7);
  const closes = tradable.map((bar) => bar.c);
  const days = refDays(periodReturns(times, equity, initial, 10), periodReturns(times, closes, tradable[0].o, 10));
  const low = refQuantile(returns, 0.05);
  const notional = sum(trades.map((trade) => trade.size * trade.entryPrice + trade.size * trade.exitPrice));
  const turnover = over(notional, mean(equity));
  const window = Math.max(2, Math.floor(Math.min((30 * DAY) / intervalMs, count / 4)));
  const sharpe = refRollingSharpe(equity, initial, window, perYear);
  return {
    buy_and_hold_return: tradable[count - 1].c / tradable[0].o - 1,
    alpha: beta === null ? null : (middle - beta * assetMiddle) * perYear,
    beta,
    time_in_market: exposedBars / count,
    turnover,
    turnover_per_year: turnover === null ? null : turnover / years,
    volatility_annualized: count < 2 ? null : sampleDeviation(returns) * Math.sqrt(perYear),
    omega_ratio: over(sum(returns.map((r) => Math.max(r, 0))), sum(returns.map((r) => Math.max(-r, 0)))),
    ulcer_index: Math.sqrt(mean(drawdowns.map((d) => d * d))),
    value_at_risk_95: Math.max(0, -low),
    conditional_value_at_risk_95: Math.max(0, -refShortfall(returns)),
    skewness: deviation < DUST ? null : central(returns, 3) / deviation ** 3,
    excess_kurtosis: deviation < DUST ? null : central(returns, 4) / deviation ** 4 - 3,
    tail_ratio: over(Math.abs(refQuantile(returns, 0.95)), Math.abs(low)),
    gain_to_pain_monthly: over(sum(months), -sum(months.filter((r) => r < 0))),
    recovery_factor: over(equity[count - 1] - initial, largest(falls)),
    ...days,
    ...refPeriods(months, 12, 'monthly'),
    ...refTradeMetrics(bars, trades),
    rolling_sharpe_window: sharpe.length === 0 ? null : window,
    rolling_sharpe_min: sharpe.length === 0 ? null : smallest(sharpe),
    rolling_sharpe_max: sharpe.length === 0 ? null : largest(sharpe),
    rolling_sharpe_last: sharpe.length === 0 ? null : sharpe[sharpe.length - 1],
  };
}

interface RefAccount {
  readonly equity: readonly number[];
  readonly times: readonly number[];
  readonly intervalMs: number;
  readonly initial: number;
  /** Profit or loss of each trade. */
  readonly profits: readonly number[];
}

/** Numerator and denominator of the ratios of a run, each from the account itself. */
export function refRatios({ equity, times, intervalMs, initial, profits }: RefAccount) {
  const before = (i: number): number => (i === 0 ? initial : equity[i - 1]!);
  const returns = equity.map((value, i) => value / before(i) - 1);
  const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const mean = total(returns) / returns.length;
  const year = 365 * 86_400_000;
  const scale = Math.sqrt(year / intervalMs);
  const spread = Math.sqrt(total(returns.map((r) => (r - mean) ** 2)) / (returns.length - 1));
  const downside = Math.sqrt(total(returns.map((r) => Math.min(0, r) ** 2)) / returns.length);
  let [peak, deepest] = [initial, 0];
  for (const value of equity) {
    peak = Math.max(peak, value);
    deepest = Math.max(deepest, (peak - value) / peak);
  }
  const last = equity.length - 1;
  const years = (times[last]! + intervalMs - times[0]!) / year;
  const days = new Map<number, number>();
  for (const [i, value] of equity.entries()) days.set(Math.floor(times[i]! / 86_400_000), value);
  const closes = [initial, ...days.values()];
  const daily = closes.slice(1).map((value, i) => value / closes[i]! - 1);
  return {
    sharpe_ratio: { over: mean * scale, under: spread < 1e-15 ? 0 : spread },
    sortino_ratio: { over: mean * scale, under: downside < 1e-15 ? 0 : downside },
    calmar_ratio: { over: Math.min((equity[last]! / initial) ** (1 / years) - 1, 1_000_000), under: deepest },
    gain_to_pain_ratio: { over: total(daily), under: -total(daily.filter((r) => r < 0)) },
    profit_factor: {
      over: total(profits.filter((profit) => profit > 0)),
      under: -total(profits.filter((profit) => profit <= 0)),
    },
  };
}
