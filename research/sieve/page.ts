import type { CurvePoint, Evaluation, Figure } from './evaluate.js';
import { classes } from './examples.js';

const DECIMALS = 3;
const within = ({ value, low, high }: Figure): string =>
  `${value.toFixed(DECIMALS)} (${low.toFixed(DECIMALS)} to ${high.toFixed(DECIMALS)})`;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
// Bounded because a number has at most 310 digits.
const count = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, k) => (k === 0 ? '---' : '--:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** What the training measured, for the page about the sieve. */
interface SieveFigures {
  readonly version: string;
  readonly bytes: number;
  readonly features: number;
  readonly strategies: number;
  readonly evaluations: readonly Evaluation[];
}

/** The tables of the page, as Markdown. */
export function sieveTables({ version, bytes, features, strategies, evaluations }: SieveFigures): string {
  const last = evaluations.at(-1);
  if (last === undefined) throw new Error('nothing was evaluated');
  const runs = evaluations.reduce((sum, one) => sum + one.runs, 0);
  return [
    `Model \`${version}\`: ${count(features)} features, ${count(bytes)} bytes. ${count(runs)} runs, of which the model`,
    `learned from ${count(evaluations[0]?.runs ?? 0)}, with ${count(strategies)} different strategies.`,
    '',
    '### Does it trade?',
    '',
    lossTable(evaluations, 'binary', 'AUC of no trades'),
    '',
    '### How does it end?',
    '',
    lossTable(evaluations, 'four', 'AUC of winning'),
    '',
    '### How runs ended',
    '',
    table(
      ['runs', 'number', 'blocks', ...classes],
      evaluations.map(({ part, runs: number, blocks, shares }) => [
        ...[part, count(number), String(blocks)],
        ...shares.map(percent),
      ]),
    ),
    '',
    `### Calibration on the ${last.part}`,
    '',
    table(
      ['predicted', 'no trades: runs', 'mean score', 'happened', 'winning: runs', 'mean score', 'happened'],
      last.curves.no_trades.map((point, bin) => [
        `${bin / 10} to ${(bin + 1) / 10}`,
        ...cells(point),
        ...cells(last.curves.winning[bin]),
      ]),
    ),
  ].join('\n');
}

const lossTable = (evaluations: readonly Evaluation[], head: 'binary' | 'four', area: string): string =>
  table(
    ['runs', 'log loss', 'of the base rate', 'gain', area],
    evaluations.map((one) => [
      one.part,
      within(one[head].loss),
      one[head].base.value.toFixed(DECIMALS),
      within(one[head].gain),
      within(one[head].area),
    ]),
  );

/** A tenth without runs has no shares. */
function cells(point: CurvePoint | undefined): string[] {
  if (point === undefined || point.runs === 0) return ['0', '-', '-'];
  return [count(point.runs), point.predicted.toFixed(DECIMALS), point.observed.toFixed(DECIMALS)];
}
