import { join } from 'node:path';
import { openBars } from '../data/bars/index.js';
import { type MarketData, openStoredMarketData } from '../data/providers/index.js';
import { CcxtTrades, openHeldTrades } from '../data/upstreams/trades/index.js';
import { sharedColumns } from '../engine/index.js';
import { marketDataHandlers } from '../rpc/index.js';
import { MarketReads, PeriodBars } from '../service/domains/market-data/index.js';
import type { ServiceConfig } from './config.js';

interface MarketDataParts {
  readonly config: ServiceConfig;
  /** Bars that strategies run on. */
  readonly market: MarketData;
  readonly sampleDir: string;
  readonly clock: () => number;
}

/** The bundled minute bars take less than a megabyte. */
const MINUTE_BARS_BYTES_MAX = 16 * 1024 * 1024;

export function composeMarketData({ config, market, sampleDir, clock }: MarketDataParts) {
  const folder = join(sampleDir, 'recordings');
  const { BARLINE_HOME: home, BARLINE_TRADES_EXCHANGE: exchange, BARLINE_TRADES_URL: apiUrl } = config;
  const recorded = openHeldTrades(folder);
  const trades = exchange === undefined ? recorded : new CcxtTrades({ exchange, apiUrl, clock, recorded });
  const minuteStore = openBars({ home, sampleDir: folder, allocate: sharedColumns });
  const minutes = openStoredMarketData(minuteStore, { cacheBytesMax: MINUTE_BARS_BYTES_MAX });
  const bars = new PeriodBars({ markets: [market, minutes], minuteBars: (name) => recorded.minuteBars(name) });
  return marketDataHandlers(new MarketReads({ trades, bars, recorded: recorded.instruments }));
}
