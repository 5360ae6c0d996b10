import { ruleLabel, sideLabel } from '../../engine/sweep/index.js';
import { count, label, plural } from '../format.js';
import { escapeHtml, numberText, scrollTable } from '../html.js';
import { sideText } from '../rules.js';
import type { SheetRule } from '../sheet.js';
import { hasFewTrades, isLowBetter, metricText, metricWords } from './metric.js';
import { settingsText } from './panels.js';
import type { SheetRun, SweepSheet } from './sheet.js';

/**
 * Rules in short form, such as `sma_cross_up(10, 70) & is_above_sma(200)`. The tooltip of the cell
 * names the parameters.
 */
const shortRules = (rules: readonly SheetRule[]): string => sideLabel(rules, ruleLabel) || 'none';

const longRules = (rules: readonly SheetRule[]): string => sideText(rules);

interface TextColumn {
  readonly title: string;
  readonly of: (run: SheetRun) => string;
  readonly tip?: (run: SheetRun) => string;
}

const textColumns: readonly TextColumn[] = [
  { title: 'Dataset', of: ({ dataset }) => dataset },
  { title: 'Entry', of: ({ entry }) => shortRules(entry), tip: ({ entry }) => longRules(entry) },
  { title: 'Exit', of: ({ exit }) => shortRules(exit), tip: ({ exit }) => longRules(exit) },
  {
    title: 'Short entry',
    of: ({ short }) => (short === undefined ? '' : shortRules(short.entry)),
    tip: ({ short }) => longRules(short?.entry ?? []),
  },
  {
    title: 'Short exit',
    of: ({ short }) => (short === undefined ? '' : shortRules(short.exit)),
    tip: ({ short }) => longRules(short?.exit ?? []),
  },
  { title: 'Settings', of: ({ settings }) => settingsText(settings) },
];

/** A column for each place of a portfolio that the sweep varies. */
const axisColumns = ([first]: readonly SheetRun[]): TextColumn[] =>
  Object.keys(first?.settings ?? {}).map((title) => ({ title, of: ({ settings }) => String(settings[title]) }));

/**
 * The best runs, sortable by any column. Values that all runs share are stated once, above the
 * table.
 */
export function bestTable({ best, by, minTrades, portfolio }: SweepSheet): string {
  if (best.length === 0) return '<p>No run traded.</p>';
  const metrics = [
    ...new Set([
      by,
      'sharpe_ratio',
      'total_return',
      'max_drawdown',
      'win_rate',
      'profit_factor',
      'total_trades',
    ] as const),
  ];
  // biome-ignore lint/style/noNonNullAssertion: `some` calls this only if there is a best run
  const varies = ({ of }: TextColumn) => best.some((run) => of(run) !== of(best[0]!));
  const columns = portfolio === undefined ? textColumns : axisColumns(best);
  const texts = columns.filter(varies);
  // biome-ignore lint/style/noNonNullAssertion: best is not empty here
  const shared = columns.filter((column) => !varies(column) && column.of(best[0]!) !== '');
  const head = [
    '<th scope="col" class="number">Run</th>',
    ...metrics.map((name) => {
      const better = isLowBetter(name) ? ' data-better="lower"' : '';
      return `<th scope="col" class="number"${better}>${escapeHtml(shortNames[name] ?? label(name))}</th>`;
    }),
    ...texts.map(({ title }) => `<th scope="col" class="text">${escapeHtml(title)}</th>`),
  ];
  const rows = best.map((run) => {
    const numbers = metrics.map((name) => {
      const value = run.metrics[name] ?? null;
      const mark = name === 'total_trades' && hasFewTrades(run, minTrades) ? '*' : '';
      return `<td data-value="${value ?? ''}">${numberText(metricText(name, value))}${mark}</td>`;
    });
    const words = texts.map(({ of, tip }) => {
      const title = tip === undefined ? '' : ` title="${escapeHtml(tip(run))}"`;
      return `<td class="text"${title}>${escapeHtml(of(run))}</td>`;
    });
    return `<tr><th scope="row" data-value="${run.run}">${count(run.run)}</th>${numbers.join('')}${words.join('')}</tr>`;
  });
  const caption = `The ${plural(best.length, 'best run')} by ${metricWords(label(by))}`;
  // biome-ignore lint/style/noNonNullAssertion: best is not empty here
  const same = shared.map(({ title, of }) => `${title.toLowerCase()} ${of(best[0]!)}`).join('; ');
  const note = same === '' || best.length === 1 ? '' : `<p class="note">All of them have ${escapeHtml(same)}.</p>`;
  return `${note}${scrollTable(
    'Best runs',
    `<table><caption class="spoken">${escapeHtml(caption)}</caption><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`,
    'tall best-runs',
  )}`;
}

const shortNames: Readonly<Record<string, string>> = {
  sharpe_ratio: 'Sharpe',
  sortino_ratio: 'Sortino',
  calmar_ratio: 'Calmar',
  total_return: 'Return',
  max_drawdown: 'Drawdown',
  total_trades: 'Trades',
};
