import { type Selectable, sql } from 'kysely';
import type { Database } from '../state/tables.js';
import type { ConversationMessageTable, ConversationMode, ConversationTable } from './tables.js';

export type ConversationRow = Selectable<ConversationTable>;
export type MessageRow = Pick<Selectable<ConversationMessageTable>, 'role' | 'content' | 'created_at_ms'>;

interface NewConversation {
  readonly id: string;
  readonly userId: string;
  readonly orgId: string;
  readonly title: string;
  readonly working: object;
  /** Epoch ms. */
  readonly nowMs: number;
}

interface NewMessage {
  readonly content: string;
  /** Who speaks, as the tools of the assistant shall know it. */
  readonly caller: object;
  /** Title of the conversation if this is its first message. */
  readonly title: string;
  readonly messagesMax: number;
  readonly nowMs: number;
}

type Added = 'added' | 'unknown' | 'processing' | 'full';

/** A conversation that one process answers until its lease ends. */
export interface ClaimedTurn {
  readonly conversation: ConversationRow;
  readonly runner: string;
}

/** The answer to a message, and what it changes. */
interface TurnEnd {
  readonly content: string;
  readonly mode: ConversationMode;
  readonly working: object;
  readonly nowMs: number;
}

/**
 * Conversations with the assistant. Methods that take a user read and change only this user's
 * conversations. Each method is one step, so any number of processes may answer.
 */
export class SqlConversationStore {
  constructor(private readonly db: Database) {}

  /** Adds a conversation unless the user already has `max`. @returns null if there are as many */
  async add(
    { id, userId, orgId, title, working, nowMs }: NewConversation,
    max: number,
  ): Promise<ConversationRow | null> {
    return this.db.transaction().execute(async (open) => {
      // A second call waits here and counts after the first is done.
      await open.selectFrom('users').where('id', '=', userId).select('id').forUpdate().execute();
      const { count } = await open
        .selectFrom('conversations')
        .where('user_id', '=', userId)
        .select(open.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) >= max) return null;
      return open
        .insertInto('conversations')
        .values({
          ...{ id, user_id: userId, org_id: orgId, title, mode: 'collect_user_input', status: 'idle' },
          ...{ working: JSON.stringify(working), created_at_ms: nowMs, updated_at_ms: nowMs },
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  /** Newest first. */
  async list(userId: string, limit: number): Promise<ConversationRow[]> {
    return this.db
      .selectFrom('conversations')
      .where('user_id', '=', userId)
      .selectAll()
      .orderBy('created_at_ms', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  async find(userId: string, id: string): Promise<ConversationRow | null> {
    const row = this.db.selectFrom('conversations').where('user_id', '=', userId).where('id', '=', id).selectAll();
    return (await row.executeTakeFirst()) ?? null;
  }

  /** Oldest first. */
  async messages(id: string): Promise<MessageRow[]> {
    return this.db
      .selectFrom('conversation_messages')
      .where('conversation_id', '=', id)
      .select(['role', 'content', 'created_at_ms'])
      .orderBy('place')
      .execute();
  }

  /** How many conversations and messages a user has, and the characters of each role. */
  async totals(userId: string) {
    const { count } = await this.db
      .selectFrom('conversations')
      .where('user_id', '=', userId)
      .select(this.db.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const roles = await this.db
      .selectFrom('conversation_messages')
      .innerJoin('conversations', 'conversations.id', 'conversation_messages.conversation_id')
      .where('user_id', '=', userId)
      .groupBy('role')
      .select(['role', this.db.fn.countAll<number>().as('count'), sql<number>`sum(length(content))`.as('characters')])
      .execute();
    const of = (role: MessageRow['role']) => {
      const found = roles.find((each) => each.role === role);
      return { messages: Number(found?.count ?? 0), characters: Number(found?.characters ?? 0) };
    };
    return { conversations: Number(count), user: of('user'), assistant: of('assistant') };
  }

  async rename(userId: string, id: string, title: string, nowMs: number): Promise<boolean> {
    const change = this.db.updateTable('conversations').set({ title, updated_at_ms: nowMs });
    const { numUpdatedRows } = await change.where('user_id', '=', userId).where('id', '=', id).executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** Deletes a conversation with its messages. A turn that is under way ends without an answer. */
  async remove(userId: string, id: string): Promise<boolean> {
    const gone = this.db.deleteFrom('conversations').where('user_id', '=', userId).where('id', '=', id);
    return (await gone.executeTakeFirst()).numDeletedRows === 1n;
  }

  /** Notes the strategy that was saved from a conversation. */
  async setStrategy(userId: string, id: string, strategyId: string, nowMs: number): Promise<void> {
    const change = this.db.updateTable('conversations').set({ strategy_id: strategyId, updated_at_ms: nowMs });
    await change.where('user_id', '=', userId).where('id', '=', id).execute();
  }

  /** Adds a user's message, which then waits for an answer. One message waits at a time. */
  async addMessage(userId: string, id: string, message: NewMessage): Promise<Added> {
    const { content, caller, title, messagesMax, nowMs } = message;
    return this.db.transaction().execute(async (open) => {
      const mine = open.selectFrom('conversations').where('user_id', '=', userId).where('id', '=', id);
      const found = await mine.select(['status', 'message_count', 'title']).forUpdate().executeTakeFirst();
      if (found === undefined) return 'unknown';
      if (found.status === 'processing') return 'processing';
      const place = found.message_count;
      if (place + 2 > messagesMax) return 'full';
      await open
        .insertInto('conversation_messages')
        .values({ conversation_id: id, place, role: 'user', content, created_at_ms: nowMs })
        .execute();
      await open
        .updateTable('conversations')
        .set({
          ...{ status: 'processing', message_count: place + 1, title: place === 0 ? title : found.title },
          ...{ caller: JSON.stringify(caller), attempts: 0, lease_until_ms: 0, updated_at_ms: nowMs },
        })
        .where('id', '=', id)
        .execute();
      return 'added';
    });
  }

  /** Takes the oldest unleased message. */
  async claim(runner: string, nowMs: number, leaseUntilMs: number): Promise<ClaimedTurn | null> {
    const { rows } = await sql<{ id: string }>`
      update conversations set lease_runner = ${runner}, lease_until_ms = ${leaseUntilMs}, attempts = attempts + 1
      where id = (
        select id from conversations where status = 'processing' and lease_until_ms <= ${nowMs}
        order by updated_at_ms, id limit 1 for update skip locked
      )
      returning id`.execute(this.db);
    const id = rows[0]?.id;
    if (id === undefined) return null;
    const row = this.db.selectFrom('conversations').where('id', '=', id).where('lease_runner', '=', runner);
    const conversation = await row.selectAll().executeTakeFirst();
    return conversation === undefined ? null : { conversation, runner };
  }

  /** Extends a lease. @returns whether it still holds */
  async hold({ conversation: { id }, runner }: ClaimedTurn, leaseUntilMs: number): Promise<boolean> {
    const held = this.db.updateTable('conversations').set({ lease_until_ms: leaseUntilMs });
    const { numUpdatedRows } = await held
      .where('id', '=', id)
      .where('status', '=', 'processing')
      .where('lease_runner', '=', runner)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /**
   * Adds the answer, all or nothing.
   * @returns false if the conversation was deleted, or if another process has taken the turn
   */
  async finish({ conversation: { id }, runner }: ClaimedTurn, end: TurnEnd): Promise<boolean> {
    const { content, mode, working, nowMs } = end;
    return this.db.transaction().execute(async (open) => {
      const ended = await open
        .updateTable('conversations')
        .set({
          ...{ status: 'complete', mode, working: JSON.stringify(working), caller: null },
          ...{ lease_runner: null, lease_until_ms: 0, updated_at_ms: nowMs },
          message_count: sql<number>`message_count + 1`,
        })
        .where('id', '=', id)
        .where('status', '=', 'processing')
        .where('lease_runner', '=', runner)
        .returning('message_count')
        .executeTakeFirst();
      if (ended === undefined) return false;
      await open
        .insertInto('conversation_messages')
        .values({
          conversation_id: id,
          place: ended.message_count - 1,
          role: 'assistant',
          content,
          created_at_ms: nowMs,
        })
        .execute();
      return true;
    });
  }

  /** Lets another process take the turn at once. */
  async release({ conversation: { id }, runner }: ClaimedTurn): Promise<void> {
    const freed = this.db.updateTable('conversations').set({ lease_until_ms: 0 });
    await freed.where('id', '=', id).where('lease_runner', '=', runner).execute();
  }

  /** Lets the first process of a store go on at once with what a dead one held. */
  async releaseAll(): Promise<void> {
    const freed = this.db.updateTable('conversations').set({ lease_until_ms: 0 });
    await freed.where('status', '=', 'processing').execute();
  }
}
