import type { SweepPageData } from '../page-data.js';
import { startCurves } from './curves.js';
import { find, headButton, type Key, markSorted, pageData, sortedIndices, startTheme } from './page.js';
import { readSweep } from './sweep/axes.js';
import { Coordinates } from './sweep/coordinates.js';
import { startHeatMap } from './sweep/heat-map.js';
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

/** Sorts the best runs in the browser: the page holds all rows. */
function startBestRuns(): void {
  if (document.querySelector('.best-runs') === null) return;
  const table = find(HTMLTableElement, '.best-runs table');
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.querySelectorAll<HTMLElement>('thead th')];
  let sortedBy = -1;
  let isDescending = false;
  for (const [column, head] of heads.entries()) {
    headButton(head, () => {
      // The first click sorts metrics from the better end or the highest, the rest from the lowest.
      const isHighFirst = head.classList.contains('number') && column > 0 && head.dataset.better !== 'lower';
      isDescending = column === sortedBy ? !isDescending : isHighFirst;
      sortedBy = column;
      const keys = rows.map((row) => key(row.cells[column]));
      body.replaceChildren(...sortedIndices(keys, isDescending).map((place) => rows[place]));
      markSorted(heads, sortedBy, isDescending);
    });
  }
}

function key({ textContent, dataset }: HTMLElement): Key {
  if (dataset.value === undefined) return textContent;
  return dataset.value === '' ? null : Number(dataset.value);
}
