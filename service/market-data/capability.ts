import { join } from 'node:path';
import { openBars } from '../../data/bars/index.js';
import { openStoredMarketData } from '../../data/providers/index.js';
import { openDrawnTrades, openHeldTrades } from '../../data/upstreams/trades/index.js';
import { sharedColumns } from '../../engine/series/index.js';
import type { Capability, Foundation } from '../capability.js';
import { MarketReads } from './market-data.js';
import { PeriodBars } from './period-bars.js';

/** The bundled minute bars take less than a megabyte. */
const MINUTE_BARS_BYTES_MAX = 16 * 1024 * 1024;

/** Trades, quotes and bars: of an exchange where the settings name one, otherwise as recorded. */
export function openMarketReads({ config, live, market, sampleDir }: Foundation): Capability<'MarketData'> {
  const folder = join(sampleDir, 'recordings');
  const recorded = openHeldTrades(folder);
  const minuteStore = openBars({ home: config.BARLINE_HOME, sampleDir: folder, allocate: sharedColumns });
  const minutes = openStoredMarketData(minuteStore, { cacheBytesMax: MINUTE_BARS_BYTES_MAX });
  const bars = new PeriodBars({ markets: [market, minutes], minuteBars: (name) => recorded.minuteBars(name) });
  const trades = live.trades ?? openDrawnTrades(recorded, market);
  const reads = new MarketReads({ trades, bars, recorded: recorded.instruments });
  return {
    methods: {
      'MarketData.GetHealth': () => reads.health(),
      'MarketData.GetLatestTrade': (request) => reads.latestTrade(request),
      'MarketData.ListTrades': (request) => reads.tradeHistory(request),
      'MarketData.GetLatestQuote': (request) => reads.latestQuote(request),
      'MarketData.ListQuotes': (request) => reads.quoteHistory(request),
      'MarketData.GetLatestBar': (request) => reads.latestBar(request),
      'MarketData.ListMinuteBars': (request) => reads.minuteBars(request),
      'MarketData.GetPeriodBar': (request) => reads.periodBar(request),
    },
  };
}
