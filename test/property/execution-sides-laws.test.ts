import assert from 'node:assert/strict';
import test from 'node:test';
import { type Account, openAccount } from '../../engine/execution/account.js';
import { openCounts } from '../../engine/execution/detail.js';
import { fullConfig } from '../../engine/execution/full-config.js';
import { simulate } from '../../engine/execution/simulate.js';
import type { Simulation, SimulationInput } from '../../engine/execution/simulation.js';
import { step } from '../../engine/execution/step.js';
import { stepBar } from '../../engine/execution/step-bar.js';
import { simulateByStep } from '../../engine/execution/stepped-run.js';
import type { Trade } from '../../engine/execution/trade.js';
import { FUNDING_COLUMN, HOUR_MS, type Mask, MINUTE_MS, sliceBars, wordCount } from '../../engine/series/index.js';
import { simulateRequests } from '../../research/index.js';
import { SIDES_DEFAULTS } from '../reference/sides.js';
import { configOf } from '../support/execution.js';
import { hoursOf, type MixedWorld, mixedWorld, pick, randomMask } from '../support/mixed-worlds.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** Laws of accounts, states, prices and settings, in worlds that mix everything. */

/** Runs a law over seeds and names the seed under which it fails. */
function forWorlds(count: number, law: (seed: number) => void): void {
  for (let seed = 1; seed <= count; seed++) {
    try {
      law(seed);
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
}

function assertNear(actual: number, expected: number, label: string, scale = Math.abs(expected)): void {
  const bound = 1e-9 * Math.max(1, scale);
  assert.ok(Math.abs(actual - expected) <= bound, `${label}: ${actual} is not ${expected}`);
}

/** Worth of a trade at the close of a bar before its last exit, from what the trade says. */
function worthAt(trade: Trade, bar: number, close: number): number {
  const { size, entryPrice, details } = trade;
  const sold = (details?.exits ?? []).filter((exit) => exit.bar <= bar).reduce((sum, exit) => sum + exit.size, 0);
  const left = size - sold;
  const { margin, side } = details ?? {};
  if (!margin) return left * close;
  const sign = side === 'short' ? -1 : 1;
  return Math.max(0, (margin.amount * left) / size + sign * left * (close - entryPrice));
}

/** Whether what is charged for holding positions may come out of a margin. */
const isCharged = ({ input }: MixedWorld): boolean =>
  (input.config.borrow_rate ?? 0) > 0 || input.bars.columns[FUNDING_COLUMN] !== undefined;

test('no account of margined positions falls below 0, whatever they pay for being held', () => {
  const seen = new Set<string>();
  forWorlds(runs(200, 20_000), (seed) => {
    const { input } = mixedWorld(seed);
    const { trades, equity } = simulate(input);
    for (const { details, profitLoss, entryFee, fundingPaid, exitReason } of trades) {
      if (!details?.margin || exitReason !== 'LIQUIDATION' || fundingPaid < 0) continue;
      // What the cash paid is lost on top of the margin, what the margin bore is inside it.
      const beyond = -profitLoss - details.margin.amount - entryFee;
      if (beyond < fundingPaid + details.borrowPaid - 1e-6) seen.add(fundingPaid > 0 ? 'funding' : 'borrowing');
    }
    // A long that is paid in full has no margin at which its funding could end.
    if (trades.some(({ details, fundingPaid }) => !details?.margin && fundingPaid > 0)) return;
    assert.ok(equity.every((value) => value >= -1e-6));
  });
  assert.deepEqual([...seen].sort(), ['borrowing', 'funding']);
});

test('charges that use a margin up in bars without an event liquidate it, in the jump as bar by bar', () => {
  const barCount = 100;
  const bars = randomBars({ seed: 1, barCount, intervalMs: HOUR_MS, start: 100, volatility: 1e-9, tick: 1e-6 });
  const entry = new Uint32Array(wordCount(barCount));
  entry[0] = 1;
  const settings = {
    ...{ slippage_pct: 0, fee_pct: 0, stop_order: false, target_calculation: 'none', max_trade_amount: 1e9 },
    ...{ stop_loss_calculation: 'fixed', fixed_stop_pct: 0.5, min_balance_threshold: 0 },
    ...{ position_sizing: 'equity_share', trade_share: 16, leverage: 16, borrow_rate: 10 },
  };
  const config = configOf(settings, HOUR_MS, { takesPositionFields: true });
  const input = { bars, first: 0, entry, exit: new Uint32Array(wordCount(barCount)), config };
  const jumped = simulate(input);
  assert.deepEqual(
    jumped.trades.map(({ exitReason }) => exitReason),
    ['LIQUIDATION'],
  );
  assertNear(jumped.equity.at(-1) ?? NaN, 0, 'account', 1);
  assert.deepStrictEqual(jumped, simulateByStep(input));
});

test('at every close the account value is the cash and the worths of what is open', () => {
  forWorlds(runs(50, 10_000), (seed) => {
    const world = mixedWorld(seed);
    const { input } = world;
    const { trades, equity, sided } = simulateByStep(input);
    if (!isCharged(world))
      for (const [k, value] of equity.entries()) {
        const bar = input.first + k;
        const close = input.bars.close[bar] ?? NaN;
        const open = trades.filter((trade) => trade.entryBar <= bar && trade.exitBar > bar);
        const worths = open.reduce((sum, trade) => sum + worthAt(trade, bar, close), 0);
        // Trades that end with the data are sold at the last close.
        assertNear((sided?.cash[k] ?? NaN) + worths, value, `close of bar ${bar}`);
      }
    for (const { exitReason, details, entryFee, fundingPaid, profitLoss } of trades) {
      if (exitReason !== 'LIQUIDATION' || !details?.margin || details.exits || fundingPaid < 0) continue;
      const beyond = -profitLoss - details.margin.amount - entryFee;
      assert.ok(beyond > -1e-6 && beyond < fundingPaid + details.borrowPaid + 1e-6, 'the margin is lost');
    }
    const total = trades.reduce((sum, { profitLoss }) => sum + profitLoss, input.config.initial_balance);
    if (equity.length > 0) assertNear(total, equity.at(-1) ?? NaN, 'sum of profits', input.config.initial_balance);
  });
});

/** Charges of an account so far: nothing else than them may take cash below 0. */
const chargesOf = ({ positions }: Account, closed: readonly Trade[]): number =>
  positions.reduce((sum, { fundingPaid, borrowPaid }) => sum + fundingPaid + borrowPaid, 0) +
  closed.reduce((sum, { fundingPaid, details }) => sum + fundingPaid + (details?.borrowPaid ?? 0), 0);

test('no fill makes cash negative', () => {
  let charged = 0;
  forWorlds(runs(50, 10_000), (seed) => {
    const { input } = mixedWorld(seed);
    const config = fullConfig(input.config);
    const account = openAccount(config);
    const closed: Trade[] = [];
    let cash = account.purse.cash;
    let charges = 0;
    for (let i = input.first; i < input.bars.barCount; i++) {
      const entered = account.entriesOnDay;
      const day = account.entryDay;
      closed.push(...step(account, stepBar(input, i, config), config, openCounts()).trades);
      const chargesNow = chargesOf(account, closed);
      const afterFills = account.purse.cash + (chargesNow - charges);
      const hasEntered = account.entriesOnDay !== entered || account.entryDay !== day;
      assert.ok(afterFills >= (hasEntered ? 0 : Math.min(cash, 0)) - 1e-6, `bar ${i}: ${cash}, then ${afterFills}`);
      if (account.purse.cash < 0) charged++;
      cash = account.purse.cash;
      charges = chargesNow;
    }
  });
  assert.ok(charged > 0, 'charges take cash below 0');
});

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

test('an account that goes through JSON between any two bars comes out the same', () => {
  forWorlds(runs(50, 10_000), (seed) => {
    const { input } = mixedWorld(seed);
    const whole = simulateByStep(input);
    let config = fullConfig(input.config);
    let account = openAccount(config);
    let counts = openCounts();
    const trades: Trade[] = [];
    const reasons: string[] = [];
    for (let i = input.first; i < input.bars.barCount; i++) {
      [account, config, counts] = throughJson([account, config, counts] as const) as [
        typeof account,
        typeof config,
        typeof counts,
      ];
      const result = step(account, stepBar(input, i, config), config, counts);
      trades.push(...result.trades);
      reasons.push(...result.denials.map(({ side, reason }) => `${i} ${side} ${reason}`));
      assert.ok(Object.is(result.value, whole.equity[i - input.first]), `value at bar ${i}`);
      assert.ok(Object.is(account.purse.cash, whole.sided?.cash[i - input.first]), `cash at bar ${i}`);
    }
    assert.deepStrictEqual(trades, whole.trades);
    assert.equal(reasons.length, whole.denials.bars.length);
    assert.deepStrictEqual(counts, whole.sided?.detail);
  });
});

const cut = (mask: Mask | undefined, barCount: number) => mask?.slice(0, wordCount(barCount));

test('removing the last bars changes nothing that happened before them, finer bars and orders included', () => {
  forWorlds(runs(50, 10_000), (seed) => {
    const { input } = mixedWorld(seed);
    const { barCount } = input.bars;
    const kept = Math.max(input.first, Math.floor(barCount * seededRandom(seed + 0.5)()));
    const [shortEntry, shortExit] = [cut(input.shortEntry, kept), cut(input.shortExit, kept)];
    const part = simulateByStep({
      ...input,
      bars: sliceBars(input.bars, 0, kept),
      entry: input.entry.slice(0, wordCount(kept)),
      exit: input.exit.slice(0, wordCount(kept)),
      ...(shortEntry && { shortEntry }),
      ...(shortExit && { shortExit }),
    });
    const whole = simulateByStep(input);
    const isBefore = ({ exitBar }: Trade) => exitBar < kept - 1;
    assert.deepStrictEqual(part.trades.filter(isBefore), whole.trades.filter(isBefore));
    const closes = Math.max(0, kept - 1 - input.first);
    assert.deepStrictEqual(part.equity.slice(0, closes), whole.equity.slice(0, closes));
    const denied = ({ denials: { bars, reasons } }: Simulation) =>
      Array.from(bars, (bar, i) => [bar, reasons[i]]).filter(([bar = NaN]) => bar < kept);
    assert.deepEqual(denied(part), denied(whole));
  });
});

// ------------------------------------------------------------------------------------------ mirror

/** Between the prices of a world and those of its mirror. */
const CENTRE = 2048;

/**
 * Bars on a grid of sixteenths, rules of both sides, and settings without a percentage, a cost or
 * a limit that binds. Every level then lies on a binary fraction, so none differs by rounding.
 */
function mirrorable(seed: number): SimulationInput {
  const random = seededRandom(seed);
  const barCount = pick(random, [30, 90]);
  const quarters = randomBars({
    seed,
    barCount: 4 * barCount,
    intervalMs: 15 * MINUTE_MS,
    start: 1024,
    tick: 1 / 16,
    volatility: pick(random, [0.001, 0.01]),
  });
  const settings: Record<string, unknown> = {
    slippage_pct: 0,
    fee_pct: 0,
    atr_period: 1,
    atr_short_weight: 1,
    atr_long_weight: 0,
    atr_cap_multiplier: null,
    atr_volatility_factor: pick(random, [0.5, 1, 3]),
    reward_factor: pick(random, [0.5, 1, 4]),
    initial_balance: 10_000_000,
    max_risk_per_trade: 1e-6,
    min_trade_amount: 0,
    min_balance_threshold: 0,
    max_open_positions: pick(random, [1, 3, 10]),
    max_hold_bars: pick(random, [null, 5, 20]),
    exit_on_loss_after_bars: pick(random, [null, 4]),
    exit_on_profit_after_bars: pick(random, [null, 3]),
    profit_threshold_pct: 0,
    opposite_entry: pick(random, ['deny', 'close', 'reverse', 'hedge']),
    stop_order: pick(random, [true, true, false]),
    trailing_distance: pick(random, [null, 0.5, 2]),
    trailing_start: pick(random, [0, 0.5]),
    break_even_at: pick(random, [null, 0, 1]),
    target_calculation: pick(random, ['reward', 'reward', 'none']),
    target_order: pick(random, ['market', 'limit']),
    scale_out: pick(random, [null, [[0.25, 0.5]], [[0.5, 0.25], [1, 0.75]]]), // biome-ignore format: pairs
    detail_interval: pick(random, [null, '15m']),
  };
  if (random() < 0.6) {
    Object.assign(settings, {
      entry_order: pick(random, ['limit', 'stop']),
      entry_offset_atr: pick(random, [0, 0.5, 2]),
      entry_valid_bars: pick(random, [1, 4, 20]),
      opposite_entry: pick(random, ['deny', 'hedge']),
    });
  }
  const mask = () => randomMask(barCount, pick(random, [0.05, 0.3]), random);
  return {
    bars: hoursOf(quarters),
    detail: quarters,
    first: 0,
    entry: mask(),
    exit: mask(),
    shortEntry: mask(),
    shortExit: mask(),
    config: configOf(settings, HOUR_MS, { takesPositionFields: true }),
  };
}

/** The same world with every price at twice the centre less it, and the sides exchanged. */
function mirrored(input: SimulationInput): SimulationInput {
  const flip = (bars: SimulationInput['bars']) => {
    const { open, high, low, close } = bars;
    const mirror = (column: Float64Array) => column.map((price) => 2 * CENTRE - price);
    return { ...bars, open: mirror(open), high: mirror(low), low: mirror(high), close: mirror(close) };
  };
  const { bars, detail, entry, exit, shortEntry = entry, shortExit = exit } = input;
  return {
    ...input,
    bars: flip(bars),
    ...(detail && { detail: flip(detail) }),
    entry: shortEntry,
    exit: shortExit,
    shortEntry: entry,
    shortExit: exit,
  };
}

test('a world mirrored at twice its price gives mirrored trades, orders, parts and finer bars of the other side', () => {
  const seen = new Set<string>();
  forWorlds(runs(50, 10_000), (seed) => {
    const input = mirrorable(seed);
    const own = simulateByStep(input);
    const other = simulateByStep(mirrored(input));
    const shape = ({ details, entryBar, exitBar, exitReason }: Trade, isFlipped: boolean) => {
      const parts = details?.exits?.map(({ bar, reason }) => [bar, reason]);
      return [(details?.side === 'short') !== isFlipped, entryBar, exitBar, exitReason, parts];
    };
    assert.deepStrictEqual(
      other.trades.map((trade) => shape(trade, true)),
      own.trades.map((trade) => shape(trade, false)),
    );
    for (const [i, trade] of own.trades.entries()) {
      seen.add(trade.exitReason).add(trade.details?.side ?? '');
      const image = other.trades[i];
      assert.ok(image);
      for (const name of ['entryPrice', 'exitPrice', 'stopPrice', 'targetPrice'] as const) {
        const expected = 2 * CENTRE - trade[name];
        if (Number.isNaN(expected)) assert.ok(Number.isNaN(image[name]), `trade ${i} ${name}`);
        else assertNear(image[name], expected, `trade ${i} ${name}`);
      }
      for (const name of ['size', 'profitLoss'] as const) {
        assertNear(image[name], trade[name], `trade ${i} ${name}`, trade.size * CENTRE);
      }
    }
    assert.deepStrictEqual(other.sided?.orders, own.sided?.orders);
    assert.deepStrictEqual(other.sided?.detail, own.sided?.detail);
    assert.deepStrictEqual(other.denials.bars, own.denials.bars);
    if ((own.sided?.detail.changed ?? 0) > 0) seen.add('changed');
    if ((own.sided?.orders.expired ?? 0) > 0) seen.add('expired');
  });
  const reasons = ['SL', 'TP', 'TRAIL', 'SCALE_OUT', 'OPPOSITE', 'SIGNAL', 'MAX_HOLD', 'LOSS_TIMEOUT'];
  for (const one of [...reasons, 'PROFIT_TIMEOUT', 'END', 'long', 'short', 'changed', 'expired']) {
    assert.ok(seen.has(one), `${one} occurs`);
  }
});

// ---------------------------------------------------------------------------------------- settings

/** The resolved config of a world with changes to what the caller gives. */
const withSettings = (seed: number, changes: Record<string, unknown>) => {
  const { input, request } = mixedWorld(seed);
  const settings = { ...request.config, ...changes };
  return { ...input, config: configOf(settings, input.bars.intervalMs, { takesPositionFields: true }) };
};

test('a rebate pays for no part of its own fill: the first entry is as large as without one', () => {
  let geared = 0;
  forWorlds(runs(60, 5_000), (seed) => {
    const orders = { entry_order: 'limit', entry_offset_pct: 0.001, entry_offset_atr: undefined };
    const fee = (maker_fee_pct: number) => ({ ...orders, opposite_entry: 'hedge', maker_fee_pct });
    const [free] = simulate(withSettings(seed, fee(0))).trades;
    const [rebated] = simulate(withSettings(seed, fee(-0.1))).trades;
    assert.ok(rebated === undefined || rebated.size > 0);
    if (free === undefined || rebated?.entryBar !== free.entryBar) return;
    assert.equal(rebated.size, free.size);
    assert.ok(rebated.entryFee < 0);
    if ((mixedWorld(seed).input.config.leverage ?? 1) > 10) geared++;
  });
  assert.ok(geared > 0);
});

test('leverage 1 equals no leverage, and a long position of hardly more is worth the same', () => {
  let longs = 0;
  forWorlds(runs(40, 5_000), (seed) => {
    const none = { leverage: undefined, maintenance_margin: undefined };
    const plain = withSettings(seed, { ...none, borrow_rate: 0 });
    const same = simulate(withSettings(seed, { ...none, borrow_rate: 0, leverage: 1 }));
    const own = simulate(plain);
    assert.deepStrictEqual(same, own);
    if (plain.shortEntry !== undefined) return;
    const geared = simulateByStep(withSettings(seed, { ...none, borrow_rate: 0, leverage: 1 + 1e-13 }));
    assert.equal(geared.trades.length, own.trades.length);
    for (const [i, trade] of geared.trades.entries()) {
      longs++;
      assert.ok(trade.details?.margin);
      assertNear(trade.profitLoss, own.trades[i]?.profitLoss ?? NaN, `trade ${i}`, 100_000);
      assert.equal(trade.exitReason, own.trades[i]?.exitReason);
    }
  });
  assert.ok(longs > 0, 'positions are opened');
});

test('settings of sides at their defaults change no byte of an answer: trades, identities, metrics', () => {
  const asRequest = (seed: number, spelled: object) => {
    const { request } = mixedWorld(seed);
    const older = Object.entries(request.config).filter(([name]) => !(name in SIDES_DEFAULTS));
    const numbers = (bits: boolean[]) => bits.flatMap((isSet, i) => (isSet ? [i] : []));
    const interval = request.intervalMs >= HOUR_MS ? `${request.intervalMs / HOUR_MS}h` : '15m';
    return {
      id: 'run',
      interval: interval === '24h' ? '1d' : interval,
      first: request.first,
      bars: request.bars.map(({ t, o, h, l, c, v }) => [t / 1000, o, h, l, c, v]),
      masks: { entry: numbers(request.long.entry), exit: numbers(request.long.exit) },
      config: { ...Object.fromEntries(older), ...spelled },
    };
  };
  forWorlds(runs(30, 3_000), (seed) => {
    const answers = [{}, SIDES_DEFAULTS].map((spelled) =>
      JSON.stringify([...simulateRequests([asRequest(seed, spelled)]).values()]),
    );
    assert.equal(answers[0], answers[1]);
    assert.doesNotMatch(answers[0] ?? '', /initial_stop_price|borrow_paid|margin|order_expired|"side":"long"/);
  });
});
