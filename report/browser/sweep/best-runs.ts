import { find, headButton, markSorted } from '../dom.js';
import { type Key, sortedIndices } from '../order.js';

/** Sorts the best runs in the browser: the page holds all rows. */
export function startBestRuns(): void {
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
