import assert from 'node:assert/strict';
import test from 'node:test';
import { type BarSeries, HOUR_MS, sliceBars } from '../../../../engine/series/index.js';
import { readDeployedSet } from '../../../../service/deployed/definition.js';
import { DeployedFeed } from '../../../../service/deployed/feed.js';
import { NextBars, openTime } from '../../../../service/deployed/next-bar.js';
import { getDeployedState, listDeployed } from '../../../../service/deployed/read.js';
import { DeployedRunner } from '../../../../service/deployed/runner.js';
import { SqlDeployedStore } from '../../../../service/deployed/store.js';
import { dailyRotation, deployedOf, freshProgress, livelyPortfolio, wholeReplay } from '../../../support/deployed.js';
import { TestMarket } from '../../../support/execution-market.js';
import { randomBars } from '../../../support/random.js';
import { sharedState } from '../../../support/shared-state.js';

/** Portfolios on paper: their file, what they wait for, and what is shown of them. */

const BARS = 1_200;
const barsOf = (seed: number) => randomBars({ seed, barCount: BARS, volatility: 0.006 });
const [btc, eth] = [barsOf(3), barsOf(4)];
const marketOf = (ether: BarSeries) =>
  new TestMarket({ 'BTC 3600000': btc, 'ETH 3600000': ether }, btc.time[BARS - 1]! + HOUR_MS);
const replay = { msPerHour: 10, days: 5 };
const setOf = (...strategies: readonly object[]) =>
  readDeployedSet({ personas: [{ id: 'ada', name: 'Ada', strategies }] });

test('a portfolio of a file is refused as a run of it would be, with its place', () => {
  const { portfolio } = livelyPortfolio;
  const refusals: readonly [change: object, message: RegExp][] = [
    [{ portfolio: { ...portfolio, top: 1 } }, /strategies\[0\]: portfolio: "top" is not a key here/],
    [
      { portfolio: { ...portfolio, interval: '1d' } },
      /strategies\[0\]: portfolio\.interval must be 1h, the timeframe, or left out, was "1d"/,
    ],
    [{ portfolio: { allocation: { assets: ['BTC'], where: 'close >' } } }, /allocation.where/],
  ];
  for (const [change, message] of refusals) assert.throws(() => setOf({ ...livelyPortfolio, ...change }), { message });
});

test('a time waits for the bars of all assets, until one has a newer bar', async () => {
  for (const deployed of deployedOf(livelyPortfolio, dailyRotation)) {
    const startMs = btc.time[BARS - 20]!;
    const held = { ...freshProgress(deployed), startMs };
    const nextAfter = async (ether: BarSeries, last: number) => {
      const account = { ...held.account, lastBarTime: btc.time[last]! };
      const bar = await new NextBars(marketOf(ether)).next(deployed, { ...held, account }, startMs);
      return bar && openTime(bar);
    };
    assert.equal(await nextAfter(eth, BARS - 2), btc.time[BARS - 1]);
    assert.equal(await nextAfter(sliceBars(eth, 0, BARS - 1), BARS - 2), null, 'ETH may still come');
    assert.equal(await nextAfter(sliceBars(eth, 0, BARS - 1), BARS - 3), btc.time[BARS - 2]);
    assert.equal(await nextAfter(sliceBars(eth, 0, BARS - 9), BARS - 3), btc.time[BARS - 2], 'ETH has ended');
    assert.equal(await nextAfter(eth, BARS - 1), null);
  }
});

test('processes take portfolios through every time once, and what they hold is shown by asset', async () => {
  const store = new SqlDeployedStore((await sharedState()).db);
  const market = marketOf(eth);
  const set = setOf({ ...livelyPortfolio, id: 'many' }, { ...dailyRotation, id: 'weights' });
  const deps = {
    ...{ set, store, market, replay, nowMs: () => 1, sleep: async () => {}, onEvents: async () => {} },
    onInternalError: (error: unknown) => assert.fail(String(error)),
  };
  const feed = new DeployedFeed({ store, onInternalError: deps.onInternalError });
  for (const deployed of set.strategies.values()) {
    const expected = await wholeReplay(deployed, market, replay);
    for (let waiting = 0; waiting < 2; ) {
      const outcomes = await Promise.all(
        [new DeployedRunner(deps), new DeployedRunner(deps)].map((one) => one.tick(deployed)),
      );
      waiting = outcomes.filter((outcome) => outcome === 'waiting').length;
    }
    const { id } = deployed;
    assert.equal(expected.equity.length, 120);
    const { tickedAtMs: _, ...held } = expected.progress;
    const [record] = await store.list([id]);
    assert.deepEqual({ ...record, ...held }, record, 'the account is the same to the last bit');
    assert.deepEqual((await store.trades([id], 1_000)).get(id)?.reverse(), expected.trades);

    const reading = { set, store, feed, market, replay, nowMs: () => 1 };
    const shown = await getDeployedState(id, reading);
    assert.equal(shown.account_value, expected.equity.at(-1));
    assert.equal(shown.last_price, null);
    const closes: Readonly<Record<string, number>> = { BTC: btc.close[BARS - 1]!, ETH: eth.close[BARS - 1]! };
    for (const { asset, entry_price, position_size, unrealized_pnl, side } of shown.positions) {
      const sign = side === 'short' ? -1 : 1;
      assert.equal(unrealized_pnl, sign * position_size * (closes[asset]! - entry_price));
    }
    if (id === 'weights') {
      const worth = shown.positions.reduce((sum, one) => sum + one.position_size * closes[one.asset]!, 0);
      assert.ok(Math.abs(shown.cash_balance + worth - shown.account_value) < 1e-6);
    }
    const listed = (await listDeployed(reading)).strategies.find((one) => one.id === id);
    assert.deepEqual(
      [listed?.assets, listed?.asset],
      id === 'many' ? [['BTC', 'ETH'], 'BTC,ETH'] : [['ETH', 'BTC'], 'ETH,BTC'],
    );
    assert.deepEqual([listed?.trigger_name, listed?.status], [null, 'active']);
  }
});
