import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type BacktestTrade,
  type Bars,
  type ExecutionSettings,
  type LiveAccount,
  type LiveEvent,
  loadBars,
  runBacktest,
  type Strategy,
  type StrategyRule,
  startLive,
} from '../../../../library/index.js';
import { randomBars, seededRandom } from '../../../support/random.js';
import { runs } from '../../../support/scale.js';

/** Live runs of strategies of both sides, killed at any bar, against the backtest over the same bars. */

const BARS = 420;
const FIRST = 140;
const HOUR_MS = 3_600_000;
const market = randomBars({ seed: 21, barCount: BARS, gapChance: 0.01, flatChance: 0.03, volatility: 0.02 });
const other = randomBars({ seed: 22, barCount: BARS + 40, volatility: 0.02 });
const quarters = randomBars({ seed: 23, barCount: 4 * BARS, intervalMs: HOUR_MS / 4, volatility: 0.01 });

const slice = (
  { time, open, high, low, close, volume }: typeof market,
  from: number,
  to: number,
  asset: string,
  interval: string,
): Promise<Bars> => {
  const [t, o, h, l, c, v] = [time, open, high, low, close, volume].map((column) => column.slice(from, to));
  return loadBars({ columns: { time: t!, open: o!, high: h!, low: l!, close: c!, volume: v! }, asset, interval });
};
const row = ({ time, open, high, low, close, volume }: typeof market, i: number) => ({
  ...{ time: time[i]!, open: open[i]!, high: high[i]!, low: low[i]!, close: close[i]!, volume: volume[i]! },
});

const rule = (
  name: string,
  signal_type: 'TRIGGER' | 'FILTER',
  params: object,
  more: Partial<StrategyRule> = {},
): StrategyRule => ({ name, signal_type, params: { ...params }, ...more });
const fast = { window_fast: 3, window_slow: 8 };
const up = rule('ema_cross_up', 'TRIGGER', fast);
const down = rule('ema_cross_down', 'TRIGGER', fast);

const both: Strategy = { entry: [up], exit: [down], short_entry: [down], short_exit: [up] };
const chosen: Strategy = {
  entry: {
    any: [
      [up, rule('is_above_sma', 'FILTER', { window: 10 }, { negate: true })],
      [rule('rsi_cross_up', 'TRIGGER', { window: 6, threshold: 40 }, { within_bars: 2 })],
    ],
  },
  short_entry: [down, rule('is_above_sma', 'FILTER', { window: 20 }, { asset: 'OTHER' })],
  short_exit: [rule('rsi_cross_up', 'TRIGGER', { window: 6 })],
};
const longOnly: Strategy = { entry: [up] };

const costs = { fee_pct: 0.001, slippage_pct: 0.0005, min_trade_amount: 1, atr_long_weight: 0, atr_period: 5 };
const none = { short_loss_limit: 0, short_window_bars: 0, long_loss_limit: 0, long_window_bars: 0 };
const cooldown = { short_loss_limit: 2, short_window_bars: 12, long_loss_limit: 4, long_window_bars: 60 };

const cases: readonly [string, Strategy, ExecutionSettings][] = [
  ['both sides reverse', both, { opposite_entry: 'reverse', leverage: 3, borrow_rate: 0.1 }],
  [
    'a hedge with cooldown',
    both,
    { opposite_entry: 'hedge', max_open_positions: 4, cooldown_config: { '1h': cooldown } },
  ],
  [
    'stop orders',
    chosen,
    { entry_order: 'stop', entry_offset_pct: 0.004, entry_valid_bars: 9, opposite_entry: 'hedge' },
  ],
  [
    'scale-outs',
    both,
    {
      scale_out: [
        [0.5, 0.5],
        [1, 0.25],
      ],
      break_even_at: 0.5,
      target_order: 'limit',
    },
  ],
  ['guards', both, { guard_max_drawdown: 0.02, guard_daily_loss: 0.01, guard_pause_bars: 9 }],
  ['liquidations', both, { stop_order: false, leverage: 30, max_gross_exposure: 20 }],
  ['finer bars', both, { detail_interval: '15m', trailing_distance: 1 }],
];

const stored = (account: LiveAccount): LiveAccount => JSON.parse(JSON.stringify(account)) as LiveAccount;
const closedIn = (events: readonly LiveEvent[]) =>
  events.flatMap((event) => (event.kind === 'exit' ? [{ ...event.trade, side: event.side }] : []));

async function furtherOf(strategy: Strategy, config: ExecutionSettings) {
  const reads = JSON.stringify(strategy).includes('OTHER');
  const isDetailed = config.detail_interval === '15m';
  return {
    ...(reads && { otherBars: { OTHER: await slice(other, 0, other.barCount, 'OTHER', '1h') } }),
    ...(isDetailed && { detailBars: await slice(quarters, 0, quarters.barCount, 'RND', '15m') }),
  };
}

const seen = new Set<string>();

for (const [name, strategy, settings] of cases) {
  test(`${name}: a bot killed at any bar makes the trades of the backtest`, async () => {
    const config = { ...costs, cooldown_config: { '1h': none }, ...settings };
    const further = await furtherOf(strategy, config);
    const bars = await slice(market, 0, BARS, 'RND', '1h');
    const start = new Date(market.time[FIRST]!).toISOString();
    const { trades } = await runBacktest({ strategy, bars, start, config, ...further });
    const expected = trades.filter(({ exit_reason }) => exit_reason !== 'END');
    assert.ok(expected.length > 3, `${expected.length} trades`);
    const random = seededRandom(name.length);
    for (let life = 0; life < runs(3, 30); life++) {
      const kills = new Set(Array.from({ length: 12 }, () => FIRST + Math.floor(random() * (BARS - FIRST))));
      const begin = async (to: number, account?: LiveAccount) => {
        const history = await slice(market, account === undefined ? 0 : to - 20, to, 'RND', '1h');
        return startLive({ strategy, history, config, ...(account === undefined ? further : { account }) });
      };
      let bot = await begin(FIRST);
      const events: LiveEvent[] = [];
      for (let i = FIRST; i < BARS; i++) {
        if (kills.has(i)) {
          const late = random() < 0.5 ? 1 : 0; // a bar that came while it was away
          bot = await begin(i + late, stored(bot.account()));
          for (const step of bot.caughtUp) events.push(...step.events);
          if (late === 1) continue;
        }
        events.push(...bot.step(row(market, i)).events);
      }
      const made = closedIn(events);
      assert.deepEqual(
        made.map((trade) => [
          trade.side,
          trade.entryPrice,
          trade.exitPrice,
          trade.size,
          trade.profitLoss,
          trade.exitReason,
        ]),
        expected.map((trade: BacktestTrade) => [
          ...[trade.side, trade.entry_price, trade.exit_price, trade.position_size],
          ...[trade.profit_loss, trade.exit_reason],
        ]),
      );
      for (const { kind } of events) seen.add(kind);
    }
  });
}

test('every kind of event occurs', () => {
  const kinds = ['entry', 'exit', 'part', 'denial', 'enter', 'place', 'cancel', 'levels', 'leave'];
  assert.deepEqual(
    kinds.filter((kind) => !seen.has(kind)),
    [],
  );
});

const history = slice(market, 0, FIRST, 'RND', '1h');

test('a bot that knows only to buy is told what it cannot do', async () => {
  const start = async (strategy: Strategy, config: ExecutionSettings, knows: readonly string[]) =>
    startLive({ strategy, history: await history, config: { ...costs, ...config }, knows: knows as never });
  await assert.rejects(
    start(both, { entry_order: 'limit', entry_offset_pct: 0.01, leverage: 2, trailing_distance: 1 }, ['enter_long']),
    {
      message:
        'knows must have all that the strategy needs: enter_short (short_entry), limit (entry_order), ' +
        'move_levels (trailing_distance), leverage (leverage); it has enter_long',
    },
  );
  await assert.rejects(start(longOnly, {}, []), /needs: enter_long \(entry\); it has nothing/);
  assert.ok(await start(longOnly, {}, ['enter_long']));
  assert.ok(await start(both, { scale_out: [[1, 1]] }, ['enter_long', 'enter_short', 'scale_out']));
});

test('live orders are rounded to ticks and lots, purchases down and sales up; the account is not', async () => {
  const steps = { tick_size: 0.05, lot_size: 0.01 };
  const config = { ...costs, entry_order: 'limit', entry_offset_pct: 0.002, trailing_distance: 1 } as const;
  const [plain, rounded] = await Promise.all(
    [config, { ...config, ...steps }].map(async (one) =>
      startLive({ strategy: both, history: await history, config: one }),
    ),
  );
  const isStep = (value: number, step: number) => Math.abs(value / step - Math.round(value / step)) < 1e-9;
  let orders = 0;
  let moved = 0;
  for (let i = FIRST; i < BARS; i++) {
    const [exact, steppy] = [plain!.step(row(market, i)), rounded!.step(row(market, i))];
    assert.equal(steppy.value, exact.value);
    for (const [k, event] of steppy.events.entries()) {
      const other = exact.events[k];
      if (event.kind === 'place' && other?.kind === 'place' && event.order && other.order) {
        const [a, b] = [event.order, other.order];
        assert.ok(isStep(a.price, 0.05) && isStep(a.stopPrice!, 0.05) && isStep(a.targetPrice!, 0.05));
        assert.ok(isStep(a.size, 0.01) && a.size <= b.size && b.size - a.size < 0.01);
        const isLong = event.side === 'enter_long';
        assert.ok(isLong ? a.price <= b.price : a.price >= b.price);
        assert.ok(isLong ? a.stopPrice! >= b.stopPrice! : a.stopPrice! <= b.stopPrice!);
        orders++;
      }
      if (event.kind === 'levels' && event.stopPrice !== null) {
        assert.ok(isStep(event.stopPrice, 0.05));
        moved++;
      }
    }
  }
  assert.ok(orders > 5 && moved > 5, `${orders} orders, ${moved} moves`);
  const { result } = await runBacktest({
    ...{ strategy: both, bars: await slice(market, 0, BARS, 'RND', '1h') },
    config: { ...config, ...steps },
  });
  assert.match(result.warnings.join('\n'), /tick_size and lot_size round live orders only: a backtest does not round/);
});
const bars = await history;

test('what a run needs beside its bars is asked for, and what it does not read is refused', () => {
  const begin = (options: object) => () => startLive({ strategy: both, history: bars, config: costs, ...options });
  assert.throws(begin({ strategy: chosen }), /otherBars\.OTHER is required: short_entry\[1\]\.asset reads OTHER/);
  assert.throws(begin({ config: { detail_interval: '15m' } }), /detailBars is required: detail_interval is 15m/);
  const detailed = { config: { detail_interval: '15m' }, detailBars: bars };
  assert.throws(begin(detailed), /detailBars must have the interval 15m, was 1h/);
  const long = stored(startLive({ strategy: longOnly, history: bars }).account());
  assert.throws(
    begin({ account: long }),
    /account does not keep what a strategy with a short side, .* which this one uses/,
  );
  const sided = stored(startLive({ strategy: both, history: bars }).account());
  assert.throws(begin({ strategy: longOnly, account: sided }), /account keeps what .* which this one does not use/);
});
