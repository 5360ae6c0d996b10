import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { openBars } from '../../data/bars/index.js';
import {
  denialReasons,
  evaluateAccount,
  openPaperAccount,
  type PaperAccount,
  type PaperEvent,
  type Simulation,
  type SimulationInput,
  simulate,
  type Trade,
} from '../../engine/execution/index.js';
import {
  type BarSeries,
  createMask,
  DAY_MS,
  firstBarFrom,
  HOUR_MS,
  type Mask,
  MINUTE_MS,
  setBit,
  sliceBars,
  wordCount,
} from '../../engine/series/index.js';
import { evaluateRules, parseStrategy, planStrategy } from '../../engine/strategy/index.js';
import { configOf } from '../support/execution.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs, soak } from '../support/scale.js';
import { root } from '../support/tree.js';

/** The bars up to number `last`, as an evaluation at the close of that bar sees them. */
function seenAt(input: SimulationInput, last: number) {
  const words = wordCount(last + 1);
  const cut = (mask: Mask) => mask.slice(0, words);
  return { bars: sliceBars(input.bars, 0, last + 1), entry: cut(input.entry), exit: cut(input.exit) };
}

/**
 * One evaluation per close with the next open as price. The account goes through JSON each time, as
 * in a store.
 */
function replayByEvaluation(input: SimulationInput, lateCalls = 0) {
  const { bars, first, config } = input;
  let account: PaperAccount = openPaperAccount(config, { isPlain: true });
  const events: PaperEvent[] = [];
  for (let i = first; i + 1 < bars.barCount; i++) {
    for (let call = 0; call <= lateCalls; call++) {
      const at = { ...seenAt(input, i), config, price: bars.open[i + 1], time: bars.time[i + 1] };
      const evaluation = evaluateAccount(account, { ...at, idOf: () => `p${i + 1}.${call}` });
      account = JSON.parse(JSON.stringify(evaluation.account));
      events.push(...evaluation.events);
    }
  }
  if (bars.barCount > first) {
    // One more call judges the range of the last bar. What it does at its own price comes after the
    // run.
    const last = bars.barCount - 1;
    const at = { ...seenAt(input, last), config, price: bars.close[last], time: bars.time[last] + bars.intervalMs };
    events.push(...evaluateAccount(account, { ...at, idOf: () => 'after' }).events.filter(isOfBar(last)));
  }
  return events;
}

const isOfBar = (bar: number) => (event: PaperEvent) => event.kind === 'exit' && event.trade.exitBar === bar;

const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));

/** Trades by closing bar, those of one bar by entry: only the order inside one bar may differ. */
const ordered = (trades: readonly Trade[]) =>
  [...trades].sort((a, b) => a.exitBar - b.exitBar || a.entryBar - b.entryBar);

/** @returns all that happened, for tests that look at the details */
function assertSameHistory(input: SimulationInput, lateCalls = 0): string[] {
  const { bars, first } = input;
  const run = simulate(input);
  const events = replayByEvaluation(input, lateCalls);
  const exits = events.flatMap((event) => (event.kind === 'exit' ? [event] : []));
  const entries = events.flatMap((event) => (event.kind === 'entry' ? [event] : []));
  const denials = events.flatMap((event) => (event.kind === 'denial' ? [event] : []));

  const expected = ordered(run.trades.filter(({ exitReason }) => exitReason !== 'END'));
  const actual = ordered(exits.map(({ trade }) => trade));
  assert.equal(actual.length, expected.length, 'as many trades');
  const mayReorder = input.config.max_open_positions > 1;
  for (const [i, trade] of actual.entries()) {
    const { beginningBalance, endingBalance, ...other } = trade;
    const { beginningBalance: began, endingBalance: ended, ...wanted } = expected[i];
    for (const name of Object.keys(wanted) as (keyof typeof wanted)[]) {
      const a = other[name];
      const b = wanted[name];
      const isSame = Object.is(a, b) || (typeof a === 'number' && mayReorder && isNear(a, b as number));
      assert.ok(isSame, `trade ${i} ${name}: ${a}, not ${b}`);
    }
    if (!mayReorder) assert.deepEqual([beginningBalance, endingBalance], [began, ended]);
  }

  const entryBars = run.trades.map(({ entryBar }) => entryBar).sort((a, b) => a - b);
  assert.deepEqual(
    entries.map(({ position }) => position.entryBar),
    entryBars,
    'entries',
  );
  for (const { position, time } of entries) {
    assert.equal(time, bars.time[position.entryBar]);
  }
  for (const { trade, position, time } of exits) {
    assert.equal(time, bars.time[trade.exitBar], 'an exit has the open time of its bar');
    assert.equal(trade.entryBar, position.entryBar);
    assert.equal(trade.size, position.firstSize);
  }
  assert.deepEqual(
    denials.map(({ reason, time }) => `${time} ${reason}`),
    Array.from(run.denials.bars, (bar, i) => `${bars.time[bar]} ${reasonOf(run, i)}`),
    'denials',
  );
  assert.ok(entries.every(({ position }) => position.entryBar > first));
  return [...actual.map(({ exitReason }) => exitReason), ...denials.map(({ reason }) => reason)];
}

const reasonOf = ({ denials }: Simulation, i: number) => denialReasons[denials.reasons[i]];

const rule = (name: string, signal_type: string, params: object = {}, timeframe: string | null = null) => ({
  name,
  signal_type,
  timeframe,
  params,
});

const trend = {
  entry: [rule('is_above_sma', 'TRIGGER', { window: 20 }), rule('is_above_sma', 'FILTER', { window: 100 })],
  exit: [rule('dc_lower_breakout', 'TRIGGER', { window: 10 })],
};
const coarse = {
  entry: [
    rule('dc_upper_breakout', 'TRIGGER', { window: 20 }),
    rule('is_above_sma', 'FILTER', { window: 10 }, '4h'),
    rule('is_above_sma', 'FILTER', { window: 5 }, '1d'),
  ],
};
const cheap = { fee_pct: 0.001, slippage_pct: 0.0005 };
const tiers = (short: number, long: number) => ({
  '1h': { short_loss_limit: short, long_loss_limit: long, short_window_bars: 24, long_window_bars: 96 },
});

const configurations: Record<string, { strategy: object; settings: Record<string, unknown>; sees: string[] }> = {
  'published settings': { strategy: coarse, settings: {}, sees: ['SL'] },
  'one position, near stop and target': {
    strategy: coarse,
    settings: { ...cheap, max_open_positions: 1, atr_volatility_factor: 1, reward_factor: 1 },
    sees: ['SL', 'TP', 'max_positions'],
  },
  'one position that leaves by signal': {
    strategy: trend,
    settings: { ...cheap, max_open_positions: 1, atr_volatility_factor: 8, cooldown_config: tiers(0, 0) },
    sees: ['SIGNAL', 'exit_conflict'],
  },
  'time exits': {
    strategy: trend,
    settings: {
      ...cheap,
      max_open_positions: 1,
      atr_volatility_factor: 12,
      max_hold_bars: 30,
      exit_on_loss_after_bars: 12,
      exit_on_profit_after_bars: 6,
      profit_threshold_pct: 0.01,
      cooldown_config: tiers(0, 0),
    },
    sees: ['MAX_HOLD', 'LOSS_TIMEOUT', 'PROFIT_TIMEOUT'],
  },
  cooldown: {
    strategy: coarse,
    settings: { ...cheap, max_open_positions: 1, atr_volatility_factor: 1, cooldown_config: tiers(2, 4) },
    sees: ['cooldown', 'SL'],
  },
  'several positions, few a day, sized by volatility': {
    strategy: trend,
    settings: {
      ...cheap,
      max_open_positions: 4,
      max_trades_per_day: 2,
      max_risk_per_trade: 0.002,
      atr_volatility_factor: 1.5,
      enable_volatility_adjustment: true,
      target_volatility: 0.4,
      cooldown_config: tiers(0, 0),
    },
    sees: ['daily_limit', 'max_positions', 'SL', 'TP', 'SIGNAL'],
  },
  'fixed stop and a floor under the balance': {
    strategy: coarse,
    settings: {
      slippage_pct: 0.004,
      fee_pct: 0.0085,
      stop_loss_calculation: 'fixed',
      fixed_stop_pct: 0.01,
      max_risk_per_trade: 0.2,
      min_balance_threshold: 0.7,
      max_open_positions: 2,
      position_size_calc: 'v1',
      cooldown_config: tiers(0, 0),
    },
    sees: ['min_balance', 'SL'],
  },
};

const store = openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') });
const year = { fromMs: Date.UTC(2022, 11, 1), toMs: Date.UTC(soak ? 2024 : 2023, soak ? 0 : 6, 1) };
const { bars: btc } = await store.load({ asset: 'BTC', intervalMs: HOUR_MS, ...year });

function inputOver(bars: BarSeries, strategy: object, settings: Record<string, unknown>): SimulationInput {
  const plan = planStrategy(parseStrategy(strategy, 'relaxed'), bars.intervalMs);
  assert.deepEqual(plan.denied, []);
  const { entry, exit } = evaluateRules(plan, bars);
  return { bars, first: firstBarFrom(bars, Date.UTC(2023, 0, 1)), entry, exit, config: configOf(settings, HOUR_MS) };
}

for (const [name, { strategy, settings, sees }] of Object.entries(configurations)) {
  test(`months of hours evaluated at every close trades as the backtest does: ${name}`, () => {
    const seen = new Set(assertSameHistory(inputOver(btc, strategy, settings)));
    assert.deepEqual(
      sees.filter((reason) => !seen.has(reason)),
      [],
    );
  });
}

const limit = fc.constantFrom(null, 1, 2, 5, 20);
const settings = fc.record({
  min_balance_threshold: fc.constantFrom(0, 0.1, 0.95),
  max_risk_per_trade: fc.constantFrom(0.001, 0.01, 0.2),
  position_size_calc: fc.constantFrom('v1', 'v2'),
  max_open_positions: fc.constantFrom(1, 1, 3, 10),
  max_trades_per_day: fc.constantFrom(2, 50),
  stop_loss_calculation: fc.constantFrom('dynamic_atr', 'fixed'),
  fixed_stop_pct: fc.constantFrom(0.003, 0.02, 0.3),
  atr_period: fc.constantFrom(1, 2, 14),
  atr_volatility_factor: fc.constantFrom(0.5, 2),
  atr_long_weight: fc.constantFrom(0, 0.05),
  reward_factor: fc.constantFrom(0.2, 2, 1e308),
  slippage_pct: fc.constantFrom(0, 0.0005, 0.01),
  fee_pct: fc.constantFrom(0, 0.0005),
  enable_volatility_adjustment: fc.boolean(),
  volatility_window: fc.constantFrom(2, 24),
  target_volatility: fc.constantFrom(0.1, 1),
  max_hold_bars: limit,
  exit_on_loss_after_bars: limit,
  exit_on_profit_after_bars: limit,
  profit_threshold_pct: fc.constantFrom(-0.01, 0, 0.01),
  daily_momentum_limit: fc.constantFrom(0, 1, 3),
  cooldown_bars: fc.constantFrom(0, 3, 24),
});

const world = fc.record({
  settings,
  seed: fc.nat(),
  barCount: fc.integer({ min: 1, max: 120 }),
  firstShare: fc.constantFrom(0, 0.1, 1),
  intervalMs: fc.constantFrom(5 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, DAY_MS),
  volatility: fc.constantFrom(0.001, 0.01, 0.05),
  gapChance: fc.constantFrom(0, 0.05),
  flatChance: fc.constantFrom(0, 0.02, 0.6),
  tick: fc.constantFrom(0.001, 1),
  entryChance: fc.constantFrom(0.05, 0.3, 1),
  exitChance: fc.constantFrom(0, 0.02, 0.2),
  lateCalls: fc.constantFrom(0, 0, 1),
});

function randomMask(barCount: number, chance: number, random: () => number): Mask {
  const mask = createMask(barCount);
  for (let i = 0; i < barCount; i++) if (random() < chance) setBit(mask, i);
  return mask;
}

test('evaluated at every close, once or twice, any account trades as the backtest does', () => {
  const seen = new Set<string>();
  const check = fc.property(world, ({ settings: given, lateCalls, ...w }) => {
    const bars = randomBars({ ...w, startMs: Date.UTC(2024, 0, 1, 7) });
    const random = seededRandom(w.seed + 1);
    const reasons = assertSameHistory(
      {
        bars,
        first: Math.floor(w.firstShare * bars.barCount),
        entry: randomMask(bars.barCount, w.entryChance, random),
        exit: randomMask(bars.barCount, w.exitChance, random),
        config: configOf({ ...given, cooldown_config: null }, w.intervalMs),
      },
      lateCalls,
    );
    for (const reason of reasons) seen.add(reason);
  });
  fc.assert(check, { numRuns: runs(100, 20_000) });
  for (const reason of [
    'SL',
    'TP',
    'SIGNAL',
    'MAX_HOLD',
    'LOSS_TIMEOUT',
    'PROFIT_TIMEOUT',
    'cooldown',
    'daily_limit',
  ]) {
    assert.ok(seen.has(reason), `${reason} occurs`);
  }
});
