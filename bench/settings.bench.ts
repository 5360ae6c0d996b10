// Asks: what does each execution setting cost a sweep? CPU of a run with it over that of a plain
// long run, on the way that a sweep takes.
import assert from 'node:assert/strict';
import {
  type ExecutionConfig,
  type ExecutionFieldName,
  executionFieldNames,
  fieldOf,
  type PositionFieldName,
  resolveConfig,
  type SimulationInput,
  simulate,
  simulateByStep,
} from '../engine/execution/index.js';
import { sma } from '../engine/indicators/rolling.js';
import { computeMetrics, metricNames, writeMeasured, writeMetrics } from '../engine/metrics/index.js';
import { allocateBars, type BarSeries, createMask, FUNDING_COLUMN, type Mask, setBit } from '../engine/series/index.js';
import { FusedRuns } from '../engine/sweep/fused-runs.js';
import { valuesOf } from '../test/support/setting-values.js';
import { medianMs, medianOf, type Sizes, seededBars, type Timing, yardstickMs } from './measure.js';

/** No setting may cost more. */
const RATIO_MAX = 3;

const FULL_BARS = 10_000;
const FINER = 12;
const HOUR_MS = 3_600_000;

type Settings = Readonly<Record<string, unknown>>;

/** Of other suites: one needs a short side, the other chooses the bars. */
type Elsewhere = 'opposite_entry' | 'allow_generated_bars';

/** A value of each setting that is off by default, with what it needs beside it. The compiler asks for a new one. */
const positionCases: Readonly<Record<Exclude<PositionFieldName, Elsewhere>, Settings>> = {
  leverage: { leverage: 2 },
  maintenance_margin: { leverage: 2, maintenance_margin: 0.02 },
  borrow_rate: { leverage: 2, borrow_rate: 0.1 },
  max_gross_exposure: { max_gross_exposure: 0.1 },
  stop_order: { stop_order: false },
  trailing_distance: { trailing_distance: 1 },
  trailing_start: { trailing_distance: 1, trailing_start: 0.5 },
  break_even_at: { break_even_at: 1 },
  break_even_offset_pct: { break_even_at: 1, break_even_offset_pct: 0.001 },
  target_calculation: { target_calculation: 'none' },
  fixed_target_pct: { target_calculation: 'fixed', fixed_target_pct: 0.02 },
  target_schedule: {
    target_calculation: 'schedule',
    target_schedule: [
      [0, 0.05],
      [6, 0.02],
      [24, 0.01],
    ],
  },
  target_order: { target_order: 'limit' },
  maker_fee_pct: { target_order: 'limit', maker_fee_pct: 0.0001 },
  scale_out: {
    scale_out: [
      [0.5, 0.5],
      [1, 0.25],
    ],
  },
  entry_order: { entry_order: 'limit', entry_offset_pct: 0.002 },
  entry_offset_pct: { entry_order: 'stop', entry_offset_pct: 0.002 },
  entry_offset_atr: { entry_order: 'stop', entry_offset_atr: 0.5 },
  entry_valid_bars: { entry_order: 'limit', entry_offset_pct: 0.002, entry_valid_bars: 24 },
  position_sizing: { position_sizing: 'volatility_target' },
  trade_amount: { position_sizing: 'fixed_amount', trade_amount: 500 },
  trade_share: { position_sizing: 'equity_share', trade_share: 0.5 },
  impact_coefficient: { impact_coefficient: 0.01 },
  detail_interval: { detail_interval: '5m', atr_volatility_factor: 0.3 }, // so that bars reach stop and target
  guard_max_drawdown: { guard_max_drawdown: 0.05 },
  guard_daily_loss: { guard_daily_loss: 0.01 },
  guard_group_stop: { guard_group_stop: 0.005 },
  guard_pause_bars: { guard_max_drawdown: 0.05, guard_pause_bars: 100 },
};

/** Of the other settings, what they need beside them to change a run. */
const beside: Partial<Record<ExecutionFieldName, Settings>> = {
  volatility_window: { enable_volatility_adjustment: true },
  target_volatility: { enable_volatility_adjustment: true },
  volatility_mode: { enable_volatility_adjustment: true },
};

const off = { short_loss_limit: 0, long_loss_limit: 0, short_window_bars: 0, long_window_bars: 0 };
const plain: Settings = {
  ...{ fee_pct: 0.0005, slippage_pct: 0.0002, max_open_positions: 1, max_hold_bars: 48 },
  ...{ cooldown_config: { '1h': off } },
};

/** The last usual value other than the default, under which the setting acts. */
function caseOf(name: ExecutionFieldName): Settings | null {
  const value = valuesOf(name).usual.findLast((one) => one !== (plain[name] ?? fieldOf(name).default));
  return value === undefined ? null : { ...beside[name], [name]: value };
}

function casesOf(): Record<string, Settings> {
  const others = executionFieldNames.filter((name) => fieldOf(name).kind !== 'object');
  const shared = others.flatMap((name) => {
    const settings = caseOf(name);
    return settings === null ? [] : [[name, settings] as const];
  });
  return { ...Object.fromEntries(shared), 'max_open_positions 100': { max_open_positions: 100 }, ...positionCases };
}

/** Hourly bars, and the five-minute bars from which they are made. */
function hoursOf(barCount: number): { readonly bars: BarSeries; readonly detail: BarSeries } {
  const source = seededBars(FINER * barCount);
  const detail = { ...source, intervalMs: HOUR_MS / FINER, time: source.time.map((_, i) => (i * HOUR_MS) / FINER) };
  const bars = allocateBars(barCount, HOUR_MS);
  for (let i = 0; i < barCount; i++) {
    const [from, to] = [FINER * i, FINER * (i + 1)];
    bars.time[i] = i * HOUR_MS;
    bars.open[i] = detail.open[from]!;
    bars.high[i] = Math.max(...detail.high.subarray(from, to));
    bars.low[i] = Math.min(...detail.low.subarray(from, to));
    bars.close[i] = detail.close[to - 1]!;
    bars.volume[i] = detail.volume.subarray(from, to).reduce((sum, volume) => sum + volume);
  }
  return { bars, detail };
}

/** The same bars with a rate settled every eight hours. */
function withFunding(source: BarSeries): BarSeries {
  const bars = allocateBars(source.barCount, source.intervalMs, [FUNDING_COLUMN]);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) bars[name].set(source[name]);
  const rates = bars.columns[FUNDING_COLUMN]!;
  for (let i = 0; i < bars.barCount; i++) rates[i] = i % 8 === 0 ? 0.0001 * ((i % 5) - 2) : NaN;
  return bars;
}

/** Entries where a fast average crosses a slow one: many rules, so the processor does not learn them. */
function entriesOver({ close, barCount }: BarSeries): Mask[] {
  const averageOf = (window: number) => {
    const out = new Float64Array(barCount);
    sma(close, window, out);
    return out;
  };
  return Array.from({ length: 10 }, (_, k) => 6 + k).flatMap((fast) =>
    Array.from({ length: 12 }, (_, k) => 70 + 6 * k).map((slow) => {
      const [a, b] = [averageOf(fast), averageOf(slow)];
      const mask = createMask(barCount);
      for (let t = slow; t < barCount; t++) if (a[t]! > b[t]! && a[t - 1]! <= b[t - 1]!) setBit(mask, t);
      return mask;
    }),
  );
}

interface Runner {
  /** Measures all runs, and returns their trades. */
  readonly run: () => number;
  /** The run of one rule and its metrics, as a sweep measures it. */
  readonly metrics: (k: number) => Record<string, number | null>;
  readonly inputs: readonly SimulationInput[];
}

function runnerOf(bars: BarSeries, detail: BarSeries, entries: readonly Mask[], settings: Settings): Runner {
  const request = { ...plain, ...settings };
  const config: ExecutionConfig = Object.freeze(
    resolveConfig({ request, interval: bars.intervalMs, takesPositionFields: true }).config,
  );
  const fused = FusedRuns.over(bars, 0) ?? assert.fail('the bars are not in reach of the kernels');
  const exit = createMask(bars.barCount);
  const inputs = entries.map((entry) => ({ bars, first: 0, entry, exit, detail, config }));
  const equity = allocateBars(bars.barCount, bars.intervalMs).close;
  const values = new Float64Array(metricNames.length);
  const measure = (input: SimulationInput): number => {
    const measures = fused.run(input, config, detail);
    if (measures !== null) {
      writeMeasured(input, measures, values);
      return measures.trades.count;
    }
    const run = simulate({ ...input, equity });
    writeMetrics({ ...input, ...run }, values);
    return run.trades.length;
  };
  return {
    inputs,
    run: () => inputs.reduce((trades, input) => trades + measure(input), 0),
    metrics: (k) => {
      measure(inputs[k]!);
      return Object.fromEntries(metricNames.map((name, m) => [name, Number.isNaN(values[m]) ? null : values[m]!]));
    },
  };
}

/** The cases that change some run; each setting that is off by default must. */
function runnersOver(barCount: number) {
  const { bars, detail } = hoursOf(barCount);
  const entries = entriesOver(bars);
  const of = (settings: Settings, over = bars) => runnerOf(over, detail, entries, settings);
  const base = of({});
  const plainRuns = base.inputs.map((_, k) => JSON.stringify(base.metrics(k)));
  const cases = Object.entries(casesOf()).flatMap(([name, settings]) => {
    const runner = of(settings);
    if (plainRuns.some((run, k) => run !== JSON.stringify(runner.metrics(k)))) return [[name, runner] as const];
    assert.ok(barCount < FULL_BARS || !Object.hasOwn(positionCases, name), `${name} changes a run`);
    return [];
  });
  return { base, cases: [...cases, ['bars with funding', of({}, withFunding(bars))] as const] };
}

/** Checks that a sweep measures what the bar-by-bar run gives. */
function checkAnswers(barCount: number): void {
  const { base, cases } = runnersOver(barCount);
  for (const [name, { inputs, metrics }] of [['plain', base] as const, ...cases]) {
    for (const [k, input] of inputs.entries()) {
      if (k % 24 !== 0) continue;
      assert.deepEqual(metrics(k), computeMetrics({ ...input, ...simulateByStep(input) }), `${name}, rule ${k}`);
    }
  }
}

/** CPU of interleaved pairs, the second over the first. */
function cpuRatio(rounds: number, first: () => void, second: () => void): number {
  const cpuOf = (run: () => void): number => {
    const from = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(from);
    return user + system;
  };
  return medianOf(
    Array.from({ length: rounds }, (_, k) => {
      if (k % 2 === 0) {
        const a = cpuOf(first);
        return cpuOf(second) / a;
      }
      const b = cpuOf(second);
      return b / cpuOf(first);
    }),
  );
}

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  checkAnswers(1_000);
  const barCount = isSmoke ? 1_000 : FULL_BARS;
  const { base, cases } = runnersOver(barCount);
  const runs = base.inputs.length;
  base.run();
  console.log(`plain long run: ${Math.round(base.run() / runs)} trades`);
  const unit = yardstickMs(barCount);
  const timed = (name: string, run: () => void): Timing => {
    const ms = medianMs(isSmoke ? 1 : 9, run) / runs;
    return { name, bars: barCount, p50Ms: ms, nsPerBar: (ms * 1e6) / barCount, yardsticks: ms / unit };
  };
  const timings = [timed('plain', base.run)];
  const dear: string[] = [];
  for (const [name, { run }] of cases) {
    run();
    const ratio = cpuRatio(isSmoke ? 1 : 15, base.run, run);
    if (ratio > RATIO_MAX) dear.push(`${name} ${ratio.toFixed(2)}`);
    console.log(`${name.padEnd(28)} ${ratio.toFixed(2)} of a plain long run, ${Math.round(run() / runs)} trades`);
    timings.push(timed(name, run));
  }
  if (!isSmoke) assert.deepEqual(dear, [], `settings that cost more than ${RATIO_MAX} times a plain run`);
  return timings;
}
