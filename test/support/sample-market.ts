import { join } from 'node:path';
import { openBars } from '../../data/bars/index.js';
import { type MarketData, openStoredMarketData } from '../../data/providers/index.js';
import { root } from './tree.js';

/** The market of the bundled bars alone. */
export const openSampleMarket = (): MarketData =>
  openStoredMarketData(openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') }));
