import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { type AssetSource, CANDLE_DAYS_MAX, type CandleSource } from '../../data/upstreams/assets/index.js';
import { DAY_MS } from '../../engine/series/index.js';

/** What every source of candles promises; each of them knows BTC and ETH. */
export function testCandleSource(name: string, open: (t: TestContext) => Promise<CandleSource>): void {
  for (const days of [1, 2, 30, 31, CANDLE_DAYS_MAX]) {
    test(`${name}: candles of ${days} days lie on their grid, in order and within the days`, async (t) => {
      const { value } = await (await open(t)).candles('BTC', days);
      assert.ok(value !== null);
      const { intervalMs, candles } = value;
      assert.ok(candles.length > 0 && candles.length <= days * 48, `${candles.length}`);
      const span = (candles.at(-1)?.timeMs ?? 0) + intervalMs - (candles[0]?.timeMs ?? 0);
      assert.ok(span <= days * DAY_MS, `${span / DAY_MS} days`);
      assert.ok(span >= days * DAY_MS - 2 * intervalMs, `${span / DAY_MS} days`);
      let before = 0;
      for (const { timeMs, open, high, low, close, volume } of candles) {
        assert.ok(timeMs > before && (timeMs - (candles[0]?.timeMs ?? 0)) % intervalMs === 0);
        assert.ok(low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close) && volume >= 0);
        before = timeMs;
      }
    });
  }

  test(`${name}: an unknown asset has no candles`, async (t) => {
    assert.equal((await (await open(t)).candles('NOPE', 30)).value, null);
  });
}

/**
 * What every source of assets promises.
 *
 * @param symbols of its assets, the largest first
 */
export function testAssetSource(
  name: string,
  symbols: readonly string[],
  open: (t: TestContext) => Promise<AssetSource>,
): void {
  testCandleSource(name, open);

  test(`${name}: each listed asset appears once, and has a profile`, async (t) => {
    const source = await open(t);
    const { value: listed } = await source.listed();
    assert.deepEqual(
      listed.map(({ symbol }) => symbol),
      symbols,
    );
    assert.ok(listed.every(({ revision }) => (revision === null) === source.isLive));
    for (const { symbol, name } of listed) {
      const { value: profile } = await source.profile(symbol);
      assert.ok(profile !== null);
      assert.deepEqual([profile.symbol, profile.name], [symbol, name]);
      assert.ok(profile.priceUsd > 0 && (profile.marketCapUsd ?? 0) > profile.volume24hUsd);
      assert.ok((profile.volatility30d ?? 0) > 0 && (profile.drawdown30d ?? 1) < 1);
      assert.ok((profile.launchedAtMs ?? Infinity) < profile.asOfMs);
      const tiers = profile.exchanges.map(({ tier }) => tier);
      assert.ok(tiers.length > 0 && tiers.every((tier) => tier >= 1 && tier <= 3));
    }
  });

  test(`${name}: the exchanges of a profile are among all exchanges, the best first`, async (t) => {
    const source = await open(t);
    const { value: all } = await source.exchanges();
    const { value: profile } = await source.profile('BTC');
    assert.deepEqual(
      profile?.exchanges,
      all.filter(({ name }) => profile?.exchanges.some((each) => each.name === name)),
    );
    assert.deepEqual(
      all.map(({ tier }) => tier),
      all.map(({ tier }) => tier).toSorted(),
    );
  });

  test(`${name}: the market of an asset agrees with its profile`, async (t) => {
    const source = await open(t);
    const { value: snapshot } = await source.snapshot('ETH');
    const { value: profile } = await source.profile('ETH');
    assert.ok(snapshot !== null && profile !== null);
    assert.deepEqual([snapshot.symbol, snapshot.price], ['ETH', profile.priceUsd]);
    assert.equal(snapshot.marketCap, profile.marketCapUsd);
    assert.ok((snapshot.low24h ?? 0) <= snapshot.price && (snapshot.high24h ?? 0) >= snapshot.price);
    assert.ok(Math.abs(snapshot.change24hPct ?? 99) < 50 && Math.abs(snapshot.change7dPct ?? 99) < 50);
  });

  test(`${name}: unknown assets have neither profile nor market`, async (t) => {
    const source = await open(t);
    assert.equal((await source.profile('NOPE')).value, null);
    assert.equal((await source.snapshot('NOPE')).value, null);
  });

  test(`${name}: trending assets and the whole market are plausible`, async (t) => {
    const source = await open(t);
    const { value: trending } = await source.trending();
    assert.deepEqual(trending.map(({ symbol }) => symbol).sort(), symbols.toSorted());
    assert.deepEqual(
      trending.map(({ marketCapRank }) => marketCapRank).sort(),
      symbols.map((_, i) => i + 1),
    );
    const { value: market } = await source.globalMarket();
    assert.ok(market.marketCapUsd > 1e12 && market.volume24hUsd > 0 && market.assets >= 2);
    assert.ok(market.btcDominancePct > market.ethDominancePct);
    assert.ok(market.btcDominancePct + market.ethDominancePct <= 100.000001);
    assert.ok(Math.abs(market.marketCapChange24hPct) < 50);
  });
}
