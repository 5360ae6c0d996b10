import { percentDigits } from '../../../report/index.js';
import { isNamed, type Plan, planAssets, runsAlike, type StrategyConfig } from '../plan/plan.js';
import { defaultWords, listed, planWords, ruleWords } from '../plan/say.js';
import { type Topic, topicQuestions } from '../reading/topics.js';
import type { ConversationMode } from '../tables.js';
import type { ParsedMessage, Tested, TestedCandidate, Working } from '../working.js';
import type { RunRecord } from './record.js';

/** A percentage; what rounds to zero has no sign. */
const percent = (value: number, digits = 1): string => `${(100 * value).toFixed(digits).replace(/^-(?=[0.]+$)/, '')} %`;
/** A whole percentage, or the first digit of a smaller one. */
const roundPercent = (value: number): string => percent(value, percentDigits(value));
const ratio = (value: number | null): string => (value === null ? 'undefined' : value.toFixed(2));
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function money(value: number): string {
  const [whole = '', part] = Math.abs(value).toFixed(2).split('.');
  // Bounded because a number has at most 309 digits.
  return `${value < 0 ? '-' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`;
}

const exitNames: Readonly<Record<string, string>> = {
  ...{ SL: 'the stop', TP: 'the target', SIGNAL: 'the exit rule', END: 'the end of the window' },
  ...{ TRAIL: 'the trailing stop', LIQUIDATION: 'liquidation', OPPOSITE: 'an entry of the other side' },
};
const exitName = (reason: string): string => exitNames[reason] ?? reason.toLowerCase().replaceAll('_', ' ');

/** The run that an answer speaks of. */
interface Spoken {
  /** `Candidate 2` */
  readonly who: string;
  readonly candidate: TestedCandidate;
  readonly record: RunRecord;
  readonly tested: Tested;
}

const countTrades = ({ won, lost }: RunRecord): number => won + lost;

/** `rsi_cross_up(window 14, threshold 40) and …, exit on … , stop or target` */
export function candidateWords(config: StrategyConfig): string {
  const { entry, exit, short_entry = [], short_exit = [], execution_config: settings } = config;
  const orders = [
    ...(settings.stop_order === false ? [] : ['stop']),
    ...(settings.target_calculation === 'none' ? [] : ['target']),
  ];
  const side = (verb: string, rules: StrategyConfig['entry'], out: string, outs: StrategyConfig['exit']): string[] => {
    if (rules.length === 0) return [];
    const ways = [...(outs.length === 0 ? [] : [outs.map(ruleWords).join(' and ')]), ...orders];
    return [`${verb} ${rules.map(ruleWords).join(' and ')}, ${out} ${ways.join(' or ') || 'the end of the window'}`];
  };
  return [...side('buy when', entry, 'sell on', exit), ...side('short when', short_entry, 'cover on', short_exit)].join(
    '; ',
  );
}

/** A line for each candidate with the figures of its run. */
const resultLines = ({ candidates }: Tested): string =>
  candidates
    .map(({ config, figures: { total_return, sharpe_ratio, max_drawdown, trade_count } }, i) => {
      const figures =
        trade_count === 0
          ? 'no trades'
          : `return ${percent(total_return)}, Sharpe ratio ${ratio(sharpe_ratio)}, largest drawdown ${percent(max_drawdown)}, ${counted(trade_count, 'trade')}`;
      return `${i + 1}. ${candidateWords(config)}: ${figures}`;
    })
    .join('\n');

/** The benchmark: the asset, or all of them evenly. */
const heldWords = ({ assets }: Tested): string =>
  assets === undefined ? 'the asset' : `${listed(assets)} in equal parts`;

const day = (time: string): string => time.slice(0, 10);

/**
 * The answer when the candidates have run: the plan with its defaults, the figures and the verdict.
 */
export function resultWords(tested: Tested): string {
  const { candidates, window, plan, verdict, before } = tested;
  const spoken = findSpoken(tested, null);
  return [
    plan === undefined ? '' : `I ran: ${planWords(plan)}. By default: ${defaultWords(plan)}.`,
    `${counted(candidates.length, 'backtest')}, ${day(window.start)} to ${day(window.end)}:\n${resultLines(tested)}`,
    [
      verdict,
      `Holding ${heldWords(tested)} returned ${percent(tested.market_return)} before costs.`,
      ...parts(spoken),
    ].join(' '),
    before === undefined ? '' : comparedWords(tested),
    nextSteps(tested).join(' '),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What members and sides made, and liquidations, where a run has them. */
const parts = (spoken: Spoken | null): string[] =>
  spoken === null
    ? []
    : (['members', 'sides', 'liquidations'] as const).flatMap((topic) => {
        const { members, sides, exits } = spoken.record;
        const has = topic === 'members' ? members : topic === 'sides' ? sides : exits.LIQUIDATION;
        return has === undefined ? [] : [answers[topic](spoken)];
      });

/** The best run, or the candidate that is named; the first one where none traded. */
function findSpoken(tested: Tested, candidate: number | null): Spoken | null {
  const place = candidate === null ? (tested.best ?? 0) : candidate - 1;
  const found = tested.candidates[place];
  if (found?.record === undefined) return null;
  return { who: `Candidate ${place + 1}`, candidate: found, record: found.record, tested };
}

type RunTopic = Exclude<Topic, 'plan' | 'assets' | 'help' | 'runs'>;

const answers: Readonly<Record<RunTopic, (spoken: Spoken) => string>> = {
  return: ({ who, record: { profit, initial }, candidate }) =>
    `${who} ${profit < 0 ? 'lost' : 'made'} ${money(Math.abs(profit))} (${percent(candidate.figures.total_return)}) with ${money(initial)} at the start, after costs.`,
  sharpe: ({ who, candidate }) => `${who} has a Sharpe ratio of ${ratio(candidate.figures.sharpe_ratio)}, annualized.`,
  drawdown: ({ who, record: { drawdown }, candidate }) =>
    drawdown === null
      ? `The account of ${who.toLowerCase()} never fell below its start.`
      : `The largest drawdown of ${who.toLowerCase()} is ${percent(candidate.figures.max_drawdown)}, from ${drawdown.peak} to ${drawdown.low}.`,
  trades: ({ who, record }) => {
    const exits = Object.entries(record.exits).map(
      ([reason, { count, amount }]) => `${exitName(reason)} ended ${count} for ${money(amount)}`,
    );
    return `${who} made ${counted(countTrades(record), 'trade')}: ${record.won} won, ${record.lost} lost. ${exits.length === 0 ? '' : `Exits: ${exits.join('; ')}.`}`.trim();
  },
  wins: ({ who, record: { won, lost, gains = 0, losses = 0 } }) => {
    if (won + lost === 0) return `${who} made no trades.`;
    const factor = -losses < 0.005 ? null : gains / -losses;
    return `${who}: ${won} of ${won + lost} trades won (${roundPercent(won / (won + lost))}). Winning trades made ${money(won === 0 ? 0 : gains / won)} on average, losing ones ${money(lost === 0 ? 0 : losses / lost)}; the profit factor is ${ratio(factor)}.`;
  },
  best_trade: (spoken) => tradeWords(spoken, spoken.record.best ?? null, 'best'),
  worst_trade: (spoken) => tradeWords(spoken, spoken.record.worst, 'worst'),
  average: ({ who, record }) =>
    countTrades(record) === 0
      ? `${who} made no trades.`
      : `A trade of ${who.toLowerCase()} made ${money(record.profit / countTrades(record))} on average, over ${counted(countTrades(record), 'trade')}.`,
  costs: ({ who, record: { fees, slippage, profit, settings } }) =>
    `${who} paid ${money(fees)} in fees (${percent(settings.fee_pct, 2)} a fill) and ${money(slippage)} to slippage (${percent(settings.slippage_pct, 2)} a fill), ${money(fees + slippage)} in all. Without these costs its trades alone would sum to ${money(profit + fees + slippage)}, with the same sizes.`,
  duration: ({ who, record: { hours } }) =>
    hours === undefined
      ? `${who} made no trades.`
      : `A trade of ${who.toLowerCase()} lasted ${Number(hours.toFixed(1))} hours (${Number((hours / 24).toFixed(1))} days) on average.`,
  exposure: ({ who, record: { exposure } }) =>
    exposure === undefined
      ? 'The record of this run does not say it.'
      : `${who} held a position ${percent(exposure)} of the time.`,
  streak: ({ who, record: { streak } }) =>
    streak === null
      ? `${who} lost no trade.`
      : `The longest losing streak of ${who.toLowerCase()} is ${counted(streak.count, 'trade')}, ${streak.from} to ${streak.to}, for ${money(streak.amount)}.`,
  holding: ({ who, tested, candidate }) =>
    `Holding ${heldWords(tested)} returned ${percent(tested.market_return)} before costs; ${who.toLowerCase()} returned ${percent(candidate.figures.total_return)}.`,
  luck: (spoken) => `${answers.return(spoken)} ${spoken.tested.verdict}`,
  why_lost: whyWords,
  why_no_trades: (spoken) =>
    countTrades(spoken.record) > 0 ? `It did trade. ${answers.trades(spoken)}` : nothingTraded(spoken.record),
  sides: ({ who, record: { sides }, candidate: { config } }) => {
    if (sides === undefined) return `${who} traded one side.`;
    const { long, short } = sides;
    const isFree = short.count > 0 && Number(config.execution_config.borrow_rate ?? 0) === 0;
    return `${who}: ${counted(long.count, 'long')} for ${money(long.amount)}, ${counted(short.count, 'short')} for ${money(short.amount)}.${isFree ? ' Shorts paid nothing for borrowing, as no borrow_rate was named.' : ''}`;
  },
  members: ({ who, record: { members } }) =>
    members === undefined
      ? `${who} traded one asset.`
      : `${who}: ${[...members]
          .sort((a, b) => b.profit - a.profit)
          .map(({ asset, trades, profit }) => `${asset} ${money(profit)} in ${counted(trades, 'trade')}`)
          .join('; ')}.`,
  liquidations: ({ who, record: { exits } }) =>
    exits.LIQUIDATION === undefined
      ? `No position of ${who.toLowerCase()} was liquidated.`
      : `${counted(exits.LIQUIDATION.count, 'position')} of ${who.toLowerCase()} ended in liquidation, for ${money(exits.LIQUIDATION.amount)}.`,
  best: ({ tested }) => resultLines(tested),
  compared: ({ tested }) => (tested.before === undefined ? 'Nothing ran before.' : comparedWords(tested)),
  improve: ({ tested }) => nextSteps(tested).join(' '),
  save: ({ tested, candidate }) =>
    tested.assets === undefined
      ? 'Store its strategy_config with save_strategy: it becomes a draft of your strategies.'
      : `It is stored as the portfolio ${candidate.figures.backtest_id}, and its definition runs again as it is.`,
};

/** What a run says to a topic; null where nothing ran, or the record of an older conversation does not know. */
export function answerTopic(topic: RunTopic, tested: Tested | null, candidate: number | null = null): string | null {
  const spoken = tested === null ? null : findSpoken(tested, candidate);
  return spoken === null ? null : answers[topic](spoken);
}

function tradeWords({ who }: Spoken, trade: RunRecord['worst'], which: 'best' | 'worst'): string {
  if (trade === null) return `${who} made no trades.`;
  const { entry, exit, reason, amount, share, asset } = trade;
  return `The ${which} trade of ${who.toLowerCase()}${asset === undefined ? '' : ` (${asset})`}: ${entry} to ${exit}, ${money(amount)} (${percent(share)}), ended by ${exitName(reason)}.`;
}

function nothingTraded({ trigger_true: triggers, both_true: both, bars, why_no_trade: why }: RunRecord): string {
  const times =
    triggers === null || both === null
      ? 'No position was opened.'
      : `The first entry rule was true on ${triggers} of ${bars} bars, and all entry rules together on ${both}.`;
  return why === null ? times : `${times} ${why}`;
}

/** What a result owes to costs, to the market, to entries and to exits. */
function whyWords(spoken: Spoken): string {
  const { record, tested } = spoken;
  const { fees, slippage, profit, won, exhausted_on: exhausted } = record;
  const count = countTrades(record);
  if (count === 0) return nothingTraded(record);
  const gross = profit + fees + slippage;
  const cause =
    profit >= 0
      ? 'It did not lose over the whole window.'
      : gross > 0
        ? 'Costs turned a gain into a loss.'
        : fees + slippage > -gross
          ? 'Costs are the larger part of it.'
          : 'Its trades lost more than the costs.';
  return [
    answers.return(spoken),
    cause,
    `Fees ${money(fees)} and slippage ${money(slippage)}; before them the trades sum to ${money(gross)}.`,
    `Holding ${heldWords(tested)} returned ${percent(tested.market_return)}.`,
    `${won} of ${counted(count, 'trade')} won.`,
    ...(exhausted === null ? [] : [`On ${exhausted} too little was left for another trade.`]),
  ].join(' ');
}

function comparedWords({ before, ...after }: Tested): string {
  if (before === undefined) return '';
  const line = ({ plan, best, candidates, window }: Omit<Tested, 'before'>): string => {
    const leader = candidates[best ?? 0];
    const figures =
      leader === undefined || best === null
        ? 'no trades'
        : `return ${percent(leader.figures.total_return)}, Sharpe ratio ${ratio(leader.figures.sharpe_ratio)}, largest drawdown ${percent(leader.figures.max_drawdown)}, ${counted(leader.figures.trade_count, 'trade')}`;
    return `${plan === undefined ? '' : `${planWords(plan)}: `}${figures}, ${day(window.start)} to ${day(window.end)}`;
  };
  return `Compared with before:\n- before: ${line(before)}\n- now: ${line(after)}`;
}

const FEW_TRADES = 30;

/** What to try next, from what the runs showed. */
function nextSteps({ best, candidates, luck_p, market_return, plan }: Tested): string[] {
  const leader = best === null ? undefined : candidates[best]?.figures;
  if (leader === undefined) return ['Try a longer window, or a rule that holds more often.'];
  const other = plan !== undefined && planAssets(plan).includes('BTC') ? 'ETH' : 'BTC';
  return [
    ...(leader.trade_count < FEW_TRADES ? ['Fewer than 30 trades show little: try a longer window.'] : []),
    ...(leader.total_return < market_return ? ['It made less than holding.'] : []),
    ...(luck_p === null || luck_p > 0.05 ? [`Try the same rules on other bars: "on ${other}", "only 2022".`] : []),
    ...(leader.total_return < 0 && leader.trade_count > 50 ? ['Each trade pays costs: try a stricter filter.'] : []),
  ];
}

/** What to say next, in words that the reader takes. */
export function ideas({ collected: plan, tested }: Working, mode: ConversationMode): string {
  const tries = ideasFor(plan)
    .map((idea) => `"${idea}"`)
    .join(', ');
  const isRun = tested?.plan !== undefined && runsAlike(plan, tested.plan);
  switch (mode) {
    case 'plan_signals':
      return `Say "go on" and I ${isNamed(plan) ? 'take these rules' : 'propose signals'}, or change it: ${tries}.`;
    case 'assemble_strategy':
      return `Say "go on" and I put them together, or change it: ${tries}.`;
    case 'backtest':
      return `Say "go on" and I run it, or change it: ${tries}.`;
    case 'done':
      return isRun
        ? `Ask ("why did it lose?", "best trade?", "is it luck?") or change it: ${tries}.`
        : `Nothing has run yet with this. Say "run it", or change it further: ${tries}.`;
    default:
      return '';
  }
}

/** Sentences that change a plan in ways that it has not been changed. */
function ideasFor({ settings, start_date, short_entry, entry }: Plan): string[] {
  return [
    ...('fixed_stop_pct' in settings || settings.stop_order === false ? [] : ['stop 3 %']),
    ...('fee_pct' in settings ? [] : ['fee 0.1 %']),
    ...(start_date === null ? ['from 2021 to 2023'] : ['only 2022']),
    ...(entry.length > 0 && short_entry.length === 0 ? ['only when adx(14) > 20'] : []),
    'on ETH 4h',
  ].slice(0, 3);
}

/** The questions that have an answer. */
export const questionList = (): string =>
  `You can ask: ${[...topicQuestions.values()].map((question) => `"${question}?"`).join(', ')}; or "what is …" of a word of the glossary.`;

/** What a message said that was not understood, in its own words. */
export function notUnderstoodWords(
  { unread, rest, isTurned }: Pick<ParsedMessage, 'unread' | 'rest' | 'isTurned'>,
  plan: Plan,
): string[] {
  const wishes = unread.filter(({ isQuestion }) => !isQuestion);
  const questions = unread.filter(({ isQuestion }) => isQuestion);
  const words = ({ quote, reason }: (typeof unread)[number]) => `"${quote}"${reason === null ? '' : ` (${reason})`}`;
  const isWaiting = plan.unread.length > 0;
  const ways = rest !== null ? ', or "drop it" and I take the rest of its sentence' : isWaiting ? ', or "drop it"' : '';
  return [
    ...(wishes.length === 0
      ? []
      : [
          `I did not understand ${wishes.map(words).join(' and ')}.${isTurned ? ' Nothing of the message acts.' : ''} Say it otherwise${ways}.`,
        ]),
    ...(questions.length === 0 ? [] : [`I have no answer to ${questions.map(words).join(' and ')}. ${questionList()}`]),
  ];
}
