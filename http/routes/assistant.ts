import type { Route } from '../route.js';
import { id, jsonObject, orNull, time, unchecked, z } from '../zod.js';
import { definition } from './definition-schemas.js';
import { strategySchema } from './strategies.js';

const tag = 'Assistant';
const success = z.literal(true);
const mode = z.enum(['collect_user_input', 'plan_signals', 'assemble_strategy', 'backtest', 'done']);

const conversation = z
  .object({
    session_id: id(),
    thread_id: id(),
    title: z.string(),
    created_at: time(),
    updated_at: time(),
    current_mode: mode,
    message_count: z.int(),
    working_context: orNull(jsonObject('what the assistant has learned so far')),
  })
  .openapi('Conversation');

const context = z
  .object({
    session_id: id(),
    org_id: id(),
    user_id: id(),
    title: z.string(),
    strategy_id: id().nullable(),
    current_mode: mode,
    processing_status: z.enum(['idle', 'processing', 'complete', 'error']),
    message_count: z.int(),
    conversation_history: z.array(
      z.object({ role: z.enum(['user', 'assistant']), content: z.string(), timestamp: time() }),
    ),
    collected_info: jsonObject('what the assistant has learned so far'),
    rules: jsonObject('proposed triggers and filters'),
    strategy_config: orNull(jsonObject('the best candidate, as save_strategy takes it')),
    backtest_id: id().nullable(),
    backtest_status: z.string().nullable(),
    backtest_results: orNull(jsonObject('candidates with the figures of their runs')),
    llm_response_metadata: orNull(jsonObject('which mind answered, and calls by tool')),
    token_estimates: orNull(jsonObject('tokens of the messages, estimated by their length')),
  })
  .openapi('ConversationContext');

export const assistantRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/ai-copilot/start_new_conversation',
    rpc: 'Assistant.Start',
    summary: 'Start a conversation; user and organization are those of the credential',
    tag,
    body: z.object({ org_id: z.string(), user_id: z.string() }).partial(),
    status: 201,
    response: z.object({ success, conversation, error: z.null() }),
  },
  {
    method: 'post',
    path: '/ai-copilot/chat/{session_id}',
    rpc: 'Assistant.Chat',
    summary: 'Send a message; poll the conversation for the answer',
    tag,
    body: z.object({ message: z.string() }).partial(),
    required: ['message'],
    status: 202,
    response: z.object({
      success,
      data: z.object({ status: z.literal('processing'), session_id: id(), message: z.string() }),
    }),
  },
  {
    method: 'get',
    path: '/ai-copilot/conversations/{session_id}',
    rpc: 'Assistant.Get',
    summary: 'Read a conversation with its messages',
    tag,
    response: z.object({ success, context, ...context.shape }),
    // Clients read either place.
    toJson: ({ context: read }) => ({ success: true, context: read, ...read }),
  },
  {
    method: 'delete',
    path: '/ai-copilot/conversations/{session_id}',
    rpc: 'Assistant.Delete',
    summary: 'Delete a conversation; its strategies and backtests stay',
    tag,
    response: z.object({ success, message: z.string() }),
  },
  {
    method: 'put',
    path: '/ai-copilot/conversations/{session_id}/rename',
    rpc: 'Assistant.Rename',
    summary: 'Rename a conversation',
    tag,
    body: z.object({ title: z.string() }).partial(),
    required: ['title'],
    response: z.object({ success, message: z.string(), title: z.string() }),
  },
  {
    method: 'get',
    path: '/ai-copilot/get_latest_conversation',
    rpc: 'Assistant.GetLatest',
    summary: 'Read the newest conversation, without its messages',
    tag,
    response: z.object({ success, conversation: orNull(conversation) }),
  },
  {
    method: 'get',
    path: '/ai-copilot/list_conversations',
    rpc: 'Assistant.List',
    summary: 'List conversations, newest first, without their messages',
    tag,
    response: z.object({ success, conversations: z.array(conversation) }),
  },
  {
    method: 'post',
    path: '/ai-copilot/save_strategy',
    rpc: 'Assistant.SaveStrategy',
    summary: 'Store a candidate as a strategy with status draft',
    tag,
    body: z
      .object({
        strategy_config: unchecked(definition),
        name: z.string(),
      })
      .partial(),
    required: ['strategy_config'],
    response: z.object({
      success,
      result: z.object({
        strategy_id: id(),
        name: z.string(),
        status: z.string(),
        strategy: strategySchema,
        warnings: z.array(z.string()),
      }),
      error: z.null(),
    }),
  },
  {
    method: 'get',
    path: '/ai-copilot/configuration',
    rpc: 'Assistant.GetConfiguration',
    summary: 'Name what the assistant looks up',
    tag,
    response: z.object({
      success,
      agentic_files: z.array(z.string()),
      context_files: z.array(z.string()),
      prompt_files: z.array(z.string()),
    }),
  },
  {
    method: 'post',
    path: '/ai-copilot/admin/refresh-vector-db',
    rpc: 'Assistant.RefreshIndex',
    summary: 'Clear and seed the passages that the assistant looks up; needs the management key',
    tag,
    response: z.object({ success, message: z.string(), documents_count: z.int() }),
  },
];
