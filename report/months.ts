// biome-ignore-all lint/style/noNonNullAssertion: an equity curve has one value per bar
import { amount, lastValue, signed } from './format.js';
import { numberText, scrollTable } from './html.js';
import { monthNames } from './scale.js';
import type { TearSheet } from './sheet.js';

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
export function monthlyReturns({ bars, equity, initialBalance }: TearSheet): YearReturns[] {
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
