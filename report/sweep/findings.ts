import { betterOf, type Honesty, type WalkForward } from '../../engine/index.js';
import { amount, count, label, percent, plural } from '../format.js';
import { betterWords, isLowBetter, metricText, metricWords } from './metric.js';

/**
 * A question about the leader of a sweep, its answer in plain words, and the figures behind the
 * answer.
 */
interface Finding {
  readonly question: string;
  readonly answer: string;
  readonly figures: readonly (readonly [name: string, value: string])[];
}

const ratio = (value: number | null): string => (value === null ? 'unknown' : amount(value));
const tries = (value: number): string => amount(value, value < 100 ? 1 : 0);

/** A probability in percent. Rounding never turns one that is nearly 0 or 1 into 0 % or 100 %. */
function share(value: number | null): string {
  if (value === null) return 'unknown';
  if (value > 0 && value < 0.005) return `under ${percent(0.01, 0)}`;
  return value < 1 && value > 0.995 ? `over ${percent(0.99, 0)}` : percent(value, 0);
}
const ruin = (value: number): string => percent(value, value === 0 ? 0 : 1);

/** The verdict in one sentence. The terminal and the page share it, as they share the findings. */
export const verdictOf = (one: Honesty): string => `${windowOf(one)}${fewTradesOf(one)}${luckVerdict(one)}`;

/** Names the training window: a walk-forward sweep is judged by its newest choice. */
function windowOf({ walkForward }: Honesty): string {
  const newest = walkForward?.folds.at(-1);
  return newest === undefined ? '' : `Newest training window, ${newest.trainFrom} to ${newest.trainTo}: `;
}

/** Says that the leader has too few trades, which it may have only if all others do. */
const fewTradesOf = ({ eligibleTrials, minTrades, leader }: Honesty): string =>
  eligibleTrials > 0
    ? ''
    : `No try made ${plural(minTrades, 'trade')}; run ${count(leader.run)} leads with ${count(leader.trades)}. `;

/**
 * Belief is about the Sharpe ratio: no other metric has an expected best of many tries without
 * skill. The verdict says so if another metric ranked the runs.
 */
function luckVerdict(one: Honesty): string {
  const { trialCount, sharpe, luckySharpe, deflatedSharpe, leader } = one;
  if (sharpe === null) return `Of ${count(trialCount)} tries that traded, the best has too few days for a judgement.`;
  if (trialCount < 2 || luckySharpe === null || deflatedSharpe === null) {
    return `Only one try traded, with a Sharpe ratio of ${ratio(sharpe)}: there was no choice, so luck in choosing played no part.`;
  }
  const luck = share(1 - deflatedSharpe);
  const { metric } = leader;
  if (metric !== 'sharpe_ratio') {
    const end = betterOf(metric) === 'lower' ? 'lowest' : 'highest';
    const name = metricWords(label(metric));
    return `Run ${count(leader.run)} has the ${end} ${name} of ${triesOf(one)}, ${metricText(metric, leader.value)}. Belief is judged by its Sharpe ratio, ${ratio(sharpe)} (daily returns), not by its ${name}: by luck alone the best of ${count(trialCount)} tries has as high a Sharpe ratio in ${luck} of cases.`;
  }
  const all = hasFewOthers(one) ? `the best of ${count(trialCount)} ` : '';
  return `The best Sharpe ratio of ${triesOf(one)} is ${ratio(sharpe)} (daily returns); luck alone gives ${all}as much in ${luck} of cases.`;
}

/** Whether some runs, but not all, had too few trades to lead. */
const hasFewOthers = ({ eligibleTrials, trialCount }: Honesty): boolean =>
  eligibleTrials > 0 && eligibleTrials < trialCount;

/** The tries among which the leader is the best. */
function triesOf(one: Honesty): string {
  const { eligibleTrials, minTrades, trialCount } = one;
  const traded = `${count(trialCount)} tries that traded`;
  return hasFewOthers(one)
    ? `the ${count(eligibleTrials)} with at least ${plural(minTrades, 'trade')} among ${traded}`
    : traded;
}

export function findingsOf(one: Honesty): Finding[] {
  return [luckOf(one), choosingOf(one), plateauOf(one), costsOf(one), pathsOf(one), lengthOf(one)];
}

function luckOf(one: Honesty): Finding {
  const { trialCount, effectiveTrialCount, luckySharpe, sharpe, deflatedSharpe, probabilisticSharpe } = one;
  const expected =
    luckySharpe === null
      ? ''
      : `About ${tries(effectiveTrialCount)} of the tries are independent. Without any skill, the best of that number has an expected Sharpe ratio of ${ratio(luckySharpe)}. `;
  return {
    question: 'Is it luck?',
    answer: `${expected}As the only try, run ${count(one.leader.run)} would have a true Sharpe ratio above 0 with a probability of ${share(probabilisticSharpe)}.`,
    figures: [
      ['Tries that traded', count(trialCount)],
      [`With ${plural(one.minTrades, 'trade')} or more`, count(one.eligibleTrials)],
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
      ? 'There are too few tries or days to choose on one half of the days and test on the other. '
      : `In ${share(overfitting.pbo)} of ${count(overfitting.splitCount)} ways to halve the days, the best try of one half, by Sharpe ratio, is below the median of all tries in the other half. `;
  const check = realityCheckP === null ? '' : `Tries without skill do as well in ${share(realityCheckP)} of resamples.`;
  return {
    question: 'Does choosing the best try help?',
    answer: `${halves}${check}`.trim(),
    figures: [
      ['Probability of overfitting', share(overfitting?.pbo ?? null)],
      ['Chosen try then loses', share(overfitting?.lossProbability ?? null)],
      ['Degradation slope', ratio(overfitting?.degradationSlope ?? null)],
      ['Reality check p', share(realityCheckP)],
      ['Tries examined', count(sampledTrials)],
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
        ? 'No neighbour of the leader traded in this sweep.'
        : `The leader has ${plural(neighbours, 'neighbour')} one step away that traded; their mean ${name} is ${metricText(leader.metric, mean)}, its own is ${value}${isLowBetter(leader.metric) ? `; ${betterWords(leader.metric)}` : ''}.`,
    figures: [
      ['Leader', value],
      ['Neighbours, mean', mean === null ? 'unknown' : metricText(leader.metric, mean)],
      ['Neighbours that traded', count(neighbours)],
    ],
  };
}

function costsOf({ costStress }: Honesty): Finding {
  const worst = costStress.at(-1);
  const best = costStress[0];
  const story =
    worst === undefined || best === undefined
      ? 'The sweep tried no other costs.'
      : `At ${worst.factor} times the costs, the Sharpe ratio is ${ratio(worst.sharpe)} and the return ${percent(worst.totalReturn, 0)}; at ${best.factor} times, they are ${ratio(best.sharpe)} and ${percent(best.totalReturn, 0)}.`;
  return {
    question: 'Does it survive higher costs?',
    answer: story,
    figures: costStress.map(({ factor, sharpe }) => [`Sharpe, costs x${factor}`, ratio(sharpe)]),
  };
}

function pathsOf({ bootstrapped, reshuffled }: Honesty): Finding {
  const question = 'What else could have happened?';
  if (bootstrapped === null)
    return { question, answer: 'There are no days from which to draw other paths.', figures: [] };
  const { finalGrowth: growth, maxDrawdown: fall, ruinProbability, pathCount } = bootstrapped;
  return {
    question,
    answer: `With its days resampled, 90\u00a0% of ${count(pathCount)} paths have a return of ${percent(growth.p5 - 1, 0)} to ${percent(growth.p95 - 1, 0)}, and 90\u00a0% a drawdown of ${percent(fall.p5, 0)} to ${percent(fall.p95, 0)}; ${ruin(ruinProbability)} of the paths lose half of the account.`,
    figures: [
      ['Return, median', percent(growth.p50 - 1, 0)],
      ['Return, 5 to 95 %', `${percent(growth.p5 - 1, 0)} to ${percent(growth.p95 - 1, 0)}`],
      ['Drawdown, 5 to 95 %', `${percent(fall.p5, 0)} to ${percent(fall.p95, 0)}`],
      ['Half of the account lost', ruin(ruinProbability)],
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
      ? 'no number of days would show that its Sharpe ratio is above 0'
      : `${plural(Math.ceil(minTrackRecordDays), 'day')} would show with 95\u00a0% confidence that its Sharpe ratio is above 0`;
  return {
    question: 'Is the data long enough?',
    answer: `The sweep used ${plural(days, 'day')}. On less than ${amount(minBacktestYears, 1)} years, luck alone takes this number of tries to a Sharpe ratio of 1; ${record}.`,
    figures: [
      ['Days used', count(days)],
      ['Minimum backtest length', `${amount(minBacktestYears, 1)} years`],
      ['Minimum track record', minTrackRecordDays === null ? 'none' : `${count(Math.ceil(minTrackRecordDays))} days`],
    ],
  };
}

/** Says how the choices did on the bars after their training windows. */
export function walkForwardWords(walk: WalkForward): string {
  const { folds, efficiency, totalReturn, sharpe, profitableFolds, foldsLeftOut, minTrades } = walk;
  const leftOut = foldsLeftOut === 0 ? '' : ` In ${plural(foldsLeftOut, 'more fold')} no run traded.`;
  const few = folds.filter(({ trainTrades }) => trainTrades < minTrades).length;
  const fewWords =
    few === 0
      ? ''
      : ` In ${plural(few, 'fold')} (*) no run made ${plural(minTrades, 'trade')} in the training window; the best of all that traded was chosen.`;
  const kept = isLowBetter(walk.metric)
    ? `The mean ${metricWords(label(walk.metric))} of the leaders is ${meanOf(walk, 'inSample')} in sample and ${meanOf(walk, 'outOfSample')} out of sample; ${betterWords(walk.metric)}.`
    : efficiency === null
      ? 'On average the leaders are not above 0 even in sample.'
      : efficiency <= 0
        ? 'Out of sample the leaders keep nothing of their result in sample.'
        : `Out of sample the leaders keep ${percent(efficiency, 0)} of their result in sample.`;
  return `${kept} ${percent(profitableFolds, 0)} of ${plural(folds.length, 'fold')} made a profit; all test windows in a row return ${percent(totalReturn, 1)} with a Sharpe ratio of ${ratio(sharpe)}.${fewWords}${leftOut}`;
}

/** The mean metric of the leaders over one kind of window. */
export function meanOf({ folds, metric }: WalkForward, side: 'inSample' | 'outOfSample'): string {
  const known = folds.flatMap((fold) => fold[side] ?? []);
  return metricText(metric, known.reduce((sum, value) => sum + value, 0) / known.length);
}
