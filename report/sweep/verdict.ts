import { betterSide } from '../../engine/metrics/index.js';
import { ASSESSMENT_P_MAX, type AssessedLeader, type Assessment } from '../../engine/sweep/index.js';
import { count, label, percent, plural, roundPercent } from '../format.js';
import { listFindings } from './findings.js';
import { metricText, metricWords } from './metric.js';

/**
 * The verdict in a few sentences, what matters most first. The terminal, the page and the JSON
 * share it.
 */
export const verdictText = (one: AssessedLeader): string =>
  [windowSentence(one), moneySentence(one), exhaustionSentence(one), fewTradesSentence(one), ...leaderSentences(one)]
    .filter((sentence) => sentence !== '')
    .join(' ');

/** An assessment with its verdict and findings in plain words, for JSON. */
export interface AssessmentInWords extends Assessment {
  readonly verdict: string;
  readonly findings: readonly { readonly question: string; readonly answer: string }[];
}

export const withWords = (one: Assessment): AssessmentInWords => ({
  ...one,
  verdict: plainSpaces(verdictText(one)),
  findings: listFindings(one).map(({ question, answer }) => ({ question, answer: plainSpaces(answer) })),
});

/** Minus signs and spaces as a keyboard has them. */
export const plainSpaces = (text: string): string => text.replaceAll('\u2212', '-').replaceAll('\u00a0', ' ');

/** Names the training window: a walk-forward sweep is judged by its newest choice. */
function windowSentence({ walkForward }: AssessedLeader): string {
  const newest = walkForward?.folds.at(-1);
  return newest === undefined ? '' : `Newest training window, ${newest.trainFrom} to ${newest.trainTo}:`;
}

/** Says whether any try made money, and whether the leader did. */
function moneySentence({ profitableTrials, bestReturn, trialCount, costStress }: AssessedLeader): string {
  if (profitableTrials === 0) {
    return trialCount === 1
      ? `No try made money: the only one that traded returned ${roundPercent(bestReturn)}.`
      : `No try made money: the best return of ${count(trialCount)} tries that traded is ${roundPercent(bestReturn)}.`;
  }
  const own = costStress.find(({ factor }) => factor === 1);
  if (own === undefined || own.totalReturn > 0) return '';
  return `The leader loses ${roundPercent(-own.totalReturn)}; ${count(profitableTrials)} of ${count(trialCount)} tries made money.`;
}

function exhaustionSentence({ costStress }: AssessedLeader): string {
  const own = costStress.find(({ factor }) => factor === 1);
  const date = own?.exhaustedOn ?? null;
  return date === null ? '' : `The account was exhausted on ${date}: too little was left for another trade.`;
}

/** Says that the leader has too few trades, which it may have only if all others do. */
const fewTradesSentence = ({ eligibleTrials, minTrades, leader }: AssessedLeader): string =>
  eligibleTrials > 0
    ? ''
    : `No try made ${plural(minTrades, 'trade')}; run ${count(leader.run)} leads with ${count(leader.trades)}.`;

/** What leads, then the strictest test that it fails. */
function leaderSentences(one: AssessedLeader): readonly string[] {
  const { trialCount, luckP, leader, timeframe } = one;
  if (luckP === null) {
    return [
      trialCount === 1
        ? 'The only try that traded has too few days for a judgement.'
        : `Of ${count(trialCount)} tries that traded, the best has too few days for a judgement.`,
    ];
  }
  const { metric } = leader;
  const end = betterSide(metric) === 'lower' ? 'lowest' : 'highest';
  const name = metricWords(label(metric));
  const basis = metric === 'sharpe_ratio' ? ` (annualized, of ${timeframe} returns)` : '';
  if (trialCount === 1 && leader.value !== null) {
    const only = `Run ${count(leader.run)} is the only try that traded; its ${name} is ${metricText(metric, leader.value)}${basis}.`;
    return [only, ...assessmentSentences(one, name)];
  }
  return [
    leader.value === null
      ? `Run ${count(leader.run)} ranks first by ${name} of ${triesText(one)}, and has none: ${metricText(metric, null)}.`
      : `Run ${count(leader.run)} has the ${end} ${name} of ${triesText(one)}, ${metricText(metric, leader.value)}${basis}.`,
    ...assessmentSentences(one, name),
  ];
}

/** What the leader is worth. */
const assessmentSentences = (one: AssessedLeader, name: string): readonly string[] => [
  one.leader.metric === 'sharpe_ratio' ? '' : `Belief is judged by its Sharpe ratio, not by its ${name}.`,
  assessmentWords(one),
  one.fails !== null && one.fails !== 'luck' && judgedBy(one).luckP > ASSESSMENT_P_MAX
    ? `As it stands, ${luckWords(one)}.`
    : '',
  pickedWords(one),
];

/** The p-values that the verdict goes by: over everything ever tried, where that is more. */
function judgedBy({ everTried, luckP, marketP, timing, fills }: AssessedLeader) {
  const own = { luckP: luckP ?? 0, marketP, timingP: timing?.pValue ?? null, fillsP: fills?.pValue ?? null };
  return everTried === null ? own : everTried;
}

/** The compared set: sweeps like this one, or everything ever tried. */
function searchWords({ everTried, effectiveTrialCount, trialCount, asset }: AssessedLeader): string {
  if (everTried === null) return 'sweeps like this';
  const { otherAssets } = everTried;
  const hasEarlier = everTried.effectiveTrialCount > effectiveTrialCount && everTried.trialCount > trialCount;
  if (!hasEarlier && otherAssets === 0) return 'sweeps like this';
  const made = hasEarlier ? [`${count(everTried.trialCount)} tries ever made on ${asset}`] : [];
  const moved = otherAssets === 0 ? [] : [`the same plan on ${plural(otherAssets, 'other asset')}`];
  return `searches like all of yours (${[...made, ...moved].join(', ')})`;
}

const luckWords = (one: AssessedLeader): string =>
  `luck alone does this well in ${oneIn(judgedBy(one).luckP)} ${searchWords(one)}`;

function assessmentWords(one: AssessedLeader): string {
  const { fails, asset, fills } = one;
  const { marketP, timingP, fillsP } = judgedBy(one);
  switch (fails) {
    case 'luck':
      return `Do not believe it: ${luckWords(one)}.`;
    case 'market':
      return `It owes its result to the market: beyond what ${asset} earned, luck alone does this well in ${oneIn(marketP)} ${searchWords(one)}.`;
    case 'timing':
      return `Its entries are not better than random ones: with as many trades, held as long but entered at random, the best of such tries is timed as well in ${oneIn(timingP)} ${searchWords(one)}.`;
    case 'fills':
      return `It owes its result to prices that could not be had: at a slippage of ${percent(fills?.slippage ?? 0, 3)}, which they imply, luck alone does this well in ${oneIn(fillsP)} ${searchWords(one)}.`;
    default: {
      const market = marketP === null ? '' : `; beyond what ${asset} earned, in ${oneIn(marketP)}`;
      const entries = timingP === null ? '' : `; with random entries, in ${oneIn(timingP)}`;
      const costs = fillsP === null ? '' : `; at the slippage that its prices imply, in ${oneIn(fillsP)}`;
      return `It passes every test made here: ${luckWords(one)}${market}${entries}${costs}.`;
    }
  }
}

/** Whether a leader that passes on its own dataset also passes as one picked from several. */
function pickedWords({ fails, wholeSweep, asset }: AssessedLeader): string {
  if (wholeSweep === null || fails !== null) return '';
  const { datasets, trialCount, luckP, marketP, timingP, fillsP } = wholeSweep;
  const from = `Picked from ${plural(datasets, 'dataset')} with ${trialCount === 1 ? '1 try' : `${count(trialCount)} tries`}`;
  switch (wholeSweep.fails) {
    case 'luck':
      return `${from}, it does not pass: luck alone does this well on one of them in up to ${oneIn(luckP)} sweeps.`;
    case 'market':
      return `${from}, it does not pass: beyond what ${asset} earned, luck alone does this well on one of them in up to ${oneIn(marketP)} sweeps.`;
    case 'timing':
      return `${from}, it does not pass: random entries are timed as well on one of them in up to ${oneIn(timingP)} sweeps.`;
    case 'fills':
      return `${from}, it does not pass: at the slippage that its prices imply, luck alone does this well on one of them in up to ${oneIn(fillsP)} sweeps.`;
    default:
      return `${from}, it passes as well: luck alone does this well on one of them in up to ${oneIn(luckP)} sweeps.`;
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

/** The tries among which the leader is the best. */
function triesText({ eligibleTrials, minTrades, trialCount }: AssessedLeader): string {
  const traded = `${count(trialCount)} tries that traded`;
  return eligibleTrials > 0 && eligibleTrials < trialCount
    ? `the ${count(eligibleTrials)} with at least ${plural(minTrades, 'trade')} among ${traded}`
    : traded;
}
