import type { TearSheetData } from '../page-data.js';
import { startCloseup } from './closeup.js';
import { startCurves } from './curves.js';
import { startMarks } from './marks.js';
import { pageData, startTheme } from './page.js';
import { Trades } from './trades.js';
import { startTable } from './trades-table.js';

startTheme();
const data = pageData<TearSheetData>();
if (data !== null) {
  const trades = data.trades === null ? null : new Trades(data.trades);
  const marks = data.trades?.marks ?? null;
  startCurves(data.curves, trades === null || marks === null ? undefined : startMarks(trades, marks, data.curves));
  if (data.trades !== null && trades !== null) {
    const table = startTable(trades, (trade) => closeup.choose(trade, true));
    const closeup = startCloseup(trades, data.trades.closeup, (trade) => table.mark(trade));
    closeup.choose(trades.best(), false);
  }
}
