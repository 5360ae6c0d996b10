// Asks: what does one whole backtest cost (rules, execution, metrics; trades kept), and how fast is
// grademark with the same rules?
import assert from 'node:assert/strict';
import { DataFrame } from 'data-forge';
import grademark from 'grademark';
import {
  type ExecutionConfig,
  resolveConfig,
  type Simulation,
  simulate,
  simulateByStep,
  type Trade,
} from '../engine/execution/index.js';
import { computeExtendedMetrics, computeMetrics } from '../engine/metrics/index.js';
import { type BarSeries, HOUR_MS, sliceBars } from '../engine/series/index.js';
import { evaluateRules, parseStrategy, planStrategy } from '../engine/strategy/index.js';
import { consume, medianMs, type Sizes, seededBars, type Timing, time } from './measure.js';

/**
 * Trades are compared over this many bars. Later the walk falls to some hundred ticks, where
 * averages tie and rounding decides.
 */
const CHECKED_BARS = 10_000;
const FAST = 20;
const SLOW = 50;
const cross = (name: string) => ({
  name,
  signal_type: 'TRIGGER',
  timeframe: null,
  params: { window_fast: FAST, window_slow: SLOW },
});

/** The averages of the usual comparison, with the costs and caps of the published defaults. */
const strategy = parseStrategy(
  { name: 'SMA 20/50 cross', entry: [cross('sma_cross_up')], exit: [cross('sma_cross_down')] },
  'relaxed',
);
const plan = planStrategy(strategy, HOUR_MS);
const { config: full } = resolveConfig({
  request: { fee_pct: 0.001, slippage_pct: 0.0005, max_trades_per_day: 50 },
  interval: HOUR_MS,
});
/**
 * Settings that trade as grademark does: no costs, caps, limits or cooldown, stops out of reach.
 */
const loose: ExecutionConfig = {
  ...full,
  fee_pct: 0,
  slippage_pct: 0,
  max_trades_per_day: 1_000,
  stop_loss_calculation: 'fixed',
  fixed_stop_pct: 0.99,
  reward_factor: 1_000,
  min_balance_threshold: 0,
  min_trade_amount: 0,
  cooldown_short_loss_limit: 0,
  cooldown_long_loss_limit: 0,
  hold_limit_bars: null,
  exit_on_loss_after_bars: null,
  exit_on_profit_after_bars: null,
};

function backtest(held: BarSeries, run: typeof simulate, config = full): Simulation {
  // A new series object: nothing is cached from the last round.
  const bars = sliceBars(held, 0, held.barCount);
  const rules = evaluateRules(plan, bars);
  const simulation = run({ bars, first: 0, ...rules, config });
  consume(computeMetrics({ ...simulation, bars, first: 0, config }).sharpe_ratio ?? 0);
  return simulation;
}

export async function run(sizes: Sizes): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (const barCount of sizes.isSmoke ? [2_000] : [10_000, 100_000, 1_000_000]) {
    const bars = seededBars(barCount);
    const fast = backtest(bars, simulate);
    assert.deepEqual(fast, backtest(bars, simulateByStep), 'the jump and the step must agree in every bit');
    const peer = barCount > 100_000 ? null : raceGrademark(bars, sizes);
    const extended = { ...fast, bars, first: 0, config: full };
    const cases = [
      ['backtest', () => void backtest(bars, simulate)],
      ['extended metrics', () => consume(computeExtendedMetrics(extended).alpha ?? 0)],
    ] as const;
    for (const timing of await time(barCount, cases, sizes)) {
      const { name, bars, p50Ms, yardsticks } = timing;
      const ratio = name === 'backtest' && peer !== null ? { ratio: peer.wholeMs / p50Ms } : {};
      timings.push({ ...timing, ...ratio });
      const trades = name === 'yardstick' ? '' : `   ${fast.trades.length} trades`;
      const race =
        ratio.ratio === undefined || peer === null
          ? ''
          : `   ${ratio.ratio.toFixed(0)}x grademark (${peer.wholeMs.toFixed(1)} ms), ${(peer.loopMs / p50Ms).toFixed(0)}x its loop alone (${peer.loopMs.toFixed(1)} ms)`;
      console.log(
        `${name.padEnd(18)} ${String(bars).padStart(8)} bars ${p50Ms.toFixed(3).padStart(9)} ms ${yardsticks.toFixed(2).padStart(7)} yardsticks${trades}${race}`,
      );
    }
  }
  return timings;
}

interface PeerBar {
  readonly time: Date;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly above: boolean;
  readonly wasAbove: boolean;
}

/**
 * Medians of grademark over the same crosses: for the whole job, with averages computed by
 * data-forge as in its examples, and for its loop alone, with averages computed beforehand. With
 * stops out of reach and no caps, both engines must enter and exit on the same bars.
 */
function raceGrademark(bars: BarSeries, { isSmoke }: Sizes): { readonly wholeMs: number; readonly loopMs: number } {
  const series = peerSeries(bars);
  const rules = {
    entryRule: (enter: () => void, { bar }: { bar: PeerBar }) => {
      if (bar.above && !bar.wasAbove) enter();
    },
    exitRule: (exit: () => void, { bar }: { bar: PeerBar }) => {
      if (!bar.above && bar.wasAbove) exit();
    },
  };
  const trades = grademark.backtest(rules, peerSeries(sliceBars(bars, 0, Math.min(CHECKED_BARS, bars.barCount))));
  const ours = backtest(sliceBars(bars, 0, Math.min(CHECKED_BARS, bars.barCount)), simulate, loose).trades;
  assert.deepEqual(
    seenByGrademark(ours).map((trade) => bars.time[trade.entryBar]),
    trades.map((trade) => trade.entryTime.getTime()),
    'both must buy on the same bars',
  );
  const rounds = isSmoke ? 1 : 3;
  const loopMs = medianMs(rounds, () => {
    consume(grademark.analyze(10_000, grademark.backtest(rules, series)).profit);
  });
  const raw = new DataFrame<number, PeerBar>(series.toArray());
  const wholeMs = medianMs(rounds, () => {
    const crosses = withCrosses(raw);
    consume(grademark.analyze(10_000, grademark.backtest(rules, crosses)).profit);
  });
  return { wholeMs, loopMs };
}

/** The bars with their crosses, computed anew by rolling windows of data-forge. */
function withCrosses(raw: DataFrame<number, PeerBar>): DataFrame<number, PeerBar> {
  const closes = raw.deflate((bar) => bar.close);
  const mean = (window: number) =>
    closes
      .rollingWindow(window)
      .select((values) => values.average())
      .toArray();
  const [fast, slow] = [mean(FAST), mean(SLOW)];
  let wasAbove = true;
  const rows = raw.toArray().map((bar, t) => {
    const above = t < SLOW - 1 || fast[t - FAST + 1]! > slow[t - SLOW + 1]!;
    const row = { ...bar, above, wasAbove };
    wasAbove = t < SLOW - 1 ? true : above;
    return row;
  });
  return new DataFrame<number, PeerBar>(rows);
}

/**
 * Those of our trades that grademark can make. It does not ask its entry rule on a bar at whose
 * open it sold, so it misses a cross there. It does not ask its exit rule on the bar at whose open
 * it bought, so it misses an exit there and holds on to the next one.
 */
function seenByGrademark(trades: readonly Trade[]): Trade[] {
  let exitBar = -Infinity;
  let holdsOn = false;
  return trades.filter((trade) => {
    const isSeen = !holdsOn && trade.entryBar !== exitBar + 1;
    if (isSeen || holdsOn) exitBar = trade.exitBar;
    holdsOn = isSeen && trade.exitBar === trade.entryBar + 1;
    return isSeen;
  });
}

function peerSeries(bars: BarSeries) {
  const mean = (window: number, t: number) => {
    if (t < window - 1) return NaN;
    let sum = 0;
    for (let i = t - window + 1; i <= t; i++) sum += bars.close[i];
    return sum / window;
  };
  const rows: PeerBar[] = [];
  let wasAbove = true; // no cross before the slow average begins
  for (let t = 0; t < bars.barCount; t++) {
    const above = t < SLOW - 1 || mean(FAST, t) > mean(SLOW, t);
    const { open, high, low, close, volume } = bars;
    const row = { open: open[t], high: high[t], low: low[t], close: close[t], volume: volume[t] };
    rows.push({ time: new Date(bars.time[t]), ...row, above, wasAbove });
    wasAbove = t < SLOW - 1 ? true : above;
  }
  return new DataFrame<number, PeerBar>(rows);
}
