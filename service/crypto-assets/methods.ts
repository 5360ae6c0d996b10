import type { UseCasesOf } from '../use-cases.js';
import type { AssetAdmin } from './admin.js';
import type { CryptoAssets } from './assets.js';
import type { AssetMarkets } from './markets.js';

interface CryptoAssetParts {
  readonly assets: CryptoAssets;
  readonly markets: AssetMarkets;
  readonly admin: AssetAdmin;
}

export const cryptoAssetMethods = ({ assets, markets, admin }: CryptoAssetParts): UseCasesOf<'CryptoAssets'> => ({
  'CryptoAssets.Query': (request) => assets.query(request),
  'CryptoAssets.ListAll': (request) => assets.all(request),
  'CryptoAssets.ListApproved': () => assets.approved(),
  'CryptoAssets.Get': ({ symbol }) => assets.get(symbol),
  'CryptoAssets.ListExchangesOf': ({ symbol }) => assets.exchangesOf(symbol),
  'CryptoAssets.ListExchanges': () => assets.exchanges(),
  'CryptoAssets.GetTrending': () => markets.trending(),
  'CryptoAssets.GetGlobalMarket': () => markets.globalMarket(),
  'CryptoAssets.GetMarketData': (request) => markets.marketData(request),
  'CryptoAssets.GetCandles': (request) => markets.candles(request),
  'CryptoAssets.AnalyseRisk': ({ asset_id }) => assets.analyse(asset_id),
  'CryptoAssets.UpdateAll': (_, { credentials }) => admin.updateAll(credentials.managementKey),
  'CryptoAssets.Approve': ({ symbol }, { credentials }) => admin.approve(credentials.managementKey, symbol),
  'CryptoAssets.Suspend': ({ symbol }, { credentials }) => admin.suspend(credentials.managementKey, symbol),
  'CryptoAssets.SetRegulatoryStatus': ({ symbol, status }, { credentials }) =>
    admin.setRegulatoryStatus(credentials.managementKey, symbol, status),
  'CryptoAssets.SetSecurityStatus': ({ symbol, status }, { credentials }) =>
    admin.setSecurityStatus(credentials.managementKey, symbol, status),
});
