import { themeScript } from '../client.js';
import { formatScript } from '../client-table.js';
import { axesScript } from './client-axes.js';
import { coordinatesScript } from './client-coordinates.js';
import { heatScript } from './client-heat.js';

/** Sorting of the best runs: all rows are in the page. */
const sortScript = `
const bestTable = document.querySelector('.best-runs table');
if (bestTable !== null) {
  const heads = [...bestTable.tHead.rows[0].cells];
  const rows = [...bestTable.tBodies[0].rows];
  const ranks = new Map(rows.map((row, i) => [row, i]));
  const keyOf = (row, column) => {
    const { textContent, dataset } = row.cells[column];
    if (dataset.value === undefined) return textContent;
    return dataset.value === '' ? null : Number(dataset.value);
  };
  let sortedBy = -1;
  let isDescending = false;
  for (const [column, head] of heads.entries()) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      // Of numbers the highest are looked for, of names and runs the first.
      const isNumber = head.classList.contains('number') && column > 0;
      isDescending = column === sortedBy ? !isDescending : isNumber;
      sortedBy = column;
      const sign = isDescending ? -1 : 1;
      rows.sort((a, b) => {
        const [x, y] = [keyOf(a, column), keyOf(b, column)];
        if (x === y) return ranks.get(a) - ranks.get(b);
        if (x === null) return 1;
        if (y === null) return -1;
        return x < y ? -sign : sign;
      });
      bestTable.tBodies[0].replaceChildren(...rows);
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
    });
  }
}
`;

/** Columns of the runs, from bytes, and how a metric is written: \`formOf\` writes what \`metricText\` writes. */
const dataScript = String.raw`
const unpack = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
const runs = new Uint32Array(unpack(data.runs).buffer);
const metrics = data.metrics.map((metric) => ({ ...metric, values: new Float32Array(unpack(metric.values).buffer) }));
const parameters = data.parameters.map((parameter) => {
  const bytes = unpack(parameter.codes);
  return { ...parameter, codes: parameter.isWide ? new Uint16Array(bytes.buffer) : bytes };
});
const kinds = {
  percent: (value) => amount(100 * value, 1) + '\u00a0%',
  ratio: (value) => amount(value, 2),
  amount: (value) => amount(value, 2),
  count: (value) => amount(value, 0),
};
const formOf = (value, kind) => (Number.isFinite(value) ? kinds[kind](value) : NONE);
const plural = (n, noun) => amount(n, 0) + ' ' + noun + (n === 1 ? '' : 's');
const groupOf = (parameter, i) => (parameter.codes[i] === 0 ? -1 : parameter.groupOf[parameter.codes[i] - 1]);
const onTheme = (redraw) => {
  themeButton.addEventListener('click', redraw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  matchMedia('print').addEventListener('change', redraw);
};
`;

/** The script of the page of a sweep. It adds comfort only, but for the picture of all parameters at once. */
export const sweepScript = `'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
${themeScript}
${formatScript}
${sortScript}
if (data === null) return;
${dataScript}
{
${heatScript}
}
{
${axesScript}
${coordinatesScript}
}
})();
`;
