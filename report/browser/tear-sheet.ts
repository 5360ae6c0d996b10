import type { TearSheetData } from '../page-data.js';
import { startCloseup } from './closeup.js';
import { startCurves } from './curves.js';
import { pageData, startTheme } from './page.js';
import { Trades } from './trades.js';
import { startTable } from './trades-table.js';

startTheme();
const data = pageData<TearSheetData>();
if (data !== null) {
  startCurves(data.curves);
  if (data.trades !== null) {
    const trades = new Trades(data.trades);
    const table = startTable(trades, (trade) => closeup.choose(trade, true));
    const closeup = startCloseup(trades, data.trades.closeup, (trade) => table.mark(trade));
    closeup.choose(trades.best(), false);
  }
}
