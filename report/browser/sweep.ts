import type { SweepData } from '../page-data.js';
import { pageData, startTheme } from './page.js';
import { startBestRuns } from './sweep/best-runs.js';
import { Coordinates } from './sweep/coordinates.js';
import { startHeatMap } from './sweep/heat-map.js';
import { readSweep } from './sweep/runs.js';

startTheme();
startBestRuns();
const data = pageData<SweepData>();
if (data !== null) {
  const sweep = readSweep(data);
  startHeatMap(sweep);
  new Coordinates(sweep).start();
}
