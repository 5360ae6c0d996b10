import type { Generated } from 'kysely';
import type { Json, NullableJson } from '../state/json-columns.js';

export type ConversationMode = 'collect_user_input' | 'plan_signals' | 'assemble_strategy' | 'backtest' | 'done';

/** `idle` before the first message, `processing` while a message waits for its answer. */
type ConversationStatus = 'idle' | 'processing' | 'complete';

export interface ConversationTable {
  id: string;
  user_id: string;
  org_id: string;
  title: string;
  mode: ConversationMode;
  status: ConversationStatus;
  message_count: Generated<number>;
  /** What the assistant knows and has made so far. */
  working: Json<object>;
  /** Who sent the message that waits for an answer. */
  caller: NullableJson<object>;
  strategy_id: string | null;
  /** How often the waiting message was taken up. */
  attempts: Generated<number>;
  lease_runner: string | null;
  lease_until_ms: Generated<number>;
  created_at_ms: number;
  updated_at_ms: number;
}

export interface ConversationMessageTable {
  conversation_id: string;
  /** Counted from 0. */
  place: number;
  role: 'user' | 'assistant';
  content: string;
  created_at_ms: number;
}

interface PassageVectorTable {
  seeding_id: string;
  /** Of the passage, counted from 0. */
  place: number;
  /** Read by statements that name its form. */
  embedding: string;
}

export interface AssistantTables {
  /** The numbers grow. */
  passage_seedings: { id: string; number: Generated<number> };
  passage_vectors: PassageVectorTable;
  conversations: ConversationTable;
  conversation_messages: ConversationMessageTable;
}
