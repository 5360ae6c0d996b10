import type { ServiceConfig } from './config.js';

/** A provider of live data, as the settings have it. */
export interface LiveProvider {
  readonly name: string;
  /** What it gives. */
  readonly gives: string;
  /** The endpoints that it answers. */
  readonly endpoints: string;
  /** The setting that switches it on. */
  readonly switchedBy: keyof ServiceConfig;
  /** While it is off, recorded or generated data answers. */
  readonly isOn: boolean;
  readonly hasKey: boolean;
  /** Origin of its address; null for one that is not set or that ccxt knows. */
  readonly origin: string | null;
}

/** Every provider of live data, with its state. No key is shown. */
export function liveProviders(config: ServiceConfig): readonly LiveProvider[] {
  const keyed = (
    name: string,
    gives: string,
    endpoints: string,
    key: keyof ServiceConfig,
    url: string,
  ): LiveProvider => {
    const hasKey = config[key] !== undefined;
    return { name, gives, endpoints, switchedBy: key, isOn: hasKey, hasKey, origin: new URL(url).origin };
  };
  const defillama = keyed('defillama', 'DeFi', '/defi', 'BARLINE_DEFILLAMA_KEY', config.BARLINE_DEFILLAMA_URL);
  const exchange = config.BARLINE_TRADES_EXCHANGE;
  const mirror = config.BARLINE_TRADES_URL;
  const model = config.BARLINE_LLM_BASE_URL;
  return [
    keyed('nansen', 'smart money and token flows', '/on-chain', 'BARLINE_NANSEN_KEY', config.BARLINE_NANSEN_URL),
    keyed('whale-alert', 'whale transfers', '/on-chain', 'BARLINE_WHALE_ALERT_KEY', config.BARLINE_WHALE_ALERT_URL),
    keyed('lunarcrush', 'topics and posts', '/social', 'BARLINE_LUNARCRUSH_KEY', config.BARLINE_LUNARCRUSH_URL),
    keyed('coingecko', 'assets and markets', '/crypto-assets', 'BARLINE_COINGECKO_KEY', config.BARLINE_COINGECKO_URL),
    keyed('coinapi', 'candles', '/crypto-assets/ohlcv', 'BARLINE_COINAPI_KEY', config.BARLINE_COINAPI_URL),
    {
      ...defillama,
      isOn: defillama.hasKey || config.BARLINE_DEFILLAMA === 'free',
      ...(defillama.hasKey ? {} : { switchedBy: 'BARLINE_DEFILLAMA' as const }),
    },
    {
      name: exchange ?? 'ccxt',
      gives: 'trades and quotes',
      endpoints: '/marketdata',
      switchedBy: 'BARLINE_TRADES_EXCHANGE',
      isOn: exchange !== undefined,
      hasKey: false,
      origin: mirror === undefined ? null : new URL(mirror).origin,
    },
    {
      name: config.BARLINE_LLM_MODEL ?? 'language model',
      gives: 'answers of the assistant',
      endpoints: '/ai-copilot',
      switchedBy: 'BARLINE_LLM_BASE_URL',
      isOn: model !== undefined,
      hasKey: config.BARLINE_LLM_KEY !== undefined,
      origin: model === undefined ? null : new URL(model).origin,
    },
  ];
}
