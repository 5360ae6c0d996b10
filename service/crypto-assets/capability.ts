import { randomUUID } from 'node:crypto';
import { derivedUuid } from '../../data/hashes/index.js';
import { hasEnded, ownName } from '../../data/state/index.js';
import { openHeldAssets } from '../../data/upstreams/assets/index.js';
import type { Sourced } from '../../data/upstreams/index.js';
import type { Capability, Foundation } from '../capability.js';
import type { ManagementKey } from '../identity/index.js';
import { pause, wakeOn } from '../work/work-loop.js';
import { AssetAdmin, CryptoAssets } from './assets.js';
import { AssetBook } from './book.js';
import { AssetMarkets } from './markets.js';
import { SqlCryptoAssetStore } from './store.js';
import { AssetUpdates, SqlAssetUpdates } from './updates.js';

const CHANNEL = 'barline_asset_updates';

interface CryptoAssetNeeds {
  readonly managementKey: ManagementKey;
  /** Share of the supply that the ten largest holders of an asset own, in percent. */
  readonly holderShare: (symbol: string) => Promise<Sourced<number | null>>;
}

/** Crypto assets: from a provider with a key, else from data on this machine. */
export async function openCryptoAssets(
  { live, state, bars, market, clock, onInternalError }: Foundation,
  { managementKey, holderShare }: CryptoAssetNeeds,
): Promise<Capability<'CryptoAssets'>> {
  const { coinGecko: gecko, coinApi: api } = live;
  const source = gecko ?? openHeldAssets({ bars, market });
  const store = new SqlCryptoAssetStore(state.db);
  const book = new AssetBook({ store, source, holderShare, clock, assetId: (symbol) => derivedUuid('asset', symbol) });
  const updates = new AssetUpdates({
    store: new SqlAssetUpdates(state.db),
    source,
    book,
    clock,
    newId: randomUUID,
    runner: `${ownName()} ${randomUUID()}`,
    hasEnded,
    sleep: pause,
    onAdded: () => state.notify(CHANNEL, ''),
    onInternalError,
  });
  await wakeOn(state, CHANNEL, () => updates.wake());
  const assets = new CryptoAssets(book, source);
  const markets = new AssetMarkets({
    source,
    candles: { ...(api === null ? {} : { coinapi: api }), ...(gecko === null ? {} : { coingecko: gecko }) },
  });
  const admin = new AssetAdmin({ managementKey, store, book, updates, clock });
  return {
    loops: [updates],
    upkeep: () => updates.requestDue(),
    methods: {
      'CryptoAssets.Query': (request) => assets.query(request),
      'CryptoAssets.ListAll': (request) => assets.all(request),
      'CryptoAssets.ListApproved': () => assets.approved(),
      'CryptoAssets.Get': ({ symbol }) => assets.get(symbol),
      'CryptoAssets.ListExchangesOf': ({ symbol }) => assets.listExchanges(symbol),
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
    },
  };
}
