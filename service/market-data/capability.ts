import { join } from 'node:path';
import { openBars } from '../../data/bars/index.js';
import { type MarketData, openStoredMarketData } from '../../data/providers/index.js';
import { openDrawnTrades, openHeldTrades } from '../../data/upstreams/trades/index.js';
import { sharedColumns } from '../../engine/index.js';
import { MarketReads, marketDataMethods, PeriodBars } from './index.js';
import type { ServiceConfig } from '../settings/config.js';
import type { LiveAdapters } from '../providers/open-live.js';

interface MarketDataParts {
  readonly config: ServiceConfig;
  readonly live: LiveAdapters;
  /** Bars that strategies run on. */
  readonly market: MarketData;
  readonly sampleDir: string;
}

/** The bundled minute bars take less than a megabyte. */
const MINUTE_BARS_BYTES_MAX = 16 * 1024 * 1024;

export function composeMarketData({ config, live, market, sampleDir }: MarketDataParts) {
  const folder = join(sampleDir, 'recordings');
  const recorded = openHeldTrades(folder);
  const minuteStore = openBars({ home: config.BARLINE_HOME, sampleDir: folder, allocate: sharedColumns });
  const minutes = openStoredMarketData(minuteStore, { cacheBytesMax: MINUTE_BARS_BYTES_MAX });
  const bars = new PeriodBars({ markets: [market, minutes], minuteBars: (name) => recorded.minuteBars(name) });
  const trades = live.trades ?? openDrawnTrades(recorded, market);
  return marketDataMethods(new MarketReads({ trades, bars, recorded: recorded.instruments }));
}
