import assert from 'node:assert/strict';
import test from 'node:test';
import type { Trade } from '../../engine/execution/index.js';
import {
  type AllocatedAsset,
  type MemberTrade,
  openPaperAllocation,
  openPaperRules,
  type PortfolioSimulation,
  simulateAllocation,
  simulatePortfolio,
  stepAllocation,
  stepRules,
} from '../../engine/portfolio/index.js';
import {
  type BarSeries,
  createMask,
  firstBarFrom,
  getBit,
  type Mask,
  setBit,
  sliceBars,
} from '../../engine/series/index.js';
import { allocationWorld, sharedWorld } from '../support/portfolio-worlds.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** Portfolios that go from time to time on paper, and are stored in between, against their backtests. */

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

type Numbered = Trade & { readonly member: number };

/** Trades that were not made by the end of the data, with bars numbered from the first of the window. */
function closedTrades({ trades }: PortfolioSimulation, series: readonly BarSeries[], start: number): Numbered[] {
  return trades
    .filter(({ exitReason }) => exitReason !== 'END')
    .map((trade) => shifted(untimed(trade), -firstBarFrom(series[trade.member] as BarSeries, start)));
}

const untimed = ({ exitTime: _, ...trade }: MemberTrade): Numbered => trade;

const shifted = (trade: Numbered, by: number): Numbered => ({
  ...trade,
  entryBar: trade.entryBar + by,
  exitBar: trade.exitBar + by,
  ...(trade.details?.exits && {
    details: { ...trade.details, exits: trade.details.exits.map((exit) => ({ ...exit, bar: exit.bar + by })) },
  }),
});

/** An asset without its first bars, of which the run looks back on eight. */
function withoutHistory(asset: AllocatedAsset, time: number, random: () => number): AllocatedAsset {
  const { bars, rank, where } = asset;
  const cut = Math.floor(random() * Math.max(0, firstBarFrom(bars, time) - 8));
  const allowed = where && createMask(bars.barCount - cut);
  for (let i = cut; i < bars.barCount; i++) if (where && getBit(where, i)) setBit(allowed as Mask, i - cut);
  return {
    bars: sliceBars(bars, cut, bars.barCount),
    rank: rank?.subarray(cut) ?? null,
    where: allowed,
  };
}

/** The equity of the backtest up to where the end of the data sold something. */
const beforeEnd = ({ equity, trades }: PortfolioSimulation): number[] =>
  [...equity].slice(0, trades.some(({ exitReason }) => exitReason === 'END') ? -1 : undefined);

const idOf = (member: number, bar: number, side: string): string => `${member} ${bar} ${side}`;

test('a portfolio on paper does what its backtest does, in every bit', () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= runs(20, 5_000); seed++) {
    const { input } = sharedWorld(seed);
    const backtest = simulatePortfolio(input);
    let account = openPaperRules(input);
    const equity: number[] = [];
    const trades: Numbered[] = [];
    const ids = new Set<string | null>();
    let denials = 0;
    for (const time of backtest.timeline.times) {
      const step = stepRules(throughJson(account), { ...input, start: time }, idOf);
      account = step.account;
      equity.push(step.value);
      for (const event of step.events) {
        kinds.add(event.kind);
        if (event.kind === 'denial') denials++;
        if (event.kind === 'entry') ids.add(event.id);
        if (event.kind !== 'exit') continue;
        trades.push(untimed({ ...(event.trade as MemberTrade), member: event.member }));
        assert.ok(ids.delete(event.id), `seed ${seed}: a position is closed once, and opened before`);
      }
    }
    const series = input.members.map(({ bars }) => bars);
    const expected = closedTrades(backtest, series, input.start);
    assert.deepStrictEqual(trades, expected, `seed ${seed}`);
    assert.deepStrictEqual(equity.slice(0, beforeEnd(backtest).length), beforeEnd(backtest), `seed ${seed}`);
    assert.equal(denials, backtest.denials.length, `seed ${seed}`);
  }
  const all = ['cancelled', 'denial', 'enter', 'entry', 'exit', 'expired', 'leave', 'levels', 'placed', 'sale'];
  assert.deepEqual([...kinds].sort(), all);
});

test('weights on paper are moved as in the backtest, in every bit', () => {
  let sold = 0;
  for (let seed = 1; seed <= runs(40, 10_000); seed++) {
    const input = allocationWorld(seed);
    const random = seededRandom(seed);
    const backtest = simulateAllocation(input);
    let account = openPaperAllocation(input.config.initial_balance, input.assets.length);
    const equity: number[] = [];
    const trades: Numbered[] = [];
    for (const time of backtest.timeline.times) {
      const assets = input.assets.map((asset) => withoutHistory(asset, time, random));
      const step = stepAllocation(throughJson(account), { ...input, assets, start: time });
      account = step.account;
      equity.push(step.value);
      for (const fill of step.fills) if (fill.kind === 'sale') trades.push(untimed(fill.trade));
    }
    const series = input.assets.map(({ bars }) => bars);
    sold += trades.length;
    assert.deepStrictEqual(trades, closedTrades(backtest, series, input.start), `seed ${seed}`);
    assert.deepStrictEqual(equity.slice(0, beforeEnd(backtest).length), beforeEnd(backtest), `seed ${seed}`);
  }
  assert.ok(sold > 0);
});
