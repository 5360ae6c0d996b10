import type { Honesty, WalkForward } from '../service/index.js';
import { amount, count, percent, plural, table } from './output.js';

const ratio = (value: number | null): string => (value === null ? 'unknown' : value.toFixed(2));
const share = (value: number | null): string => (value === null ? 'unknown' : percent(value, 0));

/** In plain words, what may be believed of the best run. */
export function honestyLines(one: Honesty): string[] {
  const { trialCount, effectiveTrialCount, sharpe, deflatedSharpe, luckySharpe, overfitting, plateau, costStress } =
    one;
  const luck = deflatedSharpe === null ? null : 1 - deflatedSharpe;
  const newest = one.walkForward?.folds.at(-1);
  const lines = [
    ...(newest === undefined ? [] : [`Of the newest training window, ${newest.trainFrom} to ${newest.trainTo}:`]),
    `${one.asset} ${one.timeframe}: of ${count(trialCount)} tries that traded, about ${amount(effectiveTrialCount, 1)} of them independent, the best`,
    `(run ${one.leader.run}) has a Sharpe ratio of ${ratio(sharpe)} from daily returns; luck alone gives the best of so many ${ratio(luckySharpe)},`,
    `and as much as this one in ${share(luck)} of cases. By itself it would be above 0 with ${share(one.probabilisticSharpe)}.`,
  ];
  if (overfitting !== null) {
    lines.push(
      `The best of one half of the days is below the middle in the other half in ${share(overfitting.pbo)} of ${count(overfitting.splitCount)} ways to halve them.`,
    );
  }
  lines.push(
    `Trials without skill do as well in ${share(one.realityCheckP)} of resamples (reality check).`,
    plateau.mean === null
      ? 'No neighbour of it was run.'
      : `Its ${count(plateau.neighbours)} neighbours have ${one.leader.metric} ${ratio(plateau.mean)} on average, it has ${ratio(one.leader.value)}.`,
    `With costs ${costStress.map(({ factor, sharpe: s }) => `x${factor}: Sharpe ${ratio(s)}`).join(', ')}.`,
  );
  const { bootstrapped } = one;
  if (bootstrapped !== null) {
    const { finalGrowth: growth, maxDrawdown, ruinProbability } = bootstrapped;
    lines.push(
      `Its days in other orders: return ${percent(growth.p5 - 1, 0)} to ${percent(growth.p95 - 1, 0)}, drawdown ${percent(maxDrawdown.p5, 0)} to ${percent(maxDrawdown.p95, 0)} in 90 % of ${count(bootstrapped.pathCount)} paths, half lost in ${percent(ruinProbability, 1)}.`,
    );
  }
  lines.push(
    `${count(one.days)} days were used; ${amount(one.minBacktestYears, 1)} years are the least for so many tries, ${one.minTrackRecordDays === null ? 'no number of' : count(Math.ceil(one.minTrackRecordDays))} days to show that it is above 0.`,
  );
  if (one.walkForward !== null) lines.push('', ...walkForwardLines(one, one.walkForward));
  return lines;
}

/** One line a fold, then all test windows together. */
function walkForwardLines({ asset, timeframe }: Honesty, walk: WalkForward): string[] {
  const { folds, efficiency, metric = 'metric', foldsLeftOut = 0 } = walk;
  const header = ['train', 'test', 'run', 'tries', 'in sample', 'out of sample', 'return', 'drawdown', 'trades'];
  const rows = folds.map((fold) => [
    `${fold.trainFrom} to ${fold.trainTo}`,
    `${fold.testFrom} to ${fold.testTo}`,
    String(fold.run),
    count(fold.trialCount),
    fold.inSample.toFixed(3),
    fold.outOfSample.toFixed(3),
    percent(fold.totalReturn, 1),
    percent(fold.maxDrawdown, 1),
    count(fold.trades),
  ]);
  const kept =
    efficiency === null ? 'in sample it was not above 0' : `out of sample it is ${ratio(efficiency)} of that in sample`;
  const leftOut = foldsLeftOut === 0 ? '' : ` Left out: ${plural(foldsLeftOut, 'fold')} in which no run traded.`;
  return [
    `${asset} ${timeframe}, walk forward: the best run of each training window by ${metric}, on the bars that follow`,
    ...table(
      [header, ...rows],
      header.map((_, i) => (i < 2 ? 'left' : 'right')),
    ),
    `Over ${plural(folds.length, 'test window')} the leaders returned ${percent(walk.totalReturn, 1)} with a Sharpe ratio of ${ratio(walk.sharpe)}; ${share(walk.profitableFolds)} of the windows gained; mean ${metric}: ${kept}.${leftOut}`,
  ];
}
