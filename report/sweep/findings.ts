import type { Honesty, WalkForward } from '../../engine/index.js';
import { amount, count, label, percent, plural } from '../format.js';
import { metricText, metricWords } from './metric.js';

/**
 * One question about the leader of a sweep, answered in plain words, with the figures behind the
 * answer.
 */
interface Finding {
  readonly question: string;
  readonly answer: string;
  readonly figures: readonly (readonly [name: string, value: string])[];
}

const ratio = (value: number | null): string => (value === null ? 'unknown' : amount(value));
const tries = (value: number): string => amount(value, value < 100 ? 1 : 0);

/** A probability; what is not quite certain does not become it by rounding. */
function share(value: number | null): string {
  if (value === null) return 'unknown';
  if (value > 0 && value < 0.005) return `under ${percent(0.01, 0)}`;
  return value < 1 && value > 0.995 ? `over ${percent(0.99, 0)}` : percent(value, 0);
}
const ruin = (value: number): string => percent(value, value === 0 ? 0 : 1);

/**
 * The verdict in one sentence. The views of the terminal and of the page share it, and the
 * findings.
 */
export const verdictOf = (one: Honesty): string => `${windowOf(one)}${luckVerdict(one)}`;

/** A walk-forward sweep is judged by its newest choice. */
function windowOf({ walkForward }: Honesty): string {
  const newest = walkForward?.folds.at(-1);
  return newest === undefined ? '' : `Newest training window, ${newest.trainFrom} to ${newest.trainTo}: `;
}

function luckVerdict({ trialCount, sharpe, luckySharpe, deflatedSharpe }: Honesty): string {
  if (sharpe === null) return `Of ${count(trialCount)} tries that traded, the best has too few days to be judged.`;
  if (trialCount < 2 || luckySharpe === null || deflatedSharpe === null) {
    return `Only one try traded, with a Sharpe ratio of ${ratio(sharpe)}: nothing was chosen, so luck in choosing played no part.`;
  }
  return `Of ${count(trialCount)} tries that traded, the best Sharpe ratio, ${ratio(sharpe)} from daily returns, is what luck alone gives in ${share(1 - deflatedSharpe)} of cases.`;
}

export function findingsOf(one: Honesty): Finding[] {
  return [luckOf(one), choosingOf(one), plateauOf(one), costsOf(one), pathsOf(one), lengthOf(one)];
}

function luckOf(one: Honesty): Finding {
  const { trialCount, effectiveTrialCount, luckySharpe, sharpe, deflatedSharpe, probabilisticSharpe } = one;
  const expected =
    luckySharpe === null
      ? ''
      : `About ${tries(effectiveTrialCount)} of the tries are independent, and the best of so many without any skill is expected to have a Sharpe ratio of ${ratio(luckySharpe)}. `;
  return {
    question: 'Is it luck?',
    answer: `${expected}Had it been the only try, run ${count(one.leader.run)} would be better than nothing with a probability of ${share(probabilisticSharpe)}.`,
    figures: [
      ['Tries that traded', count(trialCount)],
      ['Independent tries', tries(effectiveTrialCount)],
      ['Sharpe ratio, daily', ratio(sharpe)],
      ['Expected best by luck', ratio(luckySharpe)],
      ['Deflated Sharpe', share(deflatedSharpe)],
      ['Probabilistic Sharpe', share(probabilisticSharpe)],
    ],
  };
}

function choosingOf({ overfitting, realityCheckP, sampledTrials }: Honesty): Finding {
  const halves =
    overfitting === null
      ? 'There are too few tries or days to halve them and choose again. '
      : `The best of one half of the days is below the middle of all tries in the other half in ${share(overfitting.pbo)} of ${count(overfitting.splitCount)} ways to halve them. `;
  const check = realityCheckP === null ? '' : `Tries without skill do as well in ${share(realityCheckP)} of resamples.`;
  return {
    question: 'Does choosing the best one help?',
    answer: `${halves}${check}`.trim(),
    figures: [
      ['Probability of overfitting', share(overfitting?.pbo ?? null)],
      ['Chosen one then loses', share(overfitting?.lossProbability ?? null)],
      ['Slope out on in sample', ratio(overfitting?.degradationSlope ?? null)],
      ['Reality check p', share(realityCheckP)],
      ['Tries looked at', count(sampledTrials)],
    ],
  };
}

function plateauOf({ plateau, leader }: Honesty): Finding {
  const { neighbours, mean } = plateau;
  const name = metricWords(label(leader.metric));
  const value = metricText(leader.metric, leader.value);
  return {
    question: 'Is it a plateau or a lone peak?',
    answer:
      mean === null
        ? 'No neighbour of it was run.'
        : `One step away from it lie ${plural(neighbours, 'run')}; their ${name} is ${metricText(leader.metric, mean)} on average, its own is ${value}.`,
    figures: [
      ['Leader', value],
      ['Neighbours, mean', mean === null ? 'unknown' : metricText(leader.metric, mean)],
      ['Neighbours run', count(neighbours)],
    ],
  };
}

function costsOf({ costStress }: Honesty): Finding {
  const worst = costStress.at(-1);
  const best = costStress[0];
  const story =
    worst === undefined || best === undefined
      ? 'Other costs were not tried.'
      : `With costs x${worst.factor} the Sharpe ratio is ${ratio(worst.sharpe)} and the return ${percent(worst.totalReturn, 0)}; with costs x${best.factor} they are ${ratio(best.sharpe)} and ${percent(best.totalReturn, 0)}.`;
  return {
    question: 'Does it bear higher costs?',
    answer: story,
    figures: costStress.map(({ factor, sharpe }) => [`Sharpe, costs x${factor}`, ratio(sharpe)]),
  };
}

function pathsOf({ bootstrapped, reshuffled }: Honesty): Finding {
  const question = 'What else could have come of it?';
  if (bootstrapped === null) return { question, answer: 'There are no days to draw other paths from.', figures: [] };
  const { finalGrowth: growth, maxDrawdown: fall, ruinProbability, pathCount } = bootstrapped;
  return {
    question,
    answer: `Its days in other orders: a return of ${percent(growth.p5 - 1, 0)} to ${percent(growth.p95 - 1, 0)} and a drawdown of ${percent(fall.p5, 0)} to ${percent(fall.p95, 0)} in 90\u00a0% of ${count(pathCount)} paths, half of the account lost in ${ruin(ruinProbability)}.`,
    figures: [
      ['Return, median', percent(growth.p50 - 1, 0)],
      ['Return, 5 to 95 %', `${percent(growth.p5 - 1, 0)} to ${percent(growth.p95 - 1, 0)}`],
      ['Drawdown, 5 to 95 %', `${percent(fall.p5, 0)} to ${percent(fall.p95, 0)}`],
      ['Half lost', ruin(ruinProbability)],
      ...(reshuffled === null
        ? []
        : [
            [
              'Drawdown, trades reordered',
              `${percent(reshuffled.maxDrawdown.p5, 0)} to ${percent(reshuffled.maxDrawdown.p95, 0)}`,
            ] as const,
          ]),
    ],
  };
}

function lengthOf({ days, minBacktestYears, minTrackRecordDays }: Honesty): Finding {
  const record =
    minTrackRecordDays === null
      ? 'no number of days would show it to be above 0'
      : `${plural(Math.ceil(minTrackRecordDays), 'day')} would show it to be above 0 with 95\u00a0% confidence`;
  return {
    question: 'Is the data long enough?',
    answer: `${plural(days, 'day')} were used. Below ${amount(minBacktestYears, 1)} years so many tries reach a Sharpe ratio of 1 by luck; ${record}.`,
    figures: [
      ['Days used', count(days)],
      ['Minimum backtest length', `${amount(minBacktestYears, 1)} years`],
      ['Minimum track record', minTrackRecordDays === null ? 'none' : `${count(Math.ceil(minTrackRecordDays))} days`],
    ],
  };
}

/** What became of choices once the bars that made them were over. */
export function walkForwardWords({
  folds,
  efficiency,
  totalReturn,
  sharpe,
  profitableFolds,
  foldsLeftOut,
}: WalkForward): string {
  const leftOut = foldsLeftOut === 0 ? '' : ` Left out: ${plural(foldsLeftOut, 'fold')} in which no run traded.`;
  const kept =
    efficiency === null
      ? 'The leaders had nothing to keep: in sample they are not above 0 on average.'
      : efficiency <= 0
        ? 'Out of sample nothing is left of what the leaders promised in sample.'
        : `Out of sample the leaders keep ${percent(efficiency, 0)} of what they promised in sample.`;
  return `${kept} ${percent(profitableFolds, 0)} of ${plural(folds.length, 'fold')} gained; one test window after the other they return ${percent(totalReturn, 1)} with a Sharpe ratio of ${ratio(sharpe)}.${leftOut}`;
}
