import assert from 'node:assert/strict';
import test from 'node:test';
import { type FullConfig, simulateByStep } from '../../engine/execution/index.js';
import {
  type PortfolioInput,
  type PortfolioMember,
  type PortfolioSimulation,
  simulateAllocation,
  simulatePortfolio,
} from '../../engine/portfolio/index.js';
import { KnownEntries } from '../../engine/portfolio/known-entries.js';
import { KnownRun } from '../../engine/portfolio/known-run.js';
import { PortfolioRun } from '../../engine/portfolio/portfolio.js';
import { type BarSeries, sliceBars } from '../../engine/series/index.js';
import { mixedWorld, pick, randomMask } from '../support/mixed-worlds.js';
import { allocationWorld, portfolioOf, sharedWorld } from '../support/portfolio-worlds.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** Laws of portfolios and allocations in random worlds that mix all settings. */

test('one member of weight 1 equals the single run in every bit', () => {
  for (let seed = 1; seed <= runs(75, 10_000); seed++) {
    const { input } = mixedWorld(seed);
    if (input.first >= input.bars.barCount) continue;
    const alone = simulateByStep(input);
    const shared = simulatePortfolio(portfolioOf([input]));
    const { sided } = alone;
    const trades = shared.trades.map(({ member: _, exitTime: __, details, ...trade }) =>
      sided === undefined ? trade : { ...trade, details },
    );
    assert.deepStrictEqual(trades, alone.trades, `seed ${seed}`);
    assert.deepStrictEqual(shared.equity, alone.equity, `seed ${seed}`);
    if (sided !== undefined) assert.deepStrictEqual(shared.cash, sided.cash, `seed ${seed}`);
    assert.deepStrictEqual(
      shared.denials.map(({ bar }) => bar),
      [...alone.denials.bars],
      `seed ${seed}`,
    );
    assert.equal(shared.exposedTimes, alone.exposedBars, `seed ${seed}`);
    if (sided !== undefined) assert.deepStrictEqual(shared.detail, sided.detail, `seed ${seed}`);
  }
});

/** The account without the last times. */
function cutMembers({ members, ...portfolio }: PortfolioInput, end: number): PortfolioInput {
  const cut = members.map((member) => ({ ...member, bars: barsBefore(member.bars, end) }));
  return { ...portfolio, members: cut.map((member, m) => ({ ...members[m], ...member })) as PortfolioMember[] };
}

const barsBefore = (bars: BarSeries, end: number): BarSeries =>
  sliceBars(bars, 0, bars.time.filter((time) => time < end).length);

/** Trades that closed before a time, other than by the end of the data. */
const closedBefore = ({ trades, timeline }: PortfolioSimulation, end: number) =>
  trades.filter(({ exitTime, exitReason }) => (timeline.times[exitTime] ?? NaN) < end && exitReason !== 'END');

const profitOf = ({ members }: PortfolioSimulation): number => members.reduce((sum, { profit }) => sum + profit, 0);

function assertNear(actual: number, expected: number, label: string): void {
  assert.ok(Math.abs(actual - expected) <= 1e-8 * Math.max(1, Math.abs(expected)), `${label}: ${actual}, ${expected}`);
}

test('the profits of the members are the change of the account, and the limits hold', () => {
  let denied = 0;
  for (let seed = 1; seed <= runs(30, 5_000); seed++) {
    const { input } = sharedWorld(seed);
    const run = simulatePortfolio(input);
    assertNear(profitOf(run), (run.equity.at(-1) ?? NaN) - input.initialBalance, `seed ${seed}`);
    denied += run.denials.filter(({ reason }) => reason === 'portfolio_positions').length;
    if (input.maxOpenPositions === null) continue;
    const { times } = run.timeline;
    for (const i of times.keys()) {
      const open = run.trades.filter(({ member, entryBar, exitTime }) => {
        const entry = input.members[member]?.bars.time[entryBar] ?? NaN;
        return entry <= (times[i] ?? NaN) && exitTime > i;
      });
      assert.ok(open.length <= input.maxOpenPositions, `seed ${seed}, time ${i}: ${open.length} open`);
    }
  }
  assert.ok(denied > 0);
});

test('what comes later changes no trade that has closed', () => {
  for (let seed = 1; seed <= runs(30, 5_000); seed++) {
    const { input } = sharedWorld(seed);
    const whole = simulatePortfolio(input);
    const { times } = whole.timeline;
    const end = times[Math.floor(times.length * 0.7)] ?? NaN;
    const cut = cutMembers(input, end);
    if (cut.members.some(({ bars }) => bars.barCount === 0)) continue;
    const part = simulatePortfolio(cut);
    assert.deepStrictEqual(closedBefore(part, end), closedBefore(whole, end), `seed ${seed}`);
  }
});

test('nothing of an asset fills at a time without its bar, but the sale of what has ended', () => {
  let ended = 0;
  for (let seed = 1; seed <= runs(30, 5_000); seed++) {
    const worlds = [simulatePortfolio(sharedWorld(seed).input), simulateAllocation(allocationWorld(seed))];
    for (const { trades, timeline } of worlds) {
      for (const { member, entryBar, exitBar, exitTime, exitReason } of trades) {
        const bars = timeline.bars[member] ?? new Int32Array(0);
        assert.ok(bars.includes(entryBar), `seed ${seed}`);
        if (exitReason === 'ENDED') ended++;
        else if (exitReason !== 'END') assert.equal(bars[exitTime], exitBar, `seed ${seed}, ${exitReason}`);
        // No sale lies after the last bar of an asset that it does not know of.
        assert.ok(exitBar <= Math.max(...bars) && bars.slice(exitTime + 1).every((bar) => bar !== exitBar));
      }
    }
  }
  assert.ok(ended > 0);
});

test('an allocation spends no more than it has, and its profits are the change of the account', () => {
  let rebalanced = 0;
  for (let seed = 1; seed <= runs(100, 10_000); seed++) {
    const input = allocationWorld(seed);
    const run = simulateAllocation(input);
    if (run.equity.length === 0) continue;
    assert.ok(Math.min(...run.cash) > -1e-6, `seed ${seed}: cash ${Math.min(...run.cash)}`);
    assertNear(profitOf(run), (run.equity.at(-1) ?? NaN) - input.config.initial_balance, `seed ${seed}`);
    assert.ok(run.largestGrossExposure <= 1 + 1e-9, `seed ${seed}`);
    rebalanced += run.trades.filter(({ exitReason }) => exitReason === 'REBALANCE').length;
    const { times } = run.timeline;
    const end = times[Math.floor(times.length * 0.7)] ?? NaN;
    const assets = input.assets.map((asset) => ({ ...asset, bars: barsBefore(asset.bars, end) }));
    const part = simulateAllocation({ ...input, assets });
    assert.deepStrictEqual(closedBefore(part, end), closedBefore(run, end), `seed ${seed}`);
  }
  assert.ok(rebalanced > 0);
});

test('cash and the worths of what is held are the account at every time', () => {
  for (let seed = 1; seed <= runs(30, 5_000); seed++) {
    const { input } = sharedWorld(seed);
    const { equity, courses } = simulatePortfolio({ ...input, keepsCourses: true });
    assert.ok(courses !== null);
    for (const [i, value] of equity.entries()) {
      const profit = courses.profits.reduce((sum, course) => sum + (course[i] ?? NaN), 0);
      assertNear(input.initialBalance + profit, value, `seed ${seed}, time ${i}`);
    }
  }
  for (let seed = 1; seed <= runs(30, 5_000); seed++) {
    const input = allocationWorld(seed);
    const { equity, cash, courses } = simulateAllocation({ ...input, keepsCourses: true });
    assert.ok(courses !== null);
    for (const [i, value] of equity.entries()) {
      const weight = courses.weights.reduce((sum, course) => sum + (course[i] ?? NaN), 0);
      assertNear((cash[i] ?? NaN) + weight * value, value, `seed ${seed}, time ${i}`);
    }
  }
});

test('the order of the members changes nothing but ties', () => {
  let compared = 0;
  for (let seed = 1; seed <= runs(40, 5_000); seed++) {
    const { input } = sharedWorld(seed);
    // With ranks that differ everywhere, no two entries tie; sales of one time add up in any order.
    const members = input.members.map((member, m) => ({
      ...member,
      rank: Float64Array.from({ length: member.bars.barCount }, (_, i) => ((i * 31 + m * 17) % 97) + m / 7),
    }));
    const forward = simulatePortfolio({ ...input, members });
    const backward = simulatePortfolio({ ...input, members: [...members].reverse() });
    const last = members.length - 1;
    const key = ({ member, entryBar, exitBar, exitReason }: (typeof forward.trades)[number], isBack: boolean) =>
      [isBack ? last - member : member, entryBar, exitBar, exitReason].join(' ');
    // A cash clamp at the limit of rounding may tip; the trades are compared where both have as many.
    if (forward.trades.length !== backward.trades.length) continue;
    compared++;
    assert.deepEqual(
      backward.trades.map((trade) => key(trade, true)).sort(),
      forward.trades.map((trade) => key(trade, false)).sort(),
      `seed ${seed}`,
    );
    assertNear(backward.equity.at(-1) ?? NaN, forward.equity.at(-1) ?? NaN, `seed ${seed}`);
  }
  assert.ok(compared >= runs(40, 5_000) * 0.98, `${compared}`);
});

/** Settings under which an entry depends on its bar alone. */
const steady: Partial<FullConfig> = {
  entry_order: 'market',
  target_order: 'market',
  target_calculation: 'reward',
  scale_out: null,
  impact_coefficient: 0,
  borrow_rate: 0,
  detail_interval: null,
  trailing_distance: null,
  break_even_at: null,
  guard_max_drawdown: null,
  guard_daily_loss: null,
  guard_group_stop: null,
};

/** An account whose members have bars of one asset, some of them from a later time on, and rules of their own. */
function steadyWorld(seed: number): PortfolioInput {
  const { input } = sharedWorld(seed);
  const random = seededRandom(seed);
  const { bars } = input.members[0] ?? assert.fail('no member');
  const late = sliceBars(bars, Math.floor(bars.barCount / 4), bars.barCount);
  const members = input.members.map(({ config, weight, shortEntry, rank }, m): PortfolioMember => {
    const own = m % 2 === 0 ? bars : late;
    const rule = (chance: number) => randomMask(own.barCount, chance, random);
    return {
      ...{ bars: own, entry: rule(0.2), exit: rule(0.1), weight, config: { ...config, ...steady } },
      ...(shortEntry !== undefined && { shortEntry: rule(0.1), shortExit: rule(0.1) }),
      rank: rank === null ? null : Float64Array.from({ length: own.barCount }, () => Math.floor(3 * random())),
    };
  });
  const contributions = pick(random, [null, { every: '1d', amount: 100 }, { every: '1d', amount: -100 }] as const);
  return { ...input, members, contributions, guards: { ...input.guards, ...noGuards }, keepsCorrelation: false };
}

const noGuards = { max_drawdown: null, daily_loss: null, group_stop: null };

test('a run from fill to fill equals the run from time to time in every bit, whatever other portfolios know', () => {
  const seen = new Set<string>();
  let runsCompared = 0;
  for (let seed = 1; seed <= runs(100, 10_000); seed++) {
    const input = steadyWorld(seed);
    const members = input.members.map((member) => ({
      ...member,
      known: KnownEntries.of(member, undefined) ?? undefined,
    }));
    const others = members.map((member) => ({ ...member, weight: member.weight / 2 }));
    const poorer = { ...input, members: others, initialBalance: input.initialBalance / 2, maxOpenPositions: 1 };
    for (const one of [input, { ...input, members }, poorer]) {
      const known = KnownRun.over(one)?.run();
      if (known === undefined) continue; // bars with holes or funding
      const stepped = new PortfolioRun(one).run();
      assert.deepStrictEqual(known, stepped, `seed ${seed}`);
      runsCompared++;
      for (const { exitReason, details } of known.trades) seen.add(exitReason).add(details?.side ?? '');
      for (const { reason } of known.denials) seen.add(reason);
    }
  }
  assert.ok(runsCompared > runs(100, 10_000), `${runsCompared} runs were compared`);
  const reasons = [
    'SL',
    'TP',
    'SIGNAL',
    'MAX_HOLD',
    'LOSS_TIMEOUT',
    'PROFIT_TIMEOUT',
    'END',
    'OPPOSITE',
    'LIQUIDATION',
  ];
  const denials = [
    'exit_conflict',
    'side_conflict',
    'cooldown',
    'opposite_position',
    'max_positions',
    'portfolio_positions',
  ];
  for (const reason of ['long', 'short', ...reasons, ...denials]) assert.ok(seen.has(reason), `${reason} occurs`);
});

test('what is known of other rules is not read', () => {
  const members = Array.from({ length: 9 }, (_, seed) => steadyWorld(seed + 1).members).flat();
  const member = members.find((one) => KnownEntries.of(one, undefined) !== null) ?? assert.fail('no steady member');
  const known = KnownEntries.of(member, undefined) ?? assert.fail('it is steady');
  assert.equal(KnownEntries.of({ ...member }, known), known);
  for (const other of [{ exit: member.entry }, { config: { ...member.config } }]) {
    assert.notEqual(KnownEntries.of({ ...member, ...other }, known), known, Object.keys(other).join());
  }
  assert.equal(KnownEntries.of({ ...member, config: { ...member.config, impact_coefficient: 0.5 } }, known), null);
});
