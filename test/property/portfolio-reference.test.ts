import assert from 'node:assert/strict';
import test from 'node:test';
import { simulateAllocation, simulatePortfolio } from '../../engine/portfolio/index.js';
import { referenceAllocation } from '../reference/allocation.js';
import { referencePortfolio } from '../reference/sides.js';
import { allocationWorld, referenceOf, sharedWorld } from '../support/portfolio-worlds.js';
import { runs } from '../support/scale.js';

/** Portfolios and allocations against a second implementation, written from the rules. */

const TOLERANCE = 1e-9;
/** Amounts up to this are dust of rounding. */
const DUST = 1e-6;

function assertNear(actual: number | undefined, expected: number | undefined, label: string): void {
  const [a, b] = [actual ?? NaN, expected ?? NaN];
  assert.ok(Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(b)), `${label}: ${a} against ${b}`);
}

test('the reference agrees on portfolios of all settings', () => {
  const seen = new Set<string>();
  let [late, early, holes] = [0, 0, 0];
  for (let seed = 1; seed <= runs(30, 2_000); seed++) {
    const { input, reference } = sharedWorld(seed);
    const run = simulatePortfolio(input);
    const wanted = referencePortfolio(reference);
    const label = `seed ${seed}`;
    assert.deepEqual(Array.from(run.timeline.times), wanted.times, label);
    for (const [m, member] of wanted.members.entries()) {
      const trades = run.trades.filter((trade) => trade.member === m);
      assert.deepEqual(
        trades.map(({ entryBar, exitBar, exitReason }) => [entryBar, exitBar, exitReason]),
        member.trades.map((trade) => [trade.entry_bar_index, trade.exit_bar_index, trade.exit_reason]),
        `${label}, member ${m}`,
      );
      for (const [k, trade] of trades.entries()) {
        const other = member.trades[k];
        assertNear(trade.size, other?.position_size, `${label}, member ${m}, size ${k}`);
        assertNear(trade.profitLoss, other?.profit_loss, `${label}, member ${m}, profit ${k}`);
        assertNear(trade.endingBalance, other?.ending_balance, `${label}, member ${m}, balance ${k}`);
        seen.add(trade.exitReason);
      }
      const denied = run.denials.filter((denial) => denial.member === m).map(({ bar, reason }) => [bar, reason]);
      assert.deepEqual(
        denied,
        member.denied_entries.map(({ bar, reason }) => [bar, reason]),
        `${label}, member ${m}, denials`,
      );
      for (const [, reason] of denied) seen.add(String(reason));
      assert.equal(run.ordersExpired[m], member.orders.expired, `${label}, member ${m}`);
      const { bars } = input.members[m] ?? assert.fail();
      const [first, last] = [run.timeline.times[0] ?? NaN, run.timeline.times.at(-1) ?? NaN];
      if ((bars.time[0] ?? NaN) > first) late++;
      if ((bars.time[bars.barCount - 1] ?? NaN) < last) early++;
      if ((last - first) / bars.intervalMs + 1 > bars.barCount) holes++;
    }
    for (const i of wanted.equity.keys()) {
      assertNear(run.equity[i], wanted.equity[i], `${label}, equity ${i}`);
      assertNear(run.cash[i], wanted.cash[i], `${label}, cash ${i}`);
    }
    assert.equal(run.exposedTimes, wanted.exposedTimes, label);
  }
  for (const reason of ['portfolio_positions', 'max_exposure', 'guard', 'GUARD', 'END', 'ENDED', 'SL', 'TP']) {
    assert.ok(seen.has(reason), reason);
  }
  assert.ok(late > 0 && early > 0 && holes > 0, `${late} ${early} ${holes}`);
});

test('the reference agrees on allocations', () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= runs(30, 500); seed++) {
    const input = allocationWorld(seed);
    const run = simulateAllocation(input);
    if (run.equity.length === 0) continue;
    const wanted = referenceAllocation(referenceOf(input));
    const label = `seed ${seed}`;
    for (const i of wanted.equity.keys()) {
      assertNear(run.equity[i], wanted.equity[i], `${label}, equity ${i}`);
      assertNear(run.cash[i], wanted.cash[i], `${label}, cash ${i}`);
    }
    const key = (asset: number, time: number, reason: string) => `${time} ${asset} ${reason}`;
    // What rounding leaves of a position that is sold in parts, the other may have sold.
    const trades = run.trades.filter(({ size, exitPrice }) => size * exitPrice > DUST);
    const sales = wanted.sales.filter(({ units, exit }) => units * exit > DUST);
    assert.deepEqual(
      trades.map(({ member, exitTime, exitReason }) => key(member, exitTime, exitReason)).sort(),
      sales.map(({ asset, time, reason }) => key(asset, time, reason)).sort(),
      label,
    );
    for (const sale of sales) {
      const trade = run.trades.find(
        ({ member, exitTime, exitReason }) =>
          key(member, exitTime, exitReason) === key(sale.asset, sale.time, sale.reason),
      );
      assertNear(trade?.size, sale.units, `${label}, units`);
      assertNear(trade?.entryPrice, sale.entry, `${label}, entry`);
      assertNear(trade?.profitLoss, sale.profit, `${label}, profit`);
      seen.add(sale.reason);
    }
    assertNear(run.turnover, wanted.turnover, `${label}, turnover`);
  }
  for (const reason of ['REBALANCE', 'GUARD', 'END', 'ENDED']) assert.ok(seen.has(reason), reason);
});
