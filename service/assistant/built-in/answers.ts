import type { Collected, Tested, TestedCandidate } from '../mind.js';
import type { Passage } from '../retrieval.js';
import type { Language } from './canonical.js';
import type { Topic } from './change.js';
import { betterWords } from './compared.js';
import type { Term } from './definitions/table.js';
import { ruleWords } from './propose.js';
import type { RunRecord } from './record.js';
import { type Say, sayIn } from './sentences/say.js';
import type { SentenceName } from './sentences/table.js';
import { leaderIn, verdictIn } from './verdict-words.js';
import {
  candidateWords,
  heldWords,
  liquidationWords,
  nextSteps,
  percent,
  ratio,
  resultLines,
  roundPercent,
  understanding,
} from './words.js';

const money = (value: number): string => {
  const [whole = '', part] = Math.abs(value).toFixed(2).split('.');
  // Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
  return `${value < 0 ? '-' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`;
};

const exitNames: Readonly<Record<string, SentenceName & `exit${string}`>> = {
  SL: 'exitSL',
  TP: 'exitTP',
  SIGNAL: 'exitSIGNAL',
  END: 'exitEND',
  LIQUIDATION: 'exitLIQUIDATION',
  TRAIL: 'exitTRAIL',
  OPPOSITE: 'exitOPPOSITE',
};

function exitName(reason: string, say: Say): string {
  const name = exitNames[reason] as 'exitSL' | undefined;
  return name === undefined ? reason.toLowerCase().replaceAll('_', ' ') : say(name);
}

interface Spoken {
  readonly collected: Collected;
  readonly place: number;
  readonly leader: TestedCandidate;
  readonly record: RunRecord;
  readonly tested: Tested;
  readonly language: Language;
  readonly say: Say;
}

/** The run that an answer speaks of: the best one, or the first where none traded. */
function spokenOf(tested: Tested, collected: Collected): Spoken | null {
  const { language } = collected;
  const place = tested.best ?? 0;
  const leader = tested.candidates[place];
  if (leader?.record === undefined) return null;
  return { place: place + 1, leader, record: leader.record, tested, collected, language, say: sayIn(language) };
}

/** Null where the record of an older conversation does not know. */
type Answer = (spoken: Spoken) => string | null;

const tradesOf = ({ won, lost }: RunRecord): number => won + lost;

const answers: Readonly<Partial<Record<Topic, Answer>>> = {
  why_no_trades: ({ record, tested, place, say }) =>
    tested.best === null
      ? nothingTraded(record, say)
      : `${say('didTrade', { place, count: tradesOf(record) })} ${resultLines(tested, say)}`,
  worst: (spoken) => tradeWords(spoken, spoken.record.worst, 'worst'),
  best_trade: (spoken) => tradeWords(spoken, spoken.record.best ?? null, 'bestTrade'),
  win_loss: winLossWords,
  exposed: ({ record: { exposure }, place, say }) =>
    exposure === undefined ? say('whatICanTell') : say('inMarket', { place, share: percent(exposure) }),
  streak: ({ record: { streak }, place, say }) =>
    streak === null ? say('noStreak', { place }) : say('streak', { place, ...streak, amount: money(streak.amount) }),
  drawdown: ({ record: { drawdown }, leader, place, say }) => {
    if (drawdown === null) return say('noDrawdown', { place });
    const { peak, low } = drawdown;
    return say('drawdown', { place, share: percent(leader.figures.max_drawdown), peak, low });
  },
  costs: costsWords,
  why_lost: whyWords,
  lost: whyWords,
  hold: ({ leader, tested, place, say }) =>
    say('held', {
      ...{ held: heldWords(tested, say), market: percent(tested.market_return) },
      ...{ place, total: percent(leader.figures.total_return) },
    }),
  believe: (spoken) => [moneyWords(spoken), verdictIn(spoken.language, spoken.tested), holdWords(spoken)].join(' '),
  won: ({ record, place, say }) => {
    const count = tradesOf(record);
    const { won, lost } = record;
    return count === 0
      ? say('noneWon', { place })
      : say('won', { place, won, count, share: roundPercent(won / count), lost });
  },
  trades: ({ record, place, say }) => {
    const { won, lost } = record;
    return `${say('madeTrades', { place, count: tradesOf(record), won, lost })}${exitWords(record, say)}`;
  },
  money: moneyWords,
  best: ({ tested, language, say }) =>
    tested.best === null ? say('noBest') : `${leaderIn(language, tested)}\n\n${resultLines(tested, say)}`,
  rules: ({ leader, place, say }) => {
    const { entry, exit, short_entry = [], short_exit = [] } = leader.config;
    const rules = [...entry, ...exit, ...short_entry, ...short_exit].map((rule) => ruleWords(rule, say)).join('; ');
    return say('rules', { place, words: candidateWords(leader.config, say), rules });
  },
  average: ({ record, place, say }) => {
    const count = tradesOf(record);
    if (count === 0) return say('noneWon', { place });
    return say('averageTrade', { place, count, amount: money(record.profit / count), profit: money(record.profit) });
  },
  sides: (spoken) => sidesWords(spoken) ?? spoken.say('onlyLong', { place: spoken.place }),
  // "Which coin did better?" is asked of the assets of an account, or of two runs.
  members: (spoken) =>
    memberWords(spoken) ??
    betterWords(spoken.tested, spoken.collected) ??
    spoken.say('oneAssetOnly', { place: spoken.place }),
  than_before: ({ tested, collected, say }) => betterWords(tested, collected) ?? say('nothingBefore'),
  duration: ({ record, place, say }) => {
    const count = tradesOf(record);
    const { hours } = record;
    if (count === 0) return say('noneWon', { place });
    if (hours === undefined) return null;
    return say('lasted', { place, count, hours: Number(hours.toFixed(1)), days: Number((hours / 24).toFixed(1)) });
  },
  liquidated: ({ record: { exits }, place, say }) => {
    const found = exits.LIQUIDATION;
    return found === undefined
      ? say('notLiquidated', { place })
      : say('liquidations', { place, count: found.count, amount: money(found.amount) });
  },
  improve: ({ tested, say }) => nextSteps(tested, say).join(' '),
  save: ({ tested, leader, place, say }) =>
    tested.assets === undefined ? say('save') : say('savePortfolio', { place, id: leader.figures.backtest_id }),
};

function tradeWords({ place, say }: Spoken, trade: RunRecord['worst'], name: 'worst' | 'bestTrade'): string {
  if (trade === null) return say('noWorst');
  const { entry, exit, reason, amount, share, asset } = trade;
  return say(name, {
    ...{ place, entry, exit, on: asset === undefined ? '' : say('onAsset', { asset }) },
    ...{ amount: money(amount), share: percent(share), reason: exitName(reason, say) },
  });
}

function winLossWords({ record: { won, lost, gains, losses }, place, say }: Spoken): string {
  if (gains === undefined || losses === undefined || won + lost === 0) return say('noneWon', { place });
  return say('winLoss', {
    ...{ place, won, lost, gains: money(gains), losses: money(losses) },
    ...{ averageWin: money(won === 0 ? 0 : gains / won), averageLoss: money(lost === 0 ? 0 : losses / lost) },
    // Losses that round to nothing are no measure of gains.
    factor: ratio(-losses < 0.005 ? null : gains / -losses, say),
  });
}

/** The trades of each side; null where a run has no short side. */
function sidesWords({ record: { sides }, leader: { config }, place, say }: Spoken): string | null {
  if (sides === undefined || config.short_entry === undefined) return null;
  const { long, short } = sides;
  const words = say('bySide', {
    ...{ place, longs: long.count, longAmount: money(long.amount) },
    ...{ shorts: short.count, shortAmount: money(short.amount) },
  });
  const isFree = short.count > 0 && Number(config.execution_config.borrow_rate ?? 0) === 0;
  return isFree ? `${words} ${say('borrowFree')}` : words;
}

/** What each asset of one account made, the best first; null where a run traded one. */
function memberWords({ record: { members }, place, say }: Spoken): string | null {
  if (members === undefined) return null;
  const parts = [...members]
    .sort((a, b) => b.profit - a.profit)
    .map(({ asset, trades, profit }) => say('memberPart', { asset, trades, amount: money(profit) }));
  return say('byMember', { place, parts: parts.join('; ') });
}

/**
 * What the leader made on each asset and on each side, and lost to liquidations, where it has
 * several of these or any.
 */
export function partLines(tested: Tested, collected: Collected): string[] {
  const spoken = spokenOf(tested, collected);
  if (spoken === null) return [];
  const found = spoken.record.exits.LIQUIDATION;
  const { place, say } = spoken;
  return [
    ...[memberWords(spoken) ?? [], sidesWords(spoken) ?? []].flat(),
    ...(found === undefined ? [] : [say('liquidations', { place, count: found.count, amount: money(found.amount) })]),
  ];
}

function nothingTraded(record: RunRecord, say: Say): string {
  const { trigger_true: triggers, both_true: both, bars, why_no_trade: why } = record;
  if (triggers === null || both === null) return say('noneEntered');
  const times = triggers === 0 ? say('neverTrue') : say('seldomTrue', { triggers, bars, both });
  return why === null ? times : `${times} ${why}`;
}

function moneyWords({ record: { profit, initial }, leader, place, say }: Spoken): string {
  return say(profit < 0 ? 'lostMoney' : 'made', {
    ...{ place, amount: money(Math.abs(profit)) },
    ...{ share: percent(leader.figures.total_return), initial: money(initial) },
  });
}

const holdWords = ({ tested, say }: Spoken): string =>
  say('holdingBeforeCosts', { held: heldWords(tested, say), market: percent(tested.market_return) });

function costsWords({ record, place, say }: Spoken): string {
  const { fees, slippage, profit, settings } = record;
  return say('costs', {
    ...{ place, fees: money(fees), feeShare: percent(settings.fee_pct, 2) },
    ...{ slippage: money(slippage), slippageShare: percent(settings.slippage_pct, 2) },
    ...{ sum: money(fees + slippage), gross: money(profit + fees + slippage) },
  });
}

function exitWords({ exits }: RunRecord, say: Say): string {
  const parts = Object.entries(exits).map(([reason, { count, amount }]) =>
    say('exitPart', { reason: exitName(reason, say), count, amount: money(amount) }),
  );
  return parts.length === 0 ? '' : ` ${say('exits', { parts: parts.join('; ') })}`;
}

/** What a result owes to costs, to the market, to entries and to exits. */
function whyWords(spoken: Spoken): string {
  const { record, tested, place, say } = spoken;
  const { fees, slippage, profit, won, exhausted_on: day } = record;
  const count = tradesOf(record);
  if (count === 0) return nothingTraded(record, say);
  const costs = fees + slippage;
  const gross = profit + costs;
  const cause = profit >= 0 ? 'didNotLose' : gross > 0 ? 'costsTurned' : costs > -gross ? 'costsLarger' : 'tradesLost';
  const why = say('why', {
    ...{ fees: money(fees), slippage: money(slippage), gross: money(gross) },
    ...{ held: heldWords(tested, say), market: percent(tested.market_return), won, count, place },
  });
  const spent = day === null ? '' : ` ${say('exhausted', { day })}`;
  return `${moneyWords(spoken)} ${say(cause)} ${why}${exitWords(record, say)}${spent}`;
}

/**
 * Answers a question from the record of the runs, or else from the documentation.
 * @param question the user's own words, for an answer that has neither
 */
export function answerTo(
  topics: readonly Topic[],
  tested: Tested | null,
  collected: Collected,
  passages: readonly Passage[],
  question = '',
): string {
  const { language } = collected;
  const say = sayIn(language);
  if (topics.includes('guarantee')) return say('guarantee');
  if (topics.includes('advice')) return say('advice');
  if (topics.length === 1 && topics[0] === 'thanked') return say('welcome');
  if (topics.includes('understood')) return say('understand', { known: understanding(collected) || say('nothingYet') });
  const spoken = tested === null ? null : spokenOf(tested, collected);
  if (spoken !== null) {
    const found = topics.flatMap((topic) => answers[topic]?.(spoken) ?? []);
    const [first] = found;
    if (first !== undefined) return first;
  }
  if (topics.includes('liquidated')) return liquidationWords(collected, say).join(' ') || say('neverLiquidated');
  const passage = passages[0];
  if (passage !== undefined) return `${passage.text}\n\n${say('fromPage', passage)}`;
  const about = tested === null ? say('whatIDo') : say('whatICanTell');
  return question === '' ? about : `${say('noAnswer', { question })} ${about}`;
}

/** What a run has of the things that words mean. */
const topicsOfTerms: Readonly<Partial<Record<Term, Topic>>> = {
  ...{ drawdown: 'drawdown', sharpe: 'best', return: 'money', win_rate: 'won', streak: 'streak', trade: 'trades' },
  ...{ fee: 'costs', slippage: 'costs', buy_and_hold: 'hold', luck: 'believe', strategy: 'rules' },
};

/** The figures of the runs for words that a question asks the meaning of. */
export function figuresOf(terms: readonly Term[], tested: Tested | null, collected: Collected): string[] {
  const spoken = tested === null ? null : spokenOf(tested, collected);
  if (spoken === null) return [];
  return [...new Set(terms.flatMap((term) => topicsOfTerms[term] ?? []))].flatMap(
    (topic) => answers[topic]?.(spoken) ?? [],
  );
}
