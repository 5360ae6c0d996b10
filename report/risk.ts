// biome-ignore-all lint/style/noNonNullAssertion: a sheet has bars, and every curve has one value per bar
import { chart, pct } from './chart.js';
import { histogram } from './distribution.js';
import { amount, count, day, lastValue, money, percent, plural, signed } from './format.js';
import { numberText, scrollTable } from './html.js';
import { type Axis, line } from './overview.js';
import { extent, linearBetween, linearScale, monthNames, type Tick, timeTicks, valueScale } from './scale.js';
import type { SheetBands, TearSheet } from './sheet.js';

/** A fall below the highest value so far. */
interface Drawdown {
  readonly depth: number;
  readonly peakMs: number;
  readonly lowMs: number;
  /** Null while the account is still below its peak. */
  readonly recoveredMs: number | null;
  readonly bars: number;
}

const DRAWDOWNS_SHOWN = 10;

/** Every fall below the highest value so far, deepest first. */
export function listDrawdowns({ bars, equity, initialBalance, window }: TearSheet): Drawdown[] {
  const found: Drawdown[] = [];
  let peak = initialBalance;
  let peakAt = -1;
  let low = -1;
  let lowest = initialBalance;
  const time = (i: number) => (i < 0 ? window.startMs : bars.time[i]!);
  const close = (until: number, isOver: boolean): void => {
    if (low < 0) return;
    found.push({
      depth: lowest / peak - 1,
      peakMs: time(peakAt),
      lowMs: time(low),
      recoveredMs: isOver ? time(until) : null,
      bars: until - peakAt,
    });
    low = -1;
  };
  for (const [i, value] of equity.entries()) {
    if (value >= peak) {
      close(i, true);
      peak = value;
      peakAt = i;
    } else if (low < 0 || value < lowest) {
      low = i;
      lowest = value;
    }
  }
  close(equity.length - 1, false);
  return found.sort((a, b) => a.depth - b.depth);
}

export function drawdownTable(sheet: TearSheet): string {
  const all = listDrawdowns(sheet);
  const shown = all.slice(0, DRAWDOWNS_SHOWN);
  if (shown.length === 0) return '';
  const length = (bars: number): string => {
    const days = (bars * sheet.intervalMs) / 86_400_000;
    return days >= 2 ? plural(Math.round(days), 'day') : plural(bars, 'bar');
  };
  const rows = shown.map(
    ({ depth, peakMs, lowMs, recoveredMs, bars }, i) =>
      `<tr><th scope="row">${i + 1}</th><td>${percent(depth)}</td><td>${day(peakMs)}</td><td>${day(lowMs)}</td><td>${recoveredMs === null ? 'not yet' : day(recoveredMs)}</td><td>${length(bars)}</td></tr>`,
  );
  const head = ['No.', 'Depth', 'Peak', 'Lowest', 'Recovered', 'Length'].map((name) => `<th scope="col">${name}</th>`);
  return scrollTable(
    'Worst drawdowns',
    `<table class="pairs exits"><caption>The worst of ${plural(all.length, 'drawdown')}</caption><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`,
  );
}

/** The return of each UTC year as a bar. */
export function yearsChart(sheet: TearSheet): string {
  const years = monthlyReturns(sheet).map(({ year, total }) => ({ label: String(year), value: total }));
  const [low, high] = extent(years.map(({ value }) => value));
  const scale = linearScale(Math.min(low, 0), Math.max(high, 0), (value, digits) =>
    percent(value, Math.max(0, digits - 2)),
  );
  const width = 1 / years.length;
  const bars = years.map(({ label, value }, i) => {
    const top = scale.at(Math.max(value, 0));
    const height = top - scale.at(Math.min(value, 0));
    return `<rect class="${value < 0 ? 'lose' : 'win'}" x="${pct((i + 0.2) * width)}" width="${pct(0.6 * width)}" y="${pct(1 - top)}" height="${pct(height)}"><title>${label}: ${signed(value, percent(value))}</title></rect>`;
  });
  const xTicks: Tick[] = years.map(({ label }, i) => ({ at: (i + 0.5) * width, label }));
  return chart({
    id: 'years',
    title: 'Return per year',
    alternative: `Bars of the return per year: ${years.map(({ label, value }) => `${label} ${percent(value, 1)}`).join(', ')}.`,
    height: 's',
    xTicks,
    yTicks: scale.ticks,
    strokes: [],
    marks: bars.join(''),
    baseline: scale.at(0),
  });
}

/** How often a month brought which return. */
export function monthsDistribution(sheet: TearSheet): string {
  const values = monthlyReturns(sheet).flatMap(({ months }) => [...months].filter(Number.isFinite));
  if (values.length < 3) return '';
  const { width, losses, wins } = histogram(values);
  const [from, to] = [-Math.max(1, losses.length), Math.max(1, wins.length)];
  const most = Math.max(1, ...losses, ...wins);
  const y = linearBetween(0, most * 1.06, (value) => count(value));
  const x = linearBetween(from * width, to * width, (value, digits) =>
    signed(value, percent(value, Math.max(0, digits - 2))),
  );
  const bar = (left: number, n: number, className: string): string =>
    n === 0
      ? ''
      : `<rect class="${className}" x="${pct(x.at(left) + 0.002)}" width="${pct(1 / (to - from) - 0.004)}" y="${pct(1 - y.at(n))}" height="${pct(y.at(n))}"><title>${percent(left, 1)} to ${percent(left + width, 1)}: ${plural(n, 'month')}</title></rect>`;
  const bars = [
    ...losses.map((n, i) => bar(-(i + 1) * width, n, 'lose')),
    ...wins.map((n, i) => bar(i * width, n, 'win')),
  ];
  const sorted = [...values].sort((a, b) => a - b);
  return chart({
    id: 'month-distribution',
    title: 'Distribution of monthly returns',
    alternative: `Histogram of ${plural(values.length, 'monthly return')}: worst ${percent(sorted[0]!)}, median ${percent(sorted[Math.floor(sorted.length / 2)]!)}, best ${percent(lastValue(sorted))}.`,
    height: 's',
    xTicks: x.ticks,
    yTicks: y.ticks.filter(({ label }, i, all) => !label.includes('.') && label !== all[i - 1]?.label),
    strokes: [],
    marks: bars.join(''),
    baseline: 0,
  });
}

/** Rolling volatility and beta to the asset. */
export function riskCharts({ rollingRisk }: TearSheet, axis: Axis): string {
  if (rollingRisk === null) return '';
  const { windowBars, volatility, beta } = rollingRisk;
  const one = (id: string, title: string, values: Float64Array, label: (value: number, digits: number) => string) => {
    const known = values.filter(Number.isFinite);
    if (known.length === 0) return '';
    const [low, high] = extent(known);
    const scale = linearScale(Math.min(low, 0), Math.max(high, 0), label);
    return chart({
      id,
      title: `${title}, ${plural(windowBars, 'bar')}`,
      alternative: `Line chart of the ${title.toLowerCase()} over the last ${plural(windowBars, 'bar')}: between ${label(low, 4)} and ${label(high, 4)}, at the end ${label(lastValue(known), 4)}.`,
      height: 's',
      xTicks: timeTicks(axis.startMs, axis.endMs),
      yTicks: scale.ticks,
      strokes: [{ className: 'strategy', path: line(axis, scale, values) }],
      baseline: scale.at(0),
      isOverTime: true,
    });
  };
  return (
    one('volatility', 'Rolling volatility a year', volatility, (value, digits) =>
      percent(value, Math.max(0, digits - 2)),
    ) + one('beta', 'Rolling beta to the asset', beta, amount)
  );
}

/** Percentiles of the drawn courses at each part of the run; null without drawn courses. */
export function percentileFan({ monteCarlo, initialBalance }: TearSheet) {
  if (monteCarlo === null) return null;
  const { fan, steps } = monteCarlo;
  const column = (band: keyof SheetBands) => Float64Array.from(fan, (point) => point[band] * initialBalance);
  const axis: Axis = { time: Float64Array.from(fan, ({ step }) => step), startMs: 0, endMs: steps };
  const [low, p25, middle] = [column('p5'), column('p25'), column('p50')];
  return { axis, low, p25, middle, p75: column('p75'), high: column('p95') };
}

/** Courses that the account could have taken, as a fan and a table. */
export function monteCarloPanel(sheet: TearSheet): string {
  const { monteCarlo } = sheet;
  const fan = percentileFan(sheet);
  if (monteCarlo === null || fan === null) return '';
  const { pathCount, finalGrowth, maxDrawdown, ruinProbability } = monteCarlo;
  const { axis, low, p25, middle, p75, high } = fan;
  const scale = valueScale(...extent(low, high));
  const band = (lower: Float64Array, upper: Float64Array): string => {
    const back = line(axis, scale, lower)
      .split(/(?=[ML])/)
      .reverse();
    return `${line(axis, scale, upper)}${back.map((point) => `L${point.slice(1)}`).join('')}Z`;
  };
  const xTicks = [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, label: percent(at, 0) }));
  const picture = chart({
    id: 'fan',
    title: `Account value of ${count(pathCount)} drawn courses${scale.isLog ? ', log scale' : ''}`,
    alternative: `Fan of drawn courses: at the end between ${money(lastValue(low))} (5th percentile) and ${money(lastValue(high))} (95th), median ${money(lastValue(middle))}.`,
    legend: [
      { className: 'fan-wide', text: '5th to 95th percentile' },
      { className: 'fan-half', text: '25th to 75th' },
      { className: 'strategy', text: 'median' },
    ],
    height: 'm',
    isOverTime: true,
    xTicks,
    yTicks: scale.ticks,
    strokes: [
      { className: 'fan-wide', path: band(low, high) },
      { className: 'fan-half', path: band(p25, p75) },
      { className: 'strategy', path: line(axis, scale, middle) },
    ],
  });
  const row = (name: string, bands: SheetBands, text: (value: number) => string): string =>
    `<tr><th scope="row">${name}</th>${(['p5', 'p25', 'p50', 'p75', 'p95'] as const).map((one) => `<td>${text(bands[one])}</td>`).join('')}</tr>`;
  const head = ['Percentile', '5th', '25th', 'Median', '75th', '95th'].map((name) => `<th scope="col">${name}</th>`);
  const table = scrollTable(
    'Drawn courses',
    `<table class="pairs exits"><caption class="spoken">Percentiles of the drawn courses</caption><thead><tr>${head.join('')}</tr></thead><tbody>${row('Total return', finalGrowth, (value) => signed(value - 1, percent(value - 1, 1)))}${row('Deepest drawdown', maxDrawdown, (value) => percent(value, 1))}</tbody></table>`,
  );
  return `${picture}${table}<p class="note">${percent(ruinProbability, 1)} of the courses lost half of the account at some time.</p>`;
}

export const monteCarloNote = ({ monteCarlo }: TearSheet): string =>
  monteCarlo === null
    ? ''
    : `The returns of this run, drawn again ${count(monteCarlo.pathCount)} times in blocks of ${plural(monteCarlo.meanBlockBars, 'bar')} on average: what luck with the order of events may add or take. It says nothing about a market that changes.`;

interface YearReturns {
  readonly year: number;
  /** Twelve fractions; NaN for a month without bars. */
  readonly months: Float64Array;
  /** Compounded return of the months. */
  readonly total: number;
}

/**
 * Returns of UTC months. A bar belongs to the month of its open; the first month starts from the
 * initial balance. All months together compound to the return of the run.
 */
function monthlyReturns({ bars, equity, initialBalance }: TearSheet): YearReturns[] {
  const years: { year: number; months: Float64Array; total: number }[] = [];
  let before = initialBalance;
  let monthEndMs = Number.NEGATIVE_INFINITY;
  const close = (ms: number, value: number): void => {
    const date = new Date(ms);
    const year = date.getUTCFullYear();
    let row = years[years.length - 1];
    if (row?.year !== year) {
      row = { year, months: new Float64Array(12).fill(Number.NaN), total: 0 };
      years.push(row);
    }
    row.months[date.getUTCMonth()] = value / before - 1;
    row.total = (1 + row.total) * (value / before) - 1;
    before = value;
  };
  for (let i = 0; i < equity.length; i++) {
    const time = bars.time[i]!;
    if (time < monthEndMs) continue;
    if (i > 0) close(bars.time[i - 1]!, equity[i - 1]!);
    const date = new Date(time);
    monthEndMs = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  }
  if (equity.length > 0) close(bars.time[equity.length - 1]!, lastValue(equity));
  return years;
}

/** Strongest tint of a cell. Text on it keeps a contrast of 4.5:1 in both themes. */
const TINT_MAX = 0.42;

export function monthsTable(sheet: TearSheet): string {
  const years = monthlyReturns(sheet);
  const sizes = years.flatMap(({ months }) => [...months].filter(Number.isFinite).map(Math.abs)).sort((a, b) => a - b);
  // With the 95th percentile one extreme month does not fade the others.
  const strong = sizes[Math.floor(sizes.length * 0.95)] || 1;
  const cell = (value: number, isTotal: boolean): string => {
    if (!Number.isFinite(value)) return '<td></td>';
    const text = signed(value, amount(100 * value, Math.abs(value) >= 10 ? 0 : 1));
    const tint = Math.min(1, Math.abs(value) / (isTotal ? strong * 3 : strong)) * TINT_MAX;
    return `<td class="${value < 0 ? 'down' : 'up'}" style="--a:${tint.toFixed(2)}">${numberText(text)}</td>`;
  };
  const rows = years.map(
    ({ year, months, total }) =>
      `<tr><th scope="row">${year}</th>${Array.from(months, (value) => cell(value, false)).join('')}${cell(total, true)}</tr>`,
  );
  const head = [...monthNames, 'Year'].map((name) => `<th scope="col">${name}</th>`).join('');
  return scrollTable(
    'Monthly returns',
    `<table class="months"><caption class="spoken">Returns in percent per month and year</caption><thead><tr><th scope="col">Year</th>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`,
  );
}
