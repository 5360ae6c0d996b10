import { isUuid } from '../../data/state/index.js';
import { isRecord } from '../../engine/errors.js';
import { isoTime } from '../../engine/series/index.js';
import { clip } from '../../engine/text.js';
import { ApiError, notFound, requireFields, wrongValue } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { ManagementKey } from '../identity/index.js';
import type { Strategies } from '../strategies/index.js';
import type { WallClock } from '../wall-clock.js';
import type { Retrieval } from './retrieval.js';
import type { ConversationRow, MessageRow, SqlConversationStore } from './store.js';
import { withoutUnusedSide } from './tools.js';
import { freshWorking, type Working } from './working.js';

interface AssistantParts {
  readonly store: SqlConversationStore;
  readonly strategies: Pick<Strategies, 'create'>;
  readonly retrieval: Pick<Retrieval, 'refresh' | 'sources'>;
  readonly managementKey: ManagementKey;
  /** Paths of the texts that tell a language model what to do; empty without one. */
  readonly promptFiles: readonly string[];
  readonly clock: WallClock;
  readonly newId: () => string;
  /** Called after a message was stored, to wake the workers of all processes. */
  readonly onMessage: () => Promise<void>;
  readonly onInternalError: (error: unknown) => void;
}

const MESSAGE_CHARACTERS_MAX = 20_000;
const MESSAGES_MAX = 500;
const CONVERSATIONS_MAX = 200;
const TITLE_LENGTH_MAX = 200;
const OWN_TITLE_LENGTH_MAX = 60;
const NO_TITLE = 'New conversation';
const CHARACTERS_PER_TOKEN = 4;

/** Conversations with the assistant. A user sees only own ones. */
export class Assistant {
  constructor(private readonly parts: AssistantParts) {}

  /** The user and the organization come from the credential, whatever the request names. */
  async start({ userId, orgId }: Caller) {
    const { store, clock, newId } = this.parts;
    const row = await store.add(
      { id: newId(), userId, orgId, title: NO_TITLE, working: freshWorking, nowMs: clock() },
      CONVERSATIONS_MAX,
    );
    if (row === null) {
      const message = `You have ${CONVERSATIONS_MAX} conversations, the most you may have: delete one`;
      throw new ApiError('USAGE_LIMIT_EXCEEDED', message, { limit: CONVERSATIONS_MAX });
    }
    return { conversation: toConversation(row), error: null };
  }

  /** Newest first. */
  async list({ userId }: Caller) {
    return { conversations: (await this.parts.store.list(userId, CONVERSATIONS_MAX)).map(toConversation) };
  }

  async latest({ userId }: Caller) {
    const [row] = await this.parts.store.list(userId, 1);
    return { conversation: row === undefined ? null : toConversation(row) };
  }

  /** @throws ApiError RESOURCE_NOT_FOUND */
  async get(caller: Caller, id: string) {
    const row = await this.#found(caller, id);
    return { context: conversationContext(row, await this.parts.store.messages(row.id)) };
  }

  /**
   * Stores a message; the answer comes later.
   * @throws ApiError MISSING_FIELD, VALIDATION_ERROR, RESOURCE_NOT_FOUND; CONFLICT while another
   *   message waits for its answer; USAGE_LIMIT_EXCEEDED for a conversation that is full
   */
  async chat(caller: Caller, id: string, sent: unknown) {
    const { store, clock, onMessage, onInternalError } = this.parts;
    const content = typeof sent === 'string' && sent.trim() === '' ? null : sent;
    requireFields({ message: content }, ['message']);
    if (typeof content !== 'string' || content.length > MESSAGE_CHARACTERS_MAX) {
      const value = typeof content === 'string' ? `${content.length} characters` : content;
      throw wrongValue('message', `a text of 1..${MESSAGE_CHARACTERS_MAX} characters`, value);
    }
    const message = content.replaceAll('\0', '\ufffd'); // PostgreSQL keeps no NUL in a text
    const { session_id } = toConversation(await this.#found(caller, id));
    const added = await store.addMessage(caller.userId, session_id, {
      ...{ content: message, caller, title: firstWords(message), messagesMax: MESSAGES_MAX, nowMs: clock() },
    });
    if (added === 'unknown') throw notFound('conversation', id);
    if (added === 'processing') {
      throw new ApiError('CONFLICT', 'The message before is still being answered: wait for the answer', {
        retry_after: 2,
      });
    }
    if (added === 'full') {
      const text = `A conversation has at most ${MESSAGES_MAX} messages: start another one`;
      throw new ApiError('USAGE_LIMIT_EXCEEDED', text, { limit: MESSAGES_MAX });
    }
    await onMessage().catch(onInternalError); // a worker that rests will find it anyway
    return { data: { status: 'processing', session_id, message: 'The message is being answered' } };
  }

  /** @throws ApiError MISSING_FIELD, VALIDATION_ERROR, RESOURCE_NOT_FOUND */
  async rename({ userId }: Caller, id: string, title: unknown) {
    const { store, clock } = this.parts;
    requireFields({ title }, ['title']);
    if (typeof title !== 'string' || title.trim() === '' || title.length > TITLE_LENGTH_MAX || title.includes('\0')) {
      throw wrongValue('title', `a text of 1..${TITLE_LENGTH_MAX} characters`, title);
    }
    const isKnown = isUuid(id) && (await store.rename(userId, id, title.trim(), clock()));
    if (!isKnown) throw notFound('conversation', id);
    return { message: 'The conversation was renamed', title: title.trim() };
  }

  /** @throws ApiError RESOURCE_NOT_FOUND */
  async remove({ userId }: Caller, id: string) {
    if (!isUuid(id) || !(await this.parts.store.remove(userId, id))) throw notFound('conversation', id);
    return { message: 'The conversation was deleted' };
  }

  /**
   * Stores a candidate as a strategy with status draft.
   * @throws ApiError MISSING_FIELD, VALIDATION_ERROR, as for a new strategy
   */
  async saveStrategy(caller: Caller, request: { readonly strategy_config?: unknown; readonly name?: unknown }) {
    const { strategies, store, clock } = this.parts;
    requireFields(request, ['strategy_config']);
    const { strategy_config: config, name } = request;
    if (!isRecord(config)) {
      throw wrongValue('strategy_config', 'an object', config);
    }
    const own: Record<string, unknown> = { ...config, ...(name === undefined || name === null ? {} : { name }) };
    for (const field of ['name', 'asset']) {
      if (own[field] !== undefined && typeof own[field] !== 'string') throw wrongValue(field, 'a text', own[field]);
    }
    const { name: called, asset, entry, exit, short_entry, short_exit, reward_factor, execution_config } = own;
    const { session_id } = own;
    const sides = withoutUnusedSide({ entry, exit, short_entry, short_exit });
    const { strategy, warnings } = await strategies.create(caller, {
      ...({ name: called, asset, ...sides, reward_factor, execution_config } as object),
      status: 'draft',
    });
    if (isUuid(session_id)) await store.setStrategy(caller.userId, session_id, strategy.id, clock());
    return {
      result: { strategy_id: strategy.id, name: strategy.name, status: strategy.status, strategy, warnings },
      error: null,
    };
  }

  async configuration() {
    return {
      agentic_files: [],
      context_files: [...(await this.parts.retrieval.sources())],
      prompt_files: [...this.parts.promptFiles],
    };
  }

  /** Clears the passages that the assistant looks up and seeds them again. */
  async refreshIndex(key: string | undefined) {
    this.parts.managementKey.require(key);
    const count = await this.parts.retrieval.refresh();
    return { message: 'The passages were cleared and seeded again', documents_count: count };
  }

  /** What a user's conversations amount to. */
  async totals(userId: string) {
    const { conversations, user, assistant } = await this.parts.store.totals(userId);
    const rows = await this.parts.store.list(userId, CONVERSATIONS_MAX);
    const tool_calls: Record<string, number> = {};
    const model = { system: 0, context: 0 };
    for (const { working } of rows) {
      const { system, context } = promptTokens(working as Working);
      model.system += system;
      model.context += context;
      for (const [tool, count] of Object.entries((working as Working).tool_calls)) {
        tool_calls[tool] = (tool_calls[tool] ?? 0) + count;
      }
    }
    return {
      conversations,
      messages: user.messages + assistant.messages,
      userTokens: countTokens(user.characters),
      assistantTokens: countTokens(assistant.characters),
      systemTokens: model.system,
      contextTokens: model.context,
      toolCalls: tool_calls,
    };
  }

  async #found({ userId }: Caller, id: string): Promise<ConversationRow> {
    const row = isUuid(id) ? await this.parts.store.find(userId, id) : null;
    if (row === null) throw notFound('conversation', id);
    return row;
  }
}

const countTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

/** The first words of a message. */
function firstWords(message: string): string {
  const words = message.replace(/\s+/g, ' ').trim();
  return words.length <= OWN_TITLE_LENGTH_MAX ? words : `${clip(words, OWN_TITLE_LENGTH_MAX - 1)}…`;
}

const toConversation = (row: ConversationRow) => ({
  session_id: row.id,
  thread_id: row.id,
  title: row.title,
  created_at: isoTime(row.created_at_ms),
  updated_at: isoTime(row.updated_at_ms),
  current_mode: row.mode,
  message_count: row.message_count,
  working_context: (row.working as Working).collected,
});

/** What a language model has read: the prompt files, and everything else. */
function promptTokens({ model }: Working): { readonly system: number; readonly context: number } {
  const { prompt_tokens: all, system_tokens: system } = model ?? { prompt_tokens: 0, system_tokens: 0 };
  return { system, context: all - system };
}

function conversationContext(row: ConversationRow, messages: readonly MessageRow[]) {
  const working = row.working as Working;
  const { collected, proposal, tested, candidates, tool_calls, answered, model } = working;
  const best = tested?.best === null || tested === null ? null : (tested.candidates[tested.best] ?? null);
  const characters = (role: string) =>
    messages.filter((message) => message.role === role).reduce((sum, { content }) => sum + content.length, 0);
  const read = promptTokens(working);
  const tokens = {
    ...{ user_tokens: countTokens(characters('user')), assistant_tokens: countTokens(characters('assistant')) },
    ...{ system_tokens: read.system, context_tokens: read.context },
  };
  return {
    session_id: row.id,
    org_id: row.org_id,
    user_id: row.user_id,
    title: row.title,
    strategy_id: row.strategy_id,
    current_mode: row.mode,
    processing_status: row.status,
    message_count: messages.length,
    conversation_history: messages.map(({ role, content, created_at_ms }) => ({
      ...{ role, content, timestamp: isoTime(created_at_ms) },
    })),
    collected_info: collected,
    rules: proposal ?? {},
    strategy_config: best?.config ?? candidates[0] ?? null,
    // The run of a portfolio is no backtest.
    backtest_id: tested?.assets === undefined ? (best?.figures.backtest_id ?? null) : null,
    backtest_status: tested === null ? null : 'completed',
    backtest_results: tested,
    llm_response_metadata: {
      ...(answered ?? { mind: 'built-in', instead_because: null }),
      ...(model === undefined ? {} : { requests: model.requests, answer_tokens: model.answer_tokens }),
      tool_calls,
    },
    token_estimates: { ...tokens, total_tokens: Object.values(tokens).reduce((sum, count) => sum + count, 0) },
  };
}
