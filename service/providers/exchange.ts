import { z } from 'zod';
import { setting, webAddress } from '../settings/setting.js';
import { defineProvider, urlOrigin } from './provider.js';

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
