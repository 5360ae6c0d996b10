import type { Route } from '../route.js';
import { flagInQuery, id, numberInQuery, orNull, textInBody, textInQuery, time, z } from '../zod.js';
import { asset, choice, exchange, riskInputs, riskScores, update } from './crypto-asset-schemas.js';
import { provenance } from './provenance.js';

const tag = 'Crypto assets';
const success = z.literal(true);

const filters = {
  approved_only: flagInQuery('true: only approved assets; default true for query, else false'),
  min_score: numberInQuery('lowest overall score, 0..100, default 0', { minimum: 0, maximum: 100, default: 0 }),
  limit: numberInQuery('1..1000, default 100', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }),
};
const filtersShown = { approved: z.boolean().nullable(), min_score: z.number(), limit: z.int() };

const symbolPath = '/crypto-assets/symbols/{symbol}';
const adminPath = '/crypto-assets/admin/symbols/{symbol}';
const assetReply = z.object({ success, asset, ...provenance });
const statusReply = z.object({ success, asset, auto_suspended: z.boolean(), ...provenance });

const reads: readonly Route[] = [
  {
    method: 'get',
    path: '/crypto-assets/query',
    rpc: 'CryptoAssets.Query',
    summary: 'List assets with their risk for a choice, the best score first',
    tag,
    query: z.object(filters).partial(),
    response: z.object({
      success,
      count: z.int(),
      ...filtersShown,
      assets: z.array(z.object(choice)),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/crypto-assets/all',
    rpc: 'CryptoAssets.ListAll',
    summary: 'List assets with all that is known, the best score first',
    tag,
    query: z.object({ approved: flagInQuery('true: only approved assets; false: only others'), ...filters }).partial(),
    response: z.object({ success, count: z.int(), ...filtersShown, assets: z.array(asset), ...provenance }),
  },
  {
    method: 'get',
    path: '/crypto-assets/symbols',
    rpc: 'CryptoAssets.ListApproved',
    summary: 'List approved assets, the best score first',
    tag,
    response: z.object({ success, count: z.int(), assets: z.array(asset), ...provenance }),
  },
  {
    method: 'get',
    path: symbolPath,
    rpc: 'CryptoAssets.Get',
    summary: 'Read an asset',
    tag,
    response: assetReply,
  },
  {
    method: 'get',
    path: `${symbolPath}/exchanges`,
    rpc: 'CryptoAssets.ListExchangesOf',
    summary: 'List the exchanges of an asset',
    tag,
    response: z.object({ success, symbol: z.string(), count: z.int(), exchanges: z.array(exchange), ...provenance }),
  },
  {
    method: 'get',
    path: '/crypto-assets/exchanges',
    rpc: 'CryptoAssets.ListExchanges',
    summary: 'List exchanges',
    tag,
    response: z.object({ success, count: z.int(), exchanges: z.array(exchange), ...provenance }),
  },
  {
    method: 'post',
    path: '/crypto-assets/{asset_id}/risk-analysis',
    rpc: 'CryptoAssets.AnalyseRisk',
    summary: 'Evaluate the risk of an asset now',
    tag,
    response: z.object({
      success,
      status: z.literal('completed'),
      asset_id: id(),
      symbol: z.string(),
      overall_risk_score: z.number(),
      risk_scores: riskScores,
      risk_inputs: riskInputs,
      ...provenance,
    }),
  },
];

const markets: readonly Route[] = [
  {
    method: 'get',
    path: '/crypto-assets/trending',
    rpc: 'CryptoAssets.GetTrending',
    summary: 'List the assets that are most in demand',
    tag,
    response: z.object({
      success,
      count: z.int(),
      trending: z.array(
        z.object({
          symbol: z.string(),
          name: z.string(),
          rank: z.int(),
          market_cap_rank: z.int().nullable(),
          price_usd: z.number().nullable(),
          price_change_24h_pct: z.number().nullable(),
        }),
      ),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/crypto-assets/global-market',
    rpc: 'CryptoAssets.GetGlobalMarket',
    summary: 'Read the whole market: capitalization, dominance, change',
    tag,
    response: z.object({
      success,
      data: z.object({
        total_market_cap_usd: z.number(),
        btc_dominance: z.number().openapi({ description: 'percent of the capitalization of all assets' }),
        eth_dominance: z.number().openapi({ description: 'percent of the capitalization of all assets' }),
        market_cap_change_24h_pct: z.number(),
        total_volume_24h_usd: z.number(),
        active_cryptocurrencies: z.int(),
        source: z.string(),
        dominance_as_of: z.string().nullable().openapi({
          description: 'the day of capitalization and dominance where they are recorded facts',
        }),
        measured_assets: z.array(z.string()).openapi({
          description: 'the assets of which change, volume and number are, where these are made of the bars held',
        }),
      }),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/crypto-assets/market-data/{symbol}',
    rpc: 'CryptoAssets.GetMarketData',
    summary: 'Read the market of an asset',
    tag,
    query: z
      .object({
        provider: textInQuery('coingecko (the default) or coinapi', {
          enum: ['coingecko', 'coinapi'],
          default: 'coingecko',
        }),
      })
      .partial(),
    response: z.object({
      success,
      symbol: z.string(),
      provider: z.string().openapi({ description: 'the one that served, or recorded' }),
      data: z.object({
        current_price: z.number(),
        market_cap: z.number().openapi({ description: '0 where the supply is unknown' }),
        volume_24h: z.number(),
        price_change_24h_pct: z.number(),
        price_change_7d_pct: z.number().nullable(),
        high_24h: z.number().nullable(),
        low_24h: z.number().nullable(),
        last_updated: time(),
        source: z.string(),
      }),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/crypto-assets/ohlcv/{symbol}',
    rpc: 'CryptoAssets.GetCandles',
    summary: 'List the candles of an asset, oldest first',
    tag,
    query: z
      .object({
        days: numberInQuery('1..365, default 30', { type: 'integer', minimum: 1, maximum: 365, default: 30 }),
        provider: textInQuery('coinapi (the default) or coingecko; if it fails, the other one serves', {
          enum: ['coinapi', 'coingecko'],
          default: 'coinapi',
        }),
      })
      .partial(),
    response: z.object({
      success,
      symbol: z.string(),
      provider: z.string().openapi({ description: 'the one that served, or recorded' }),
      days: z.int(),
      interval: z.string().openapi({ description: 'length of a candle: 1h for one day, 4h up to 30 days, else 1d' }),
      data_points: z.int(),
      data: z.array(
        z.object({
          timestamp: time().openapi({ description: 'open time' }),
          open: z.number(),
          high: z.number(),
          low: z.number(),
          close: z.number(),
          volume: z.number().openapi({ description: 'in units of the asset' }),
        }),
      ),
      ...provenance,
    }),
  },
];

const admin: readonly Route[] = [
  {
    method: 'post',
    path: '/crypto-assets/admin/update-all',
    rpc: 'CryptoAssets.UpdateAll',
    summary: 'Evaluate all assets in the background, or see how far that is; needs the management key',
    tag,
    response: z.object({
      success,
      message: z.string(),
      results: update,
      previous: orNull(update),
    }),
  },
  {
    method: 'post',
    path: `${adminPath}/approve`,
    rpc: 'CryptoAssets.Approve',
    summary: 'Approve an asset; needs the management key',
    tag,
    response: assetReply,
  },
  {
    method: 'post',
    path: `${adminPath}/suspend`,
    rpc: 'CryptoAssets.Suspend',
    summary: 'Take the approval of an asset away; needs the management key',
    tag,
    response: assetReply,
  },
  {
    method: 'patch',
    path: `${adminPath}/regulatory-status`,
    rpc: 'CryptoAssets.SetRegulatoryStatus',
    summary: 'Set the regulatory status of an asset; a banned one loses its approval; needs the management key',
    tag,
    body: z
      .object({
        status: textInBody('what the law says of it', { enum: ['pending', 'approved', 'restricted', 'banned'] }),
      })
      .partial(),
    required: ['status'],
    response: statusReply,
  },
  {
    method: 'patch',
    path: `${adminPath}/security-status`,
    rpc: 'CryptoAssets.SetSecurityStatus',
    summary: 'Set the security status of an asset; a compromised one loses its approval; needs the management key',
    tag,
    body: z
      .object({
        status: textInBody('what audits say of it', { enum: ['pending', 'secure', 'vulnerable', 'compromised'] }),
      })
      .partial(),
    required: ['status'],
    response: statusReply,
  },
];

export const cryptoAssetRoutes: readonly Route[] = [...reads, ...markets, ...admin];
