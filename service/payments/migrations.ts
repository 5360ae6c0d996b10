import { sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';

export const paymentMigrations: Migrations = {
  /**
   * Payments of wallets. A wallet signs a nonce once, so a payment is its payer and nonce. While
   * `lease_ends_ms` lies ahead, one call works on it. The answer is kept, sealed, until
   * `answer_ends_ms`. Amounts are whole atomic units of the asset; times are epoch ms.
   */
  '0013-payments': {
    async up(db) {
      await sql`
        create table payments (
          payer text not null,
          nonce text not null,
          method text not null,
          request_hash text not null,
          payment_hash text not null,
          terms json not null,
          network text not null,
          asset text not null,
          amount numeric(78, 0) not null,
          valid_before_ms bigint not null,
          status text not null,
          lease_id uuid not null,
          lease_ends_ms bigint not null,
          last_error text,
          transaction text,
          answer bytea,
          answer_ends_ms bigint,
          created_at_ms bigint not null,
          settled_at_ms bigint,
          primary key (payer, nonce)
        )`.execute(db);
      await sql`create index payments_by_time on payments (created_at_ms desc, payer, nonce)`.execute(db);
      await sql`
        create index payments_unsettled on payments (lease_ends_ms)
        where status in ('serving', 'served', 'settling')`.execute(db);
      await sql`create index payments_with_answer on payments (answer_ends_ms) where answer is not null`.execute(db);
    },
  },
};
