import assert from 'node:assert/strict';
import type { UnaryName } from '../../../rpc/index.js';
import type { Api } from '../../support/api.js';
import { contract } from '../../support/contract.js';
import { assertLocal } from '../../support/provenance.js';
import { assertRefused } from '../../support/refusals.js';

const DAY = '2025-09-19';
const WEEK_AGO = '2025-09-12';

const near = (actual: number, expected: number, what: string) =>
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${what}: ${actual}, ${expected}`);

// biome-ignore lint/suspicious/noExplicitAny: each test asserts the fields it expects
type Row = any;

async function ok(api: Api, method: UnaryName, request: object = {}): Promise<Row> {
  const { code, message, body } = await api.call(method, request);
  assert.equal(code, 'OK', `${method} ${JSON.stringify(request)}: ${message}`);
  return body;
}

contract('every on-chain answer says that it is generated', async ({ api }) => {
  const calls: readonly [UnaryName, object][] = [
    ['OnChain.GetSentiment', { symbol: 'ETH' }],
    ['OnChain.ScreenSmartMoney', {}],
    ['OnChain.GetConcentration', { symbol: 'ETH' }],
    ['OnChain.ListWhaleTransactions', {}],
    ['OnChain.GetExchangeFlows', {}],
    ['OnChain.GetWhaleActivity', { symbol: 'BTC' }],
    ['OnChain.ListHistoricalHoldings', {}],
    ['OnChain.ListDexTrades', {}],
    ['OnChain.ListPerpTrades', {}],
    ['OnChain.ListTokenDexTrades', { symbol: 'UNI' }],
    ['OnChain.ListTokenFlows', { symbol: 'UNI' }],
    ['OnChain.ReadSeries', { symbol: 'ETH', metrics: ['SmartMoneyNetflow'] }],
    ['OnChain.GetTokenHolders', { symbol: 'ETH' }],
    ['OnChain.GetFlowIntelligence', { symbol: 'ETH' }],
    ['OnChain.ListNetflows', {}],
    ['OnChain.ListHoldings', {}],
  ];
  for (const [method, request] of calls) {
    const body = await ok(api, method, request);
    assertLocal(body, 'generated');
    if (body.data !== undefined && !Array.isArray(body.data)) assert.equal(body.data.source, 'generated', method);
  }
});

contract(
  'sentiment names the side that trades a tenth more, and agrees with the screen and the net flows',
  async ({ api }) => {
    for (const symbol of ['BTC', 'ETH', 'LINK']) {
      const sentiment = await ok(api, 'OnChain.GetSentiment', { symbol });
      const { smart_money_inflow_usd: inflow, smart_money_outflow_usd: outflow, net_flow_usd: net } = sentiment;
      near(net, inflow - outflow, 'net flow');
      const share = net / (inflow + outflow);
      assert.equal(sentiment.sentiment, share > 0.1 ? 'accumulating' : share < -0.1 ? 'distributing' : 'neutral');
      const screen = await ok(api, 'OnChain.ScreenSmartMoney');
      near(screen.tokens.find((row: Row) => row.symbol === symbol).net_flow_usd, net, 'screen');
      const labels = 'Fund,Smart Trader,30D Smart Trader,90D Smart Trader,180D Smart Trader';
      const netflows = await ok(api, 'OnChain.ListNetflows', { labels, limit: 1_000 });
      near(netflows.data.find((each: Row) => each.symbol === symbol).inflow_usd, inflow, 'inflow');
    }
  },
);

contract('an unknown token, or one that is not on the chain, is not found', async ({ api }) => {
  const methods: readonly UnaryName[] = [
    'OnChain.GetSentiment',
    'OnChain.GetConcentration',
    'OnChain.ListWhaleTransactions',
    'OnChain.GetExchangeFlows',
    'OnChain.GetWhaleActivity',
    'OnChain.ListTokenDexTrades',
    'OnChain.ListTokenFlows',
    'OnChain.GetTokenHolders',
    'OnChain.GetFlowIntelligence',
  ];
  const refused = async (method: UnaryName, request: object, message: RegExp) =>
    assertRefused(await api.call(method, request), 'RESOURCE_NOT_FOUND', message);
  for (const method of methods) await refused(method, { symbol: 'NOPE' }, /^token NOPE not found$/);
  await refused('OnChain.ReadSeries', { symbol: 'NOPE', metrics: ['ExchangeNetflow'] }, /NOPE/);
  await refused('OnChain.GetSentiment', { symbol: 'UNI', chain: 'solana' }, /^token UNI on solana not found$/);
  await refused('OnChain.ListTokenFlows', { symbol: 'tether' }, /stablecoin/);
  const unknown = /^chain "mars" not found, known are ethereum, /;
  await refused('OnChain.ScreenSmartMoney', { chains: 'ethereum,mars' }, unknown);
  await refused('OnChain.ListDexTrades', { chains: ['mars'] }, unknown);
});

contract('filters, orders and windows are checked, and the message lists what is allowed', async ({ api }) => {
  const window = (from: string, to: string) => ({ date_range: { from, to } });
  const cases: readonly [UnaryName, object, RegExp][] = [
    ['OnChain.ListNetflows', { labels: 'Fund,Friend' }, /^labels must be one of Fund, .*, was "Friend"$/],
    ['OnChain.ListDexTrades', { filters: { side: 'hold' } }, /^filters\.side must be one of buy, sell, was "hold"$/],
    ['OnChain.ListDexTrades', { order_by: [{ field: 'value_usd', direction: 'UP' }] }, /direction must be ASC or DESC/],
    ['OnChain.ListPerpTrades', { order_by: [{ field: 'side', direction: 'ASC' }] }, /one of block_timestamp, /],
    ['OnChain.ListPerpTrades', { chains: ['ethereum'] }, /^chains must be absent/],
    ['OnChain.ListPerpTrades', { filters: { value_usd: 5 } }, /^filters\.value_usd must be an object \{min, max\}/],
    [
      'OnChain.ReadSeries',
      { symbol: 'ETH', metrics: ['SmartMoneyNetflow'], provider: 'whalealert' },
      /^metrics\[0\] must be one of ExchangeNetflow, WhaleNetInflow from whalealert/,
    ],
    ['OnChain.ListHistoricalHoldings', window('2025-09-02', '2025-09-01'), /^date_range\.from must be at or before to/],
    ['OnChain.ListHistoricalHoldings', window('2020-01-01', '2025-01-01'), /^date_range must be at most 366 days long/],
  ];
  for (const [method, request, message] of cases) {
    assertRefused(await api.call(method, request), 'INVALID_FIELD', message);
  }
});

contract('defaults are filled in and shown', async ({ api }) => {
  const screen = await ok(api, 'OnChain.ScreenSmartMoney');
  assert.deepEqual([screen.chains, screen.timeframe, screen.count], [['ethereum'], '24h', screen.tokens.length]);
  const week = { from: WEEK_AGO, to: DAY };
  const trades = await ok(api, 'OnChain.ListTokenDexTrades', { symbol: 'UNI' });
  assert.deepEqual([trades.chain, trades.date_range], ['ethereum', week]);

  const to = await ok(api, 'OnChain.ListTokenFlows', { symbol: 'UNI', date_range: { to: '2024-03-10' } });
  assert.deepEqual(to.date_range, { from: '2024-03-03', to: '2024-03-10' });
  assert.equal(to.flows[0].date, '2024-03-10T23:00:00Z');
});

contract('series hold whole intervals, sums of flows and the last of levels', async ({ api }) => {
  const metrics = [
    'SmartMoneyNetflow',
    'SmartMoneyHoldings',
    'ExchangeNetflow',
    'WhaleNetInflow',
    'HolderConcentration',
  ];
  const read = (more: object) => ok(api, 'OnChain.ReadSeries', { symbol: 'ETH', metrics, ...more });
  const hourly = await read({});
  assert.deepEqual([hourly.interval, hourly.chain, hourly.metrics], ['1h', 'ethereum', metrics]);
  assert.deepEqual(hourly.date_range, { from: '2025-09-09', to: DAY });
  assert.equal(hourly.count, hourly.series.length);
  assert.equal(hourly.series[0].timestamp, '2025-09-09T00:00:00Z');
  assert.equal(hourly.series.at(-1).timestamp, '2025-09-19T22:00:00Z');
  for (const row of hourly.series) for (const metric of metrics) assert.equal(typeof row[metric], 'number');
  const daily = await read({ interval: '1d' });
  assert.equal(daily.series.at(-1).timestamp, '2025-09-18T00:00:00Z', 'the day that lasts is left out');
  for (const day of daily.series) {
    const hours = hourly.series.filter((row: Row) => row.timestamp.startsWith(day.timestamp.slice(0, 10)));
    const sum = hours.reduce((total: number, row: Row) => total + row.ExchangeNetflow, 0);
    near(day.ExchangeNetflow, sum, 'sum');
    assert.equal(day.SmartMoneyHoldings, hours.at(-1).SmartMoneyHoldings);
    assert.ok(day.HolderConcentration > 0 && day.HolderConcentration < 1);
  }
  const weekly = await read({ interval: '1w', metrics: ['ExchangeNetflow', 'ExchangeNetflow'] });
  assert.deepEqual([weekly.metrics, weekly.series[0].timestamp], [['ExchangeNetflow'], '2025-09-08T00:00:00Z']);
  const more = await read({ metrics: ['HolderConcentration'], top_n: 50 });
  assert.ok(more.series[0].HolderConcentration > hourly.series[0].HolderConcentration);
});

contract('a dated read without rows names the times that are held', async ({ api }) => {
  const date_range = { from: '2001-01-01', to: '2001-01-08' };
  const [flows, trades, holdings, series] = [
    await ok(api, 'OnChain.ListTokenFlows', { symbol: 'ETH', date_range }),
    await ok(api, 'OnChain.ListTokenDexTrades', { symbol: 'ETH', date_range }),
    await ok(api, 'OnChain.ListHistoricalHoldings', { date_range }),
    await ok(api, 'OnChain.ReadSeries', { symbol: 'ETH', metrics: ['SmartMoneyNetflow'], date_range }),
  ];
  assert.deepEqual([flows.count, trades.count, holdings.count], [0, 0, 0]);
  for (const { held } of [flows, trades, holdings, series]) {
    assert.ok(Date.parse(held.start) > Date.parse('2015-01-01'), held.start);
    assert.ok(held.start < held.end);
  }
  // Following what is said finds rows.
  const day = flows.held.end.slice(0, 10);
  const found = await ok(api, 'OnChain.ListTokenFlows', { symbol: 'ETH', date_range: { from: day, to: day } });
  assert.ok(found.count > 0);
  const whales = { symbol: 'ETH', metrics: ['WhaleNetInflow'], provider: 'whalealert', date_range };
  const { held } = await ok(api, 'OnChain.ReadSeries', whales);
  assert.equal(Date.parse(held.end) - Date.parse(held.start), 30 * 86_400_000);
});
