import type { SweepPageData } from '../page-data.js';
import { startCurves } from './curves.js';
import { pageData, startTheme } from './page.js';
import { startBestRuns } from './sweep/best-runs.js';
import { Coordinates } from './sweep/coordinates.js';
import { startHeatMap } from './sweep/heat-map.js';
import { readSweep } from './sweep/runs.js';
import { Trades } from './trades.js';
import { startTable } from './trades-table.js';

startTheme();
startBestRuns();
const data = pageData<SweepPageData>();
if (data?.curves != null) startCurves(data.curves);
if (data?.trades != null) startTable(new Trades(data.trades));
if (data?.sweep != null) {
  const sweep = readSweep(data.sweep);
  startHeatMap(sweep);
  new Coordinates(sweep).start();
}
