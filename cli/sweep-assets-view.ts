import { type Assessment, datasetName, leadersFirst } from '../engine/sweep/index.js';
import { shareText } from './across-view.js';
import { count, headedTable, percent, plural } from './output.js';

/** Datasets up to which each is judged in full below the table. */
const JUDGED_IN_FULL = 3;

/** The datasets whose judgement is printed: of many datasets only the best. */
export const assessedInFull = (honesty: readonly Assessment[]): Assessment[] => {
  const ranked = leadersFirst(honesty);
  return ranked.length <= JUDGED_IN_FULL ? ranked : ranked.slice(0, 1);
};

/** Growth of a leader at the costs of its run, a fraction. */
const returnAtCosts = ({ costStress }: Assessment): number | null =>
  costStress.find(({ factor }) => factor === 1)?.totalReturn ?? null;

/** One line for each dataset with a leader, best first, and what they are together. */
export function datasetLines(honesty: readonly Assessment[]): string[] {
  const ranked = leadersFirst(honesty);
  const [best, worst] = [ranked[0], ranked.at(-1)];
  if (best === undefined || worst === undefined || ranked.length < 2) return [];
  const { metric } = best.leader;
  const returns = ranked.map(returnAtCosts);
  const earned = returns.filter((one) => one !== null && one > 0).length;
  const tries = ranked.reduce((sum, { trialCount }) => sum + trialCount, 0);
  const gained = ranked.reduce((sum, { profitableTrials }) => sum + profitableTrials, 0);
  const passing = ranked.filter(({ wholeSweep }) => wholeSweep?.fails === null);
  const header = ['dataset', 'leader', metric, 'return', 'trades', 'tries', 'that earned', 'luck'];
  const rows = ranked.map((one, i) => [
    datasetName(one),
    `run ${one.leader.run}`,
    one.leader.value?.toPrecision(4) ?? '-',
    returns[i] === null || returns[i] === undefined ? '-' : percent(returns[i], 1),
    `${count(one.leader.trades)}${one.leader.trades < one.minTrades ? '*' : ''}`,
    count(one.trialCount),
    percent(one.profitableTrials / one.trialCount, 0),
    shareText(one.wholeSweep?.luckP ?? null),
  ]);
  return [
    `${plural(ranked.length, 'dataset')} by the ${metric} of the leader, best first`,
    `the leader earned on ${count(earned)} of ${count(ranked.length)} (${percent(earned / ranked.length, 0)}), ${percent(gained / tries, 0)} of ${count(tries)} tries did; best ${datasetName(best)}, worst ${datasetName(worst)}`,
    ...headedTable(
      [header, ...rows],
      header.map((_, i) => (i < 2 ? 'left' : 'right')),
    ),
    'luck: share of sweeps without skill whose best of all datasets does as well, with all tries ever made',
    passing.length === 0
      ? 'no leader passes as one picked from all of them'
      : `passing as one picked from all of them: ${passing.map(datasetName).join(', ')}`,
    ...(ranked.length <= JUDGED_IN_FULL
      ? []
      : ['the best is judged in full below; --json and --report judge each of them']),
  ];
}
