import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BarStore } from '../../data/bars/index.js';
import { derivedUuid } from '../../data/hashes/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { hasEnded, ownName } from '../../data/state/index.js';
import { openHeldAssets } from '../../data/upstreams/assets/index.js';
import type { Sourced } from '../../data/upstreams/index.js';
import {
  AssetAdmin,
  AssetBook,
  AssetMarkets,
  AssetUpdates,
  CryptoAssets,
  cryptoAssetMethods,
  SqlAssetUpdates,
  SqlCryptoAssetStore,
} from './index.js';
import type { ManagementKey } from '../identity/index.js';
import type { State } from '../state/index.js';
import type { UseCasesOf } from '../use-cases.js';
import type { LiveAdapters } from '../providers/open-live.js';

const CHANNEL = 'barline_asset_updates';

interface CryptoAssetsEnvironment {
  readonly live: LiveAdapters;
  readonly state: State;
  readonly bars: BarStore;
  readonly market: MarketData;
  readonly managementKey: ManagementKey;
  /** Share of the supply that the ten largest holders of an asset own, in percent. */
  readonly holderShare: (symbol: string) => Promise<Sourced<number | null>>;
  /** The system clock, epoch ms. */
  readonly clock: () => number;
  readonly onInternalError: (error: unknown) => void;
}

interface ComposedAssets {
  readonly useCases: UseCasesOf<'CryptoAssets'>;
  /** Started only if the process is a worker. */
  readonly updates: AssetUpdates;
}

/** Crypto assets: a provider for which there is a key, else what is held on this machine. */
export async function composeCryptoAssets(environment: CryptoAssetsEnvironment): Promise<ComposedAssets> {
  const { live, state, bars, market, managementKey, holderShare, clock, onInternalError } = environment;
  const { coinGecko: gecko, coinApi: api } = live;
  const source = gecko ?? openHeldAssets({ bars, market });
  const store = new SqlCryptoAssetStore(state.db);
  const book = new AssetBook({
    store,
    source,
    holderShare,
    clock,
    idOf: (symbol) => derivedUuid('asset', symbol),
  });
  const updates = new AssetUpdates({
    store: new SqlAssetUpdates(state.db),
    source,
    book,
    clock,
    newId: randomUUID,
    runner: `${ownName()} ${randomUUID()}`,
    hasEnded,
    sleep: (ms, signal) => sleep(ms, undefined, { signal, ref: false }).catch(() => {}),
    onAdded: () => state.notify(CHANNEL, ''),
    onInternalError,
  });
  await state.listen(CHANNEL, { onNotice: () => updates.wake(), onDeaf: () => {}, onHearing: () => updates.wake() });
  return {
    updates,
    useCases: cryptoAssetMethods({
      assets: new CryptoAssets(book, source),
      markets: new AssetMarkets({
        source,
        candles: { ...(api === null ? {} : { coinapi: api }), ...(gecko === null ? {} : { coingecko: gecko }) },
      }),
      admin: new AssetAdmin({ managementKey, store, book, updates, clock }),
    }),
  };
}
