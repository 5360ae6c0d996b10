import { z } from 'zod';
import { integer, key, type Setting, secret, setting, type ValuesOf, webAddress } from '../settings/setting.js';

/** A provider of live data, as the settings have it. */
export interface LiveProvider {
  readonly name: string;
  /** What it gives. */
  readonly gives: string;
  /** The endpoints that it answers. */
  readonly endpoints: string;
  /** The setting that switches it on. */
  readonly switchedBy: string;
  /** While it is off, recorded or generated data answers. */
  readonly isOn: boolean;
  readonly hasKey: boolean;
  /** Origin of its address; null for one that is not set or that ccxt knows. */
  readonly origin: string | null;
}

/**
 * All that the service knows of a provider of live data: its settings, how it is listed, and how it
 * is opened. Its client loads when it is opened.
 */
type Provider<Settings extends Readonly<Record<string, Setting>>, Adapters> = {
  readonly settings: Settings;
  /** With its state. No key is shown. */
  readonly list: (config: ValuesOf<Settings>) => LiveProvider;
  /** Its adapters by name, null while it is off. */
  readonly open: (config: ValuesOf<Settings>, recordings: string) => Promise<Adapters>;
};

const defineProvider = <const Settings extends Readonly<Record<string, Setting>>, Adapters>(
  provider: Provider<Settings, Adapters>,
): Provider<Settings, Adapters> => provider;

const apiKeySetting = (provider: string, serves: string) =>
  secret(
    key,
    `Key of ${provider}: switches ${serves} on. Without it, data recorded or generated on this machine answers.`,
  );

const addressSetting = (provider: string, own: string) =>
  setting(webAddress.default(own), `Address of ${provider}, for a proxy or a test.`);

/** A provider that its key switches on. */
const listed = (
  facts: Pick<LiveProvider, 'name' | 'gives' | 'endpoints' | 'switchedBy'>,
  providerKey: string | undefined,
  url: string,
): LiveProvider => ({
  ...facts,
  isOn: providerKey !== undefined,
  hasKey: providerKey !== undefined,
  origin: urlOrigin(url),
});

const urlOrigin = (url: string): string => new URL(url).origin;

const nansenFacts = {
  name: 'nansen',
  gives: 'smart money and token flows',
  endpoints: '/on-chain',
  switchedBy: 'BARLINE_NANSEN_KEY',
};

export const nansen = defineProvider({
  settings: {
    BARLINE_NANSEN_KEY: apiKeySetting('Nansen', 'flows and labels'),
    BARLINE_NANSEN_URL: addressSetting('Nansen', 'https://api.nansen.ai'),
  },
  list: ({ BARLINE_NANSEN_KEY: key, BARLINE_NANSEN_URL: url }) => listed(nansenFacts, key, url),
  async open({ BARLINE_NANSEN_KEY: key, BARLINE_NANSEN_URL: baseUrl }) {
    if (key === undefined) return { nansen: null };
    const { Nansen } = await import('../../data/upstreams/flows/index.js');
    return { nansen: new Nansen({ key, baseUrl }) };
  },
});

const whaleAlertFacts = {
  name: 'whale-alert',
  gives: 'whale transfers',
  endpoints: '/on-chain',
  switchedBy: 'BARLINE_WHALE_ALERT_KEY',
};

export const whaleAlert = defineProvider({
  settings: {
    BARLINE_WHALE_ALERT_KEY: apiKeySetting('Whale Alert', 'large transfers'),
    BARLINE_WHALE_ALERT_URL: addressSetting('Whale Alert', 'https://api.whale-alert.io'),
  },
  list: ({ BARLINE_WHALE_ALERT_KEY: key, BARLINE_WHALE_ALERT_URL: url }) => listed(whaleAlertFacts, key, url),
  async open({ BARLINE_WHALE_ALERT_KEY: key, BARLINE_WHALE_ALERT_URL: baseUrl }) {
    if (key === undefined) return { whaleAlert: null };
    const { WhaleAlert } = await import('../../data/upstreams/whales/index.js');
    return { whaleAlert: new WhaleAlert({ key, baseUrl }) };
  },
});

const lunarCrushFacts = {
  name: 'lunarcrush',
  gives: 'topics and posts',
  endpoints: '/social',
  switchedBy: 'BARLINE_LUNARCRUSH_KEY',
};

export const lunarCrush = defineProvider({
  settings: {
    BARLINE_LUNARCRUSH_KEY: apiKeySetting('LunarCrush', 'posts'),
    BARLINE_LUNARCRUSH_URL: addressSetting('LunarCrush', 'https://lunarcrush.com/api4'),
  },
  list: ({ BARLINE_LUNARCRUSH_KEY: key, BARLINE_LUNARCRUSH_URL: url }) => listed(lunarCrushFacts, key, url),
  async open({ BARLINE_LUNARCRUSH_KEY: key, BARLINE_LUNARCRUSH_URL: baseUrl }) {
    if (key === undefined) return { lunarCrush: null };
    const { LunarCrush } = await import('../../data/upstreams/social/index.js');
    return { lunarCrush: new LunarCrush({ key, baseUrl }) };
  },
});

const coinGeckoFacts = {
  name: 'coingecko',
  gives: 'assets and markets',
  endpoints: '/crypto-assets',
  switchedBy: 'BARLINE_COINGECKO_KEY',
};

export const coinGecko = defineProvider({
  settings: {
    BARLINE_COINGECKO_KEY: apiKeySetting('CoinGecko', 'facts of assets'),
    BARLINE_COINGECKO_URL: addressSetting('CoinGecko', 'https://api.coingecko.com/api/v3'),
  },
  list: ({ BARLINE_COINGECKO_KEY: key, BARLINE_COINGECKO_URL: url }) => listed(coinGeckoFacts, key, url),
  async open({ BARLINE_COINGECKO_KEY: key, BARLINE_COINGECKO_URL: baseUrl }) {
    if (key === undefined) return { coinGecko: null };
    const { CoinGecko } = await import('../../data/upstreams/assets/index.js');
    return { coinGecko: new CoinGecko({ key, baseUrl }) };
  },
});

const coinApiFacts = {
  name: 'coinapi',
  gives: 'candles',
  endpoints: '/crypto-assets/ohlcv',
  switchedBy: 'BARLINE_COINAPI_KEY',
};

export const coinApi = defineProvider({
  settings: {
    BARLINE_COINAPI_KEY: apiKeySetting('CoinAPI', 'further facts of assets'),
    BARLINE_COINAPI_URL: addressSetting('CoinAPI', 'https://rest.coinapi.io'),
  },
  list: ({ BARLINE_COINAPI_KEY: key, BARLINE_COINAPI_URL: url }) => listed(coinApiFacts, key, url),
  async open({ BARLINE_COINAPI_KEY: key, BARLINE_COINAPI_URL: baseUrl }) {
    if (key === undefined) return { coinApi: null };
    const { openCoinApi } = await import('../../data/upstreams/assets/index.js');
    return { coinApi: openCoinApi({ key, baseUrl }) };
  },
});

/** Free reads need a switch, paid ones a key, which serves both. */
export const defiLlama = defineProvider({
  settings: {
    BARLINE_DEFILLAMA: setting(
      z.enum(['off', 'free']).default('off'),
      '`free` asks DefiLlama without a key; a key serves the paid reads too.',
    ),
    BARLINE_DEFILLAMA_KEY: apiKeySetting('DefiLlama', 'its paid reads'),
    BARLINE_DEFILLAMA_URL: addressSetting('DefiLlama', 'https://api.llama.fi'),
    BARLINE_DEFILLAMA_STABLECOINS_URL: addressSetting("DefiLlama's stablecoins", 'https://stablecoins.llama.fi'),
    BARLINE_DEFILLAMA_PRO_URL: addressSetting("DefiLlama's paid reads", 'https://pro-api.llama.fi'),
  },
  list({ BARLINE_DEFILLAMA: access, BARLINE_DEFILLAMA_KEY: key, BARLINE_DEFILLAMA_URL: url }) {
    const switchedBy = key === undefined ? 'BARLINE_DEFILLAMA' : 'BARLINE_DEFILLAMA_KEY';
    const provider = listed({ name: 'defillama', gives: 'DeFi', endpoints: '/defi', switchedBy }, key, url);
    return { ...provider, isOn: provider.hasKey || access === 'free' };
  },
  async open(config) {
    const { BARLINE_DEFILLAMA_KEY: key, BARLINE_DEFILLAMA_URL: baseUrl } = config;
    if (key === undefined && config.BARLINE_DEFILLAMA === 'off') return { defiLlama: null, defiLlamaPro: null };
    const { DefiLlama, DefiLlamaPro } = await import('../../data/upstreams/defi/index.js');
    return {
      defiLlama: new DefiLlama({ baseUrl, stablecoinsUrl: config.BARLINE_DEFILLAMA_STABLECOINS_URL }),
      defiLlamaPro: key === undefined ? null : new DefiLlamaPro({ key, baseUrl: config.BARLINE_DEFILLAMA_PRO_URL }),
    };
  },
});

export const exchange = defineProvider({
  settings: {
    BARLINE_TRADES_EXCHANGE: setting(
      z.string().min(1).optional(),
      'Exchange for live trades and quotes, by its name in ccxt, which must be installed.',
    ),
    BARLINE_TRADES_URL: setting(webAddress.optional(), 'Address of that exchange, for a proxy or a test.'),
  },
  list: ({ BARLINE_TRADES_EXCHANGE: name, BARLINE_TRADES_URL: url }) => ({
    name: name ?? 'ccxt',
    gives: 'trades and quotes',
    endpoints: '/marketdata',
    switchedBy: 'BARLINE_TRADES_EXCHANGE',
    isOn: name !== undefined,
    hasKey: false,
    origin: url === undefined ? null : urlOrigin(url),
  }),
  /** Recorded quotes stand in for past ones. */
  async open({ BARLINE_TRADES_EXCHANGE: name, BARLINE_TRADES_URL: apiUrl }, recordings) {
    if (name === undefined) return { trades: null };
    const { CcxtTrades, openHeldTrades } = await import('../../data/upstreams/trades/index.js');
    return { trades: new CcxtTrades({ exchange: name, apiUrl, recorded: openHeldTrades(recordings) }) };
  },
});

export const languageModel = defineProvider({
  settings: {
    BARLINE_LLM_BASE_URL: setting(
      webAddress.optional(),
      'Server of a language model that speaks the OpenAI chat format, up to its version (`http://127.0.0.1:11434/v1`): the assistant then reads any words. Without it it reads its documented form.',
    ),
    BARLINE_LLM_MODEL: setting(z.string().min(1).optional(), 'Model that this server answers with.'),
    BARLINE_LLM_KEY: secret(key, 'Key of this server; local ones need none.'),
    BARLINE_LLM_EMBEDDING_MODEL: setting(
      z.string().min(1).optional(),
      'Model of this server that makes vectors of the documentation for lookups. Without it a hash of words makes them on this machine.',
    ),
    BARLINE_LLM_REQUEST_MS: setting(
      integer(100, 120_000).default(60_000),
      'Longest time of one reply of the model, repeated requests included.',
    ),
  },
  list: ({ BARLINE_LLM_BASE_URL: url, BARLINE_LLM_MODEL: model, BARLINE_LLM_KEY: modelKey }) => ({
    name: model ?? 'language model',
    gives: 'answers of the assistant',
    endpoints: '/ai-copilot',
    switchedBy: 'BARLINE_LLM_BASE_URL',
    isOn: url !== undefined,
    hasKey: modelKey !== undefined,
    origin: url === undefined ? null : urlOrigin(url),
  }),
  async open(config) {
    const { BARLINE_LLM_BASE_URL: baseUrl, BARLINE_LLM_MODEL: model } = config;
    if (baseUrl === undefined || model === undefined) return { model: null };
    const { ModelServer } = await import('../../data/upstreams/model/index.js');
    return {
      model: new ModelServer({
        ...{ baseUrl, model, key: config.BARLINE_LLM_KEY },
        vectorModel: config.BARLINE_LLM_EMBEDDING_MODEL,
        deadlineMs: config.BARLINE_LLM_REQUEST_MS,
      }),
    };
  },
});
