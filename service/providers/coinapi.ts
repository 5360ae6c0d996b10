import { addressSetting, apiKeySetting, defineProvider, listed } from './provider.js';

const facts = {
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
  list: ({ BARLINE_COINAPI_KEY: key, BARLINE_COINAPI_URL: url }) => listed(facts, key, url),
  async open({ BARLINE_COINAPI_KEY: key, BARLINE_COINAPI_URL: baseUrl }) {
    if (key === undefined) return { coinApi: null };
    const { openCoinApi } = await import('../../data/upstreams/assets/index.js');
    return { coinApi: openCoinApi({ key, baseUrl }) };
  },
});
