import { UpstreamFault } from '../../../data/upstreams/index.js';
import type { ChatModel } from '../../../data/upstreams/model/index.js';
import { type BuiltInParts, QUESTIONS_MAX } from '../built-in/built-in-mind.js';
import { isWish } from '../built-in/change.js';
import { sayIn } from '../built-in/sentences/say.js';
import { stepWords } from '../built-in/step-words.js';
import { candidateWords, proposalWords, resultLines, understanding } from '../built-in/words.js';
import { roles } from '../candidate.js';
import type { Collected, Mind, Step, Turn, Working } from '../mind.js';
import type { Passages } from '../retrieval.js';
import type { AssistantTools } from '../tools.js';
import { Budget } from './budget.js';
import { converse } from './converse.js';
import { FIGURES_MAX } from './evidence.js';
import type { Prompts } from './prompts.js';
import { numbersIn } from './read-numbers.js';
import { openSession, type Session } from './session.js';
import { Unanswered } from './unanswered.js';

interface ModelLimits {
  /** Time that the model has for an answer, all its replies and tools together. */
  readonly answerMs: number;
  /** Tokens of one reply. */
  readonly replyTokensMax: number;
  readonly conversationTokensMax: number;
}

interface LanguageModelParts extends Pick<BuiltInParts, 'assetNames'> {
  readonly model: ChatModel;
  /** Answers where the model does not. */
  readonly builtIn: Mind;
  readonly passages: Passages;
  readonly prompts: () => Promise<Prompts>;
  readonly limits: ModelLimits;
  readonly clock: () => number;
}

/**
 * The mind that asks a language model. The model decides what to look up, to propose and to run;
 * the tools decide what is possible, and a check what may be said. Where the model fails, the
 * built-in mind answers in its place.
 */
export class LanguageModelMind implements Mind {
  constructor(private readonly parts: LanguageModelParts) {}

  async answer(turn: Turn, tools: AssistantTools): Promise<Step> {
    const { limits } = this.parts;
    const budget = new Budget(turn.working, limits.conversationTokensMax, tools);
    const session = await openSession(turn, tools, this.parts);
    const asked = turn.working.asked[turn.mode] ?? 0;
    const step = isRead(session)
      ? await this.#read(session)
      : turn.mode !== 'done' && asked >= QUESTIONS_MAX
        ? await this.#builtIn(session, 'it has asked often enough')
        : await this.#modelStep(session, budget);
    const runs = session.evidence.runs.slice(-FIGURES_MAX);
    const figures = session.evidence.figures.slice(-FIGURES_MAX);
    return { ...step, working: { ...step.working, model: { ...budget.use, runs, figures } } };
  }

  /** The step of the grammar, where it has read the message: the same change, refusals and consent. */
  async #read({ turn, tools }: Session): Promise<Step> {
    const step = await this.parts.builtIn.answer(turn, tools);
    const answered = { mind: 'built-in', instead_because: 'the grammar has read the message' } as const;
    return { ...step, working: { ...step.working, answered } };
  }

  async #modelStep(session: Session, budget: Budget): Promise<Step> {
    const { model, prompts, limits } = this.parts;
    const { turn } = session;
    const signal = AbortSignal.any([turn.signal, AbortSignal.timeout(limits.answerMs)]);
    try {
      const conversing = { model, prompts: await prompts(), budget, tokensMax: limits.replyTokensMax };
      return answered(session, await converse(session, conversing, signal));
    } catch (error) {
      turn.signal.throwIfAborted();
      const reason = signal.aborted ? 'it did not answer in time' : reasonOf(error);
      if (reason === null) throw error;
      return this.#builtIn(session, reason);
    }
  }

  /** The words of the built-in mind for what was made, or its own step where nothing was. */
  async #builtIn({ turn, tools, mode, working }: Session, reason: string): Promise<Step> {
    const answer = { mind: 'built-in', instead_because: reason } as const;
    const note = `\n\n(The language model could not answer: ${reason}. This is the built-in assistant.)`;
    if (mode !== turn.mode && mode !== 'collect_user_input') {
      return { content: stepWords[mode](working) + note, mode, working: { ...working, answered: answer } };
    }
    const step = await this.parts.builtIn.answer(turn, tools);
    return { ...step, content: step.content + note, working: { ...step.working, answered: answer } };
  }
}

/** Why the built-in mind answers; null for a bug. */
function reasonOf(error: unknown): string | null {
  if (error instanceof Unanswered) return error.message;
  if (error instanceof UpstreamFault) return `its server failed (${error.reason})`;
  return null;
}

/**
 * Whether the grammar has read all that a message does: it refuses it, or it changes something after
 * the first state. In the first state the model may read more of the same message.
 */
function isRead({ turn, said }: Session): boolean {
  if (said.refused.length > 0) return true;
  const { leaves_choice: _, ...wished } = said.change;
  return turn.mode !== 'collect_user_input' && isWish({ ...said, change: wished });
}

function answered(session: Session, content: string): Step {
  const { turn, mode, working } = session;
  const asked =
    mode === turn.mode && mode !== 'done'
      ? { ...working.asked, [mode]: (working.asked[mode] ?? 0) + 1 }
      : working.asked;
  const after: Working = { ...working, asked, answered: { mind: 'language-model', instead_because: null } };
  const whole = mode === turn.mode ? content : complete(content, mode, after);
  return { content: [whole, ...saidBack(session, whole)].join('\n\n'), mode, working: after };
}

/** Lines that say what is known, what ran and what nothing has read, where the model's words do not. */
function saidBack({ turn, mode, working: { collected }, said, ran }: Session, content: string): string[] {
  const say = sayIn(collected.language);
  const known = understanding(collected);
  const isNew = known !== understanding({ ...collected, ...turn.working.collected, language: collected.language });
  const isDue = mode !== turn.mode || (isNew && mode !== 'done');
  const hasRun = mode === 'done' && turn.mode !== 'done';
  const line = known === '' || !isDue ? [] : [say(hasRun ? 'ran' : 'understand', { known })];
  const unread = said.notUnderstood.filter((clause) => !isKnown(clause, collected));
  const parts = unread.map((part) => `"${part}"`).join(', ');
  const lost = unread.length === 0 || turn.mode !== 'collect_user_input' ? [] : [say('notUnderstood', { parts })];
  return [...line, ...ran, ...lost].filter((text) => !content.includes(text));
}

/** Whether every number of a clause is in what is known, as it is or as a percentage. */
function isKnown(clause: string, collected: Collected): boolean {
  const values = new Set(numbersIn(JSON.stringify(collected)).map(({ value }) => Math.abs(value)));
  return numbersIn(clause).every(({ value }) => values.has(value) || values.has(Number((value / 100).toPrecision(12))));
}

/** Adds to the model's words what the conversation has made, where they leave some of it out. */
function complete(content: string, mode: Step['mode'], { proposal, candidates, tested }: Working): string {
  const hasAll = (names: readonly string[]) => names.every((name) => content.includes(name));
  if (mode === 'assemble_strategy' && proposal !== null) {
    const names = [...proposal.triggers, ...proposal.filters].map(({ name }) => name);
    return hasAll(names) ? content : `${content}\n\n${proposalWords(proposal)}`;
  }
  if (mode === 'backtest') {
    const names = candidates.flatMap((config) => roles.flatMap((role) => (config[role] ?? []).map(({ name }) => name)));
    const list = candidates.map((config, i) => `${i + 1}. ${candidateWords(config)}`).join('\n');
    return hasAll(names) ? content : `${content}\n\n${list}`;
  }
  if (mode === 'done' && tested !== null) {
    const missing = [resultLines(tested), tested.verdict].filter((text) => !content.includes(text));
    return [content, ...missing].join('\n\n');
  }
  return content;
}
