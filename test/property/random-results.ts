import fc from 'fast-check';
import type { Belief, Tested } from '../../service/assistant/mind.js';

/** Results of a conversation that no run made, with all that may be said of them. */
export interface RandomRun {
  readonly tested: Tested;
  /** Numbers as texts write them. */
  readonly allowed: ReadonlySet<string>;
  readonly days: ReadonlySet<string>;
}

const share = fc.double({ min: -0.9, max: 3, noNaN: true });
const amount = fc.double({ min: -9_000, max: 30_000, noNaN: true });
const paid = fc.double({ min: 0, max: 5_000, noNaN: true });
const day = fc
  .integer({ min: 0, max: 2_000 })
  .map((days) => new Date(Date.UTC(2019, 0, 1) + days * 86_400_000).toISOString().slice(0, 10));
const count = fc.integer({ min: 1, max: 400 });

const candidate = fc.record({
  total_return: share,
  sharpe_ratio: fc.option(share),
  max_drawdown: fc.double({ min: 0, max: 1, noNaN: true }),
  won: fc.integer({ min: 0, max: 200 }),
  lost: count,
  fees: paid,
  slippage: paid,
  initial: fc.constantFrom(1_000, 10_000, 50_000),
  worst: fc.record({ entry: day, exit: day, share, amount, reason: fc.constantFrom('SL', 'TP', 'SIGNAL', 'END') }),
  best: fc.record({ entry: day, exit: day, share, amount, reason: fc.constantFrom('TP', 'SIGNAL', 'END') }),
  gains: paid,
  losses: paid,
  exposure: fc.double({ min: 0, max: 1, noNaN: true }),
  members: fc.array(fc.record({ asset: fc.constantFrom('BTC', 'ETH'), trades: count, profit: amount }), {
    maxLength: 3,
  }),
  streak: fc.record({ count, from: day, to: day, amount }),
  drawdown: fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), peak: day, low: day }),
  exit: fc.record({ count, amount }),
  trades: fc.boolean(),
});

const probability = fc.double({ min: 0.001, max: 1, noNaN: true });
const chances = fc.record({
  fails: fc.constantFrom('luck' as const, 'market' as const, 'timing' as const, null),
  luck_p: fc.option(probability),
  market_p: fc.option(probability),
  timing_p: fc.option(probability),
});

const rule = { name: 'ema_cross_up', signal_type: 'TRIGGER', timeframe: '1d', params: {} } as const;

export const randomTested: fc.Arbitrary<RandomRun> = fc
  .record({
    parts: fc.array(candidate, { minLength: 1, maxLength: 8 }),
    market: share,
    start: day,
    end: day,
    bars: count,
    judged: chances,
  })
  .map(({ parts, market, start, end, bars, judged }) => {
    const candidates: Tested['candidates'] = parts.map((part) => {
      const { total_return, sharpe_ratio, max_drawdown, won, lost, trades } = part;
      const trade_count = trades ? won + lost : 0;
      const figures = {
        backtest_id: 'id',
        total_return,
        sharpe_ratio,
        max_drawdown,
        win_rate: won / (won + lost),
        trade_count,
        start_date: start,
        end_date: end,
      };
      return {
        config: { name: 'one', asset: 'BTC', entry: [rule], exit: [], reward_factor: 2, execution_config: {} },
        figures,
        record: {
          ...{ initial: part.initial, profit: total_return * part.initial, fees: part.fees, slippage: part.slippage },
          ...{
            won: trades ? won : 0,
            lost: trades ? lost : 0,
            worst: trades ? part.worst : null,
            best: trades ? part.best : null,
            ...{ gains: trades ? part.gains : 0, losses: trades ? -part.losses : 0, exposure: part.exposure },
            ...(part.members.length === 0 ? {} : { members: part.members }),
            streak: part.streak,
            drawdown: part.drawdown,
          },
          ...{
            exits: trades ? { SL: part.exit } : {},
            why_no_trade: null,
            trigger_true: bars,
            both_true: 0,
            bars,
            exhausted_on: null,
          },
          settings: { fee_pct: 0.001, slippage_pct: 0.0005, max_risk_per_trade: 0.01 },
        },
      };
    });
    const traded = candidates.findIndex(({ figures }) => figures.trade_count > 0);
    const tested: Tested = {
      candidates,
      best: traded < 0 ? null : traded,
      verdict: 'It is judged.',
      belief: traded < 0 ? null : beliefOf(candidates, traded, judged),
      luck_p: 0.2,
      market_return: market,
      window: { start, end },
    };
    return { tested, allowed: allowedOf(tested), days: daysOf(tested) };
  });

/** The facts of a verdict, as the judgement of these results has them. */
function beliefOf(
  candidates: Tested['candidates'],
  leader: number,
  judged: Pick<Belief, 'fails' | ChanceName>,
): Belief {
  const all = candidates.map(({ figures }) => figures);
  const traded = all.filter(({ trade_count }) => trade_count > 0);
  const own = all[leader];
  return {
    ...judged,
    ...{ asset: 'BTC', timeframe: '1d', place: leader + 1, exhausted_on: null, least: 30 },
    trades: own?.trade_count ?? 0,
    sharpe: own?.sharpe_ratio ?? null,
    leader_return: own?.total_return ?? 0,
    tries: traded.length,
    eligible: traded.filter(({ trade_count }) => trade_count >= 30).length,
    profitable: traded.filter(({ total_return }) => total_return > 0).length,
    best_return: Math.max(...traded.map(({ total_return }) => total_return)),
  };
}

type ChanceName = 'luck_p' | 'market_p' | 'timing_p';

function allowedOf(tested: Tested): Set<string> {
  // Places of candidates, the count that shows little, and settings that are named in advice.
  const allowed = new Set(['30', '0.10', '0.05', '0', ...tested.candidates.map((_, i) => String(i + 1))]);
  const addShare = (value: number) => {
    // Whole, with one decimal, and a share below 1 % with its first digit; zero has no sign.
    for (const digits of [0, 1, 2, 3, 4, 5, 6]) {
      if (digits > 1 && Math.abs(100 * value) >= 10 ** (1 - digits)) continue;
      allowed.add((100 * value).toFixed(digits).replace(/^-(?=[0.]+$)/, ''));
    }
  };
  const addMoney = (value: number) => {
    for (const each of [value, -value, Math.abs(value)]) allowed.add(each.toFixed(2));
  };
  addShare(tested.market_return);
  const { belief } = tested;
  if (belief !== undefined && belief !== null) {
    const { tries, eligible, profitable, best_return, leader_return, luck_p, market_p, timing_p } = belief;
    for (const value of [tries, eligible, profitable]) allowed.add(String(value));
    for (const value of [best_return, leader_return, -leader_return]) addShare(value);
    for (const chance of [luck_p, market_p, timing_p]) {
      // As a frequency: 1 of 3, 8 of 10.
      for (const value of [1, 2, 10, 10 * (chance ?? 0), 1 / (chance ?? 1)]) allowed.add(String(Math.round(value)));
    }
  }
  for (const { figures, record } of tested.candidates) {
    for (const value of [figures.total_return, figures.max_drawdown]) addShare(value);
    if (figures.sharpe_ratio !== null) allowed.add(figures.sharpe_ratio.toFixed(2));
    allowed.add(String(figures.trade_count));
    if (record === undefined) continue;
    const { initial, profit, fees, slippage, won, lost, worst, streak, exits, bars, trigger_true, both_true } = record;
    for (const value of [
      initial,
      profit,
      fees,
      slippage,
      fees + slippage,
      profit + fees + slippage,
      streak?.amount ?? 0,
    ])
      addMoney(value);
    for (const value of [won, lost, won + lost, streak?.count ?? 0, bars, trigger_true, both_true])
      allowed.add(String(value));
    if (won + lost > 0) addShare(won / (won + lost));
    for (const trade of [worst, record.best ?? null]) {
      if (trade === null) continue;
      addMoney(trade.amount);
      addShare(trade.share);
    }
    const { gains = 0, losses = 0, exposure = 0, members = [] } = record;
    for (const value of [gains, losses, gains / won, losses / lost]) addMoney(value);
    addMoney(0);
    addShare(exposure);
    allowed.add((gains / -losses).toFixed(2));
    for (const { trades, profit } of members) {
      allowed.add(String(trades));
      addMoney(profit);
    }
    for (const { count: own, amount: sum } of Object.values(exits)) {
      allowed.add(String(own));
      addMoney(sum);
    }
  }
  return allowed;
}

const daysOf = ({ candidates, window }: Tested): Set<string> =>
  new Set([
    ...[window.start, window.end],
    ...candidates.flatMap(({ record }) =>
      [
        record?.best?.entry,
        record?.best?.exit,
        record?.worst?.entry,
        record?.worst?.exit,
        record?.streak?.from,
        record?.streak?.to,
        record?.drawdown?.peak,
        record?.drawdown?.low,
      ].map(String),
    ),
  ]);
