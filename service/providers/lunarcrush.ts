import { addressSetting, apiKeySetting, defineProvider, listed } from './provider.js';

const facts = {
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
  list: ({ BARLINE_LUNARCRUSH_KEY: key, BARLINE_LUNARCRUSH_URL: url }) => listed(facts, key, url),
  async open({ BARLINE_LUNARCRUSH_KEY: key, BARLINE_LUNARCRUSH_URL: baseUrl }) {
    if (key === undefined) return { lunarCrush: null };
    const { LunarCrush } = await import('../../data/upstreams/social/index.js');
    return { lunarCrush: new LunarCrush({ key, baseUrl }) };
  },
});
