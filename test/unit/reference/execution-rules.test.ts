import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type RefBar,
  type RefRequest,
  type RefResult,
  referenceCooldownTiers,
  referenceSimulate,
} from '../../reference/execution.js';
import { aggregateBars, alignRule, visibleCoarseBars } from '../../reference/timeframes.js';
import { seededRandom } from '../../support/random.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2024, 0, 1);

type Prices = [open: number, high: number, low: number, close: number];

const bar = (hour: number, [o, h, l, c]: Prices = [100, 101, 99, 100]): RefBar => ({
  t: START + hour * HOUR,
  o,
  h,
  l,
  c,
  v: 1,
});
const flat = (count: number, fromHour = 0): RefBar[] => Array.from({ length: count }, (_, i) => bar(fromHour + i));

function simulate(bars: RefBar[], entryAt: number[] | 'always', more: Partial<RefRequest> = {}): RefResult {
  return referenceSimulate({
    intervalMs: HOUR,
    bars,
    first: 0,
    entry: bars.map((_, i) => entryAt === 'always' || entryAt.includes(i)),
    exit: bars.map(() => false),
    ...more,
    config: { stop_loss_calculation: 'fixed', fixed_stop_pct: 0.1, slippage_pct: 0, fee_pct: 0, ...more.config },
  });
}

const exitAt = (bars: RefBar[], at: number[]): boolean[] => bars.map((_, i) => at.includes(i));

describe('reference execution: rules the worked examples leave out', () => {
  it('sells a gap beyond the target at the better open, the entry bar included in the checks', () => {
    const gap = simulate([bar(0), bar(1), bar(2, [130, 131, 129, 130])], [0]);
    assert.equal(gap.trades[0]!.exit_price, 130);
    assert.equal(gap.trades[0]!.exit_reason, 'TP');
    const entryBar = simulate([bar(0), bar(1, [100, 101, 85, 100]), bar(2)], [0]);
    assert.equal(entryBar.trades[0]!.exit_reason, 'SL');
    assert.equal(entryBar.trades[0]!.bars_held, 1);
  });

  it('keeps the scheduled reason even when the open lies beyond the stop', () => {
    const bars = [bar(0), bar(1), bar(2, [80, 81, 79, 80])];
    const result = simulate(bars, [0], { exit: exitAt(bars, [1]) });
    assert.equal(result.trades[0]!.exit_reason, 'SIGNAL');
    assert.equal(result.trades[0]!.exit_price, 80);
    assert.equal(result.trades[0]!.bars_held, 1);
  });

  it('denies entries whose bar also says exit, and drops the wish of the last bar', () => {
    const bars = flat(4);
    const result = simulate(bars, [1, 3], { exit: exitAt(bars, [1, 3]) });
    assert.deepEqual(result.denied_entries, [[2, 'exit_conflict']]);
    assert.equal(result.trades.length, 0);
  });

  it('frees a slot by an exit before the entry of the same open', () => {
    const bars = flat(5);
    const config = { max_open_positions: 1, max_hold_bars: 2 };
    const result = simulate(bars, [0, 2], { config });
    assert.deepEqual(
      result.trades.map((trade) => [trade.entry_bar_index, trade.exit_bar_index, trade.exit_reason]),
      [
        [1, 3, 'MAX_HOLD'],
        [3, 4, 'END'],
      ],
    );
    assert.deepEqual(result.denied_entries, []);
  });

  it('maps hours to bars only when the bar limit is off', () => {
    const config = { max_hold_bars: null, max_hold_time_hours: 2.5 };
    assert.equal(simulate(flat(8), [0], { config }).trades[0]!.bars_held, 3);
    const both = simulate(flat(8), [0], { config: { max_hold_bars: 5, max_hold_time_hours: 2.5 } });
    assert.equal(both.trades[0]!.bars_held, 5);
  });

  it('counts the daily limit by UTC date', () => {
    const config = { max_trades_per_day: 1, max_risk_per_trade: 0.001 };
    const result = simulate(flat(5, 21), 'always', { config });
    assert.deepEqual(
      result.trades.map((trade) => trade.entry_bar_index),
      [1, 3],
    );
    assert.deepEqual(result.denied_entries, [
      [2, 'daily_limit'],
      [4, 'daily_limit'],
    ]);
  });

  it('reads a minimum balance above 1 as an amount and v2 as a reserve', () => {
    const config = { max_risk_per_trade: 1, min_balance_threshold: 2500 };
    assert.equal(simulate(flat(3), [0], { config }).trades[0]!.position_size, 75);
    const empty = simulate(flat(3), [0, 1], { config: { ...config, max_open_positions: 2 } });
    assert.deepEqual(empty.denied_entries, [[2, 'insufficient_cash']]);
  });

  it('denies while the ATR of whole visible days is undefined', () => {
    const config = { stop_loss_calculation: 'dynamic_atr', max_open_positions: 1 };
    const result = simulate(flat(24 * 16), 'always', { config });
    assert.equal(result.trades[0]!.entry_bar_index, 14 * 24);
    assert.equal(result.denied_entries.filter(([, reason]) => reason === 'atr_warmup').length, 14 * 24 - 1);
    const late = simulate(flat(24 * 16, 5), 'always', { config });
    assert.equal(late.trades[0]!.entry_bar_index, 19 + 14 * 24);
    const shortOnly = simulate(flat(24 * 2), 'always', { config: { ...config, atr_long_weight: 0 } });
    assert.equal(shortOnly.trades[0]!.entry_bar_index, 14);
  });

  it('denies stops at or below zero and undefined volatility', () => {
    const bars = [bar(0, [100, 300, 1, 100]), ...flat(3, 1)];
    const config = { stop_loss_calculation: 'dynamic_atr', atr_period: 1, atr_long_weight: 0 };
    assert.deepEqual(simulate(bars, [0], { config }).denied_entries, [[1, 'invalid_stop']]);
    const volatility = { enable_volatility_adjustment: true, volatility_window: 2, max_open_positions: 1 };
    const result = simulate(flat(5), 'always', { config: volatility });
    assert.deepEqual(result.denied_entries.slice(0, 2), [
      [1, 'volatility_warmup'],
      [2, 'volatility_warmup'],
    ]);
    assert.equal(result.trades[0]!.entry_bar_index, 3);
  });

  it('chooses the cooldown source', () => {
    const pairs = (given: Record<string, unknown>, intervalMs = HOUR) =>
      referenceCooldownTiers(given, intervalMs).map(({ limit, window }) => [limit, window]);
    const entry = { short_loss_limit: 1, short_window_bars: 2, long_loss_limit: 3, long_window_bars: 4 };
    const legacy = [
      [3, 24],
      [3, 168],
    ];
    assert.deepEqual(pairs({}), [
      [4, 48],
      [6, 144],
    ]);
    assert.deepEqual(pairs({ cooldown_bars: 200 }), [
      [3, 200],
      [3, 200],
    ]);
    assert.deepEqual(pairs({ cooldown_bars: 200, cooldown_config: { '1H': entry } }), [
      [1, 2],
      [3, 4],
    ]);
    assert.deepEqual(pairs({ cooldown_config: { '1d': entry } }), legacy);
    assert.deepEqual(pairs({ cooldown_config: { '1D': entry } }, DAY), [
      [1, 2],
      [3, 4],
    ]);
    assert.deepEqual(pairs({}, 4 * HOUR)[1], [3, 42]);
    assert.deepEqual(pairs({}, HOUR / 2)[1], [3, 336]);
  });

  it('blocks the open at which the tripping loss is booked', () => {
    const bars = [bar(0), bar(1, [100, 101, 98, 99]), bar(2, [99, 99.5, 98, 99]), bar(3), bar(4), bar(5)];
    const tiers = { short_loss_limit: 1, short_window_bars: 2, long_loss_limit: 0, long_window_bars: 0 };
    const config = { max_hold_bars: 1, cooldown_config: { '1h': tiers } };
    const result = simulate(bars, [0, 1, 2, 3, 4], { config });
    assert.deepEqual(result.denied_entries, [
      [2, 'cooldown'],
      [3, 'cooldown'],
      [4, 'cooldown'],
    ]);
  });

  it('rejects invalid bars and unknown sizing versions', () => {
    assert.throws(() => simulate([bar(0), bar(0)], []));
    assert.throws(() => simulate([bar(0, [100, 99, 98, 100])], []));
    assert.throws(() => simulate(flat(2), [], { config: { position_size_calc: 'v3' } }), /position_size_calc/);
  });
});

function randomRequest(seed: number): RefRequest {
  const random = seededRandom(seed);
  const bars: RefBar[] = [];
  let price = 100;
  let hour = Math.floor(random() * 30);
  for (let i = 0; i < 150; i++) {
    const o = price * (1 + 0.01 * (random() - 0.5));
    const c = o * (1 + 0.04 * (random() - 0.5));
    bars.push(bar(hour, [o, Math.max(o, c) * (1 + 0.02 * random()), Math.min(o, c) * (1 - 0.02 * random()), c]));
    price = c;
    hour += random() < 0.05 ? 3 : 1;
  }
  return {
    intervalMs: HOUR,
    bars,
    first: Math.floor(random() * 20),
    entry: bars.map(() => random() < 0.3),
    exit: bars.map(() => random() < 0.05),
    config: {
      atr_period: 3,
      atr_volatility_factor: 0.5 + random(),
      slippage_pct: random() * 0.002,
      fee_pct: random() * 0.002,
      max_open_positions: 1 + Math.floor(random() * 4),
      max_hold_bars: 10,
      exit_on_loss_after_bars: 8,
      exit_on_profit_after_bars: 6,
      profit_threshold_pct: 0.03,
      min_trade_amount: 0,
      cooldown_config: {
        '1h': { short_loss_limit: 3, short_window_bars: 5, long_loss_limit: 5, long_window_bars: 20 },
      },
      position_size_calc: random() < 0.5 ? 'v1' : 'v2',
      max_risk_per_trade: 0.005,
    },
  };
}

describe('reference execution: invariants on random runs', () => {
  it('keeps books, balances and causality', () => {
    const reasons = new Set<string>();
    for (let seed = 1; seed <= 40; seed++) {
      const request = randomRequest(seed);
      const result = referenceSimulate(request);
      const near = (a: number, b: number) => assert.ok(Math.abs(a - b) <= 1e-7, `seed ${seed}: ${a} and ${b}`);

      let realized = 10000;
      for (const trade of result.trades) {
        assert.equal(trade.beginning_balance, realized);
        realized = trade.ending_balance;
        reasons.add(trade.exit_reason);
        assert.ok(trade.entry_bar_index > request.first);
      }
      near(result.equity[result.equity.length - 1]!, realized);
      const entries = result.trades.map((trade) => trade.entry_bar_index);
      assert.equal(new Set(entries).size, entries.length);

      const keep = request.bars.length - 40;
      const shorter = referenceSimulate({ ...request, bars: request.bars.slice(0, keep) });
      const settled = result.trades.filter((trade) => trade.exit_bar_index < keep);
      assert.deepEqual(
        shorter.trades.filter((trade) => trade.exit_reason !== 'END'),
        settled,
      );

      const scaled = referenceSimulate({
        ...request,
        bars: request.bars.map(({ t, o, h, l, c, v }) => ({ t, o: o * 8, h: h * 8, l: l * 8, c: c * 8, v })),
      });
      assert.equal(scaled.trades.length, result.trades.length);
      scaled.trades.forEach((trade, i) => {
        near(trade.position_size * 8, result.trades[i]!.position_size);
        near(trade.profit_loss, result.trades[i]!.profit_loss);
      });
    }
    // Otherwise the runs above prove less than they seem to.
    assert.deepEqual([...reasons].sort(), ['END', 'LOSS_TIMEOUT', 'MAX_HOLD', 'PROFIT_TIMEOUT', 'SIGNAL', 'SL', 'TP']);
  });
});

describe('reference timeframes', () => {
  it('aggregates whole buckets and drops a leading partial one', () => {
    const bars = [2, 3, 4, 5, 6, 7].map((hour) => bar(hour, [hour, hour + 2, hour - 1, hour + 1]));
    assert.deepEqual(aggregateBars(bars, 4 * HOUR), [{ t: START + 4 * HOUR, o: 4, h: 9, l: 3, c: 8, v: 4 }]);
    assert.deepEqual(visibleCoarseBars(bars.slice(0, 5), HOUR, 4 * HOUR), []);
    assert.equal(visibleCoarseBars(bars, HOUR, 4 * HOUR).length, 1);
  });

  it('shows a bucket whose last bar is missing at the close of the next bar', () => {
    const bars = [0, 1, 2, 4, 5].map((hour) => bar(hour));
    const visible = bars.map((_, i) => visibleCoarseBars(bars.slice(0, i + 1), HOUR, 4 * HOUR).length);
    assert.deepEqual(visible, [0, 0, 0, 1, 1]);
  });

  it('fires a trigger once, on the newest of several new buckets, and holds a filter', () => {
    // Hours 3 to 6 are missing: the buckets at 0 and 4 both appear at the close of hour 7.
    const bars = [0, 1, 2, 7, 8, 9, 10, 11, 12].map((hour) => bar(hour));
    const seen: number[][] = [];
    const evaluate = (wanted: number) => (prefix: RefBar[]) => {
      seen.push(prefix.map(({ t }) => (t - START) / HOUR));
      return prefix[prefix.length - 1]!.t === START + wanted * HOUR;
    };
    const at = (kind: 'TRIGGER' | 'FILTER', wanted: number) =>
      alignRule(bars, HOUR, 4 * HOUR, kind, evaluate(wanted)).flatMap((value, i) => (value ? [i] : []));
    assert.deepEqual(at('TRIGGER', 0), []);
    assert.deepEqual(seen, [
      [0, 4],
      [0, 4, 8],
    ]);
    assert.deepEqual(at('TRIGGER', 4), [3]);
    assert.deepEqual(at('FILTER', 4), [3, 4, 5, 6]);
    assert.deepEqual(at('TRIGGER', 8), [7]);
    assert.deepEqual(at('FILTER', 8), [7, 8]);
  });

  it('uses the bars as they are on the same timeframe', () => {
    const bars = flat(4);
    assert.deepEqual(
      alignRule(bars, HOUR, HOUR, 'TRIGGER', (prefix) => prefix.length !== 2),
      [true, false, true, true],
    );
    assert.throws(() => alignRule(bars, HOUR, HOUR / 2, 'FILTER', () => true));
  });
});
