import assert from 'node:assert/strict';
import test from 'node:test';
import { denialReasons, resolveConfig, simulate, simulateByStep } from '../../engine/execution/index.js';
import { computeMetrics } from '../../engine/metrics/index.js';
import { type BarSeries, DAY_MS, HOUR_MS, MINUTE_MS, maskOf } from '../../engine/series/index.js';
import { referenceSimulate } from '../reference/execution.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** The engine against an implementation written apart from it, straight from the rules. */

const TOLERANCE = 1e-9;

function assertClose(actual: unknown, expected: unknown, label: string): void {
  if (typeof expected !== 'number' || typeof actual !== 'number') {
    assert.deepEqual(actual, expected, label);
    return;
  }
  const scale = Math.max(1, Math.abs(expected));
  assert.ok(Math.abs(actual - expected) <= TOLERANCE * scale, `${label}: ${actual} against ${expected}`);
}

/** Settings that make every rule bite on a few hundred bars. */
function randomConfig(random: () => number): Record<string, unknown> {
  const pick = <T>(...values: T[]): T => values[Math.floor(random() * values.length)];
  return {
    slippage_pct: pick(0, 0.0005, 0.004),
    fee_pct: pick(0, 0.001, 0.0085),
    stop_loss_calculation: pick('dynamic_atr', 'dynamic_atr', 'fixed'),
    fixed_stop_pct: pick(0.005, 0.02, 0.1),
    position_size_calc: pick('v1', 'v2'),
    max_risk_per_trade: pick(0.005, 0.02, 0.2, 1),
    reward_factor: pick(0.5, 1, 2, 5),
    atr_period: pick(1, 3, 14),
    atr_volatility_factor: pick(0.5, 2, 5),
    atr_short_weight: pick(1, 0.95, 0),
    atr_long_weight: pick(0, 0.05, 1),
    atr_cap_multiplier: pick(null, 0, 1, 2.1),
    min_balance_threshold: pick(0, 0.1, 0.9, 0.99, 100, 9_900),
    min_trade_amount: pick(0, 25, 3_000),
    max_open_positions: pick(0, 1, 1, 2, 10),
    max_trades_per_day: pick(1, 3, 50),
    max_units_per_trade: pick(5, 1_000_000),
    max_trade_amount: pick(500, 10_000_000),
    volatility_window: pick(2, 5, 24),
    target_volatility: pick(0.1, 0.5, 3),
    volatility_mode: pick('stddev', 'atr', 'off'),
    enable_volatility_adjustment: random() < 0.4,
    max_hold_bars: pick(null, 0, 1, 5, 1_000),
    max_hold_time_hours: pick(null, 3),
    exit_on_loss_after_bars: pick(null, 1, 4, 1_000),
    exit_on_profit_after_bars: pick(null, 1, 4, 1_000),
    profit_threshold_pct: pick(0, 0.005, 0.05),
    ...pick<Record<string, unknown>>(
      {},
      { cooldown_bars: pick(0, 5, 30), daily_momentum_limit: pick(0, 1, 3), weekly_momentum_limit: pick(0, 2, 3) },
      {
        cooldown_config: {
          [pick('1h', '5m', '1D', '1d')]: {
            short_loss_limit: pick(0, 1, 2),
            long_loss_limit: 3,
            short_window_bars: pick(0, 4),
            long_window_bars: pick(6, 40),
          },
        },
      },
    ),
  };
}

function randomBits(random: () => number, barCount: number): boolean[] {
  const density = [0, 0.02, 0.2, 0.8][Math.floor(random() * 4)];
  return Array.from({ length: barCount }, () => random() < density);
}

const numbersOf = (bits: readonly boolean[]): number[] => bits.flatMap((bit, i) => (bit ? [i] : []));

function compare(seed: number, bars: BarSeries): void {
  const random = seededRandom(seed);
  const { barCount, intervalMs } = bars;
  const first = random() < 0.5 ? 0 : Math.floor(random() * barCount);
  const entry = randomBits(random, barCount);
  const exit = randomBits(random, barCount);
  const config = randomConfig(random);
  const expected = referenceSimulate({
    intervalMs,
    bars: Array.from({ length: barCount }, (_, i) => ({
      t: bars.time[i],
      o: bars.open[i],
      h: bars.high[i],
      l: bars.low[i],
      c: bars.close[i],
      v: bars.volume[i],
    })),
    first,
    entry,
    exit,
    config,
  });
  const resolved = resolveConfig({ request: config, interval: intervalMs }).config;
  const input = {
    bars,
    first,
    entry: maskOf(barCount, numbersOf(entry)),
    exit: maskOf(barCount, numbersOf(exit)),
    config: resolved,
  };
  for (const run of [simulate, simulateByStep]) {
    const actual = run(input);
    const where = `seed ${seed}, ${run.name}`;
    const denials = Array.from(actual.denials.bars, (bar, i) => [bar, denialReasons[actual.denials.reasons[i]]]);
    assert.deepEqual(denials, expected.denied_entries, where);
    assert.equal(actual.trades.length, expected.trades.length, where);
    for (const [i, trade] of actual.trades.entries()) {
      const other = expected.trades[i] as unknown as Record<string, unknown>;
      const fields = {
        entry_bar_index: trade.entryBar,
        exit_bar_index: trade.exitBar,
        entry_price: trade.entryPrice,
        exit_price: trade.exitPrice,
        position_size: trade.size,
        stop_loss_price: trade.stopPrice,
        take_profit_price: trade.targetPrice,
        profit_loss: trade.profitLoss,
        profit_loss_pct: trade.profitLossPct,
        entry_fee: trade.entryFee,
        exit_fee: trade.exitFee,
        slippage_cost: trade.slippageCost,
        beginning_balance: trade.beginningBalance,
        ending_balance: trade.endingBalance,
        bars_held: trade.barsHeld,
        exit_reason: trade.exitReason,
      };
      for (const [name, value] of Object.entries(fields))
        assertClose(value, other[name], `${where}, trade ${i} ${name}`);
    }
    for (const [i, value] of actual.equity.entries()) assertClose(value, expected.equity[i], `${where}, equity ${i}`);
    const metrics = computeMetrics({ ...actual, bars, first, config: resolved });
    for (const [name, value] of Object.entries(expected.metrics)) {
      assertClose((metrics as Record<string, unknown>)[name], value, `${where}, ${name}`);
    }
  }
}

for (const [intervalMs, name] of [
  [5 * MINUTE_MS, '5m'],
  [HOUR_MS, '1h'],
  [DAY_MS, '1d'],
] as const) {
  test(`${name} runs agree with the reference in trades, denials, equity and metrics`, () => {
    for (let seed = 1; seed <= runs(150, 3_000); seed++) {
      const barCount = 1 + (seed % 240);
      const startMs = Date.UTC(2024, 0, 1) + (seed % 3) * 5 * HOUR_MS * (intervalMs === DAY_MS ? 0 : 1);
      const tick = [0.01, 0.5][seed % 2];
      const options = { seed, barCount, intervalMs, startMs, tick, volatility: 0.02, gapChance: 0.03 };
      compare(seed, randomBars(options));
    }
  });
}
