import { type Selectable, sql } from 'kysely';
import type { Database } from '../state/tables.js';
import type {
  LedgerRow,
  NewPayment,
  PaymentKey,
  PaymentLease,
  PaymentTable,
  PaymentTotal,
  Receipt,
  StoredPayment,
} from './records.js';

/**
 * The ledger of payments and the guard of their nonces. Each method is one step. The primary key
 * over payer and nonce makes each payment count once.
 */
export class SqlPaymentStore {
  constructor(private readonly db: Database) {}

  async find(key: PaymentKey): Promise<StoredPayment | null> {
    const row = await this.db
      .selectFrom('payments')
      .selectAll()
      .where(({ and }) => and({ ...pickKey(key) }))
      .executeTakeFirst();
    return row === undefined ? null : stored(row);
  }

  /**
   * Takes a payment that was never used, or whose call died without an answer.
   * @returns false if another call has it
   */
  async claim(payment: NewPayment, { leaseId, nowMs, leaseEndsMs }: PaymentLease): Promise<boolean> {
    const call = {
      method: payment.method,
      request_hash: payment.requestHash,
      lease_id: leaseId,
      lease_ends_ms: leaseEndsMs,
    };
    const row = await this.db
      .insertInto('payments')
      .values({
        ...pickKey(payment),
        ...call,
        payment_hash: payment.paymentHash,
        terms: JSON.stringify(payment.terms),
        network: payment.network,
        asset: payment.asset,
        amount: payment.amount,
        valid_before_ms: payment.validBeforeMs,
        created_at_ms: payment.createdAtMs,
        status: 'serving',
      })
      .onConflict((conflict) =>
        conflict
          .columns(['payer', 'nonce'])
          .doUpdateSet(call)
          .where('payments.status', '=', 'serving')
          .where('payments.payment_hash', '=', payment.paymentHash)
          .where('payments.lease_ends_ms', '<=', nowMs),
      )
      .returning('payer')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Forgets a payment whose call failed: it may buy another one. */
  async release(key: PaymentKey, leaseId: string): Promise<void> {
    await this.db
      .deleteFrom('payments')
      .where(({ and }) => and({ ...pickKey(key), lease_id: leaseId, status: 'serving' }))
      .execute();
  }

  /** Keeps the answer. @returns false, without effect, if the call no longer holds the lease */
  async keepAnswer(
    key: PaymentKey,
    answer: Uint8Array,
    answerEndsMs: number,
    { leaseId, leaseEndsMs }: PaymentLease,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('payments')
      .set({ status: 'served', answer, answer_ends_ms: answerEndsMs, lease_ends_ms: leaseEndsMs })
      .where(({ and }) => and({ ...pickKey(key), lease_id: leaseId, status: 'serving' }))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /**
   * Takes an answered payment for settling, if no other call holds it.
   * @returns how it stood before: `settling` leaves in doubt whether it was paid
   */
  async takeForSettling(key: PaymentKey, lease: PaymentLease): Promise<'served' | 'settling' | null> {
    const row = await this.db
      .with('before', (db) =>
        db
          .selectFrom('payments')
          .select(['payer', 'nonce', 'status'])
          .where(({ and }) => and({ ...pickKey(key) }))
          .where('status', 'in', ['served', 'settling'])
          .where(({ or, eb }) => or([eb('lease_ends_ms', '<=', lease.nowMs), eb('lease_id', '=', lease.leaseId)]))
          .forUpdate(),
      )
      .updateTable('payments')
      .from('before')
      .set({ status: 'settling', lease_id: lease.leaseId, lease_ends_ms: lease.leaseEndsMs })
      .whereRef('payments.payer', '=', 'before.payer')
      .whereRef('payments.nonce', '=', 'before.nonce')
      .returning('before.status as before')
      .executeTakeFirst();
    return (row?.before ?? null) as 'served' | 'settling' | null;
  }

  async settled(key: PaymentKey, leaseId: string, { transaction, atMs, answerEndsMs }: Receipt): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('payments')
      .set({
        ...{ status: 'settled', transaction, settled_at_ms: atMs, answer_ends_ms: answerEndsMs },
        ...{ last_error: null, lease_ends_ms: 0 },
      })
      .where(({ and }) => and({ ...pickKey(key), lease_id: leaseId, status: 'settling' }))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Ends the lease of a payment with failed or unknown settlement. */
  async unsettled(key: PaymentKey, leaseId: string, reason: string, isKnown: boolean): Promise<void> {
    await this.db
      .updateTable('payments')
      .set({ status: isKnown ? 'served' : 'settling', last_error: reason, lease_ends_ms: 0 })
      .where(({ and }) => and({ ...pickKey(key), lease_id: leaseId }))
      .where('status', 'in', ['served', 'settling'])
      .execute();
  }

  /** Unleased payments with unknown settlement. */
  async inDoubt(nowMs: number, askedUntilMs: number, limit: number): Promise<readonly StoredPayment[]> {
    const rows = await this.db
      .selectFrom('payments')
      .selectAll()
      .where('status', '=', 'settling')
      .where('lease_ends_ms', '<=', nowMs)
      .where('valid_before_ms', '>', askedUntilMs)
      .orderBy('lease_ends_ms')
      .limit(limit)
      .execute();
    return rows.map(stored);
  }

  /** Ends all leases: for a store that only the process that asks can have open. */
  async releaseAll(): Promise<void> {
    await this.db.updateTable('payments').set({ lease_ends_ms: 0 }).where('lease_ends_ms', '>', 0).execute();
  }

  /** Drops the answers whose time is over, and marks what was never paid as lapsed. */
  async sweep(nowMs: number): Promise<void> {
    await this.db
      .deleteFrom('payments')
      .where('status', '=', 'serving')
      .where('lease_ends_ms', '<=', nowMs)
      .where('valid_before_ms', '<=', nowMs)
      .execute();
    await this.db
      .updateTable('payments')
      .set({ status: 'lapsed' })
      .where('status', '=', 'served')
      .where('lease_ends_ms', '<=', nowMs)
      .where('valid_before_ms', '<=', nowMs)
      .execute();
    await this.db
      .updateTable('payments')
      .set({ answer: null })
      .where('answer', 'is not', null)
      .where('answer_ends_ms', '<=', nowMs)
      .execute();
  }

  async list(limit: number, onlyUnsettled: boolean): Promise<readonly LedgerRow[]> {
    let query = this.db.selectFrom('payments').select(ledgerColumns);
    if (onlyUnsettled) query = query.where('status', 'in', ['serving', 'served', 'settling']);
    const rows = await query.orderBy('created_at_ms', 'desc').orderBy('payer').orderBy('nonce').limit(limit).execute();
    return rows.map(ledgerRow);
  }

  async totals(fromMs: number, toMs: number): Promise<readonly PaymentTotal[]> {
    const rows = await this.db
      .selectFrom('payments')
      .select(({ fn }) => ['status', 'network', 'asset', fn.countAll().as('count')])
      .select(sql<string>`sum(amount)::text`.as('amount'))
      .where('created_at_ms', '>=', fromMs)
      .where('created_at_ms', '<', toMs)
      .groupBy(['status', 'network', 'asset'])
      .orderBy('network')
      .orderBy('asset')
      .orderBy('status')
      .execute();
    return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
  }
}

const pickKey = ({ payer, nonce }: PaymentKey): PaymentKey => ({ payer, nonce });

const ledgerColumns = [
  'payer',
  'nonce',
  'method',
  'network',
  'asset',
  'amount',
  'status',
  'last_error',
  'transaction',
  'created_at_ms',
  'settled_at_ms',
] as const;

const ledgerRow = (row: Pick<Selectable<PaymentTable>, (typeof ledgerColumns)[number]>): LedgerRow => ({
  payer: row.payer,
  nonce: row.nonce,
  method: row.method,
  network: row.network,
  asset: row.asset,
  amount: row.amount,
  status: row.status,
  lastError: row.last_error,
  transaction: row.transaction,
  createdAtMs: row.created_at_ms,
  settledAtMs: row.settled_at_ms,
});

const stored = (row: Selectable<PaymentTable>): StoredPayment => ({
  ...ledgerRow(row),
  requestHash: row.request_hash,
  paymentHash: row.payment_hash,
  terms: row.terms,
  validBeforeMs: row.valid_before_ms,
  leaseEndsMs: row.lease_ends_ms,
  answer: row.answer,
});
