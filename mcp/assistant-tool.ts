import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type CallOptions, type MethodName, type RpcClient } from '../rpc/index.js';
import { checkArguments } from './place-arguments.js';
import { readOrRefuse, type Tool } from './tool.js';

const POLL_MS = 50;
const POLL_MS_MAX = 1_000;
/** The assistant itself gives up before. */
const WAIT_MS = 180_000;

interface AssistantAnswer {
  readonly session_id: string;
  readonly answer: string;
  /** State of the conversation, such as `plan_signals`. */
  readonly current_mode: string;
  /** The stored run of the best candidate; null before. */
  readonly backtest_id: string | null;
}

/**
 * Says something to the assistant and waits for the answer.
 * @param sessionId null begins a conversation
 * @throws ApiError as the service answers it; UNAVAILABLE if no worker answers in time
 */
export async function askAssistant(
  rpc: RpcClient,
  options: CallOptions,
  sessionId: string | null,
  message: string,
  signal: AbortSignal,
): Promise<AssistantAnswer> {
  const id = sessionId ?? (await rpc.call('Assistant.Start', {}, options)).body.conversation?.session_id ?? '';
  await rpc.call('Assistant.Chat', { session_id: id, message }, options);
  const untilMs = performance.now() + WAIT_MS;
  for (let polls = 0; performance.now() < untilMs; polls++) {
    signal.throwIfAborted(); // calls are short, so only the wait ends early
    const { context } = (await rpc.call('Assistant.Get', { session_id: id }, options)).body;
    const last = context?.conversation_history.at(-1);
    if (context !== undefined && context.processing_status !== 'processing' && last?.role === 'assistant') {
      const { current_mode, backtest_id: run } = context;
      return { session_id: id, answer: last.content, current_mode, backtest_id: run ?? null };
    }
    await delay(Math.min(POLL_MS * 1.3 ** polls, POLL_MS_MAX), undefined, { signal });
  }
  throw new ApiError('ENGINE_BUSY', `the assistant did not answer within ${WAIT_MS / 1_000} s`, {
    session_id: id,
  });
}

const methods: readonly MethodName[] = ['Assistant.Start', 'Assistant.Chat', 'Assistant.Get'];

const input = {
  type: 'object',
  properties: {
    message: {
      type: 'string',
      minLength: 1,
      maxLength: 20_000,
      description: 'What to say, such as "buy BTC 4h when rsi(14) < 30, stop 3 %"; docs/assistant.md has the form.',
    },
    session_id: { type: 'string', description: 'A conversation to go on with; without it a new one begins.' },
  },
  required: ['message'],
  additionalProperties: false,
} as const;

/** @throws ApiError VALIDATION_ERROR for an argument that is no text; null where it is not given */
function text(args: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = args[field] ?? null;
  if (value === null || typeof value === 'string') return value;
  throw new ApiError('VALIDATION_ERROR', `${field} must be text, was ${typeof value}`, { field });
}

export const assistantTool: Tool = {
  name: 'assistant_chat',
  set: 'assistant',
  methods,
  title: 'Talk with the assistant and wait for its answer',
  description:
    'Says something to the assistant, which reads an idea, says back what it read, quotes what it did not understand, and runs backtests once you agree ("go on"). Give the session_id of the answer to go on with a conversation.',
  input,
  output: {
    type: 'object',
    properties: {
      session_id: { type: 'string' },
      answer: { type: 'string' },
      current_mode: { type: 'string' },
      backtest_id: { type: ['string', 'null'] },
    },
    required: ['session_id', 'answer', 'current_mode', 'backtest_id'],
  },
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async act(call) {
    const { rpc, options, signal } = call;
    const { message, session_id: id } = await readOrRefuse(call, methods, () => {
      checkArguments(call.args, input);
      const message = text(call.args, 'message');
      if (message === null) {
        throw new ApiError('MISSING_FIELD', 'Missing required fields: message', { fields: ['message'] });
      }
      return { message, session_id: text(call.args, 'session_id') };
    });
    return askAssistant(rpc, options, id, message, signal);
  },
};
