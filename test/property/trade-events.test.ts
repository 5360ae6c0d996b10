import assert from 'node:assert/strict';
import test from 'node:test';
import { simulate, tradeEvents } from '../../engine/execution/index.js';
import { mixedWorld } from '../support/mixed-worlds.js';
import { runs } from '../support/scale.js';

/** The story of each trade has its figures. */

test('the events of a trade begin at its entry, end at its exit, and lead to the levels of its exit bar', () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= runs(75, 5_000); seed++) {
    const { input } = mixedWorld(seed);
    const { trades, sided } = simulate(input);
    if (sided === undefined) continue;
    const stories = tradeEvents(input);
    assert.equal(stories.length, trades.length, `world ${seed}`);
    for (const [i, trade] of trades.entries()) {
      const events = stories[i] ?? [];
      const what = `world ${seed}, trade ${i}`;
      const of = (kind: string) => events.filter((event) => event.kind === kind);
      const [entry] = of('entry');
      assert.deepEqual([entry?.bar, entry?.price, entry?.size], [trade.entryBar, trade.entryPrice, trade.size], what);
      const exit = events.at(-1);
      assert.deepEqual([exit?.kind, exit?.bar, exit?.reason], ['exit', trade.exitBar, trade.exitReason], what);
      const sold = [...of('part'), ...of('exit')];
      assert.deepEqual(
        trade.details?.exits ?? [],
        trade.details?.exits ? sold.map(({ bar, price, size, reason }) => ({ bar, price, size, reason })) : [],
        what,
      );
      assert.ok(Object.is(of('stop').at(-1)?.price ?? NaN, trade.stopPrice), `${what}: stop`);
      assert.ok(Object.is(of('target').at(-1)?.price ?? NaN, trade.targetPrice), `${what}: target`);
      const bars = events.map(({ bar, isAtClose }) => 2 * bar + Number(isAtClose));
      assert.deepEqual(
        bars,
        [...bars].sort((a, b) => a - b),
        `${what}: in order`,
      );
      const [placed] = of('placed');
      if (placed !== undefined) assert.ok(placed.bar < trade.entryBar, what);
      if (of('leave').length > 0) assert.equal(of('leave').at(-1)?.bar, trade.exitBar - 1, what);
      for (const { kind } of events) seen.add(kind);
      if (of('stop').length > 2) seen.add('moved');
    }
  }
  for (const kind of ['placed', 'entry', 'stop', 'target', 'part', 'leave', 'exit', 'moved']) {
    assert.ok(seen.has(kind), `${kind} occurs`);
  }
});
