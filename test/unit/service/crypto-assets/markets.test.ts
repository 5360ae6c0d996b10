import assert from 'node:assert/strict';
import test from 'node:test';
import type { CandleSource, Candles } from '../../../../data/upstreams/assets/index.js';
import { type Sourced, UpstreamFault } from '../../../../data/upstreams/index.js';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { AssetMarkets } from '../../../../service/crypto-assets/markets.js';
import { TestAssetSource } from '../../../support/asset-source.js';

const candles: Candles = {
  intervalMs: HOUR_MS,
  candles: [{ timeMs: 0, open: 1, high: 2, low: 1, close: 2, volume: 3 }],
};

type Outcome = 'fresh' | 'stale' | 'unknown' | 'down';

/** A provider of candles with a fixed outcome, and whether it was asked. */
function provider(name: string, outcome: Outcome, asked: string[]): CandleSource {
  return {
    async candles(): Promise<Sourced<Candles | null>> {
      asked.push(name);
      if (outcome === 'down') throw new UpstreamFault(name, 'server', 'HTTP 503');
      const value = outcome === 'unknown' ? null : candles;
      return { value, source: name, asOfMs: null, ageMs: 5_000, maxAgeMs: 60_000, isStale: outcome === 'stale' };
    },
  };
}

/** Asks for candles of a provider while both have an outcome. @returns who served, or the code */
async function served(coinapi: Outcome, coingecko: Outcome, wanted?: string) {
  const asked: string[] = [];
  const markets = new AssetMarkets({
    source: new TestAssetSource(true, ['BTC']),
    candles: {
      coinapi: provider('coinapi', coinapi, asked),
      coingecko: provider('coingecko', coingecko, asked),
    },
  });
  const request = { symbol: 'btc', ...(wanted === undefined ? {} : { provider: wanted }) };
  try {
    const answer = await markets.candles(request);
    return [answer.provider, answer.is_stale, asked.join(' ')];
  } catch (error) {
    return [error instanceof UpstreamFault ? error.message : (error as { code: string }).code, null, asked.join(' ')];
  }
}

test('the provider asked for serves, and the other one where it fails', async () => {
  const both = 'coinapi coingecko';
  assert.deepEqual(await served('fresh', 'fresh'), ['coinapi', false, 'coinapi']);
  assert.deepEqual(await served('fresh', 'fresh', 'coingecko'), ['coingecko', false, 'coingecko']);
  assert.deepEqual(await served('down', 'fresh'), ['coingecko', false, both]);
  assert.deepEqual(await served('fresh', 'down', 'coingecko'), ['coinapi', false, 'coingecko coinapi']);
  assert.deepEqual(await served('unknown', 'fresh'), ['coingecko', false, both]);
  assert.deepEqual(await served('stale', 'fresh'), ['coingecko', false, both]);
  assert.deepEqual(await served('stale', 'stale'), ['coinapi', true, both], 'an old answer is better than an error');
  assert.deepEqual(await served('stale', 'down'), ['coinapi', true, both]);
  assert.deepEqual(await served('down', 'stale'), ['coingecko', true, both]);
  assert.deepEqual(await served('down', 'down'), ['coinapi: HTTP 503', null, both], 'the error of the first');
  assert.deepEqual(await served('down', 'unknown'), ['coinapi: HTTP 503', null, both], 'the first may know it');
  assert.deepEqual(await served('unknown', 'unknown'), ['RESOURCE_NOT_FOUND', null, both]);
});

test('with one live provider it serves under both names; without one the held data do', async () => {
  const asked: string[] = [];
  const source = new TestAssetSource(false, ['BTC']);
  source.candlesFound = async () => ({
    value: candles,
    source: 'recorded',
    asOfMs: 0,
    ageMs: 0,
    maxAgeMs: 0,
    isStale: false,
  });
  const one = new AssetMarkets({ source, candles: { coingecko: provider('coingecko', 'fresh', asked) } });
  const none = new AssetMarkets({ source, candles: {} });
  for (const name of ['coinapi', 'coingecko']) {
    assert.equal((await one.candles({ symbol: 'BTC', provider: name })).provider, 'coingecko');
    assert.equal((await none.candles({ symbol: 'BTC', provider: name })).provider, 'recorded');
  }
});
