import { cellClass } from '../cell.js';
import { count } from '../format.js';
import { PAGE_ROWS } from '../page-data.js';
import { around, find, headButton, markSorted, sortedIndices } from './page.js';
import type { Trades } from './trades.js';

interface TradesTable {
  /** Highlights the row of a trade, now or when its page of the table is shown. */
  mark(trade: number): void;
}

/**
 * Sorts and pages the trades, by mouse or keyboard.
 * @param look shows a trade; absent where the page has no chart of it
 */
export function startTable(trades: Trades, look?: (trade: number) => void): TradesTable {
  const box = find(HTMLElement, '.trades');
  const body = find(HTMLTableSectionElement, 'tbody', box);
  const heads = [...box.querySelectorAll<HTMLElement>('thead th')];
  const titles = heads.map((head) => head.textContent ?? '');
  const pager = find(HTMLElement, '#pager');
  const note = find(HTMLElement, '#trades-note');
  const say = find(HTMLOutputElement, 'output', pager);
  const numbers = Array.from({ length: trades.count }, (_, trade) => trade);
  const pages = Math.ceil(trades.count / PAGE_ROWS);
  let order = numbers;
  let page = 0;
  let sortedBy = 0;
  let isDescending = false;
  let chosen = -1;

  const mark = (trade: number): void => {
    chosen = trade;
    for (const row of body.rows) row.classList.toggle('chosen', Number(row.dataset.row) === chosen);
  };
  const show = (asked: number): void => {
    page = Math.max(0, Math.min(asked, pages - 1));
    const shown = order.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
    body.replaceChildren(...shown.map((trade) => tradeRow(trades, trade, look)));
    mark(chosen);
    box.scrollTop = 0;
    const from = page * PAGE_ROWS + 1;
    const sorting = `sorted by ${titles[sortedBy]}, ${isDescending ? 'descending' : 'ascending'}`;
    note.textContent = `Trades ${count(from)} to ${count(from + shown.length - 1)} of ${count(trades.count)}, ${sorting}`;
    say.textContent = `${note.textContent}.${look === undefined ? '' : ' Click a number to see the trade in the chart above.'}`;
    for (const button of pager.querySelectorAll<HTMLButtonElement>('[data-page]')) {
      const isBack = button.dataset.page === 'first' || button.dataset.page === 'back';
      button.disabled = isBack ? page === 0 : page >= pages - 1;
    }
  };
  const sortBy = (column: number): void => {
    isDescending = column === sortedBy && !isDescending;
    sortedBy = column;
    order = sortedIndices(column === 0 ? numbers : trades.columns[column - 1].values, isDescending);
    markSorted(heads, sortedBy, isDescending);
    show(0);
  };

  for (const [column, head] of heads.entries()) headButton(head, () => sortBy(column));
  markSorted(heads, sortedBy, isDescending);
  const turns: Readonly<Record<string, () => number>> = {
    first: () => 0,
    back: () => page - 1,
    next: () => page + 1,
    last: () => pages - 1,
  };
  pager.addEventListener('click', (event) => {
    const turn = turns[around(event, '[data-page]')?.dataset.page ?? ''];
    if (turn !== undefined) show(turn());
  });
  pager.hidden = false;
  note.classList.add('paper-only');
  show(0);
  return { mark };
}

function tradeRow(trades: Trades, trade: number, look?: (trade: number) => void): HTMLTableRowElement {
  const row = document.createElement('tr');
  const head = document.createElement('th');
  head.scope = 'row';
  if (look === undefined) head.textContent = String(trade + 1);
  else {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = String(trade + 1);
    button.setAttribute('aria-label', `Trade ${trade + 1}, show in the chart`);
    button.addEventListener('click', () => look(trade));
    head.append(button);
  }
  row.append(head);
  row.dataset.row = String(trade);
  for (const column of trades.columns) {
    const cell = row.insertCell();
    const className = cellClass(column.kind, trades.isGain(trade));
    if (className !== '') cell.className = className;
    cell.textContent = trades.cell(trade, column);
  }
  return row;
}
