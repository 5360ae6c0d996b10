import assert from 'node:assert/strict';
import { contract } from '../../support/contract.js';
import { MANAGEMENT_KEY } from '../../support/service.js';

/** The service holds the bundled bars: those of BTC and ETH by the hour, those of the others by the day. */

const held = ['BNB', 'BTC', 'ETH', 'SOL', 'XRP'];

const management = { managementKey: MANAGEMENT_KEY };
const symbols = (body: { assets: { symbol: string }[] }) => body.assets.map(({ symbol }) => symbol);

contract('an asset is found in any case, and an unknown one is not', async ({ api }) => {
  const { body } = await api.call('CryptoAssets.Get', { symbol: 'btc' });
  assert.deepEqual([body.asset.symbol, body.asset.name], ['BTC', 'Bitcoin']);
  assert.deepEqual((await api.call('CryptoAssets.Get', { symbol: 'BTC-USDT' })).body.asset, body.asset);
  const { body: listings } = await api.call('CryptoAssets.ListExchangesOf', { symbol: 'eth' });
  assert.deepEqual([listings.symbol, listings.source], ['ETH', 'recorded']);
  const { body: exchanges } = await api.call('CryptoAssets.ListExchanges');
  assert.deepEqual(exchanges.exchanges.slice(0, listings.count), listings.exchanges);
  assert.deepEqual([exchanges.count, exchanges.source], [exchanges.exchanges.length, 'recorded']);
  const { body: analysis } = await api.call('CryptoAssets.AnalyseRisk', { asset_id: body.asset.id });
  assert.deepEqual([analysis.status, analysis.symbol], ['completed', 'BTC']);
  assert.deepEqual(analysis.risk_scores, body.asset.risk_scores);
  assert.deepEqual((await api.call('CryptoAssets.AnalyseRisk', { asset_id: 'btc' })).body.asset_id, body.asset.id);
  for (const method of ['Get', 'ListExchangesOf', 'GetMarketData', 'GetCandles'] as const) {
    const { code } = await api.call(`CryptoAssets.${method}`, { symbol: 'NOPE' });
    assert.equal(code, 'RESOURCE_NOT_FOUND', method);
  }
  assert.equal((await api.call('CryptoAssets.AnalyseRisk', { asset_id: 'NOPE' })).code, 'RESOURCE_NOT_FOUND');
});

contract('operators approve and suspend assets', async ({ api }) => {
  const approved = async () => symbols((await api.call('CryptoAssets.ListApproved')).body).sort();
  assert.deepEqual(await approved(), held);
  const { body } = await api.call('CryptoAssets.Suspend', { symbol: 'eth' }, management);
  assert.deepEqual([body.asset.symbol, body.asset.is_approved], ['ETH', false]);
  const others = held.filter((symbol) => symbol !== 'ETH');
  assert.deepEqual(await approved(), others);
  assert.deepEqual(symbols((await api.call('CryptoAssets.ListAll', { approved: false })).body), ['ETH']);
  assert.deepEqual(symbols((await api.call('CryptoAssets.Query')).body).sort(), others);
  assert.equal((await api.call('CryptoAssets.Query', { approved_only: false })).body.count, held.length);
  const { body: again } = await api.call('CryptoAssets.Approve', { symbol: 'ETH' }, management);
  assert.equal(again.asset.is_approved, true);
  assert.deepEqual(await approved(), held);
});
