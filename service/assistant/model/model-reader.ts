import { UpstreamFault } from '../../../data/upstreams/index.js';
import type { ChatMessage, ChatModel, ChatReply, ChatRequest } from '../../../data/upstreams/model/index.js';
import { errorMessage } from '../../../engine/errors.js';
import { indicatorFunctions } from '../../../engine/indicators/index.js';
import { apiTimeframes } from '../../../engine/series/index.js';
import { clip } from '../../../engine/text.js';
import { applied, Refused, type World } from '../plan/apply.js';
import { type Change, isNothing, noChange, type Plan, runsAlike, settingNames } from '../plan/plan.js';
import { planWords } from '../plan/say.js';
import type { Reading } from '../reading/read.js';
import type { Topic } from '../reading/topics.js';
import type { AssistantTools } from '../tools.js';
import { BUILT_IN, type ModelUse, type ParsedMessage, type Turn, type Working } from '../working.js';
import { claimWords, parseReply, type Reply, replyJsonSchema, unheardParts, unnamedNumbers } from './reply.js';

interface ModelLimits {
  /** Time that the model has for an answer, both tries together. */
  readonly answerMs: number;
  readonly replyTokensMax: number;
  readonly conversationTokensMax: number;
}

interface ModelReaderParts {
  readonly model: ChatModel;
  /** The text of `prompts/assistant/read.md`. */
  readonly prompt: () => Promise<string>;
  readonly limits: ModelLimits;
}

interface Asked {
  readonly turn: Turn;
  readonly plan: Plan;
  readonly world: World;
  /** The message as the small reader reads it. */
  readonly small: Reading;
  readonly tools: AssistantTools;
}

/** A reply that does not fit is asked for once more. */
const TRIES = 2;
const HISTORY_MAX = 6;
const EARLIER_CHARACTERS_MAX = 1_000;
const SIGNALS_MAX = 30;

/**
 * Reads messages with a language model, in any language. Its reply is data: a change, which is
 * checked as the change of the small reader is, and references to figures. Where it says what the
 * message does not, or the two readers differ, nothing acts and the answer asks. Consent is read by
 * the small reader alone.
 */
export class ModelReader {
  constructor(private readonly parts: ModelReaderParts) {}

  async read(asked: Asked): Promise<ParsedMessage> {
    const { small, turn } = asked;
    const plain = { question: null, offered: [], claims: [], about: {} };
    const isTalk = small.unread.length === 0 && isNothing(small.change) && small.talk.size > 0;
    if (isTalk) return { ...small, ...plain, answered: BUILT_IN };
    const { model, limits } = this.parts;
    const budget = new Budget(turn.working, limits.conversationTokensMax, asked.tools);
    const signal = AbortSignal.any([turn.signal, AbortSignal.timeout(limits.answerMs)]);
    try {
      const reply = await this.#reply(model, asked, budget, signal);
      return { ...parsedMessage(reply, asked), use: budget.use };
    } catch (error) {
      turn.signal.throwIfAborted();
      const reason = signal.aborted ? 'it did not answer in time' : standInReason(error);
      if (reason === null) throw error;
      return { ...small, ...plain, answered: { mind: 'built-in', instead_because: reason }, use: budget.use };
    }
  }

  async #reply(model: ChatModel, asked: Asked, budget: Budget, signal: AbortSignal): Promise<Reply> {
    const prompt = await this.parts.prompt();
    const messages: ChatMessage[] = [
      { role: 'system', content: `${prompt}\n${promptContext(asked)}` },
      ...asked.turn.history
        .slice(-HISTORY_MAX)
        .map(({ role, content }) => ({ role, content: clip(content, EARLIER_CHARACTERS_MAX) })),
      { role: 'user', content: asked.turn.message },
    ];
    let problem = '';
    for (let tries = 0; tries < TRIES; tries++) {
      const request = { messages, schema: replyJsonSchema, tokensMax: this.parts.limits.replyTokensMax };
      const { content, isCut } = await budget.ask(model, request, countTokens(prompt), signal);
      try {
        if (isCut) throw new Error('the answer is too long');
        return parseReply(content, asked.world);
      } catch (error) {
        problem = errorMessage(error);
        messages.push(
          { role: 'assistant', content: clip(content, EARLIER_CHARACTERS_MAX) },
          { role: 'user', content: `That does not fit: ${problem}. Answer the message before again.` },
        );
      }
    }
    throw new Unanswered('its answer did not fit the schema');
  }
}

/** Why the small reader stands in; null for a bug. */
function standInReason(error: unknown): string | null {
  if (error instanceof Unanswered) return error.message;
  return error instanceof UpstreamFault ? `its server failed (${error.reason})` : null;
}

/** What a model needs to know to read a message; material, not instructions. */
function promptContext({ turn, plan, world, tools }: Asked): string {
  const found = (['TRIGGER', 'FILTER'] as const).flatMap((type) =>
    tools.findSignals(turn.message, 'entry', type).slice(0, SIGNALS_MAX / 2),
  );
  return JSON.stringify({
    state: turn.mode,
    plan: planWords(plan),
    assets: world.held,
    intervals: apiTimeframes,
    functions: [...indicatorFunctions].map(
      ([name, { takesColumn, params }]) =>
        `${name}(${[...(takesColumn ? ['x'] : []), ...params.map((param) => param.name)].join(', ')})`,
    ),
    signals: found.map(({ signal_name }) => signal_name),
    settings: settingNames,
    candidates: turn.working.tested?.candidates.length ?? 0,
  });
}

/** What a reply makes of a message, after both checks. */
function parsedMessage(reply: Reply, { turn, plan, world, small }: Asked): ParsedMessage {
  const { message } = turn;
  const { change } = reply;
  const missed = [
    ...reply.not_understood.filter((part) => message.includes(part)),
    ...unheardParts(change, message, plan, world),
  ];
  const parts = [...new Set(missed)].filter((part) => part.trim() !== '');
  const isWish = !isNothing(change);
  const alike = isAlike(plan, small, change, world);
  const unread =
    alike === 'same'
      ? []
      : parts.map((quote) => ({ quote, reason: null, isQuestion: !isWish && message.includes('?') }));
  const base: ParsedMessage = {
    change: noChange,
    talk: small.talk,
    topics: reply.topics.length > 0 ? (reply.topics as Topic[]) : small.topics,
    terms: reply.terms.length > 0 ? reply.terms.filter(isPlainTerm) : small.terms,
    ...{ unread, rest: null, isTurned: false, question: null, offered: [] },
    claims: claimWords(turn.working.tested, reply),
    about: {
      ...(reply.sentiment === null ? {} : { user_sentiment: reply.sentiment }),
      ...(reply.knowledge_level === null ? {} : { user_knowledge_level: reply.knowledge_level }),
    },
    answered: { mind: 'language-model', instead_because: null },
  };
  if (alike === 'same') return { ...base, change: small.change };
  const words = (each: Change): string => {
    try {
      return planWords(applied(plan, each, world));
    } catch (error) {
      if (error instanceof Refused) return error.message;
      throw error;
    }
  };
  if (alike === 'other') {
    const question = `Two readings differ. First: ${words(small.change)}. Second: ${words(change)}. Say "the first", "the second", or say it otherwise.`;
    return { ...base, unread: [], question, offered: [small.change, change] };
  }
  if (!isWish) return base;
  const unnamed = unnamedNumbers(change, message);
  if (unnamed.length === 0 && parts.length === 0) return { ...base, change };
  const reasons = [
    ...(parts.length === 0 ? [] : [`I did not understand ${parts.map((part) => `"${part}"`).join(', ')}.`]),
    `I read: ${words(change)}.`,
    ...(unnamed.length === 0 ? [] : [`You did not name ${unnamed.join(', ')}.`]),
    'Say "yes" to take that, or say it otherwise.',
  ];
  return { ...base, unread: [], question: reasons.join(' '), offered: [change] };
}

/** A word that a person may ask after; the glossary decides whether there is one. */
const isPlainTerm = (term: string): boolean => /^[\p{L}\d &'/-]{2,40}$/u.test(term);

/**
 * What the two readings of a message have in common: `none` where the small reader reads nothing,
 * `part` where the model says all of it and more, because the small reader did not read the rest.
 */
function isAlike(plan: Plan, small: Reading, change: Change, world: World): 'same' | 'part' | 'other' | 'none' {
  if (isNothing(small.change)) return 'none';
  if (small.unread.length === 0) return isSame(plan, [small.change], [change], world) ? 'same' : 'other';
  return isSame(plan, [change, small.change], [change], world) ? 'part' : 'other';
}

/** Whether changes, one after the other, lead to the same plan as others. */
function isSame(plan: Plan, some: readonly Change[], others: readonly Change[], world: World): boolean {
  const after = (changes: readonly Change[]) =>
    spaced(changes.reduce((known, each) => applied(known, each, world), plan));
  try {
    return runsAlike(after(some), after(others));
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** A plan whose formulas have no spaces. */
const spaced = (plan: Plan): Plan =>
  JSON.parse(JSON.stringify(plan, (key, value) => (key === 'when' ? String(value).replace(/\s+/g, '') : value)));

/** Why a model has no answer, in words for the user. */
class Unanswered extends Error {}

/** An estimate above what most tokenizers count, because the reserve must suffice. */
const CHARACTERS_PER_TOKEN = 3;

export const countTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/** No tokenizer makes more tokens of a text than it has bytes. */
const bytes = (text: string): number => Buffer.byteLength(text);

type Tokens = NonNullable<ChatReply['tokens']>;

/** Whether a server can be right about what a reply cost. */
const isWithin = (tokens: Tokens | null, most: Tokens): tokens is Tokens =>
  tokens !== null && tokens.prompt <= most.prompt && tokens.answer <= most.answer;

const fresh: ModelUse = { requests: 0, prompt_tokens: 0, answer_tokens: 0, system_tokens: 0 };

/**
 * Asks a model within the budgets of the conversation and of the caller's month. What a request may
 * cost at most is taken before it is sent and settled with its answer.
 */
export class Budget {
  #use: ModelUse;

  constructor(
    { model }: Working,
    private readonly conversationTokensMax: number,
    private readonly tools: Pick<AssistantTools, 'takeTokens' | 'settleTokens'>,
  ) {
    this.#use = model ?? fresh;
  }

  /** What the conversation has used, its earlier turns included. */
  get use(): ModelUse {
    return this.#use;
  }

  /**
   * @param systemTokens tokens of the prompt files among the messages
   * @throws Unanswered without budget; UpstreamFault
   */
  async ask(model: ChatModel, request: ChatRequest, systemTokens: number, signal: AbortSignal): Promise<ChatReply> {
    const prompt = JSON.stringify([request.messages, request.schema]);
    const promptTokens = countTokens(prompt);
    const reserved = promptTokens + request.tokensMax;
    const { requests, prompt_tokens, answer_tokens, system_tokens } = this.#use;
    if (prompt_tokens + answer_tokens + reserved > this.conversationTokensMax) {
      throw new Unanswered('the tokens of this conversation are used up');
    }
    if (!(await this.tools.takeTokens(reserved))) throw new Unanswered('the tokens of this month are used up');
    let used = { prompt: 0, answer: 0 };
    try {
      const reply = await model.complete(request, signal);
      const most = { prompt: bytes(prompt), answer: Math.max(request.tokensMax, bytes(reply.content)) };
      used = isWithin(reply.tokens, most) ? reply.tokens : { prompt: promptTokens, answer: countTokens(reply.content) };
      return reply;
    } finally {
      await this.tools.settleTokens(used.prompt + used.answer - reserved);
      this.#use = {
        ...this.#use,
        requests: requests + 1,
        prompt_tokens: prompt_tokens + used.prompt,
        answer_tokens: answer_tokens + used.answer,
        system_tokens: system_tokens + Math.min(systemTokens, used.prompt),
      };
    }
  }
}
