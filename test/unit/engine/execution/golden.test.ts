import assert from 'node:assert/strict';
import test from 'node:test';
import {
  averageTrueRange,
  blendAtr,
  cashCurve,
  denialReasons,
  type ExecutionFieldName,
  entryFill,
  executionFieldNames,
  exitFill,
  fieldOf,
  openLongAccount,
  positionSize,
  proposeLong,
  publishedDefaults,
  relativeTrueRange,
  returnDeviation,
  type SimulationInput,
  simulate,
  simulateByStep,
  spendableCash,
  stopDistance,
  type Trade,
  volatilityScale,
} from '../../../../engine/execution/index.js';
import { computeMetrics } from '../../../../engine/metrics/index.js';
import { barsPerYear, DAY_MS, FUNDING_COLUMN, HOUR_MS, parseInterval } from '../../../../engine/series/index.js';
import {
  REFERENCE_DEFAULTS,
  referenceAtr,
  referenceCooldownTiers,
  referenceEffectiveAtr,
  referenceMetrics,
  referenceSize,
  referenceVolatility,
  referenceVolatilityScale,
} from '../../../reference/execution.js';
import { assertClose, barsOf, configOf, inputOf, type PriceRow, readGolden } from '../../../support/execution.js';
import { inOneCall } from '../../../support/fused.js';
import { executionBars, type ReadableRun, readable, referenceRun } from '../../../support/reference.js';

interface GoldenRun {
  readonly title?: string;
  /** Hour of the first bar; midnight by default. */
  readonly startHour?: number;
  readonly settings?: Record<string, unknown>;
  readonly bars: readonly (PriceRow | readonly [...PriceRow, times: number])[];
  readonly volume?: readonly number[];
  /** Rates settled in the bars; null where none is known. */
  readonly funding?: readonly (number | null)[];
  readonly entries: readonly number[] | 'always';
  readonly exits: readonly number[];
  readonly atr?: readonly (number | null)[];
  readonly cash?: readonly number[];
  readonly value?: readonly number[];
  readonly denials?: readonly [number, string][];
  /** Instead of `denials`, where there are hundreds. */
  readonly denialCounts?: Readonly<Record<string, number>>;
  readonly trades: readonly Partial<Trade>[];
}

interface GoldenRuns {
  readonly title: string;
  /** Of every run. */
  readonly settings?: Record<string, unknown>;
  readonly runs: readonly GoldenRun[];
}

const runFiles = [
  'w01-atr-stop',
  'w02-take-profit',
  'w03-gap-through-stop',
  'w04-stop-and-target',
  'w05-time-exits',
  'w06-cooldown',
  'w07-min-balance',
  'w13-funding',
  'rules',
];

/** Every way to run; the last one is the second implementation. */
const ways: Readonly<Record<string, (input: SimulationInput, settings: Record<string, unknown>) => ReadableRun>> = {
  simulate: (input) => readable(simulate(input)),
  simulateByStep: (input) => readable(simulateByStep(input)),
  'the reference': referenceRun,
};

for (const file of runFiles) {
  const { title, settings: common, runs } = readGolden(file) as GoldenRuns;
  for (const [i, golden] of runs.entries()) {
    const settings = { ...common, ...golden.settings };
    const example = golden.title ?? `${title}, run ${i + 1}`;
    const input = inputFrom(golden, settings);
    for (const [way, run] of Object.entries(ways)) {
      test(`${way} agrees with the worked example: ${example}`, () => assertRun(run(input, settings), golden));
    }
    test(`cash, ATR and the run in one call agree with the worked example: ${example}`, () => {
      assertColumns(input, golden);
      const isCovered = executionFieldNames.every(
        (name) => fieldOf(name).fastPath !== 'default' || hasDefault(name, settings),
      );
      const expected = isCovered ? computeMetrics({ ...input, ...simulate(input) }) : null;
      assert.deepStrictEqual(inOneCall(input), expected);
    });
  }
}

const hasDefault = (name: ExecutionFieldName, settings: Record<string, unknown>): boolean =>
  settings[name] === undefined || settings[name] === publishedDefaults[name];

function inputFrom(golden: GoldenRun, settings: Record<string, unknown>): SimulationInput {
  const rows = golden.bars.flatMap(([open, high, low, close, times = 1]) =>
    Array.from({ length: times }, (): PriceRow => [open, high, low, close]),
  );
  const bars = barsOf(rows, HOUR_MS, Date.UTC(2024, 0, 1, golden.startHour ?? 0));
  if (golden.volume !== undefined) bars.volume.set(golden.volume);
  const rates = golden.funding && { [FUNDING_COLUMN]: Float64Array.from(golden.funding, (rate) => rate ?? NaN) };
  const entries = golden.entries === 'always' ? rows.keys() : golden.entries;
  return inputOf({ ...bars, columns: rates ?? {} }, entries, golden.exits, settings);
}

function assertRun({ trades, denials, equity }: ReadableRun, golden: GoldenRun): void {
  assert.equal(trades.length, golden.trades.length);
  golden.trades.forEach((expected, i) => {
    for (const [key, value] of Object.entries(expected)) {
      const actual = trades[i][key as keyof Trade];
      if (typeof value === 'string') assert.equal(actual, value);
      else assertClose(actual as number, value as number, `trade ${i} ${key}`);
    }
  });
  const counts: Record<string, number> = {};
  for (const [, reason] of denials) counts[reason] = (counts[reason] ?? 0) + 1;
  if (golden.denialCounts) assert.deepEqual(counts, golden.denialCounts);
  else assert.deepEqual(denials, golden.denials);
  golden.value?.forEach((value, bar) => {
    assertClose(equity[bar], value, `account value at bar ${bar}`);
  });
}

function assertColumns(input: SimulationInput, golden: GoldenRun): void {
  const cash = cashCurve(input, simulate(input));
  golden.cash?.forEach((value, bar) => {
    assertClose(cash[bar], value, `cash at bar ${bar}`);
  });
  const { bars, config } = input;
  const atr = averageTrueRange(bars, config.atr_period);
  golden.atr?.forEach((value, bar) => {
    for (const actual of [atr[bar], referenceAtr(executionBars(bars).slice(0, bar + 1), config.atr_period) ?? NaN]) {
      if (value === null) assert.ok(Number.isNaN(actual), `ATR at bar ${bar} is warm-up`);
      else assertClose(actual, value, `ATR at bar ${bar}`);
    }
  });
}

test('the tiers of a cooldown come from where the worked example says', () => {
  const golden = readGolden('cooldown-source');
  for (const { title, settings, interval, tiers } of golden.cases) {
    const intervalMs = parseInterval(interval);
    const config = configOf(settings, intervalMs);
    const short = [config.cooldown_short_loss_limit, config.cooldown_short_window_bars];
    assert.deepEqual([short, [config.cooldown_long_loss_limit, config.cooldown_long_window_bars]], tiers, title);
    const reference = referenceCooldownTiers(settings, intervalMs).map(({ limit, window }) => [limit, window]);
    assert.deepEqual(reference, tiers, title);
  }
});

test('sizing applies its caps in the order of the worked example', () => {
  const golden = readGolden('w08-sizing');
  for (const { settings, ...expected } of golden.cases) {
    const config = configOf({ ...golden.settings, ...settings });
    const entryPrice = entryFill(golden.open, config);
    const distance = stopDistance(entryPrice, golden.atr, config);
    assertClose(entryPrice, golden.entryPrice, 'entry fill');
    assertClose(distance, golden.distance, 'stop distance');
    const spendable = spendableCash(golden.cash, config);
    assertClose(spendable, expected.spendable, 'spendable cash');

    const noCaps = { ...config, max_units_per_trade: 1e300, max_trade_amount: 1e300 };
    const { max_units_per_trade } = config;
    const sizeOf = (cash: number, caps: typeof config) =>
      positionSize(golden.value, cash, entryPrice, distance, 1, caps);
    assertClose(sizeOf(1e300, noCaps), expected.riskSize, 'size by risk');
    assertClose(sizeOf(1e300, { ...noCaps, max_units_per_trade }), expected.afterUnits, 'after units');
    assertClose(sizeOf(1e300, config), expected.afterAmount, 'after amount');
    assertClose(sizeOf(spendable, config), expected.afterCash, 'after cash');
    assertClose(sizeOf(spendable, config) * entryPrice, expected.notional, 'notional');

    const filled = { ...REFERENCE_DEFAULTS, ...golden.settings, ...settings };
    const sizing = referenceSize(golden.value, golden.cash, golden.entryPrice, distance, 1, filled);
    assertClose(sizing.byRisk, expected.riskSize, 'reference: size by risk');
    assertClose(sizing.afterMaxUnits, expected.afterUnits, 'reference: after units');
    assertClose(sizing.afterMaxTradeAmount, expected.afterAmount, 'reference: after amount');
    assertClose(sizing.spendable, expected.spendable, 'reference: spendable cash');
    assertClose(sizing.size, expected.afterCash, 'reference: after cash');
    assert.equal(sizing.denied ?? 'trade', expected.result);

    const entry = proposeLong(openLongAccount(config), 4, golden.open, golden.atr, 1, config);
    if (typeof entry === 'number') assert.equal(denialReasons[entry], expected.result);
    else assertClose(entry.size, expected.afterCash, `size of a ${expected.result}`);
  }
});

test('costs agree with the worked example, step by step', () => {
  const golden = readGolden('w09-costs');
  const config = configOf({ slippage_pct: 0.002, fee_pct: 0.001 });
  assertClose(entryFill(golden.entryRaw, config), golden.entryFill, 'entry fill');
  assertClose(exitFill(golden.exitRaw, config), golden.exitFill, 'exit fill');

  const [run] = (readGolden('w01-atr-stop') as GoldenRuns).runs;
  const input = inputFrom(run, run.settings!);
  const cash = cashCurve(input, simulate(input));
  assertClose(cash[4], golden.cashAfterEntry, 'cash after entry');
  assertClose(cash[cash.length - 1], golden.finalCash, 'final cash');
  for (const way of Object.values(ways)) {
    const { trades, equity } = way(input, run.settings!);
    const { size = NaN, entryPrice = NaN, stopPrice = NaN, exitPrice = NaN, ...trade } = trades[0];
    const { entryFee = NaN, exitFee = NaN, profitLoss = NaN, slippageCost = NaN } = trade;
    assertClose(size, golden.size, 'size');
    assertClose(size * entryPrice, golden.entryNotional, 'entry notional');
    assertClose(entryFee, golden.entryFee, 'entry fee');
    assertClose(10_000 - size * entryPrice - entryFee, golden.cashAfterEntry, 'cash after entry');
    assertClose(stopPrice, golden.exitRaw, 'raw exit');
    assertClose(exitPrice, golden.exitFill, 'exit fill');
    assertClose(exitFee, golden.exitFee, 'exit fee');
    assertClose(size * (exitPrice - entryPrice), golden.gross, 'gross');
    assertClose(profitLoss, golden.profitLoss, 'profit and loss');
    assertClose(slippageCost, golden.slippageCost, 'slippage cost');
    assertClose(equity[equity.length - 1], golden.finalCash, 'final value');
  }
});

test('the ATR blend and its cap agree with the worked example', () => {
  const golden = readGolden('w10-atr-blend');
  const config = configOf(golden.settings);
  for (const [short, long, blended, cap, effective, distance] of golden.rows) {
    assertClose(blendAtr(short, long, { ...config, atr_cap_multiplier: null }), blended, 'blended');
    assertClose(config.atr_cap_multiplier! * short, cap, 'cap');
    assertClose(blendAtr(short, long, config), effective, 'effective');
    assertClose(stopDistance(1000, blendAtr(short, long, config), config), distance, 'stop distance');
    const filled = { ...REFERENCE_DEFAULTS, ...golden.settings };
    assertClose(referenceEffectiveAtr(short, long, filled) ?? NaN, effective, 'effective, by the reference');
  }
});

test('the volatility scale agrees with the worked example', () => {
  const golden = readGolden('w11-volatility');
  const bars = barsOf(golden.closes.map((close: number): PriceRow => [close, close + 0.3, close - 0.3, close]));
  const last = bars.barCount - 1;
  for (const { mode, perBar, annualized, scale } of golden.cases) {
    const config = configOf({ ...golden.settings, volatility_mode: mode });
    const window = config.volatility_window;
    const actual =
      mode === 'stddev' ? returnDeviation(bars.close, last, window) : relativeTrueRange(bars, last, window);
    assertClose(actual, perBar, `${mode} per bar`);
    assertClose(actual * Math.sqrt(barsPerYear(HOUR_MS)), annualized, `${mode} annualized`);
    assertClose(volatilityScale(bars, last, config), scale, `${mode} scale`);

    const known = executionBars(bars);
    assertClose(referenceVolatility(known, mode, window, HOUR_MS) ?? NaN, annualized, `${mode}, by the reference`);
    const filled = { ...REFERENCE_DEFAULTS, ...golden.settings, volatility_mode: mode };
    assertClose(referenceVolatilityScale(known, HOUR_MS, filled) ?? NaN, scale, `${mode} scale, by the reference`);
  }
});

test('the metrics agree with the worked example', () => {
  const golden = readGolden('w12-metrics');
  const bars = barsOf(
    golden.equity.map((): PriceRow => [1, 1, 1, 1]),
    DAY_MS,
  );
  const trades = golden.profitLoss.map((profitLoss: number) => ({ profitLoss }) as Trade);
  const equity = Float64Array.from(golden.equity);
  const actual = computeMetrics({ bars, first: 0, equity, trades, exposedBars: 0, config: configOf({}, DAY_MS) });
  const reference = referenceMetrics({
    intervalMs: DAY_MS,
    initialBalance: 10_000,
    bars: executionBars(bars),
    equity: golden.equity,
    trades: golden.profitLoss.map((profit_loss: number) => ({ profit_loss, bars_held: 1, fees: 0, slippage_cost: 0 })),
    exposedBars: 0,
  });
  for (const [name, value] of Object.entries(golden.metrics as Record<string, number>)) {
    assertClose(actual[name as keyof typeof actual] as number, value, name);
    assertClose(reference[name] ?? NaN, value, `${name}, by the reference`);
  }
});
