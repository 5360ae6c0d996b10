import { apiTimeframes } from '../../../engine/index.js';
import { clip } from '../../../engine/text.js';
import { asApiError } from '../../api-error.js';
import { type PlannedRule, roles } from '../candidate.js';
import type { Change } from '../mind.js';
import {
  type Collected,
  freshWorking,
  type Mind,
  type Proposal,
  type Step,
  type Tested,
  type Turn,
  type Working,
} from '../mind.js';
import type { Passages } from '../retrieval.js';
import type { AssistantTools } from '../tools.js';
import { answerTo, figuresOf } from './answers.js';
import { assemble, settingsOf, stampOf } from './assemble.js';
import { fits, type Intent, isEmpty, isWish, merged, rulesOf, withParameters } from './change.js';
import { compared } from './compared.js';
import { asked, definitionOf } from './definitions/define.js';
import { columnsOf, type NoBars, noBarsOf, usualTimeframe } from './held-bars.js';
import { isNamed, namedProposal, proposeSignals, ruleWords, styles, usual } from './propose.js';
import { knownAssets, type ReadMessage, readMessage } from './read-message.js';
import { outOfBounds } from './rules/bounds.js';
import { type Say, sayIn } from './sentences/say.js';
import type { SentenceName } from './sentences/table.js';
import { shortSideOf } from './sides.js';
import { stepWords } from './step-words.js';
import { testCandidates } from './test-candidates.js';
import { understanding } from './words.js';

export interface BuiltInParts {
  /** Assets by symbol with the names that people have for them. */
  readonly assetNames: ReadonlyMap<string, readonly string[]>;
  readonly passages: Passages;
  /** For the names of candidates. */
  readonly clock: () => number;
}

/** Questions of a state before the assistant goes on with what is usual. */
export const QUESTIONS_MAX = 5;
/** Answers that add nothing before the assistant stops asking. */
const UNHELPFUL_MAX = 2;
const INTENTION_LENGTH_MAX = 500;
const UNCLEAR_LENGTH_MAX = 120;

/** A turn with what its message says. */
interface Heard {
  readonly turn: Turn;
  readonly said: ReadMessage;
  /** What is known with the message. */
  readonly working: Working;
  readonly tools: AssistantTools;
}

/**
 * The mind that needs no model and no network: it reads a message into one typed change and one
 * intent, says back what it knows, and speaks of the runs that it has made. A run needs a message
 * that does nothing but agree, or after the first run one that changes it.
 */
export class BuiltInMind implements Mind {
  constructor(private readonly parts: BuiltInParts) {}

  async answer(turn: Turn, tools: AssistantTools): Promise<Step> {
    const before: Collected = { ...freshWorking.collected, ...turn.working.collected };
    const assets = knownAssets(await tools.heldAssets(), this.parts.assetNames);
    const read = (message: string): Heard => ({
      turn: { ...turn, message },
      said: readMessage(message, before, assets),
      working: { ...turn.working, collected: before },
      tools,
    });
    const step = (await this.#defined(turn, before, read)) ?? (await this.#told(read(turn.message), before, read));
    const answered = { mind: 'built-in', instead_because: null } as const;
    return { ...step, working: { ...step.working, answered } };
  }

  /** What words mean, in every state: an answer changes nothing, and what else was said acts as ever. */
  async #defined(turn: Turn, before: Collected, read: (message: string) => Heard): Promise<Step | null> {
    const said = turn.history.filter(({ role }) => role === 'user').map(({ content }) => content);
    const hasRun = turn.mode === 'done';
    const question = asked(turn.message, { language: before.language, said, hasRun });
    if (question === null) return null;
    const { language, terms, rest } = question;
    const known = { ...before, language };
    const figures = hasRun ? figuresOf(terms, turn.working.tested, known) : [];
    const words = [...figures, ...terms.map((term) => definitionOf(term, language))].join('\n\n');
    const other = read(rest);
    const { intent, notUnderstood, refused } = other.said;
    const says = isWish(other.said) || refused.length + notUnderstood.length > 0 || asks.has(intent);
    if (rest !== '' && says) {
      const step = await this.#heard(other, before);
      return { ...step, content: `${words}\n\n${step.content}` };
    }
    const heard = { ...other, turn, working: { ...turn.working, collected: known } };
    const next = hasRun ? '' : `\n\n${this.#next(heard)}`;
    return { content: `${words}${next}`, mode: turn.mode, working: heard.working };
  }

  /** A message may state something and ask something else: the wish acts, and the question is answered. */
  async #told(heard: Heard, before: Collected, read: (message: string) => Heard): Promise<Step> {
    const { statement, question } = sentencesOf(heard.turn.message);
    if (statement === '' || question === '') return this.#heard(heard, before);
    const [stated, asked] = [read(statement), read(question)];
    const isOnlyAsked = isEmpty(asked.said.change) && asked.said.intent === 'ask';
    if (!isOnlyAsked || isEmpty(stated.said.change) || heard.said.refused.length > 0) return this.#heard(heard, before);
    const step = await this.#heard(stated, before);
    const about = { ...asked, working: { ...asked.working, collected: step.working.collected } };
    return { ...step, content: `${await this.#answer(about)}\n\n${step.content}` };
  }

  async #heard(whole: Heard, before: Collected): Promise<Step> {
    const heard = { ...whole, said: fitted(whole, before) };
    const { turn, said } = heard;
    const told: Collected = {
      ...before,
      language: said.language,
      user_sentiment: said.sentiment ?? before.user_sentiment,
      user_knowledge_level: said.level ?? before.user_knowledge_level,
    };
    if (said.refused.length > 0) {
      const pending = said.pending === null || isEmpty(said.pending) ? told.pending : said.pending;
      const share_of = said.shareOf ?? told.share_of;
      const content = this.#nothing(said.refused.join(' '), turn.mode, told);
      return { content, mode: turn.mode, working: { ...heard.working, collected: { ...told, pending, share_of } } };
    }
    const wishes = isWish(said);
    if (said.topics.includes('offered') && !wishes) {
      const assets = (await heard.tools.heldAssets()).join(', ');
      const offered = sayIn(told.language)('offered', { assets, timeframes: apiTimeframes.join(', ') });
      const content = this.#nothing(offered, turn.mode, told);
      return { content, mode: turn.mode, working: { ...heard.working, collected: told } };
    }
    if (said.topics.includes('guarantee') || said.topics.includes('advice')) {
      const asked = { ...heard, working: { ...heard.working, collected: told } };
      // "I want to get rich with SOL" names an asset.
      const isStated = turn.mode === 'collect_user_input' && !turn.message.includes('?') && !isEmpty(said.change);
      if (!isStated) return this.#answered(asked);
      const step = await this.#heard({ ...heard, said: { ...said, intent: 'state', topics: [] } }, before);
      return { ...step, content: `${await this.#answer(asked)}\n\n${step.content}` };
    }
    const { pending } = told;
    const takesUp = pending !== null && (said.givesUp || (wishes && suppliesDates(pending, said.change)));
    const resumed = takesUp ? merged(told, pending) : told;
    if (said.doubts && (!wishes || isOnlyChoice(said.change)) && turn.mode !== 'collect_user_input')
      return this.#stays(
        { ...heard, working: { ...heard.working, collected: told } },
        `${sayIn(told.language)('waiting')} ${this.#understood(told)} ${sayIn(told.language)('changeOrGoOn')}`,
      );
    const spoken = wishes ? said.change : {};
    // Who does not know leaves the idea open; nothing runs from there.
    const change: Change =
      said.doubts && turn.mode === 'collect_user_input' && said.intent !== 'ask'
        ? { ...spoken, leaves_choice: true }
        : spoken;
    const intention = told.user_intention ?? (turn.message.trim().slice(0, INTENTION_LENGTH_MAX) || null);
    const collected: Collected = {
      ...merged(resumed, change),
      user_intention: intention,
      // What a wish did not take up is no part of what is known.
      pending: takesUp || wishes ? null : pending,
      share_of: said.shareOf ?? (wishes ? null : told.share_of),
      number_of: said.numberOf ?? (wishes ? null : told.number_of),
    };
    const known = { ...heard, working: { ...heard.working, collected } };
    const say = sayIn(collected.language);
    const unpaired = unpairedOf(collected);
    if (unpaired.length > 0)
      return {
        content: this.#nothing(
          say('noOpposite', { rules: unpaired.map((rule) => ruleWords(rule, say)).join(` ${say('and')} `) }),
          turn.mode,
          told,
        ),
        mode: turn.mode,
        working: { ...heard.working, collected: told },
      };
    const isNew = takesUp || !isEmpty(change);
    if (isNew) return this.#changed(known, takesUp && pending !== null ? { ...pending, ...change } : change);
    switch (said.intent) {
      case 'agree':
        return this.#agreed(known);
      case 'decline':
      case 'stop':
        return this.#stays(
          known,
          `${say(said.intent === 'stop' ? 'waiting' : 'runNothing')} ${this.#understood(collected)} ${say('changeOrGoOn')}`,
        );
      case 'ask':
      case 'compare':
        return this.#answered(known);
      default:
        return turn.mode === 'collect_user_input'
          ? this.#collect(known, false)
          : this.#stays(known, this.#unclear(known));
    }
  }

  /** The message changes what is known. */
  async #changed(told: Heard, change: Change): Promise<Step> {
    if (told.turn.mode === 'collect_user_input') return this.#collect(told, true);
    const heard = { ...told, working: { ...told.working, collected: withIdea(told.working.collected) } };
    const { turn, working, tools, said } = heard;
    const say = sayIn(working.collected.language);
    const wild = outOfBounds(
      roles.flatMap((role) => working.collected[role]),
      say,
    );
    if (wild.length > 0)
      return {
        content: this.#nothing(wild.join(' '), turn.mode, turn.working.collected),
        mode: turn.mode,
        working: turn.working,
      };
    if (
      turn.mode !== 'done' &&
      change.leaves_choice === true &&
      Object.keys(change).length === 1 &&
      turn.mode !== 'backtest'
    )
      return this.#agreed(heard);
    const { collected } = working;
    const noBars = await noBarsOf(collected, tools);
    if (noBars !== null) {
      const content = this.#nothing(this.#noBars(collected, noBars), turn.mode, turn.working.collected);
      return { content, mode: turn.mode, working: turn.working };
    }
    const unread = unreadWords(said, say);
    if (turn.mode === 'done') return this.#rerun(heard, change, unread);
    if (turn.mode === 'plan_signals') {
      return {
        content: stepWords.plan_signals(working, unread === '' ? '' : ` ${unread.trim()}`),
        mode: turn.mode,
        working,
      };
    }
    const made = await this.#remade(working, change, tools);
    const words =
      turn.mode === 'backtest'
        ? stepWords.backtest(made, unread)
        : stepWords.assemble_strategy(made, unread === '' ? '' : `\n\n${unread.trim()}`);
    return { content: words, mode: turn.mode, working: made };
  }

  /** Proposal and candidates after a change of what is known. */
  async #remade(working: Working, change: Change, tools: AssistantTools): Promise<Working> {
    const { collected } = working;
    const isOther =
      change.entry !== undefined ||
      change.excluded !== undefined ||
      change.style !== undefined ||
      change.sides !== undefined ||
      isNamed(collected);
    const proposal =
      isOther || working.proposal === null
        ? (await this.#proposal(collected, tools)).proposal
        : { ...working.proposal };
    // The rules that the user named have their values already.
    const values = isNamed(collected) ? [] : (change.parameters ?? []);
    const on = (rules: Proposal['triggers']): Proposal['triggers'] => {
      const { entry } = withParameters(rulesOf({ entry: rules }), values);
      return rules.map((rule, i) => ({
        ...rule,
        params: entry[i]?.params ?? rule.params,
        timeframe: collected.timeframe ?? rule.timeframe,
      }));
    };
    const placed = { triggers: on(proposal.triggers), filters: on(proposal.filters) };
    const candidates = working.candidates.length === 0 ? [] : assemble(collected, placed, stampOf(this.parts.clock()));
    return { ...working, proposal: placed, candidates };
  }

  async #agreed(heard: Heard): Promise<Step> {
    const { turn, working, tools } = heard;
    switch (turn.mode) {
      case 'collect_user_input':
        return this.#collect(heard, false);
      case 'plan_signals':
        return this.#plan(working, tools);
      case 'assemble_strategy':
        return this.#assemble(working, tools);
      case 'backtest':
        return this.#test(working, tools);
      case 'done':
        return this.#stays(heard, sayIn(working.collected.language)('alreadyRan'));
    }
  }

  /** Asks for what is missing, or says what is understood. */
  async #collect({ turn, working, tools, said }: Heard, isNew: boolean): Promise<Step> {
    const { collected } = working;
    const held = await tools.heldAssets();
    const hasIdea = collected.style !== null || isNamed(collected);
    const say = sayIn(collected.language);
    const unread = unreadWords(said, say);
    const missing = [
      ...(collected.asset === null ? [say('whichAsset', { assets: held.join(', ') })] : []),
      ...(collected.timeframe === null ? [say('whichTimeframe', { timeframes: apiTimeframes.join(', ') })] : []),
      ...(hasIdea ? [] : [say('whichIdea', { ideas: styles.map((style) => say(style)).join(', ') })]),
    ];
    const asked = working.asked.collect_user_input ?? 0;
    const knowsNothing = missing.length === 3;
    const gaveEnough = !knowsNothing && !isNew && (said.intent === 'agree' || asked >= UNHELPFUL_MAX);
    const isEnough = collected.leaves_choice || gaveEnough;
    const isUnread = unread !== '' && !isNamed(collected);
    if (((missing.length > 0 && !isEnough) || isUnread) && asked < QUESTIONS_MAX) {
      const known = understanding(collected);
      const lacking = missing.length === 0 ? say('otherWords') : missing.join('; ');
      return {
        content: `${unread}${known === '' ? say('nothingFound') : say('soFar', { known })} ${say('pleaseTell', { missing: lacking })}`,
        mode: 'collect_user_input',
        working: askedOnce(working),
      };
    }
    const asset = collected.asset ?? (held.includes(usual.asset) ? usual.asset : (held[0] ?? usual.asset));
    const filled: Collected = {
      ...collected,
      asset,
      timeframe: collected.timeframe ?? (await usualTimeframe({ ...collected, asset }, tools)),
      style: collected.style ?? (isNamed(collected) ? null : usual.style),
    };
    const noBars = await noBarsOf(filled, tools);
    if (noBars !== null && asked < QUESTIONS_MAX && collected.timeframe !== null) {
      const content = `${this.#noBars(filled, noBars)} ${say('otherTimeframe')}`;
      return {
        content,
        mode: 'collect_user_input',
        working: { ...askedOnce(working), collected: { ...collected, timeframe: null } },
      };
    }
    const chosen = missing.length === 0 ? '' : ` ${say('chose')}`;
    const after = { ...working, collected: withTimeframe(filled) };
    return {
      content: stepWords.plan_signals(after, `${chosen}${unread === '' ? '' : ` ${unread.trim()}`}`),
      mode: turn.mode === 'collect_user_input' ? 'plan_signals' : turn.mode,
      working: after,
    };
  }

  async #proposal(collected: Collected, tools: AssistantTools) {
    const known = withTimeframe(collected);
    if (isNamed(known)) return { proposal: namedProposal(known), missingColumns: [] };
    const description = `${known.user_intention ?? ''} ${sayIn('en')(known.style ?? usual.style)}`;
    const columns = await columnsOf(known, tools);
    return proposeSignals(description, known, columns, tools);
  }

  async #plan(working: Working, tools: AssistantTools): Promise<Step> {
    const { collected } = working;
    const { proposal, missingColumns } = await this.#proposal(collected, tools);
    const lacking =
      missingColumns.length === 0
        ? ''
        : `\n\n${sayIn(collected.language)('lacking', { columns: missingColumns.join(', '), asset: collected.asset ?? '' })}`;
    const after = { ...working, proposal };
    return { content: stepWords.assemble_strategy(after, lacking), mode: 'assemble_strategy', working: after };
  }

  async #assemble(working: Working, tools: AssistantTools): Promise<Step> {
    const proposal = working.proposal ?? (await this.#proposal(working.collected, tools)).proposal;
    const candidates = assemble(withTimeframe(working.collected), proposal, stampOf(this.parts.clock()));
    if (candidates.length === 0) {
      const say = sayIn(working.collected.language);
      const content = `${noneOf(proposal, say)} ${say('changeOrGoOn')}`;
      return { content, mode: 'assemble_strategy', working };
    }
    const after = { ...working, proposal, candidates };
    return { content: stepWords.backtest(after), mode: 'backtest', working: after };
  }

  /** Runs the candidates. A failure that the user can mend is the answer. */
  async #test(working: Working, tools: AssistantTools): Promise<Step> {
    const say = sayIn(working.collected.language);
    const tested = await runOrExplain(working, tools);
    if (typeof tested === 'string')
      return { content: `${tested} ${say('correctAndAgree')}`, mode: 'backtest', working };
    const after = { ...working, candidates: tested.candidates.map(({ config }) => config), tested };
    return {
      content: `${say('ran', { known: understanding(working.collected) })}\n\n${stepWords.done(after)}`,
      mode: 'done',
      working: after,
    };
  }

  /** Runs again with a change, and compares with before. */
  async #rerun({ turn, working, tools }: Heard, change: Change, unread: string): Promise<Step> {
    const say = sayIn(working.collected.language);
    const made = await this.#remade(working, change, tools);
    const candidates = made.candidates.map((config) => ({ ...config, ...settingsOf(made.collected) }));
    const again = { ...made, candidates };
    const runs = await runOrExplain(again, tools);
    if (typeof runs === 'string')
      return { content: `${runs} ${say('changedNothing')}`, mode: 'done', working: turn.working };
    const tested =
      turn.working.tested === null ? runs : { ...runs, before: beforeOf(turn.working.tested, turn.working) };
    const after = { ...again, candidates: tested.candidates.map(({ config }) => config), tested };
    const comparison = tested.before === undefined ? '' : `\n\n${compared(tested.before, tested, again.collected)}`;
    const ran = say('ranAgain', { known: understanding(again.collected) });
    const content = `${unread}${ran}${comparison}\n\n${stepWords.done(after)}`;
    return { content, mode: 'done', working: after };
  }

  async #answered(heard: Heard): Promise<Step> {
    const { turn, working, said } = heard;
    const { style: _, ...wished } = said.change;
    const note = isEmpty(wished) ? '' : ` ${sayIn(working.collected.language)('tookAsQuestion')}`;
    const answer = `${await this.#answer(heard)}${note}`;
    return this.#stays(heard, turn.mode === 'done' ? answer : `${answer}\n\n${this.#next(heard)}`);
  }

  async #answer({ turn, working: { tested, collected }, said: { topics } }: Heard): Promise<string> {
    if (topics.includes('next')) return sayIn(collected.language)(nextIn[turn.mode]);
    const isAboutRuns = tested !== null && topics.length > 0;
    const passages = isAboutRuns ? [] : await this.parts.passages.find(turn.message, 1);
    return answerTo(topics, tested, collected, passages, clip(turn.message.trim(), UNCLEAR_LENGTH_MAX));
  }

  /** In the first state the answer asks for an idea, too. */
  #stays({ turn, working }: Heard, content: string): Step {
    return { content, mode: turn.mode, working: turn.mode === 'collect_user_input' ? askedOnce(working) : working };
  }

  #next({ turn, working: { collected } }: Heard): string {
    const say = sayIn(collected.language);
    return turn.mode === 'collect_user_input' ? say('ready') : `${this.#understood(collected)} ${say('notYetRun')}`;
  }

  /** A refusal. Where the next message may agree to a run, it says what that would run. */
  #nothing(refusal: string, mode: Step['mode'], collected: Collected): string {
    const nothing = `${refusal} ${sayIn(collected.language)('changedNothing')}`;
    return mode === 'collect_user_input' || mode === 'done' ? nothing : `${nothing} ${this.#understood(collected)}`;
  }

  #understood(collected: Collected): string {
    const say = sayIn(collected.language);
    return say('understand', { known: understanding(collected) || say('nothingYet') });
  }

  #noBars({ timeframe, language }: Collected, { asset, reason }: NoBars): string {
    return sayIn(language)('noBarsThere', { asset, timeframe: timeframe ?? usual.timeframe, reason });
  }

  #unclear({ turn, working: { collected } }: Heard): string {
    const say = sayIn(collected.language);
    const unclear = say('notUnderstood', { parts: `"${clip(turn.message.trim(), UNCLEAR_LENGTH_MAX)}"` });
    return turn.mode === 'done'
      ? `${unclear} ${say('askOrChange')}`
      : `${unclear} ${this.#understood(collected)} ${say('rightOrCorrect')}`;
  }
}

/** Runs as those that the next ones are compared with: the last ones alone are kept. */
const beforeOf = ({ before: _, ...tested }: Tested, { collected }: Working): NonNullable<Tested['before']> => ({
  tested,
  collected,
});

/** What an agreement does in a state. */
const nextIn = {
  collect_user_input: 'ready',
  plan_signals: 'nextSignals',
  assemble_strategy: 'nextAssemble',
  backtest: 'nextRun',
  done: 'alreadyRan',
} as const satisfies Readonly<Record<Step['mode'], SentenceName>>;

const asks: ReadonlySet<Intent> = new Set(['ask', 'compare'] as const);

const isOnlyChoice = (change: Change): boolean => Object.keys(change).every((key) => key === 'leaves_choice');

/** Whether a message names the days that a refused one could not; without them its rest is not what was meant. */
const suppliesDates = (pending: Change, { dates }: Change): boolean =>
  pending.dates === undefined || Object.keys(pending.dates).length > 0 || dates !== undefined;

/** The sentences of a message that ask, and those that do not. */
function sentencesOf(message: string): { readonly statement: string; readonly question: string } {
  const sentences = message.split(/(?<=[.!?;\n])\s+/);
  const isQuestion = (text: string): boolean => text.trim().endsWith('?');
  return {
    statement: sentences.filter((text) => !isQuestion(text)).join(' '),
    question: sentences.filter(isQuestion).join(' '),
  };
}

const askedOnce = (working: Working): Working => ({
  ...working,
  asked: { ...working.asked, collect_user_input: (working.asked.collect_user_input ?? 0) + 1 },
});

/** What a message says, where values of parameters that no rule has are not understood. */
function fitted({ said, working }: Heard, before: Collected): ReadMessage {
  const { parameters, ...rest } = said.change;
  if (parameters === undefined) return said;
  const after = merged(before, rest);
  const proposed = [...(working.proposal?.triggers ?? []), ...(working.proposal?.filters ?? [])];
  const rules = { ...rulesOf(after), entry: isNamed(after) ? after.entry : proposed };
  const fitting = parameters.filter((change) => fits(rules, change));
  if (fitting.length === parameters.length) return said;
  return {
    ...said,
    change: fitting.length === 0 ? rest : { ...rest, parameters: fitting },
    notUnderstood: [...said.notUnderstood, ...said.parameterWords],
  };
}

const unreadWords = ({ notUnderstood }: ReadMessage, say: Say): string =>
  notUnderstood.length === 0
    ? ''
    : `${say('notUnderstood', { parts: notUnderstood.map((part) => `"${part}"`).join(', ') })} `;

/** Where a change took all rules away, the usual idea takes their place, and is said back. */
const withIdea = (collected: Collected): Collected =>
  isNamed(collected) || collected.style !== null ? collected : { ...collected, style: usual.style };

/** Named rules on the timeframe of the conversation, which a later message may have changed. */
function withTimeframe(collected: Collected): Collected {
  const timeframe = collected.timeframe ?? usual.timeframe;
  const on = (rules: Collected['entry']) => rules.map((rule) => ({ ...rule, timeframe }));
  return { ...collected, ...Object.fromEntries(roles.map((role) => [role, on(collected[role])])) };
}

/** The rules of one side that have no opposite, where both are traded. */
function unpairedOf(collected: Collected): readonly PlannedRule[] {
  if (shortSideOf(collected) === null) return collected.entry;
  return collected.sides === 'both' && collected.entry.length === 0 ? collected.short_entry : [];
}

/** Why a proposal makes no candidate: its rules say nothing of falling prices. */
const noneOf = (proposal: Proposal | null, say: Say): string =>
  say('noOpposite', { rules: (proposal?.triggers ?? []).map((rule) => ruleWords(rule, say)).join(` ${say('and')} `) });

/** The runs, or why they cannot be made. */
async function runOrExplain(working: Working, tools: AssistantTools): Promise<Tested | string> {
  const { candidates, proposal, collected } = working;
  if (candidates.length === 0) return noneOf(proposal, sayIn(collected.language));
  try {
    return await testCandidates(working, tools);
  } catch (error) {
    const known = asApiError(error);
    if (known === null || known.code === 'INTERNAL_ERROR') throw error;
    return sayIn(working.collected.language)('couldNotRun', { reason: known.message });
  }
}
