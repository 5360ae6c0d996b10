import { compounded } from '../../engine/metrics/index.js';
import type { Assessment, WalkForward } from '../../engine/sweep/index.js';
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

export function listFindings(one: Assessment): Finding[] {
  return [
    luckFinding(one),
    marketFinding(one),
    choosingFinding(one),
    plateauFinding(one),
    costsFinding(one),
    pathsFinding(one),
    lengthFinding(one),
  ];
}

function luckFinding(one: Assessment): Finding {
  const { trialCount, effectiveTrialCount, luckySharpe, sharpe, deflatedSharpe, probabilisticSharpe } = one;
  const expected =
    luckySharpe === null
      ? 'There was no choice, so luck in choosing played no part. '
      : `Without any skill, the best of the ${count(trialCount)} tries has a Sharpe ratio of ${ratio(luckySharpe)} on average, as the best of about ${tries(effectiveTrialCount)} unrelated tries would; ${leaderSharpe(one)}. Its deflated Sharpe ratio, the probability that its true Sharpe ratio is above what luck gives, is ${share(deflatedSharpe)}. `;
  return {
    question: 'Is it luck?',
    answer: `${expected}${everTriedWords(one)}As the only try, it would have a true Sharpe ratio above 0 with a probability of ${share(probabilisticSharpe)}.`,
    figures: [
      ['Tries that traded', count(trialCount)],
      ['Tries that made money', count(one.profitableTrials)],
      [`With ${plural(one.minTrades, 'trade')} or more`, count(one.eligibleTrials)],
      ['Tries examined', count(one.sampledTrials)],
      ['Luck does as well', share(one.luckP)],
      ...acrossDatasets(one.wholeSweep),
      ['Sharpe ratio of days, annualized', ratio(sharpe)],
      ['Best by luck, on average', ratio(luckySharpe)],
      ['Deflated Sharpe', share(deflatedSharpe)],
      ['Tries ever made', one.everTried === null ? 'unknown' : count(one.everTried.trialCount)],
      ...amongAllTries(one),
      ['Deflated Sharpe, of all of them', share(one.everTried?.deflatedSharpe ?? null)],
      ['Probabilistic Sharpe', share(probabilisticSharpe)],
      ['Reality check p', share(one.realityCheckP)],
      ['Superior ability p', share(one.superiorP)],
    ],
  };
}

/** What the choice of a dataset changes; nothing for a sweep over one. */
const acrossDatasets = (whole: Assessment['wholeSweep']): Finding['figures'] =>
  whole === null ? [] : [[`Luck does as well on one of ${count(whole.datasets)} datasets`, share(whole.luckP)]];

/** What earlier sweeps change; nothing where there were none. */
const amongAllTries = ({ everTried, effectiveTrialCount }: Assessment): Finding['figures'] =>
  everTried === null || (everTried.effectiveTrialCount <= effectiveTrialCount && everTried.otherAssets === 0)
    ? []
    : [
        ['Luck does as well, of all of them', share(everTried.luckP)],
        ['The same beyond the market', share(everTried.marketP)],
        ['Random entries, of all of them', share(everTried.timingP)],
        ['Other assets with the same plan', count(everTried.otherAssets)],
      ];

/** What earlier sweeps change; nothing to say where there were none. */
function everTriedWords({ everTried, trialCount, asset }: Assessment): string {
  if (everTried === null || everTried.trialCount <= trialCount) return '';
  return `With all ${count(everTried.trialCount)} tries ever made on ${asset}, luck gives ${ratio(everTried.luckySharpe)} and the deflated Sharpe ratio is ${share(everTried.deflatedSharpe)}. `;
}

/**
 * The leader's Sharpe ratio as luck's is given, of daily returns, and as the table of runs has it.
 */
function leaderSharpe({ leader, sharpe, timeframe, costStress }: Assessment): string {
  const own = costStress.find(({ factor }) => factor === 1);
  const inTable = own === undefined ? '' : `; the table has ${ratio(own.sharpe)}, of ${timeframe} returns`;
  return `run ${count(leader.run)} has ${ratio(sharpe)} (annualized, of daily returns${inTable})`;
}

function marketFinding({ marketLine, marketP, timing, asset, daysPerYear }: Assessment): Finding {
  const line =
    marketLine === null
      ? `The returns cannot be compared with those of ${asset}. `
      : `For each 1\u00a0% that ${asset} moves in a day, the account moves ${percent(marketLine.beta / 100, 2)}; beyond that it earns ${percent(compounded(marketLine.alpha, daysPerYear), 0)} a year, compounded (t ${amount(marketLine.t, 1)}; below 2 may well be chance). `;
  const entries =
    timing === null
      ? 'There are no random entries to compare with.'
      : `A trade moves ${percent(timing.meanReturn, 2)} before costs on average; as many trades at random times, held as long, move ${percent(timing.randomMeanReturn, 2)}. The best of as many tries with random entries is timed as well in ${share(timing.pValue)} of sweeps.`;
  return {
    question: 'Is it the market?',
    answer: `${line}${entries}`,
    figures: [
      ['Luck does as well, beyond the market', share(marketP)],
      [
        'Alpha a year, compounded',
        marketLine === null ? 'unknown' : percent(compounded(marketLine.alpha, daysPerYear), 0),
      ],
      ['t of alpha', ratio(marketLine?.t ?? null)],
      ['Beta', ratio(marketLine?.beta ?? null)],
      ['Random entries do as well', share(timing?.pValue ?? null)],
    ],
  };
}

function choosingFinding({ overfitting }: Assessment): Finding {
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

function plateauFinding({ plateau, leader }: Assessment): Finding {
  const { neighbours, mean } = plateau;
  const name = metricWords(label(leader.metric));
  const value = metricText(leader.metric, leader.value);
  const own = leader.value === null ? `it has none itself: ${value}` : `its own is ${value}`;
  const theirs = mean === null ? `none has a ${name}` : `their mean ${name} is ${metricText(leader.metric, mean)}`;
  return {
    question: 'Is it a plateau or a lone peak?',
    answer:
      neighbours === 0
        ? 'No neighbour of the leader traded in this sweep.'
        : `The leader has ${plural(neighbours, 'neighbour')} one step away that traded; ${theirs}, ${own}${isLowBetter(leader.metric) ? `; ${betterWords(leader.metric)}` : ''}.`,
    figures: [
      ['Leader', value],
      ['Neighbours, mean', mean === null ? 'unknown' : metricText(leader.metric, mean)],
      ['Neighbours that traded', count(neighbours)],
    ],
  };
}

function costsFinding({ costStress, timeframe, fills }: Assessment): Finding {
  const worst = costStress.at(-1);
  const best = costStress[0];
  const story =
    worst === undefined || best === undefined
      ? 'The sweep tried no other costs.'
      : isFree(costStress)
        ? 'No costs were charged: fees and slippage are 0, so this cannot be told. Set fee_pct and slippage_pct to what your exchange takes.'
        : `At ${worst.factor} times the costs, the Sharpe ratio (annualized, of ${timeframe} returns) is ${ratio(worst.sharpe)} and the return ${percent(worst.totalReturn, 0)}; at ${best.factor} times, they are ${ratio(best.sharpe)} and ${percent(best.totalReturn, 0)}.${stoppedSooner(costStress)}`;
  return {
    question: 'Does it survive higher costs?',
    answer: `${story}${fillWords(fills)}`,
    figures: [
      ...costStress.map(({ factor, sharpe }) => [`Sharpe, costs x${factor}`, ratio(sharpe)] as const),
      ...(fills === null
        ? []
        : [
            ['Slippage that prices imply', percent(fills.slippage, 3)] as const,
            ['Luck does as well, with it', share(fills.pValue)] as const,
          ]),
    ],
  };
}

const fillWords = (fills: Assessment['fills']): string =>
  fills === null
    ? ''
    : ` Its prices imply a slippage of ${percent(fills.slippage, 3)}, see the warnings; with it, luck alone does as well in ${share(fills.pValue)} of sweeps.`;

/** A run that trades ends alike at all costs only where there are none. */
const isFree = (costStress: Assessment['costStress']): boolean =>
  costStress.length > 1 &&
  costStress.every(
    ({ sharpe, totalReturn }) =>
      Object.is(sharpe, costStress[0]?.sharpe) && Object.is(totalReturn, costStress[0]?.totalReturn),
  );

/** Explains higher costs with the better figures: an account without money loses no more. */
function stoppedSooner(costStress: Assessment['costStress']): string {
  for (const [i, dear] of costStress.entries()) {
    const { exhaustedOn } = dear;
    const cheap = costStress
      .slice(0, i)
      .find(
        (one) =>
          (dear.totalReturn > one.totalReturn || dear.sharpe > one.sharpe) &&
          (one.exhaustedOn === null || (exhaustedOn !== null && exhaustedOn < one.exhaustedOn)),
      );
    if (exhaustedOn === null || cheap === undefined) continue;
    return ` Costs times ${dear.factor} look better than times ${cheap.factor} only because the account was exhausted sooner, on ${exhaustedOn}, and traded no more.`;
  }
  return '';
}

function pathsFinding({ bootstrapped, reshuffled }: Assessment): Finding {
  const question = 'What else could have happened?';
  if (bootstrapped === null)
    return { question, answer: 'There are no days from which to draw other paths.', figures: [] };
  const { finalGrowth: growth, maxDrawdown: fall, ruinProbability, pathCount } = bootstrapped;
  return {
    question,
    answer: `With its days drawn again in blocks, with replacement, 90\u00a0% of ${count(pathCount)} paths have a return of ${percent(growth.p5 - 1, 0)} to ${percent(growth.p95 - 1, 0)}, and 90\u00a0% a drawdown of ${percent(fall.p5, 0)} to ${percent(fall.p95, 0)}; ${ruin(ruinProbability)} of the paths lose half of the account.`,
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

function lengthFinding({ days, minBacktestYears, minTrackRecordDays, luckySharpe }: Assessment): Finding {
  const than = luckySharpe === null ? '0' : `luck's ${ratio(luckySharpe)}`;
  const record =
    minTrackRecordDays === null
      ? `no number of days would show that its Sharpe ratio is above ${than}`
      : `${plural(Math.ceil(minTrackRecordDays), 'day')} would show with 95\u00a0% confidence that its Sharpe ratio is above ${than}`;
  return {
    question: 'Is the data long enough?',
    answer: `The sweep used ${plural(days, 'day')}. On less than ${amount(minBacktestYears, 1)} years, luck alone takes this number of tries to a Sharpe ratio of 1 (annualized); ${record}.`,
    figures: [
      ['Days used', count(days)],
      ['Minimum backtest length', `${amount(minBacktestYears, 1)} years`],
      ['Minimum track record', minTrackRecordDays === null ? 'none' : `${count(Math.ceil(minTrackRecordDays))} days`],
    ],
  };
}

/** The market of a sweep: one asset, or the assets of its portfolios, the same money in each. */
export type MarketHeld = 'the asset' | 'the assets evenly';

/** Says how the choices did on the bars after their training windows. */
export function walkForwardWords(walk: WalkForward, market: MarketHeld = 'the asset'): string {
  const { folds, efficiency, totalReturn, sharpe, profitableFolds, foldsLeftOut, minTrades } = walk;
  const held = ` Holding ${market} over them returns ${percent(walk.marketReturn, 1)} with a Sharpe ratio of ${ratio(walk.marketSharpe)}.`;
  const leftOut = foldsLeftOut === 0 ? '' : ` In ${plural(foldsLeftOut, 'more fold')} no run traded.`;
  const few = folds.filter(({ trainTrades }) => trainTrades < minTrades).length;
  const fewWords =
    few === 0
      ? ''
      : ` In ${plural(few, 'fold')} (*) no run made ${plural(minTrades, 'trade')} in the training window; the best of all that traded was chosen.`;
  const kept = isLowBetter(walk.metric)
    ? `The mean ${metricWords(label(walk.metric))} of the leaders is ${meanMetric(walk, 'inSample')} in sample and ${meanMetric(walk, 'outOfSample')} out of sample; ${betterWords(walk.metric)}.`
    : efficiency === null
      ? 'On average the leaders are not above 0 even in sample.'
      : efficiency <= 0
        ? 'Out of sample the leaders keep nothing of their result in sample.'
        : `Out of sample the leaders keep ${percent(efficiency, 0)} of their result in sample.`;
  return `${kept} ${percent(profitableFolds, 0)} of ${plural(folds.length, 'fold')} made a profit; all test windows in a row return ${percent(totalReturn, 1)} with a Sharpe ratio of ${ratio(sharpe)}.${held}${fewWords}${leftOut}`;
}

/** The mean metric of the leaders over one kind of window. */
export function meanMetric({ folds, metric }: WalkForward, side: 'inSample' | 'outOfSample'): string {
  const known = folds.flatMap((fold) => fold[side] ?? []);
  return metricText(metric, known.reduce((sum, value) => sum + value, 0) / known.length);
}
