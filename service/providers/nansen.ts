import { addressSetting, apiKeySetting, defineProvider, listed } from './provider.js';

const facts = {
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
  list: ({ BARLINE_NANSEN_KEY: key, BARLINE_NANSEN_URL: url }) => listed(facts, key, url),
  async open({ BARLINE_NANSEN_KEY: key, BARLINE_NANSEN_URL: baseUrl }) {
    if (key === undefined) return { nansen: null };
    const { Nansen } = await import('../../data/upstreams/flows/index.js');
    return { nansen: new Nansen({ key, baseUrl }) };
  },
});
