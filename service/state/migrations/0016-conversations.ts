import { type Migration, sql } from 'kysely';

/**
 * Conversations with the assistant, their messages, and the passages that it looks up. The status
 * `processing` says that the last message has no answer yet. Times are epoch ms.
 */
export const conversations: Migration = {
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
};
