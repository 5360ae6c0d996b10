import type { ChatModel, ChatReply, ChatRequest } from '../../../data/upstreams/model/index.js';
import type { AssistantTools } from '../tools.js';
import type { ModelUse, Working } from '../working.js';

/** Why a model has no answer, in words for the user. */
export class Unanswered extends Error {}

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
