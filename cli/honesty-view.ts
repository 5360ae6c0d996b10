import type { Honesty } from '../service/index.js';
import { amount, count, percent } from './output.js';

const ratio = (value: number | null): string => (value === null ? 'unknown' : value.toFixed(2));
const share = (value: number | null): string => (value === null ? 'unknown' : percent(value, 0));

/** In plain words, what may be believed of the best run. */
export function honestyLines(one: Honesty): string[] {
  const { trialCount, effectiveTrialCount, sharpe, deflatedSharpe, luckySharpe, overfitting, plateau, costStress } =
    one;
  const luck = deflatedSharpe === null ? null : 1 - deflatedSharpe;
  const lines = [
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
  return lines;
}
