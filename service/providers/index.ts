import type { Upstream } from '../../data/upstreams/index.js';
import type { ServiceConfig } from '../settings/config.js';
import {
  coinApi,
  coinGecko,
  defiLlama,
  exchange,
  type LiveProvider,
  languageModel,
  lunarCrush,
  nansen,
  whaleAlert,
} from './live.js';

export type { LiveProvider } from './live.js';

/** Every provider of live data, with its state. No key is shown. */
export const liveProviders = (config: ServiceConfig): readonly LiveProvider[] =>
  [nansen, whaleAlert, lunarCrush, coinGecko, coinApi, defiLlama, exchange, languageModel].map(({ list }) =>
    list(config),
  );

/**
 * The adapters of the providers that the settings switch on, null for the others. A process opens
 * them once, so that the rate, the breaker and the kept answers of a provider serve all callers.
 */
export type LiveAdapters = Awaited<ReturnType<typeof openLive>>['adapters'];

/** @param recordings folder of the bundled recordings, whose quotes stand in for past ones */
export async function openLive(config: ServiceConfig, recordings: string) {
  const adapters = {
    ...(await nansen.open(config, recordings)),
    ...(await whaleAlert.open(config, recordings)),
    ...(await lunarCrush.open(config, recordings)),
    ...(await coinGecko.open(config, recordings)),
    ...(await coinApi.open(config, recordings)),
    ...(await defiLlama.open(config, recordings)),
    ...(await exchange.open(config, recordings)),
    ...(await languageModel.open(config, recordings)),
  };
  const upstreams = Object.values(adapters).flatMap((adapter): readonly Upstream[] => adapter?.upstreams ?? []);
  return { adapters, upstreams };
}
