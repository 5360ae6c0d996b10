import { z } from 'zod';
import { setting } from '../settings/setting.js';
import { addressSetting, apiKeySetting, defineProvider, listed } from './provider.js';

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
