/** The heat map: any two parameters, any metric, best, median or count. Its first picture is that of the page. */
export const heatScript = `
const frame = document.getElementById('heat-map');
const choice = {};
const TINTS = [0.06, 0.7];

function collect() {
  const [x, y, metric] = [parameters[choice.x], parameters[choice.y], metrics[choice.metric]];
  const cells = y.labels.map(() => x.labels.map(() => ({ value: null, runs: [], best: -1 })));
  for (let i = 0; i < runs.length; i++) {
    const [column, row] = [groupOf(x, i), groupOf(y, i)];
    if (column === -1 || row === -1 || !Number.isFinite(metric.values[i])) continue;
    cells[row][column].runs.push(i);
  }
  for (const cell of cells.flat()) {
    if (cell.runs.length === 0) continue;
    // The sort is stable, so of equals the first run stays first.
    const sorted = cell.runs.toSorted((a, b) => (metric.isLowBetter ? 1 : -1) * (metric.values[a] - metric.values[b]));
    cell.best = sorted[0];
    const middle = (sorted.length - 1) / 2;
    const at = (i) => metric.values[sorted[i]];
    if (choice.of === 'best') cell.value = at(0);
    else if (choice.of === 'median') cell.value = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
    else cell.value = sorted.length;
  }
  return cells;
}

function drawMap() {
  const [x, y, metric] = [parameters[choice.x], parameters[choice.y], metrics[choice.metric]];
  const isCount = choice.of === 'count';
  const cells = collect();
  const known = cells.flat().filter((cell) => cell.value !== null).map((cell) => cell.value);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const isBoth = low < 0 && high > 0;
  const near = isBoth ? 0 : high <= 0 ? high : low;
  const far = isBoth ? Math.max(-low, high) : high <= 0 ? low : high;
  const top = !isCount && metric.isLowBetter ? low : high;
  const strength = (value) => (far === near ? 1 : Math.abs((value - near) / (far - near)));
  const tint = (value) => (TINTS[0] + (TINTS[1] - TINTS[0]) * strength(value)).toFixed(3);
  const text = (value) => formOf(value, isCount ? 'count' : metric.kind);
  const what = isCount ? 'Runs' : metric.title + ', ' + choice.of + ' of each cell';
  const make = (name, content, className) => {
    const made = document.createElement(name);
    if (content !== undefined) made.textContent = content;
    if (className) made.className = className;
    return made;
  };
  const table = make('table', undefined, 'heat');
  table.append(make('caption', what + ': ' + x.name + ' across, ' + y.name + ' down'));
  const head = table.createTHead().insertRow();
  head.append(make('td', undefined, 'corner'));
  for (const label of x.labels) {
    const cell = make('th', label);
    cell.scope = 'col';
    head.append(cell);
  }
  const body = table.createTBody();
  for (let row = y.labels.length - 1; row >= 0; row--) {
    const line = body.insertRow();
    const name = make('th', y.labels[row]);
    name.scope = 'row';
    line.append(name);
    for (const [column, { value, runs: members, best }] of cells[row].entries()) {
      const cell = line.insertCell();
      cell.append(make('span', value === null ? NONE : text(value)));
      cell.tabIndex = -1;
      const place = x.name + ' ' + x.labels[column] + ', ' + y.name + ' ' + y.labels[row] + ': ';
      if (value === null) {
        cell.className = 'none';
        cell.dataset.story = place + 'no run';
        continue;
      }
      cell.className = (value < 0 ? 'cold' : 'hot') + (value === top && !isCount ? ' best' : '');
      cell.style.setProperty('--a', tint(value));
      const of = plural(members.length, 'run');
      cell.dataset.story = place + (isCount ? of + ', best ' + metric.title + ' ' + formOf(metric.values[best], metric.kind) : choice.of + ' ' + metric.title + ' ' + text(value) + ' of ' + of) + ', run ' + runs[best];
      cell.title = cell.dataset.story;
    }
  }
  const box = frame.querySelector('.scroll');
  box.replaceChildren(table);
  const first = table.querySelector('td.best') ?? table.querySelector('tbody td');
  first.tabIndex = 0;
  const key = frame.querySelector('.heat-key');
  const [from, bar, to] = key.children;
  key.hidden = known.length === 0;
  from.textContent = text(low);
  to.textContent = text(high);
  bar.className = isBoth ? 'both' : high <= 0 ? 'cold' : 'hot';
  if (isBoth) {
    bar.style.setProperty('--zero', ((100 * -low) / (high - low)).toFixed(1) + '%');
    bar.style.setProperty('--low', tint(low));
    bar.style.setProperty('--high', tint(high));
  }
  frame.querySelector('output').textContent = known.length === 0 ? 'No run has both parameters.' : 'Point at a cell, or move among them with the arrow keys, to read it.';
  fit();
}

/** Values stay in the cells as long as they have room. */
function fit() {
  const table = frame.querySelector('table');
  const cells = [...table.querySelectorAll('tbody td')];
  table.classList.remove('bare');
  const isTight = cells.some((cell) => cell.firstChild.offsetWidth > cell.clientWidth);
  table.classList.toggle('bare', isTight);
  // Words of a heading that do not fit beside each other stand upright, rather than letter below letter.
  const longest = Math.max(...[...table.tHead.querySelectorAll('th')].flatMap((head) => head.textContent.split(' ')).map((word) => word.length));
  table.classList.toggle('upright', longest * 7 > cells[0].clientWidth);
}

const tell = (event) => {
  const cell = event.target.closest('[data-story]');
  if (cell !== null) frame.querySelector('output').textContent = cell.dataset.story;
};
if (frame !== null) {
  for (const select of frame.querySelectorAll('[data-heat]')) {
    choice[select.dataset.heat] = select.value;
    select.addEventListener('change', () => {
      choice[select.dataset.heat] = select.value;
      drawMap();
    });
  }
  for (const name of ['mouseover', 'focusin', 'click']) frame.addEventListener(name, tell);
  frame.addEventListener('keydown', (event) => {
    const cell = event.target.closest('tbody td');
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (cell === null || step === undefined) return;
    event.preventDefault();
    const rows = cell.closest('tbody').rows;
    const next = rows[cell.parentNode.sectionRowIndex + step[0]]?.cells[cell.cellIndex + step[1]];
    if (next === undefined || next.tagName !== 'TD') return;
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  frame.querySelector('.controls').hidden = false;
  drawMap();
  new ResizeObserver(fit).observe(frame);
}
`;
