/** Numbers as `format.ts` writes them. */
export const formatScript = String.raw`
const NONE = '\u2013';

function amount(value, places) {
  if (Math.abs(value) >= 1e15) return value.toExponential(3).replace('-', '\u2212');
  const [whole, fraction] = Math.abs(value).toFixed(places).split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction === undefined ? '' : '.' + fraction);
  return value < 0 && /[1-9]/.test(text) ? '\u2212' + text : text;
}
const percent = (value) => amount(100 * value, 2) + '\u00a0%';
const signed = (value, text) => (value > 0 && /[1-9]/.test(text) ? '+' + text : text);
`;

/** Sorting and paging of the trades: by click, or by Tab and Enter. `cell` writes what `cellText` writes. */
export const tableScript = `
const { columns, digits } = data;
const byKey = Object.fromEntries(columns.map((column) => [column.key, column.values]));
const total = byKey.entry_time.length;
const PAGE = 100;
const minute = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
const forms = {
  time: minute,
  price: (value) => amount(value, digits),
  size: (value) => amount(value, 6),
  amount: (value) => amount(value, 2),
  gain: (value) => signed(value, amount(value, 2)),
  gainPercent: (value) => signed(value, percent(value)),
  percent,
  count: (value) => amount(value, 0),
  text: String,
};
const cell = (value, kind) => (value === null ? NONE : forms[kind](value));

const table = document.querySelector('.trades table');
const box = document.querySelector('.trades');
const body = table.tBodies[0];
const heads = [...table.tHead.rows[0].cells];
const pager = document.getElementById('pager');
const note = document.getElementById('trades-note');
const say = pager.querySelector('output');
const order = Array.from({ length: total }, (_, i) => i);
let page = 0;
let sortedBy = 0;
let isDescending = false;
let chosen = -1;

function showPage() {
  const pages = Math.ceil(total / PAGE);
  page = Math.max(0, Math.min(page, pages - 1));
  const rows = order.slice(page * PAGE, page * PAGE + PAGE).map((trade) => {
    const row = document.createElement('tr');
    const head = document.createElement('th');
    const look = document.createElement('button');
    head.scope = 'row';
    look.type = 'button';
    look.textContent = trade + 1;
    look.setAttribute('aria-label', 'Trade ' + (trade + 1) + ', look closer');
    look.addEventListener('click', () => choose(trade, true));
    head.append(look);
    row.append(head);
    row.classList.toggle('chosen', trade === chosen);
    row.dataset.row = trade;
    for (const { kind, values } of columns) {
      const data = document.createElement('td');
      if (kind === 'time' || kind === 'text') data.className = 'text';
      else if (kind.startsWith('gain')) data.className = byKey.profit_loss[trade] > 0 ? 'gain' : 'loss';
      data.textContent = cell(values[trade], kind);
      row.append(data);
    }
    return row;
  });
  body.replaceChildren(...rows);
  box.scrollTop = 0;
  const from = page * PAGE + 1;
  say.textContent = 'Trades ' + amount(from, 0) + ' to ' + amount(from + rows.length - 1, 0) + ' of ' + amount(total, 0) + ', sorted by ' + heads[sortedBy].dataset.title + (isDescending ? ', falling' : ', rising');
  note.textContent = say.textContent;
  say.textContent += '. A number opens the trade in the chart above.';
  for (const button of pager.querySelectorAll('[data-page]')) {
    const isBack = button.dataset.page === 'first' || button.dataset.page === 'back';
    button.disabled = isBack ? page === 0 : page >= pages - 1;
  }
}

function sortBy(column) {
  isDescending = column === sortedBy && !isDescending;
  sortedBy = column;
  const values = column === 0 ? null : columns[column - 1].values;
  const sign = isDescending ? -1 : 1;
  order.sort((a, b) => {
    if (values === null) return sign * (a - b);
    const x = values[a];
    const y = values[b];
    if (x === y) return a - b;
    if (x === null) return 1;
    if (y === null) return -1;
    return x < y ? -sign : sign;
  });
  for (const [i, head] of heads.entries()) {
    if (i === column) head.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
    else head.removeAttribute('aria-sort');
  }
  page = 0;
  showPage();
}

for (const [i, head] of heads.entries()) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = head.textContent;
  head.dataset.title = head.textContent;
  head.replaceChildren(button);
  button.addEventListener('click', () => sortBy(i));
}
heads[0].setAttribute('aria-sort', 'ascending');
const lastPage = () => Math.ceil(total / PAGE) - 1;
const turns = { first: () => 0, back: () => page - 1, next: () => page + 1, last: lastPage };
pager.addEventListener('click', (event) => {
  const turn = event.target.dataset.page;
  if (turn === undefined) return;
  page = turns[turn]();
  showPage();
});
pager.hidden = false;
note.classList.add('paper-only');
showPage();
`;
