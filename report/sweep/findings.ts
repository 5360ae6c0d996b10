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

/** What matters first: whether it made money, then the strictest test that it fails. */
function luckVerdict(one: Honesty): string {
  const { trialCount, luckP, marketP, timing, fails, leader } = one;
  if (luckP === null) return `Of ${count(trialCount)} tries that traded, the best has too few days for a judgement.`;
  const { metric } = leader;
  const end = betterOf(metric) === 'lower' ? 'lowest' : 'highest';
  const name = metricWords(label(metric));
  const led = `Run ${count(leader.run)} has the ${end} ${name} of ${triesOf(one)}, ${metricText(metric, leader.value)}.`;
  const judged = metric === 'sharpe_ratio' ? '' : ` Belief is judged by its Sharpe ratio, not by its ${name}.`;
  return `${lossOf(one)}${led}${judged} ${beliefWords({ fails, luckP, marketP, timingP: timing?.pValue ?? null, asset: one.asset })}`;
}

function lossOf({ costStress }: Honesty): string {
  const own = costStress.find(({ factor }) => factor === 1);
  return own === undefined || own.totalReturn > 0 ? '' : `The leader loses ${percent(-own.totalReturn, 0)}. `;
}

interface Belief {
  readonly fails: Honesty['fails'];
  readonly luckP: number;
  readonly marketP: number | null;
  readonly timingP: number | null;
  readonly asset: string;
}

function beliefWords({ fails, luckP, marketP, timingP, asset }: Belief): string {
  const luck = `luck alone does this well in ${oneIn(luckP)} sweeps like this`;
  switch (fails) {
    case 'luck':
      return `Do not believe it: ${luck}.`;
    case 'market':
      return `It owes its result to the market: beyond what ${asset} earned, luck alone does this well in ${oneIn(marketP)} sweeps like this.`;
    case 'timing':
      return `Its entries are not better than random ones: as many, held as long, do as well in ${oneIn(timingP)} cases.`;
    default:
      return `It passes every test made here: ${luck}; beyond what ${asset} earned, in ${oneIn(marketP)}; random entries do as well in ${oneIn(timingP)} cases.`;
  }
}

/** A probability as a frequency, such as `1 of 3`. */
function oneIn(probability: number | null): string {
  if (probability === null) return 'an unknown share of';
  if (probability > 0.95) return 'nearly all';
  if (probability > 2 / 3) return `${Math.round(probability * 10)} of 10`;
  if (probability > 0.4) return '1 of 2';
  return `1 of ${count(Math.round(1 / probability))}`;
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
  return [luckOf(one), marketOf(one), choosingOf(one), plateauOf(one), costsOf(one), pathsOf(one), lengthOf(one)];
}

function luckOf(one: Honesty): Finding {
  const { trialCount, effectiveTrialCount, luckySharpe, sharpe, deflatedSharpe, probabilisticSharpe } = one;
  const expected =
    luckySharpe === null
      ? 'There was no choice, so luck in choosing played no part. '
      : `Without any skill, the best of the ${count(trialCount)} tries has a Sharpe ratio of ${ratio(luckySharpe)} on average, as the best of about ${tries(effectiveTrialCount)} unrelated tries would; run ${count(one.leader.run)} has ${ratio(sharpe)} (both of daily returns). `;
  return {
    question: 'Is it luck?',
    answer: `${expected}As the only try, it would have a true Sharpe ratio above 0 with a probability of ${share(probabilisticSharpe)}.`,
    figures: [
      ['Tries that traded', count(trialCount)],
      [`With ${plural(one.minTrades, 'trade')} or more`, count(one.eligibleTrials)],
      ['Tries examined', count(one.sampledTrials)],
      ['Luck does as well', share(one.luckP)],
      ['Sharpe ratio, daily', ratio(sharpe)],
      ['Best by luck, on average', ratio(luckySharpe)],
      ['Deflated Sharpe', share(deflatedSharpe)],
      ['Probabilistic Sharpe', share(probabilisticSharpe)],
      ['Reality check p', share(one.realityCheckP)],
      ['Superior ability p', share(one.superiorP)],
    ],
  };
}

function marketOf({ marketLine, marketP, timing, asset }: Honesty): Finding {
  const line =
    marketLine === null
      ? `The returns cannot be compared with those of ${asset}. `
      : `For each 1\u00a0% that ${asset} moves in a day, the account moves ${percent(marketLine.beta / 100, 2)}; beyond that it earns ${percent(marketLine.alpha * 365, 0)} a year (t ${amount(marketLine.t, 1)}). `;
  const entries =
    timing === null
      ? 'There are no random entries to compare with.'
      : `A trade moves ${percent(timing.meanReturn, 2)} before costs on average; as many trades at random times, held as long, move ${percent(timing.randomMeanReturn, 2)} and do as well in ${share(timing.pValue)} of cases.`;
  return {
    question: 'Is it the market?',
    answer: `${line}${entries}`,
    figures: [
      ['Luck does as well, beyond the market', share(marketP)],
      ['Alpha a year', marketLine === null ? 'unknown' : percent(marketLine.alpha * 365, 0)],
      ['t of alpha', ratio(marketLine?.t ?? null)],
      ['Beta', ratio(marketLine?.beta ?? null)],
      ['Random entries do as well', share(timing?.pValue ?? null)],
    ],
  };
}

function choosingOf({ overfitting }: Honesty): Finding {
  const answer =
    overfitting === null
      ? 'There are too few tries or days to choose on one half of the days and test on the other.'
      : `In ${share(overfitting.pbo)} of ${count(overfitting.splitCount)} ways to halve the days, the best try of one half, by Sharpe ratio, is below the median of all tries in the other half.`;
  return {
    question: 'Does choosing the best try help?',
    answer,
    figures: [
      ['Probability of overfitting', share(overfitting?.pbo ?? null)],
      ['Chosen try then loses', share(overfitting?.lossProbability ?? null)],
      ['Degradation slope', ratio(overfitting?.degradationSlope ?? null)],
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
