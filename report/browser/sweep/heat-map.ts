import { NONE, plural } from '../../format.js';
import { betterFirst, type MetricKind, metricForm, TOO_FEW, tintScale } from '../../sweep/picture.js';
import { around, find } from '../page.js';
import { type Metric, type Parameter, type SweepRuns, valueGroup } from './axes.js';

interface Choice {
  readonly x: Parameter;
  readonly y: Parameter;
  readonly metric: Metric;
  /** By run: 1 for one with too few trades to lead. */
  readonly isFew: Uint8Array;
  readonly of: CellOf;
}

/** A choice with the values that its table and its key share. */
interface HeatMap extends Choice {
  readonly cells: readonly (readonly Cell[])[];
  readonly low: number;
  readonly high: number;
  /** True for a scale that ends at its lowest value. */
  readonly isTurned: boolean;
  /** Index of the best run of all cells. */
  readonly top: number | undefined;
  /** Whether a cell has no colour: its best run has too few trades, and others may lead. */
  readonly isPale: (best: number) => boolean;
  /** Kind of the values in the cells. */
  readonly kind: MetricKind;
}

/**
 * The heat map: any two parameters and any metric, shown as best, median or count. It starts with
 * the map that the page was rendered with.
 */
export function startHeatMap({ runs, isFew, parameters, metrics }: SweepRuns): void {
  if (document.querySelector('#heat-map') === null) return;
  const frame = find(HTMLElement, '#heat-map');
  const lists = [...frame.querySelectorAll<HTMLSelectElement>('[data-heat]')];
  const chosen = (name: string): string => find(HTMLSelectElement, `[data-heat=${name}]`, frame).value;
  const show = (): void => {
    const map = buildMap({
      x: parameters[Number(chosen('x'))],
      y: parameters[Number(chosen('y'))],
      metric: metrics[Number(chosen('metric'))],
      isFew,
      of: chosen('of') as CellOf,
    });
    const table = drawTable(map, runs);
    find(HTMLElement, '.scroll', frame).replaceChildren(table);
    const first = table.querySelector<HTMLElement>('td.best') ?? table.querySelector<HTMLElement>('tbody td');
    if (first !== null) first.tabIndex = 0;
    const isEmpty = map.low > map.high;
    find(HTMLElement, '.heat-key', frame).hidden = isEmpty;
    if (!isEmpty) showKey(frame, map);
    find(HTMLOutputElement, 'output', frame).textContent = isEmpty
      ? 'No run has both parameters.'
      : 'Point at a cell to read it, or move between cells with the arrow keys.';
    fit(frame);
  };
  for (const list of lists) list.addEventListener('change', show);
  for (const name of ['mouseover', 'focusin', 'click']) frame.addEventListener(name, (event) => tell(frame, event));
  frame.addEventListener('keydown', moveByArrow);
  find(HTMLElement, '.controls', frame).hidden = false;
  show();
  new ResizeObserver(() => fit(frame)).observe(frame);
}

function buildMap(choice: Choice): HeatMap {
  const { x, y, metric, isFew, of } = choice;
  const cells = groupCells(x, y, metric, isFew, of);
  const bests = cells.flat().flatMap(({ best }) => (best === -1 ? [] : [best]));
  const [top] = bests.sort(betterFirst(metric, isFew));
  const isPale = (best: number) => of === 'best' && isFew[best] !== isFew[top];
  const known = cells.flat().flatMap(({ value, best }) => (value === null || isPale(best) ? [] : [value]));
  const isCount = of === 'count';
  return {
    ...choice,
    cells,
    kind: isCount ? 'count' : metric.kind,
    isTurned: metric.isLowBetter && !isCount,
    top,
    isPale,
    low: Math.min(...known),
    high: Math.max(...known),
  };
}

function make<Name extends keyof HTMLElementTagNameMap>(name: Name, text: string, className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}

function headCell(text: string, scope: 'col' | 'row'): HTMLTableCellElement {
  const head = make('th', text);
  head.scope = scope;
  return head;
}

function drawTable(map: HeatMap, runs: Uint32Array): HTMLTableElement {
  const { x, y, metric, isFew, of, cells, isTurned } = map;
  const title = `${metric.title}${isTurned ? ' (lower is better)' : ''}`;
  const what = of === 'count' ? 'Runs' : `${title}, ${of} of each cell`;
  const table = make('table', '', 'heat');
  table.append(make('caption', `${what}: ${x.name} across, ${y.name} down`));
  const head = table.createTHead().insertRow();
  head.append(make('td', '', 'corner'), ...x.labels.map((label) => headCell(label, 'col')));
  const body = table.createTBody();
  const tints = tintScale(map.low, map.high, isTurned);
  for (let row = cells.length - 1; row >= 0; row--) {
    const line = body.insertRow();
    line.append(headCell(y.labels[row], 'row'));
    for (const [column, { value, runs: count, best }] of cells[row].entries()) {
      const cell = line.insertCell();
      const story = `${x.name} ${x.labels[column]}, ${y.name} ${y.labels[row]}: `;
      cell.tabIndex = -1;
      const mark = of === 'best' && isFew[best] === 1 ? '*' : '';
      cell.append(make('span', value === null ? NONE : metricForm(value, map.kind) + mark));
      cell.dataset.story = `${story}${value === null ? 'no run' : cellStory(map, value, count, best, runs[best])}`;
      if (value !== null) cell.title = cell.dataset.story;
      if (value === null || map.isPale(best)) {
        cell.className = 'none';
        continue;
      }
      cell.className = `${value < 0 ? 'cold' : 'hot'}${isTop(map, value) ? ' best' : ''}`;
      cell.style.setProperty('--a', tints.of(value));
    }
  }
  return table;
}

/** Whether a cell shows the best value of the map. */
function isTop({ of, metric, isTurned, top, low, high }: HeatMap, value: number): boolean {
  if (of === 'count' || top === undefined) return false;
  if (of === 'median') return value === (isTurned ? low : high);
  return value === metric.values[top];
}

function cellStory(map: HeatMap, value: number, count: number, best: number, run: number): string {
  const { of, metric, kind, isFew } = map;
  const among = plural(count, 'run');
  return of === 'count'
    ? `${among}, best ${metric.title} ${metricForm(metric.values[best], metric.kind)}, run ${run}`
    : `${of} ${metric.title} ${metricForm(value, kind)} of ${among}, run ${run}${of === 'best' && isFew[best] === 1 ? TOO_FEW : ''}`;
}

/** Shows the ends of the colour scale below the map. */
function showKey(frame: HTMLElement, { low, high, isTurned, kind }: HeatMap): void {
  const tints = tintScale(low, high, isTurned);
  const [from, bar, to] = find(HTMLElement, '.heat-key', frame).children;
  from.textContent = metricForm(tints.ends[0], kind);
  to.textContent = metricForm(tints.ends[1], kind);
  bar.className = tints.side;
  if (tints.side !== 'both' || !(bar instanceof HTMLElement)) return;
  const ends = { '--zero': tints.zero, '--low': tints.of(low), '--high': tints.of(high) };
  for (const [name, value] of Object.entries(ends)) bar.style.setProperty(name, value);
}

/** Shows values in the cells only while they fit. */
function fit(frame: HTMLElement): void {
  const table = find(HTMLTableElement, 'table', frame);
  const cells = [...table.querySelectorAll<HTMLElement>('tbody td')];
  table.classList.remove('bare');
  const isTight = cells.some((cell) => find(HTMLElement, 'span', cell).offsetWidth > cell.clientWidth);
  table.classList.toggle('bare', isTight);
  // Turns headings upright if a word is too long, instead of breaking it letter by letter.
  const words = [...table.querySelectorAll('thead th')].flatMap((head) => (head.textContent ?? '').split(' '));
  const longest = Math.max(...words.map((word) => word.length));
  table.classList.toggle('upright', longest * 7 > cells[0].clientWidth);
}

function tell(frame: HTMLElement, event: Event): void {
  const cell = around(event, '[data-story]');
  if (cell !== null) find(HTMLOutputElement, 'output', frame).textContent = cell.dataset.story ?? '';
}

const steps: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

function moveByArrow(event: KeyboardEvent): void {
  const cell = around<HTMLTableCellElement>(event, 'tbody td');
  const step = steps[event.key];
  const row = cell?.closest('tr');
  const body = cell?.closest('tbody');
  if (cell === null || step === undefined || !row || !body) return;
  event.preventDefault();
  const next = body.rows[row.sectionRowIndex + step[0]]?.cells[cell.cellIndex + step[1]];
  if (next?.tagName !== 'TD') return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** What a cell of the heat map shows about its runs. */
type CellOf = 'best' | 'median' | 'count';

interface Cell {
  /** Null if no run falls into the cell. */
  readonly value: number | null;
  readonly runs: number;
  /** Index of the best run; -1 without runs. */
  readonly best: number;
}

/**
 * Groups the runs by row (y) and column (x). Runs that lack the metric or one of the parameters are
 * left out.
 */
export function groupCells(x: Parameter, y: Parameter, metric: Metric, isFew: Uint8Array, of: CellOf): Cell[][] {
  const members = y.labels.map(() => x.labels.map((): number[] => []));
  for (let i = 0; i < metric.values.length; i++) {
    const [column, row] = [valueGroup(x, i), valueGroup(y, i)];
    if (column !== -1 && row !== -1 && Number.isFinite(metric.values[i])) members[row][column].push(i);
  }
  return members.map((row) => row.map((list) => cell(list, metric, isFew, of)));
}

function cell(members: readonly number[], metric: Metric, isFew: Uint8Array, of: CellOf): Cell {
  const runs = members.length;
  if (runs === 0) return { value: null, runs, best: -1 };
  const { values } = metric;
  const [best] = members.toSorted(betterFirst(metric, isFew));
  const sorted = members.map((run) => values[run]).sort((a, b) => a - b);
  const middle = (runs - 1) / 2;
  const median = (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
  return { value: { best: values[best], median, count: runs }[of], runs, best };
}
