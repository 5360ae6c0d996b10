import assert from 'node:assert/strict';
import test from 'node:test';
import {
  averageTrueRange,
  blendAtr,
  cashCurve,
  denialReasons,
  entryFill,
  exitFill,
  openAccount,
  positionSize,
  proposeEntry,
  relativeTrueRange,
  returnDeviation,
  type Simulation,
  type SimulationInput,
  simulate,
  simulateByStep,
  spendableCash,
  stopDistance,
  type Trade,
  volatilityScale,
} from '../../../../engine/execution/index.js';
import { computeMetrics } from '../../../../engine/metrics/index.js';
import { type BarSeries, barsPerYear, DAY_MS, FUNDING_COLUMN, HOUR_MS } from '../../../../engine/series/index.js';
import { assertClose, barsOf, configOf, inputOf, type PriceRow, readGolden } from '../../../support/execution.js';

interface GoldenRun {
  readonly settings: Record<string, unknown>;
  readonly bars: readonly PriceRow[];
  readonly volume?: readonly number[];
  /** Rates settled in the bars; null where none is known. */
  readonly funding?: readonly (number | null)[];
  readonly entries: readonly number[];
  readonly exits: readonly number[];
  readonly atr?: readonly (number | null)[];
  readonly cash?: readonly number[];
  readonly value?: readonly number[];
  readonly denials: readonly [number, string][];
  readonly trades: readonly Partial<Trade>[];
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
];

for (const file of runFiles) {
  const { title, runs } = readGolden(file) as { title: string; runs: GoldenRun[] };
  for (const [name, run] of Object.entries({ simulate, simulateByStep })) {
    test(`${name} agrees with the worked example: ${title}`, () => {
      for (const golden of runs) {
        const input = inputOf(barsFrom(golden), golden.entries, golden.exits, golden.settings);
        assertRun(input, run(input), golden);
      }
    });
  }
}

function barsFrom({ bars: rows, volume, funding }: GoldenRun): BarSeries {
  const bars = barsOf(rows);
  if (volume !== undefined) bars.volume.set(volume);
  const rates = funding && { [FUNDING_COLUMN]: Float64Array.from(funding, (rate) => rate ?? NaN) };
  return { ...bars, columns: rates ?? {} };
}

function assertRun(input: SimulationInput, result: Simulation, golden: GoldenRun): void {
  const { trades, denials, equity } = result;
  assert.equal(trades.length, golden.trades.length);
  golden.trades.forEach((expected, i) => {
    for (const [key, value] of Object.entries(expected)) {
      const actual = trades[i][key as keyof Trade];
      if (typeof value === 'string') assert.equal(actual, value);
      else assertClose(actual as number, value, `trade ${i} ${key}`);
    }
  });
  const actualDenials = Array.from(denials.bars, (bar, i) => [bar, denialReasons[denials.reasons[i]]]);
  assert.deepEqual(actualDenials, golden.denials);
  golden.value?.forEach((value, bar) => {
    assertClose(equity[bar], value, `account value at bar ${bar}`);
  });
  const cash = cashCurve(input, result);
  golden.cash?.forEach((value, bar) => {
    assertClose(cash[bar], value, `cash at bar ${bar}`);
  });
  const atr = averageTrueRange(input.bars, input.config.atr_period);
  golden.atr?.forEach((value, bar) => {
    if (value === null) assert.ok(Number.isNaN(atr[bar]), `ATR at bar ${bar} is warm-up`);
    else assertClose(atr[bar], value, `ATR at bar ${bar}`);
  });
}

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

    const entry = proposeEntry(openAccount(config), 4, golden.open, golden.atr, 1, config);
    if (typeof entry === 'number') assert.equal(denialReasons[entry], expected.result);
    else assertClose(entry.size, expected.afterCash, `size of a ${expected.result}`);
  }
});

test('costs agree with the worked example, step by step', () => {
  const golden = readGolden('w09-costs');
  const config = configOf({ slippage_pct: 0.002, fee_pct: 0.001 });
  assertClose(entryFill(golden.entryRaw, config), golden.entryFill, 'entry fill');
  assertClose(exitFill(golden.exitRaw, config), golden.exitFill, 'exit fill');

  const [run] = readGolden('w01-atr-stop').runs as GoldenRun[];
  const input = inputOf(barsOf(run.bars), run.entries, run.exits, run.settings);
  const result = simulate(input);
  const [trade] = result.trades;
  const cash = cashCurve(input, result);
  assertClose(trade.size, golden.size, 'size');
  assertClose(trade.size * trade.entryPrice, golden.entryNotional, 'entry notional');
  assertClose(trade.entryFee, golden.entryFee, 'entry fee');
  assertClose(cash[4], golden.cashAfterEntry, 'cash after entry');
  assertClose(trade.stopPrice, golden.exitRaw, 'raw exit');
  assertClose(trade.exitPrice, golden.exitFill, 'exit fill');
  assertClose(trade.exitFee, golden.exitFee, 'exit fee');
  assertClose(trade.size * (trade.exitPrice - trade.entryPrice), golden.gross, 'gross');
  assertClose(trade.profitLoss, golden.profitLoss, 'profit and loss');
  assertClose(trade.slippageCost, golden.slippageCost, 'slippage cost');
  assertClose(cash[cash.length - 1], golden.finalCash, 'final cash');
});

test('the ATR blend and its cap agree with the worked example', () => {
  const golden = readGolden('w10-atr-blend');
  const config = configOf(golden.settings);
  for (const [short, long, blended, cap, effective, distance] of golden.rows) {
    assertClose(blendAtr(short, long, { ...config, atr_cap_multiplier: null }), blended, 'blended');
    assertClose(config.atr_cap_multiplier! * short, cap, 'cap');
    assertClose(blendAtr(short, long, config), effective, 'effective');
    assertClose(stopDistance(1000, blendAtr(short, long, config), config), distance, 'stop distance');
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
  for (const [name, value] of Object.entries(golden.metrics as Record<string, number>)) {
    assertClose(actual[name as keyof typeof actual] as number, value, name);
  }
});
