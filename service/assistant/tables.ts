import { type Generated, sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';
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

export const assistantMigrations: Migrations = {
  /**
   * Conversations with the assistant, their messages, and the passages that it looks up. The status
   * `processing` says that the last message has no answer yet. Times are epoch ms.
   */
  '0016-conversations': {
    async up(db) {
      await sql`
        create table conversations (
          id uuid primary key,
          user_id uuid not null,
          org_id uuid not null,
          title text not null,
          mode text not null,
          status text not null,
          message_count integer not null default 0,
          working json not null,
          caller json,
          strategy_id uuid,
          attempts integer not null default 0,
          lease_runner text,
          lease_until_ms bigint not null default 0,
          created_at_ms bigint not null,
          updated_at_ms bigint not null
        )`.execute(db);
      await sql`create index conversations_of_user on conversations (user_id, created_at_ms desc)`.execute(db);
      await sql`create index conversations_waiting on conversations (updated_at_ms) where status = 'processing'`.execute(
        db,
      );
      await sql`
        create table conversation_messages (
          conversation_id uuid not null references conversations on delete cascade,
          place integer not null,
          role text not null,
          content text not null,
          created_at_ms bigint not null,
          primary key (conversation_id, place)
        )`.execute(db);
      await sql`create table passage_seedings (id uuid primary key)`.execute(db);
      await sql`
        create table passages (
          seeding_id uuid not null,
          place integer not null,
          source text not null,
          title text not null,
          text text not null,
          vector bytea not null,
          primary key (place)
        )`.execute(db);
    },
  },
  /**
   * Vectors of the passages that the assistant looks up, in place of copies of the passages. The id
   * of a seeding is a hash of their texts. Arrays, since not every database has a type for vectors.
   */
  '0018-passage-vectors': {
    async up(db) {
      await sql`drop table passages`.execute(db);
      await sql`drop table passage_seedings`.execute(db);
      await sql`
        create table passage_seedings (
          id uuid primary key,
          number bigint generated always as identity
        )`.execute(db);
      await sql`
        create table passage_vectors (
          seeding_id uuid not null references passage_seedings on delete cascade,
          place integer not null,
          embedding real[] not null,
          primary key (seeding_id, place)
        )`.execute(db);
    },
  },
};
