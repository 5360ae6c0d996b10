import { addressSetting, apiKeySetting, defineProvider, listed } from './provider.js';

const facts = {
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
  list: ({ BARLINE_COINGECKO_KEY: key, BARLINE_COINGECKO_URL: url }) => listed(facts, key, url),
  async open({ BARLINE_COINGECKO_KEY: key, BARLINE_COINGECKO_URL: baseUrl }) {
    if (key === undefined) return { coinGecko: null };
    const { CoinGecko } = await import('../../data/upstreams/assets/index.js');
    return { coinGecko: new CoinGecko({ key, baseUrl }) };
  },
});
