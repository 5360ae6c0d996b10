import { type Assessment, datasetName } from '../../engine/sweep/index.js';
import { count, label, NONE, percent, plural, signed } from '../format.js';
import { escapeHtml, numberText, scrollTable } from '../html.js';
import { metricText, metricWords } from './metric.js';
import type { SheetDataset, SweepSheet } from './sheet.js';

/** Datasets up to which each is shown in full; of more, the best is, and the others fold away. */
const SHOWN_IN_FULL = 3;

/** A share of resamples, which rounding never makes 0 or 1. */
function share(value: number | null | undefined): string {
  if (value === null || value === undefined) return NONE;
  if (value < 0.005) return 'under 1\u00a0%';
  return value > 0.995 && value < 1 ? 'over 99\u00a0%' : percent(value, 0);
}

const hasEarned = ({ leader }: SheetDataset): boolean => (leader?.metrics.total_return ?? 0) > 0;

/** One line for each dataset, in the order given, and what all of them are together. */
export function datasetTable({ datasets, by, minTrades }: SweepSheet): string {
  const judged = datasets.flatMap(({ honesty }) => (honesty === null ? [] : [honesty]));
  const isOther = by !== 'sharpe_ratio';
  const header = ['Dataset', 'Leader', ...(isOther ? [label(by)] : []), 'Sharpe ratio', 'Return', 'Drawdown'];
  const rest = ['Trades', 'Tries', 'Tries that earned', 'Luck does as well'];
  const head = [...header, ...rest].map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const body = datasets.map((one) => assetRow(one, isOther ? by : null, minTrades)).join('');
  return `<p class="lead">${escapeHtml(words(datasets, judged))}</p>${scrollTable(
    'Datasets',
    `<table class="datasets"><caption class="spoken">Datasets, best first</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`,
  )}`;
}

function assetRow(dataset: SheetDataset, by: SweepSheet['by'] | null, minTrades: number): string {
  const { name, leader, honesty } = dataset;
  const metrics = leader?.metrics ?? {};
  const money = metricText('total_return', metrics.total_return);
  const trades = metrics.total_trades ?? 0;
  const cells = [
    leader === null ? 'no run traded' : `run ${count(leader.run)}`,
    ...(by === null ? [] : [metricText(by, metrics[by])]),
    metricText('sharpe_ratio', metrics.sharpe_ratio),
    leader === null ? NONE : signed(metrics.total_return ?? 0, money),
    metricText('max_drawdown', metrics.max_drawdown),
    leader === null ? NONE : `${count(trades)}${trades < minTrades ? '*' : ''}`,
    honesty === null ? NONE : count(honesty.trialCount),
    honesty === null ? NONE : percent(honesty.profitableTrials / honesty.trialCount, 0),
    share(honesty?.wholeSweep?.luckP),
  ];
  return `<tr><th scope="row">${escapeHtml(name)}</th>${cells.map((cell) => `<td>${numberText(cell)}</td>`).join('')}</tr>`;
}

function words(datasets: readonly SheetDataset[], judged: readonly Assessment[]): string {
  const earned = datasets.filter(hasEarned).length;
  const tries = judged.reduce((sum, { trialCount }) => sum + trialCount, 0);
  const gained = judged.reduce((sum, { profitableTrials }) => sum + profitableTrials, 0);
  const led = datasets.filter(({ leader }) => leader !== null);
  const passing = judged.filter(({ wholeSweep }) => wholeSweep?.fails === null);
  const ends = led.length < 2 ? '' : ` Best ${led[0]?.name}, worst ${led.at(-1)?.name}.`;
  const share = tries === 0 ? '' : `, and ${percent(gained / tries, 0)} of ${plural(tries, 'try')} did`;
  const belief =
    passing.length === 0
      ? 'No leader passes as one picked from all of them.'
      : `As ones picked from all of them, these pass: ${passing.map(datasetName).join(', ')}.`;
  return `The leader earned on ${count(earned)} of ${plural(datasets.length, 'dataset')} (${percent(earned / datasets.length, 0)})${share.replace('trys', 'tries')}.${ends} ${belief}`;
}

export const datasetNote = (by: SweepSheet['by'], minTrades: number): string =>
  `By the ${metricWords(label(by))} of the leader, best first. Luck: the share of sweeps without skill whose best of all datasets does as well. A * marks fewer than ${plural(minTrades, 'trade')}.`;

/** Parts of a section, one a dataset: of many, all but the first fold away. */
export function folded(parts: readonly { readonly name: string; readonly html: string }[]): string {
  if (parts.length <= SHOWN_IN_FULL) return parts.map(({ html }) => html).join('\n');
  const [first, ...others] = parts;
  const rest = others.map(
    ({ name, html }) => `<details class="fold"><summary>${escapeHtml(name)}</summary>${html}</details>`,
  );
  return `${first?.html ?? ''}\n<details class="folds-of"><summary>${plural(others.length, 'other dataset')}</summary>${rest.join('\n')}</details>`;
}
