import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { type BarStore, openBars } from '../../../../../data/bars/index.js';
import { openStoredMarketData } from '../../../../../data/providers/index.js';
import { openHeldAssets } from '../../../../../data/upstreams/assets/index.js';
import { DAY_MS, HOUR_MS, isoTime } from '../../../../../engine/series/index.js';
import { testAssetSource } from '../../../../support/asset-source-contract.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';
import { root } from '../../../../support/tree.js';

const SAMPLE = join(root, 'sample');

/** Assets over a home of its own and, unless `sampleDir` says otherwise, the bundled bars. */
function heldAssets(sampleDir?: string) {
  const bars = openBars({ home: temporaryFolder('assets'), sampleDir });
  return { bars, source: openHeldAssets({ bars, market: openStoredMarketData(bars) }) };
}

const bundled = ['BTC', 'ETH', 'XRP', 'BNB', 'SOL'];
testAssetSource('held', bundled, async () => heldAssets(SAMPLE).source);

/** 40 days of hourly bars: 100 until the last 24 hours, then 90. */
async function importFalling(bars: BarStore, asset: string, endMs: number) {
  const lines = ['timestamp,open,high,low,close,volume'];
  for (let hour = 40 * 24; hour >= 1; hour--) {
    const price = hour <= 24 ? 90 : 100;
    lines.push([isoTime(endMs - hour * HOUR_MS), price, price + 1, price - 1, price, hour <= 24 ? 20 : 10].join(','));
  }
  const path = join(temporaryFolder('bars'), 'bars.csv');
  await writeFile(path, lines.join('\n'));
  await bars.import(path, { asset, exchange: 'Binance', replace: true });
}

const END_MS = Date.parse('2025-01-02T00:00:00Z');

test('prices, volumes, volatility and drawdown come from the bars', async () => {
  const { bars, source } = heldAssets();
  await importFalling(bars, 'FOO', END_MS);
  const { value: profile, source: from } = await source.profile('FOO');
  assert.ok(profile !== null);
  assert.equal(from, 'recorded');
  const { symbol, name, asOfMs, priceUsd, marketCapUsd, volume24hUsd, drawdown30d, launchedAtMs } = profile;
  assert.deepEqual({ symbol, name, asOfMs, priceUsd }, { symbol: 'FOO', name: 'FOO', asOfMs: END_MS, priceUsd: 90 });
  assert.deepEqual([marketCapUsd, launchedAtMs], [null, null], 'nothing is known of its supply');
  assert.equal(volume24hUsd, 24 * 20 * 90);
  assert.ok(Math.abs((drawdown30d ?? 0) - 0.1) < 1e-12);
  // One of thirty daily returns is ln 0.9, the others are 0.
  const expected = Math.abs(Math.log(0.9)) * Math.sqrt((1 / 29) * (1 - 1 / 30)) * Math.sqrt(365);
  assert.ok(Math.abs((profile.volatility30d ?? 0) - expected) < 1e-12);
  assert.deepEqual(
    profile.exchanges.map(({ name: exchange }) => exchange),
    ['binance'],
    'the exchange of its bars',
  );
  const { value: snapshot } = await source.snapshot('FOO');
  assert.deepEqual([snapshot?.high24h, snapshot?.low24h, snapshot?.marketCap], [91, 89, null]);
  assert.ok(Math.abs((snapshot?.change24hPct ?? 0) + 10) < 1e-9 && Math.abs((snapshot?.change7dPct ?? 0) + 10) < 1e-9);
});

test('an import shows at the next call, and changes the revision of its asset alone', async () => {
  const { bars, source } = heldAssets(SAMPLE);
  const { value: before } = await source.listed();
  await importFalling(bars, 'AVAX', END_MS);
  const { value: after } = await source.listed();
  assert.deepEqual(
    after.map(({ symbol, name }) => `${symbol} ${name}`),
    ['BTC Bitcoin', 'ETH Ethereum', 'XRP XRP', 'BNB BNB', 'SOL Solana', 'AVAX Avalanche'],
  );
  assert.deepEqual(after.slice(0, bundled.length), before);
  await importFalling(bars, 'AVAX', END_MS + DAY_MS);
  const { value: renewed } = await source.listed();
  assert.notEqual(renewed.at(-1)?.revision, after.at(-1)?.revision);
  assert.deepEqual(renewed.slice(0, bundled.length), before);
  assert.equal((await source.profile('AVAX')).value?.asOfMs, END_MS + DAY_MS);
});

test('perpetuals are no assets, and assets that end earlier are no part of the whole market', async () => {
  const { bars, source } = heldAssets();
  await importFalling(bars, 'BTC', END_MS);
  await importFalling(bars, 'ETH', END_MS - 2 * DAY_MS);
  await importFalling(bars, 'SOL-PERP', END_MS);
  assert.deepEqual(
    (await source.listed()).value.map(({ symbol }) => symbol),
    ['ETH', 'BTC'],
    'by supply, as their prices are equal',
  );
  const { value: market } = await source.globalMarket();
  assert.deepEqual([market.assets, market.measuredAssets, market.dominanceAsOf], [1, ['BTC'], '2025-09-30']);
  assert.ok(market.btcDominancePct < 100, 'the share among the assets held is no dominance');
  assert.ok(Math.abs(market.marketCapChange24hPct + 10) < 1e-9);
});

test('without bars there are no assets', async () => {
  const { source } = heldAssets();
  assert.deepEqual((await source.listed()).value, []);
  assert.deepEqual((await source.trending()).value, []);
  const { value, asOfMs } = await source.globalMarket();
  assert.deepEqual([value.measuredAssets, value.volume24hUsd, value.marketCapChange24hPct], [[], 0, 0]);
  assert.equal(asOfMs, Date.UTC(2025, 8, 30), 'of the facts');
});
