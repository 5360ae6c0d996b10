import { executionFields } from '../../engine/execution/index.js';
import { apiTimeframes } from '../../engine/series/index.js';
import { clip } from '../../engine/text.js';
import { asApiError } from '../api-error.js';
import type { ModelReader } from './model/model-reader.js';
import { applied, Refused, usual, type World } from './plan/apply.js';
import { assemble, makeProposal } from './plan/candidates.js';
import {
  type Change,
  emptyPlan,
  isNamed,
  isNothing,
  mergeChanges,
  noChange,
  type Plan,
  planAssets,
  readPlan,
  runsAlike,
  styles,
} from './plan/plan.js';
import { defaultWords, planWords, ruleWords } from './plan/say.js';
import { readMessage } from './reading/read.js';
import type { Topic } from './reading/topics.js';
import type { Passages } from './retrieval.js';
import { answerTopic, candidateWords, ideas, notUnderstoodWords, questionList, resultWords } from './runs/answers.js';
import { testCandidates } from './runs/test-candidates.js';
import type { AssistantTools } from './tools.js';
import { BUILT_IN, type ParsedMessage, type Responder, type Step, type Turn, type Working } from './working.js';

/** Questions of a state before the assistant goes on with the usual values. */
const QUESTIONS_MAX = 5;
const INTENTION_LENGTH_MAX = 500;
const QUOTE_LENGTH_MAX = 120;

interface ConversationParts {
  /** Assets by symbol with the names that people have for them. */
  readonly assetNames: ReadonlyMap<string, readonly string[]>;
  readonly passages: Passages;
  /** Reads messages in any words; null without a language model. */
  readonly model: ModelReader | null;
  /** Epoch ms, for the names of candidates. */
  readonly clock: () => number;
}

/** A turn while it is answered. */
interface Talk {
  readonly turn: Turn;
  readonly tools: AssistantTools;
  readonly world: World;
  readonly parsed: ParsedMessage;
  readonly working: Working;
}

/**
 * Leads from sentences to a strategy that was tested. A reader makes one change of a message, one
 * function applies it to the plan, and the answer says the plan back. Nothing runs without the words
 * that agree to it, and what was not understood is quoted.
 */
export class Conversation implements Responder {
  constructor(private readonly parts: ConversationParts) {}

  async answer(turn: Turn, tools: AssistantTools): Promise<Step> {
    const before = readPlan(turn.working.collected);
    const world = { held: await tools.heldAssets(), names: this.parts.assetNames };
    const small = readMessage(turn.message, before, world);
    const { model } = this.parts;
    const parsed: ParsedMessage =
      model === null
        ? { ...small, ...{ question: null, offered: [], claims: [], about: {} }, answered: BUILT_IN }
        : await model.read({ turn, plan: before, world, small, tools });
    const { answered, use } = parsed;
    const working = { ...turn.working, collected: before, answered, ...(use === undefined ? {} : { model: use }) };
    const step = await this.#step({ turn, tools, world, parsed, working });
    const told = { ...step.working.collected, ...parsed.about };
    return { ...step, working: { ...step.working, collected: told } };
  }

  async #step(talk: Talk): Promise<Step> {
    const { turn, parsed, working } = talk;
    const replies = await this.#replies(talk);
    let changed: Plan;
    try {
      changed = planAfter(talk);
      await checkBars(changed, working.collected, talk.tools);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (parsed.talk.has('drop')) return this.#step(withoutRest(talk));
      // Nothing is lost: with the next change the rest of the message acts.
      const kept = {
        ...working.collected,
        unread: [clip(turn.message, QUOTE_LENGTH_MAX)],
        rest: mergeChanges(working.collected.rest ?? noChange, parsed.change),
      };
      return said(turn.mode, { ...working, collected: kept }, [
        ...replies,
        `${error.message} Nothing of the message acts yet: correct that part, or "drop it".`,
      ]);
    }
    const intends = working.collected.user_intention === null && !runsAlike(changed, working.collected);
    const plan = intends ? { ...changed, user_intention: turn.message.trim().slice(0, INTENTION_LENGTH_MAX) } : changed;
    const isChanged = !runsAlike(plan, working.collected);
    const next: Working = {
      ...working,
      collected: plan,
      ...(isChanged ? { previous: working.collected } : {}),
    };
    const asked = { ...talk, working: next };
    const notes = [
      ...replies,
      ...notUnderstoodWords(parsed, plan),
      ...(parsed.question === null ? [] : [parsed.question]),
    ];
    if (parsed.question !== null) return said(turn.mode, next, notes);
    // "Yes" to a change that the last answer asked about agrees to no run.
    const isAsked = working.collected.offered.length > 0;
    const agrees = !isAsked && (parsed.talk.has('agree') || parsed.talk.has('run'));
    if (agrees && plan.unread.length > 0) {
      const waits = `I wait: ${quoted(plan.unread)} is not understood. Say it otherwise, or "drop it".`;
      return said(turn.mode, next, [...replies, waits]);
    }
    if (parsed.talk.has('decline'))
      return said(turn.mode, next, [...notes, 'I run nothing and wait.', planLine(plan), ideas(next, turn.mode)]);
    if (turn.mode === 'collect_user_input') return this.#collect(asked, notes, isChanged || agrees);
    if (agrees) return this.#agreed(asked, notes);
    if (isChanged) return said(turn.mode, await this.#remade(asked), [...notes, planLine(plan), whatNext(asked)]);
    const known = notes.length > 0 ? notes : [planLine(plan)];
    return said(turn.mode, next, [...known, plan.unread.length > 0 ? '' : whatNext(asked)]);
  }

  /** Asks for missing parts, or repeats the plan and goes on. */
  async #collect({ turn, working, world, tools, parsed }: Talk, notes: string[], isNew: boolean): Promise<Step> {
    const plan = working.collected;
    const missing = missingParts(plan, world);
    const asked = working.asked.collect_user_input ?? 0;
    const isOpen = missing.length > 0 && !plan.leaves_choice && asked < QUESTIONS_MAX;
    const isUnread = plan.unread.length > 0 && asked < QUESTIONS_MAX;
    if (isOpen || isUnread) {
      const isQuestion = !isNew && parsed.unread.length === 0 && (parsed.topics.length > 0 || parsed.terms.length > 0);
      const counted = isQuestion ? working : { ...working, asked: { ...working.asked, collect_user_input: asked + 1 } };
      const isEmpty = planWords(plan) === '' && notes.length === 0;
      const greeting = isEmpty
        ? ['I test rules to buy and sell crypto over past prices, and run nothing before you agree.']
        : [];
      const known = isOpen
        ? [planLine(plan), `Please tell me ${missing.join('; ')}. Or say "you choose".`]
        : [planLine(plan)];
      return said(turn.mode, counted, [...notes, ...greeting, ...known]);
    }
    const asset = plan.asset ?? (world.held.includes(usual.asset) ? usual.asset : (world.held[0] ?? usual.asset));
    const filled: Plan = {
      ...plan,
      asset,
      timeframe: plan.timeframe ?? (await usualTimeframe({ ...plan, asset }, tools)),
      style: isNamed(plan) ? null : (plan.style ?? usual.style),
    };
    const next = { ...working, collected: filled };
    const chose = missing.length === 0 ? [] : ['I chose what you left open.'];
    return said('plan_signals', next, [...notes, ...chose, planLine(filled), ideas(next, 'plan_signals')]);
  }

  /** The proposal and the candidates of a plan that has changed. */
  async #remade({ working, tools }: Talk): Promise<Working> {
    if (working.proposal === null) return working;
    const proposal = await makeProposal(working.collected, tools);
    const candidates = working.candidates.length === 0 ? [] : assemble(working.collected, proposal, this.parts.clock());
    return { ...working, proposal, candidates };
  }

  async #agreed(talk: Talk, notes: string[]): Promise<Step> {
    const { turn, tools, world } = talk;
    const missing = missingParts(talk.working.collected, world);
    if (missing.length > 0)
      return said(turn.mode, talk.working, [
        ...notes,
        planLine(talk.working.collected),
        `Please tell me ${missing.join('; ')}.`,
      ]);
    const working = await this.#remade(talk);
    const plan = working.collected;
    switch (turn.mode) {
      case 'plan_signals': {
        const proposal = await makeProposal(plan, tools);
        const list = (rules: typeof proposal.triggers) =>
          rules.map((rule) => `- ${ruleWords(rule)}: ${rule.reason}`).join('\n');
        const next = { ...working, proposal };
        return said('assemble_strategy', next, [
          ...notes,
          `For ${planWords(plan)}:\n${list([...proposal.triggers, ...proposal.filters])}`,
          ideas(next, 'assemble_strategy'),
        ]);
      }
      case 'assemble_strategy': {
        const candidates = assemble(plan, working.proposal ?? (await makeProposal(plan, tools)), this.parts.clock());
        const next = { ...working, candidates };
        const list = candidates.map((config, i) => `${i + 1}. ${candidateWords(config)}`).join('\n');
        return said('backtest', next, [...notes, planLine(plan), list, ideas(next, 'backtest')]);
      }
      default:
        return this.#run({ ...talk, working }, notes);
    }
  }

  async #run({ turn, working, tools }: Talk, notes: string[]): Promise<Step> {
    const { collected: plan, tested } = working;
    if (turn.mode === 'done' && tested?.plan !== undefined && runsAlike(plan, tested.plan))
      return said('done', working, [
        ...notes,
        'These runs are made. Ask about them, or change the plan.',
        questionList(),
      ]);
    try {
      const ran = await testCandidates(working, tools);
      const { before: _, ...last } = tested ?? {};
      const now = tested === null ? ran : { ...ran, before: last as typeof ran };
      const next = { ...working, tested: now };
      return said('done', next, [...notes, resultWords(now), ideas(next, 'done')]);
    } catch (error) {
      turn.signal.throwIfAborted();
      const known = asApiError(error);
      if (known === null || known.code === 'INTERNAL_ERROR') throw error;
      const refused = `The backtests could not run: ${known.message}. Correct it, for example with other dates, and agree again.`;
      return said(turn.mode, working, [...notes, refused]);
    }
  }

  /** Answers to what a message asks; they change nothing. */
  async #replies({ turn, parsed, working, world }: Talk): Promise<string[]> {
    const terms = await Promise.all(parsed.terms.map((term) => this.#meaning(term)));
    // "What is slippage?" asks for the word, and after a run for its figure too.
    const asked = working.tested === null && terms.length > 0 ? [] : parsed.topics;
    const topics = asked.map((topic) => topicWords(topic, working, world, turn));
    return [...new Set([...terms, ...topics, ...parsed.claims])];
  }

  async #meaning(term: string): Promise<string> {
    const passage = await this.parts.passages.define(term);
    if (passage === null) return `The documentation has no entry for "${term}". ${questionList()}`;
    return `${passage.text}\n(From ${passage.source}, "${passage.title}".)`;
  }
}

const said = (mode: Step['mode'], working: Working, parts: readonly string[]): Step => ({
  ...{ content: parts.filter((part) => part !== '').join('\n\n'), mode, working },
});

/** A turn whose message drops all that a message before it said. */
const withoutRest = (talk: Talk): Talk => ({
  ...talk,
  working: { ...talk.working, collected: { ...talk.working.collected, rest: null } },
});

const quoted = (clauses: readonly string[]): string => clauses.map((clause) => `"${clause}"`).join(', ');

/** What a message changes: the plan, the plan before its last change, or a new one. */
function planToChange({ collected: plan, previous }: Working, talk: ParsedMessage['talk']): Plan {
  if (talk.has('over')) return { ...emptyPlan, user_intention: plan.user_intention };
  return talk.has('undo') ? { ...(previous ?? plan), unread: [], rest: null, offered: [] } : plan;
}

/** The change that a message takes, among the changes that the last answer asked about. */
function pickChange(talk: ParsedMessage['talk'], [first, second]: readonly Change[]): Change | undefined {
  if (talk.has('first')) return first;
  if (talk.has('second')) return second;
  return talk.has('agree') && second === undefined ? first : undefined;
}

/** The plan after a message. @throws Refused */
function planAfter({ parsed, working, world }: Talk): Plan {
  const { talk, change, unread } = parsed;
  const plan = planToChange(working, talk);
  const picked = pickChange(talk, plan.offered);
  const wished = picked === undefined ? change : mergeChanges(picked, change);
  const quotes = unread.filter(({ isQuestion }) => !isQuestion).map(({ quote }) => quote);
  const isNew = !isNothing(wished);
  // What stood beside a clause that was not understood acts once that clause is dropped or replaced.
  const takesUp = plan.rest !== null && (talk.has('drop') || (isNew && quotes.length === 0));
  const whole = takesUp && plan.rest !== null ? mergeChanges(plan.rest, wished) : wished;
  const next = applied(plan, whole, world);
  const isSettled = talk.has('drop') || isNew || takesUp;
  return {
    ...next,
    unread: quotes.length > 0 ? quotes : isSettled ? [] : plan.unread,
    rest: quotes.length > 0 ? parsed.rest : isSettled ? null : plan.rest,
    offered: parsed.offered,
  };
}

/** @throws Refused where an asset of a changed plan has no bars of its interval */
async function checkBars(plan: Plan, before: Plan, tools: AssistantTools): Promise<void> {
  const { timeframe } = plan;
  const isMoved = timeframe !== before.timeframe || planAssets(plan).join() !== planAssets(before).join();
  if (!isMoved || timeframe === null) return;
  for (const asset of planAssets(plan)) {
    const reason = await tools.whyNoBars(asset, timeframe);
    if (reason !== null) throw new Refused(`${asset} cannot run on ${timeframe} bars: ${reason}.`);
  }
}

/** What a plan lacks to run, in words. */
const missingParts = (plan: Plan, { held }: World): string[] => [
  ...(plan.asset === null ? [`an asset (${held.join(', ')})`] : []),
  ...(plan.timeframe === null ? [`an interval (${apiTimeframes.join(', ')})`] : []),
  ...(plan.style === null && !isNamed(plan)
    ? [`when to buy, as in "buy when rsi(14) < 30", or a style (${styles.join(', ').replaceAll('_', ' ')})`]
    : []),
];

/** What a plan lacks, or else what to say next. */
function whatNext({ turn, working, world }: Talk): string {
  const missing = missingParts(working.collected, world);
  return missing.length === 0 ? ideas(working, turn.mode) : `Please tell me ${missing.join('; ')}.`;
}

/** The usual interval, or where an asset has no such bars the finest one that all have. */
async function usualTimeframe(plan: Plan, tools: AssistantTools): Promise<string> {
  for (const timeframe of [usual.timeframe, ...apiTimeframes]) {
    const reasons = await Promise.all(planAssets(plan).map((asset) => tools.whyNoBars(asset, timeframe)));
    if (reasons.every((reason) => reason === null)) return timeframe;
  }
  return usual.timeframe;
}

/** The plan said back in full, with what acts by default. */
function planLine(plan: Plan): string {
  const known = planWords(plan);
  if (known === '') return '';
  return [`I understand: ${known}.`, `By default: ${defaultWords(plan)}.`, ...liquidationWords(plan)].join(' ');
}

/** Where a venue closes positions, where any borrow. */
function liquidationWords({ settings, trail, short_entry, entry }: Plan): string[] {
  const leverage = Number(settings.leverage ?? 1);
  if (leverage <= 1) return [];
  const maintenance = Number(settings.maintenance_margin ?? executionFields.maintenance_margin.default);
  const long = 1 - (1 - 1 / leverage) / (1 - maintenance);
  const short = (1 + 1 / leverage) / (1 + maintenance) - 1;
  const share = short_entry.length === 0 ? long : entry.length === 0 ? short : Math.min(long, short);
  const stop = settings.stop_loss_calculation === 'fixed' ? Number(settings.fixed_stop_pct) : trail?.share;
  const behind = settings.stop_order !== false && stop !== undefined && stop >= share;
  return [
    `With leverage ${leverage} a venue closes a position ${(100 * share).toFixed(1)} % against its entry.${behind ? ' The stop lies behind that.' : ''}`,
  ];
}

function topicWords(topic: Topic, working: Working, { held }: World, { history }: Turn): string {
  const { collected, tested } = working;
  switch (topic) {
    case 'plan':
      return planLine(collected) || 'I know nothing of a plan yet.';
    case 'assets':
      return `There are bars of ${held.join(', ')}.`;
    case 'help':
      return questionList();
    case 'runs':
      return tested === null
        ? 'Nothing has run in this conversation yet.'
        : [
            resultWords(tested),
            `${history.filter(({ role }) => role === 'user').length} messages before this one.`,
          ].join('\n\n');
    default:
      return answerTopic(topic, tested) ?? 'Nothing has run yet.';
  }
}
