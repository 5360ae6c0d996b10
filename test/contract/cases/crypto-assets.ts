import assert from 'node:assert/strict';
import { contract } from '../../support/contract.js';
import { assertLocal } from '../../support/provenance.js';
import { MANAGEMENT_KEY } from '../../support/service.js';

/** The service holds the bundled bars: those of BTC and ETH by the hour, those of the others by the day. */

const held = ['BNB', 'BTC', 'ETH', 'SOL', 'XRP'];

const management = { managementKey: MANAGEMENT_KEY };
const symbols = (body: { assets: { symbol: string }[] }) => body.assets.map(({ symbol }) => symbol);

contract('assets are listed by overall score, with the figures that each score comes from', async ({ api }) => {
  const { body } = await api.call('CryptoAssets.ListAll');
  assert.deepEqual([body.count, body.limit, body.min_score, body.approved], [held.length, 100, 0, null]);
  assert.deepEqual(symbols(body).sort(), held);
  const scores = body.assets.map((asset: { overall_risk_score: number }) => asset.overall_risk_score);
  assert.deepEqual(
    scores,
    scores.toSorted((a: number, b: number) => b - a),
  );
  const bitcoin = body.assets.find((asset: { symbol: string }) => asset.symbol === 'BTC');
  const { overall, age, ...factors } = bitcoin.risk_scores;
  const weights: Record<string, number> = {
    market_cap: 0.25,
    liquidity: 0.25,
    exchange: 0.2,
    volatility: 0.1,
    price_stability: 0.1,
    supply_distribution: 0.1,
  };
  assert.deepEqual(Object.keys(factors), Object.keys(weights));
  const sum = Object.entries(weights).reduce((total, [name, weight]) => total + weight * factors[name], 0);
  assert.ok(Math.abs(sum - overall) < 1e-9 && overall === bitcoin.overall_risk_score);
  assert.deepEqual([factors.market_cap, factors.exchange, age], [100, 100, 100]);
  const { market_cap_usd: cap, volume_24h_usd: volume, ...inputs } = bitcoin.risk_inputs;
  assert.equal(cap, bitcoin.market_cap_usd);
  assert.equal(inputs.volume_to_market_cap, volume / cap);
  assert.ok(inputs.volatility_30d > 0.1 && inputs.volatility_30d < 2, inputs.volatility_30d);
  assert.ok(inputs.max_drawdown_30d > 0 && inputs.max_drawdown_30d < 1);
  assert.deepEqual(inputs.generated, ['top_10_holders_pct']);
  const holders = await api.call('OnChain.GetConcentration', { symbol: 'BTC' });
  assert.equal(inputs.top_10_holders_pct, holders.body.top_10_holders_pct);
  assert.equal(inputs.as_of, '2025-09-19T23:00:00Z');
  assert.deepEqual([bitcoin.source, body.source, body.is_stale], ['generated', 'generated', false]);
  assert.ok(bitcoin.metadata.exchanges.includes('binance') && bitcoin.metadata.age_days > 6_000);
  assert.deepEqual([bitcoin.regulatory_status, bitcoin.security_status], ['pending', 'pending']);
});

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

contract('prices, candles and the whole market come from the bars', async ({ api }) => {
  const { body: market } = await api.call('CryptoAssets.GetMarketData', { symbol: 'btc' });
  assert.deepEqual([market.symbol, market.provider, market.data.source], ['BTC', 'recorded', 'recorded']);
  const { body: candles } = await api.call('CryptoAssets.GetCandles', { symbol: 'BTC', days: 1 });
  assert.deepEqual([candles.interval, candles.days, candles.provider], ['1h', 1, 'recorded']);
  assert.equal(candles.data_points, candles.data.length);
  assert.equal(candles.data_points, 24);
  assert.equal(candles.data.at(-1).close, market.data.current_price);
  assert.equal(Math.max(...candles.data.map(({ high }: { high: number }) => high)), market.data.high_24h);
  assert.equal(Math.min(...candles.data.map(({ low }: { low: number }) => low)), market.data.low_24h);
  const { body: global } = await api.call('CryptoAssets.GetGlobalMarket');
  const { body: ether } = await api.call('CryptoAssets.GetMarketData', { symbol: 'ETH', provider: 'coinapi' });
  const others = await Promise.all(
    ['BNB', 'SOL', 'XRP'].map(async (symbol) => (await api.call('CryptoAssets.GetMarketData', { symbol })).body.data),
  );
  const volume = [market.data, ether.data, ...others].reduce((sum, { volume_24h }) => sum + volume_24h, 0);
  assert.ok(Math.abs(global.data.total_volume_24h_usd / volume - 1) < 1e-12);
  assertLocal(global, 'recorded', '2025-09-19T00:00:00Z');
  const { btc_dominance, eth_dominance, dominance_as_of, measured_assets } = global.data;
  assert.ok(btc_dominance > eth_dominance && btc_dominance + eth_dominance < 90, 'shares of all assets, not of two');
  assert.deepEqual([dominance_as_of, measured_assets.toSorted()], ['2025-09-30', held]);
  assert.deepEqual([global.data.active_cryptocurrencies, global.data.source], [held.length, 'recorded']);
  const { body: trending } = await api.call('CryptoAssets.GetTrending');
  assert.deepEqual(
    trending.trending.map(({ rank }: { rank: number }) => rank),
    held.map((_, i) => i + 1),
  );
  assert.equal(trending.count, held.length);
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

contract('a compromised or banned asset loses its approval and cannot be approved', async ({ api }) => {
  const cases = [
    ['SetSecurityStatus', 'security_status', 'compromised', 'secure'],
    ['SetRegulatoryStatus', 'regulatory_status', 'banned', 'approved'],
  ] as const;
  for (const [method, field, bad, good] of cases) {
    const set = (status: string) => api.call(`CryptoAssets.${method}`, { symbol: 'btc', status }, management);
    const { body } = await set(bad);
    assert.deepEqual([body.auto_suspended, body.asset.is_approved, body.asset[field]], [true, false, bad]);
    assert.equal((await set(bad)).body.auto_suspended, false, 'it was suspended before');
    const refused = await api.call('CryptoAssets.Approve', { symbol: 'BTC' }, management);
    assert.deepEqual(
      [refused.code, refused.message],
      ['INVALID_STATE', 'BTC is compromised or banned: change that status before you approve it'],
    );
    const { body: mended } = await set(good);
    assert.deepEqual([mended.auto_suspended, mended.asset.is_approved, mended.asset[field]], [false, false, good]);
    const { body: back } = await api.call('CryptoAssets.Approve', { symbol: 'BTC' }, management);
    assert.equal(back.asset.is_approved, true);
    assert.equal((await set('pending')).body.asset.is_approved, true);
  }
});

contract('an update of all assets evaluates each, and decisions stay', async ({ api }) => {
  await api.call('CryptoAssets.Suspend', { symbol: 'ETH' }, management);
  const { body: started } = await api.call('CryptoAssets.UpdateAll', {}, management);
  assert.match(started.message, /^(Update of 5 assets started|An update is running: [0-5] of 5 assets done)$/);
  assert.equal(started.results.total, held.length);
  const startMs = Date.parse(started.results.started_at);
  for (;;) {
    const { body } = await api.call('CryptoAssets.UpdateAll', {}, management);
    // It is still the unfinished one.
    if (body.previous?.update_id !== started.results.update_id) continue;
    const { done, failed, failures, status, finished_at: end } = body.previous;
    assert.deepEqual([done, failed, failures, status], [held.length, 0, [], 'completed']);
    assert.ok(Date.parse(end) >= startMs);
    break;
  }
  const { body } = await api.call('CryptoAssets.Approve', { symbol: 'ETH' }, management);
  assert.equal(body.asset.is_approved, true);
});
