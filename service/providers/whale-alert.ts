import { addressSetting, apiKeySetting, defineProvider, listed } from './provider.js';

const facts = {
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
  list: ({ BARLINE_WHALE_ALERT_KEY: key, BARLINE_WHALE_ALERT_URL: url }) => listed(facts, key, url),
  async open({ BARLINE_WHALE_ALERT_KEY: key, BARLINE_WHALE_ALERT_URL: baseUrl }) {
    if (key === undefined) return { whaleAlert: null };
    const { WhaleAlert } = await import('../../data/upstreams/whales/index.js');
    return { whaleAlert: new WhaleAlert({ key, baseUrl }) };
  },
});
