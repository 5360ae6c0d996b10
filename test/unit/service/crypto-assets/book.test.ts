import assert from 'node:assert/strict';
import test from 'node:test';
import { derivedUuid } from '../../../../data/hashes/index.js';
import { recorded, type Sourced, UpstreamFault } from '../../../../data/upstreams/index.js';
import { generated } from '../../../../data/upstreams/sourced.js';
import { CryptoAssets } from '../../../../service/crypto-assets/assets.js';
import { AssetBook } from '../../../../service/crypto-assets/book.js';
import { SqlCryptoAssetStore } from '../../../../service/crypto-assets/store.js';
import type { State } from '../../../../service/state/index.js';
import { profileOf, TestAssetSource } from '../../../support/asset-source.js';
import { deleteRows, sharedState } from '../../../support/shared-state.js';

let state: State;
test.before(async () => {
  state = await sharedState();
});

async function world(isLive: boolean, symbols: readonly string[]) {
  await deleteRows(state.db);
  const time = { nowMs: 1_000_000 };
  const holders: { share: Sourced<number | null> } = { share: recorded(10, 0) };
  const source = new TestAssetSource(isLive, symbols);
  const store = new SqlCryptoAssetStore(state.db);
  const over = (other: TestAssetSource) =>
    new AssetBook({
      store,
      source: other,
      holderShare: async () => holders.share,
      clock: () => time.nowMs,
      assetId: (symbol) => derivedUuid(symbol),
    });
  const book = over(source);
  return { time, holders, source, store, book, over, assets: new CryptoAssets(book, source) };
}

const symbolsOf = (body: { readonly assets: readonly { readonly symbol: string }[] }) =>
  body.assets.map(({ symbol }) => symbol);

test('recorded data are evaluated at the first call, and again when their record changes', async () => {
  const { source, assets } = await world(false, ['A', 'B']);
  assert.equal((await assets.all({})).count, 2);
  await assets.all({});
  await assets.get('a');
  assert.deepEqual(source.asked.sort(), ['A', 'B']);
  source.revisions.set('B', 'r2');
  await assets.all({});
  assert.deepEqual(source.asked.slice(2), ['B']);
  source.revisions.delete('A');
  assert.deepEqual(symbolsOf(await assets.all({})), ['B']);
  await assert.rejects(assets.get('A'), { code: 'RESOURCE_NOT_FOUND', message: 'asset A not found' });
});

test('lists of a provider have what an update evaluated; one asset is evaluated when asked for', async () => {
  const { time, source, assets, book } = await world(true, ['A', 'B']);
  assert.equal((await assets.all({})).count, 0);
  assert.equal((await assets.get('A')).asset.symbol, 'A');
  assert.deepEqual(symbolsOf(await assets.all({})), ['A']);
  time.nowMs += 3_600_000;
  const { source: from, age_seconds, max_age_seconds, is_stale } = await assets.get('A');
  assert.deepEqual([from, age_seconds, max_age_seconds, is_stale], ['coingecko', 3_600, 90_000, false]);
  assert.deepEqual(source.asked, ['A']);
  time.nowMs += 90_000_000;
  assert.equal((await assets.get('A')).is_stale, true, 'no update came');
  await book.refresh('A');
  assert.deepEqual([(await assets.get('A')).is_stale, (await assets.get('A')).age_seconds], [false, 0]);
});

test('an asset is approved from a score of 60 on, until an operator decides', async () => {
  const { source, store, assets } = await world(false, ['GOOD', 'WEAK']);
  source.profiles.set('WEAK', profileOf('WEAK', { marketCapUsd: null, exchanges: [] }));
  const { assets: all } = await assets.all({});
  assert.deepEqual(
    all.map(({ symbol, is_approved }) => [symbol, is_approved]),
    [
      ['GOOD', true],
      ['WEAK', false],
    ],
  );
  assert.equal(all[1]?.market_cap_usd, 0);
  assert.equal(all[1]?.risk_inputs.market_cap_usd, null);
  await store.setApproval('WEAK', true, 1);
  source.revisions.set('WEAK', 'r2');
  assert.deepEqual(symbolsOf(await assets.approved()), ['GOOD', 'WEAK']);
});

test('a drawn share of holders makes a held profile a generated one, and is no part of a live one', async () => {
  for (const [isLive, share, source, pct, drawn] of [
    [false, generated(30, 0), 'generated', 30, ['top_10_holders_pct']],
    [false, recorded(30, 0), 'recorded', 30, []],
    [true, generated(30, 0), 'coingecko', null, []],
    [true, { ...recorded(30, 0), source: 'nansen' }, 'coingecko', 30, []],
  ] as const) {
    const { holders, assets } = await world(isLive, ['A']);
    holders.share = share;
    const { asset } = await assets.get('A');
    assert.equal(asset.source, source);
    assert.deepEqual([asset.risk_inputs.top_10_holders_pct, asset.risk_inputs.generated], [pct, drawn]);
  }
});

test('while a provider fails, its lists have what is stored, marked as stale', async () => {
  const { source, assets } = await world(true, ['A', 'B']);
  source.fault = new UpstreamFault('coingecko', 'server', 'HTTP 503');
  await assert.rejects(assets.all({}), source.fault);
  await assets.get('A');
  const { count, source: from, is_stale } = await assets.all({});
  assert.deepEqual([count, from, is_stale], [1, 'coingecko', true]);
  source.fault = new Error('a bug');
  await assert.rejects(assets.all({}), source.fault);
});
