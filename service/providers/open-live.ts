import { CoinGecko, openCoinApi } from '../../data/upstreams/assets/index.js';
import { DefiLlama, DefiLlamaPro } from '../../data/upstreams/defi/index.js';
import { Nansen } from '../../data/upstreams/flows/index.js';
import type { Upstream } from '../../data/upstreams/index.js';
import { ModelServer } from '../../data/upstreams/model/index.js';
import { LunarCrush } from '../../data/upstreams/social/index.js';
import { CcxtTrades, openHeldTrades } from '../../data/upstreams/trades/index.js';
import { WhaleAlert } from '../../data/upstreams/whales/index.js';
import type { ServiceConfig } from '../settings/config.js';

/**
 * The adapters of the providers that the settings switch on, null for the others. A process opens
 * them once, so that the rate, the breaker and the kept answers of a provider serve all callers.
 */
export type LiveAdapters = ReturnType<typeof openLive>['adapters'];

/** @param recordings folder of the bundled recordings, whose quotes stand in for past ones */
export function openLive(config: ServiceConfig, recordings: string) {
  const { BARLINE_LLM_BASE_URL: modelUrl, BARLINE_LLM_MODEL: model } = config;
  const { BARLINE_DEFILLAMA_KEY: defillamaKey, BARLINE_TRADES_EXCHANGE: exchange } = config;
  const isDefillamaFree = config.BARLINE_DEFILLAMA === 'free' || defillamaKey !== undefined;
  const keyed = <T>(key: string | undefined, baseUrl: string, open: (o: { key: string; baseUrl: string }) => T) =>
    key === undefined ? null : open({ key, baseUrl });
  const adapters = {
    nansen: keyed(config.BARLINE_NANSEN_KEY, config.BARLINE_NANSEN_URL, (o) => new Nansen(o)),
    whaleAlert: keyed(config.BARLINE_WHALE_ALERT_KEY, config.BARLINE_WHALE_ALERT_URL, (o) => new WhaleAlert(o)),
    lunarCrush: keyed(config.BARLINE_LUNARCRUSH_KEY, config.BARLINE_LUNARCRUSH_URL, (o) => new LunarCrush(o)),
    coinGecko: keyed(config.BARLINE_COINGECKO_KEY, config.BARLINE_COINGECKO_URL, (o) => new CoinGecko(o)),
    coinApi: keyed(config.BARLINE_COINAPI_KEY, config.BARLINE_COINAPI_URL, openCoinApi),
    defiLlama: isDefillamaFree
      ? new DefiLlama({
          baseUrl: config.BARLINE_DEFILLAMA_URL,
          stablecoinsUrl: config.BARLINE_DEFILLAMA_STABLECOINS_URL,
        })
      : null,
    defiLlamaPro: keyed(defillamaKey, config.BARLINE_DEFILLAMA_PRO_URL, (o) => new DefiLlamaPro(o)),
    trades:
      exchange === undefined
        ? null
        : new CcxtTrades({ exchange, apiUrl: config.BARLINE_TRADES_URL, recorded: openHeldTrades(recordings) }),
    model:
      modelUrl === undefined || model === undefined
        ? null
        : new ModelServer({
            ...{ baseUrl: modelUrl, model, key: config.BARLINE_LLM_KEY },
            vectorModel: config.BARLINE_LLM_EMBEDDING_MODEL,
            deadlineMs: config.BARLINE_LLM_REQUEST_MS,
          }),
  };
  const upstreams = Object.values(adapters).flatMap((adapter): readonly Upstream[] => adapter?.upstreams ?? []);
  return { adapters, upstreams };
}
