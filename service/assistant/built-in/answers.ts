import type { Collected, Tested, TestedCandidate } from '../mind.js';
import type { Passage } from '../retrieval.js';
import type { Topic } from './change.js';
import { ruleWords } from './propose.js';
import type { RunRecord } from './record.js';
import { candidateWords, nextSteps, percent, resultLines, understanding } from './words.js';

const money = (value: number): string => {
  const [whole = '', part] = Math.abs(value).toFixed(2).split('.');
  // Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
  return `${value < 0 ? '-' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`;
};

const exitNames: Readonly<Record<string, string>> = {
  SL: 'the stop',
  TP: 'the target',
  SIGNAL: 'the exit rule',
  END: 'the end of the window',
};
const exitName = (reason: string): string => exitNames[reason] ?? reason.toLowerCase().replaceAll('_', ' ');

interface Spoken {
  readonly place: number;
  readonly leader: TestedCandidate;
  readonly record: RunRecord;
  readonly tested: Tested;
}

/** The run that an answer speaks of: the best one, or the first where none traded. */
function spokenOf(tested: Tested): Spoken | null {
  const place = tested.best ?? 0;
  const leader = tested.candidates[place];
  return leader?.record === undefined ? null : { place: place + 1, leader, record: leader.record, tested };
}

type Answer = (spoken: Spoken, collected: Collected) => string;

const answers: Readonly<Partial<Record<Topic, Answer>>> = {
  why_no_trades: ({ record, tested }) =>
    tested.best === null
      ? nothingTraded(record)
      : `Candidate ${tested.best + 1} did trade, ${record.won + record.lost} times. ${resultLines(tested)}`,
  worst: ({ record, place }) => {
    const { worst } = record;
    if (worst === null) return 'There is no trade, so there is no worst one.';
    return `The worst trade of candidate ${place} made ${money(worst.amount)} (${percent(worst.share)} of its entry): in on ${worst.entry}, out on ${worst.exit} by ${exitName(worst.reason)}.`;
  },
  streak: ({ record, place }) =>
    record.streak === null
      ? `Candidate ${place} has no losing trade, so there is no losing streak.`
      : `The longest losing streak of candidate ${place} is ${record.streak.count} in a row, from ${record.streak.from} to ${record.streak.to}: together ${money(record.streak.amount)}.`,
  drawdown: ({ record, leader, place }) =>
    record.drawdown === null
      ? `The account of candidate ${place} never fell below an earlier close, so there is no drawdown.`
      : `Candidate ${place} had a largest drawdown of ${percent(leader.figures.max_drawdown)}, from the peak on ${record.drawdown.peak} to the low on ${record.drawdown.low}.`,
  costs: costsWords,
  why_lost: whyWords,
  lost: whyWords,
  hold: ({ leader, tested, place }) =>
    `Holding the asset over the same window returned ${percent(tested.market_return)}, before costs. Candidate ${place} returned ${percent(leader.figures.total_return)}.`,
  believe: (spoken) => [moneyWords(spoken), spoken.tested.verdict, holdWords(spoken)].join(' '),
  won: ({ record, place }) => {
    const count = record.won + record.lost;
    return count === 0
      ? `Candidate ${place} made no trades, so none won.`
      : `${record.won} of the ${count} trades of candidate ${place} won (${percent(record.won / count, 0)}); the other ${record.lost} did not.`;
  },
  trades: ({ record, place }) =>
    `Candidate ${place} made ${record.won + record.lost} trades: ${record.won} won, ${record.lost} did not.${exitWords(record)}`,
  money: moneyWords,
  best: ({ tested, place }) =>
    tested.best === null
      ? 'No candidate traded in this window, so none is the best.'
      : `${tested.verdict.split(/(?<=\.) /).find((each) => each.includes('Sharpe')) ?? `Candidate ${place} leads.`}\n\n${resultLines(tested)}`,
  rules: ({ leader, place }) => {
    const { entry, exit } = leader.config;
    return `Candidate ${place}: ${candidateWords(leader.config)}. Rules: ${[...entry, ...exit].map(ruleWords).join('; ')}.`;
  },
  improve: ({ tested }) => nextSteps(tested).join(' '),
  save: () =>
    'Save a candidate with POST /ai-copilot/save_strategy and its strategy_config: it becomes a strategy with status draft. A stored strategy needs one trigger and one filter.',
};

function nothingTraded({ trigger_true: triggers, both_true: both, bars, why_no_trade: why }: RunRecord): string {
  const times =
    triggers === 0
      ? 'The entry trigger was never true'
      : `The entry trigger was true on ${triggers} of ${bars} bars, and all entry rules together on ${both}`;
  return `${times} in this window.${why === null ? '' : ` ${why}`}`;
}

function moneyWords({ record, leader, place }: Spoken): string {
  const { profit, initial } = record;
  const verb = profit > 0 ? 'made' : profit < 0 ? 'lost' : 'made';
  return `Candidate ${place} ${verb} ${money(Math.abs(profit))} (${percent(leader.figures.total_return)}) with ${money(initial)} at the start, after costs.`;
}

const holdWords = ({ tested }: Spoken): string =>
  `Holding the asset returned ${percent(tested.market_return)} before costs.`;

function costsWords(spoken: Spoken): string {
  const { record, place } = spoken;
  const { fees, slippage, profit, settings } = record;
  return `Candidate ${place} paid ${money(fees)} in fees (${percent(settings.fee_pct, 2)} a fill) and ${money(slippage)} to slippage (${percent(settings.slippage_pct, 2)} a fill), ${money(fees + slippage)} in all. Without these costs its trades alone would sum to ${money(profit + fees + slippage)}, with the same sizes. Say "without fees" and I run it.`;
}

function exitWords({ exits }: RunRecord): string {
  const parts = Object.entries(exits).map(
    ([reason, { count, amount }]) => `${exitName(reason)} ended ${count} for ${money(amount)}`,
  );
  return parts.length === 0 ? '' : ` Exits: ${parts.join('; ')}.`;
}

/** What a result owes to costs, to the market, to entries and to exits. */
function whyWords(spoken: Spoken): string {
  const { record, tested, place } = spoken;
  const { fees, slippage, profit, won, lost } = record;
  if (won + lost === 0) return nothingTraded(record);
  const costs = fees + slippage;
  const gross = profit + costs;
  const cause =
    profit >= 0
      ? `It did not lose over the whole window.`
      : gross > 0
        ? 'Costs turned a gain into a loss.'
        : costs > -gross
          ? 'Costs are the larger part of it.'
          : 'Its trades lost more than the costs.';
  const spent = record.exhausted_on === null ? '' : ` On ${record.exhausted_on} too little was left for another trade.`;
  return `${moneyWords(spoken)} ${cause} Costs: fees ${money(fees)} and slippage ${money(slippage)}; before them the trades sum to ${money(gross)}. Market: holding the asset returned ${percent(tested.market_return)}. Entries: ${won} of ${won + lost} trades of candidate ${place} won.${exitWords(record)}${spent}`;
}

const noGuarantee =
  'No. Nobody can guarantee a return: a backtest says what rules would have done with past prices, and the future may differ. I test ideas over history and say how much of a result may be luck.';

/** Answers a question from the record of the runs, or else from the documentation. */
export function answerTo(
  topics: readonly Topic[],
  tested: Tested | null,
  collected: Collected,
  passages: readonly Passage[],
): string {
  if (topics.includes('guarantee')) return noGuarantee;
  if (topics.includes('understood')) return `I understand: ${understanding(collected) || 'nothing yet'}.`;
  const spoken = tested === null ? null : spokenOf(tested);
  if (spoken !== null) {
    const found = topics.flatMap((topic) => answers[topic]?.(spoken, collected) ?? []);
    const [first] = found;
    if (first !== undefined) return first;
  }
  const passage = passages[0];
  if (passage !== undefined) return `${passage.text}\n\n(From ${passage.source}, "${passage.title}".)`;
  return tested === null
    ? 'I read an idea in your words, say it back, and run nothing before you agree.'
    : 'I can tell you about the money, the trades, costs, the worst trade, streaks, the drawdown, luck and the market; or run it again with a change.';
}
