import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { NewPayment, PaymentLease } from '../../../../service/payments/records.js';
import { SqlPaymentStore } from '../../../../service/payments/store.js';
import type { State } from '../../../../service/state/index.js';
import { onEachStore } from '../../../support/backends.js';

const T0 = Date.UTC(2024, 0, 1);
const answer = Uint8Array.from({ length: 256 }, (_, i) => i);
const hex = (bytes: number): string => `0x${randomBytes(bytes).toString('hex')}`;

const leaseAt = (nowMs: number): PaymentLease => ({ leaseId: randomUUID(), nowMs, leaseEndsMs: nowMs + 100 });

function newPayment(changes: Partial<NewPayment> = {}): NewPayment {
  return {
    payer: hex(20),
    nonce: hex(32),
    method: 'Corpus.Query',
    requestHash: 'request',
    paymentHash: 'payment',
    terms: { payload: { a: 1 }, requirements: { b: [2] } },
    network: 'eip155:84532',
    asset: hex(20),
    amount: '100000',
    validBeforeMs: T0 + 1_000,
    createdAtMs: T0,
    ...changes,
  };
}

const paymentsIn = ({ db }: State) => new SqlPaymentStore(db);

/** They share a store: each test works with its own payments. */
onEachStore('payments', paymentsIn, (check, checkBoth) => {
  /** A payment whose answer is kept, with the lease of its call. */
  async function served(store: SqlPaymentStore, changes: Partial<NewPayment> = {}) {
    const payment = newPayment(changes);
    const lease = leaseAt(T0);
    assert.equal(await store.claim(payment, lease), true);
    assert.equal(await store.keepAnswer(payment, answer, T0 + 5_000, lease), true);
    return { payment, lease };
  }

  checkBoth('of many calls with one payment, one gets it; another signature does not', async (store) => {
    const payment = newPayment();
    const claims = await Promise.all(Array.from({ length: 20 }, () => store.claim(payment, leaseAt(T0))));
    assert.equal(claims.filter(Boolean).length, 1);
    const late = leaseAt(T0 + 100);
    assert.equal(await store.claim({ ...payment, paymentHash: 'other' }, late), false);
    assert.equal(await store.claim({ ...payment, requestHash: 'second' }, late), true);
    const found = await store.find(payment);
    assert.deepEqual(
      { ...found },
      {
        ...payment,
        requestHash: 'second',
        ...{ status: 'serving', leaseEndsMs: T0 + 200, lastError: null, transaction: null, answer: null },
        settledAtMs: null,
      },
    );
    assert.equal(await store.find(newPayment()), null);
  });

  check('a failed call releases its payment, and only its own', async (store) => {
    const payment = newPayment();
    const lease = leaseAt(T0);
    await store.claim(payment, lease);
    await store.release(payment, randomUUID());
    assert.equal((await store.find(payment))?.status, 'serving');
    await store.release(payment, lease.leaseId);
    assert.equal(await store.find(payment), null);
    assert.equal(await store.claim(payment, leaseAt(T0)), true);
  });

  check('a call that lost its payment keeps no answer, and an answered one is not claimed', async (store) => {
    const { payment, lease } = await served(store);
    assert.deepEqual(Uint8Array.from((await store.find(payment))?.answer ?? []), answer);
    const taken = newPayment();
    const [dead, next] = [leaseAt(T0), leaseAt(T0 + 100)];
    assert.deepEqual([await store.claim(taken, dead), await store.claim(taken, next)], [true, true]);
    assert.equal(await store.keepAnswer(taken, answer, T0 + 5_000, dead), false, 'another call has it now');
    assert.equal(await store.keepAnswer(taken, answer, T0 + 5_000, next), true);
    assert.equal(await store.claim(payment, leaseAt(T0 + 1_000)), false);
    await store.release(payment, lease.leaseId);
    assert.equal((await store.find(payment))?.status, 'served');
  });

  checkBoth('one call at a time settles, and learns whether another had asked before', async (store) => {
    const { payment, lease } = await served(store);
    assert.equal(await store.takeForSettling(payment, leaseAt(T0 + 50)), null);
    assert.equal(await store.takeForSettling(payment, lease), 'served');
    assert.equal(await store.takeForSettling(payment, lease), 'settling');
    const others = await Promise.all(
      Array.from({ length: 10 }, () => store.takeForSettling(payment, leaseAt(T0 + 200))),
    );
    assert.deepEqual(
      others.filter((before) => before !== null),
      ['settling'],
    );
    const receipt = { transaction: '0x1', atMs: T0 + 5, answerEndsMs: T0 + 9 };
    assert.equal(await store.settled(payment, lease.leaseId, receipt), false, 'another call has it now');
    assert.equal(await store.takeForSettling(payment, { ...leaseAt(T0 + 400), leaseId: lease.leaseId }), 'settling');
    assert.equal(await store.settled(payment, lease.leaseId, receipt), true);
    assert.equal(await store.takeForSettling(payment, leaseAt(T0 + 900)), null);
    const { status, transaction, settledAtMs } = (await store.find(payment)) ?? assert.fail();
    assert.deepEqual([status, transaction, settledAtMs], ['settled', '0x1', T0 + 5]);
  });

  check('payments in doubt are found until they are too old; refused ones are not', async (store) => {
    const [doubtful, refused, old] = [
      await served(store),
      await served(store),
      await served(store, { validBeforeMs: T0 }),
    ];
    for (const { payment, lease } of [doubtful, refused, old]) {
      await store.takeForSettling(payment, lease);
      await store.unsettled(payment, lease.leaseId, 'why', payment === refused.payment);
    }
    const own = [doubtful, refused, old].map(({ payment }) => payment.nonce);
    const found = async (askedUntilMs: number) =>
      (await store.inDoubt(T0 + 1, askedUntilMs, 1_000))
        .map(({ nonce }) => nonce)
        .filter((nonce) => own.includes(nonce));
    assert.deepEqual(await found(T0), [doubtful.payment.nonce]);
    assert.deepEqual((await found(T0 - 1)).sort(), [doubtful.payment.nonce, old.payment.nonce].sort());
    const { status, lastError } = (await store.find(refused.payment)) ?? assert.fail();
    assert.deepEqual([status, lastError], ['served', 'why']);
  });

  check('a sweep drops answers in time and marks what was never paid', async (store) => {
    const { payment: unpaid } = await served(store);
    const { payment: paid, lease } = await served(store);
    const dead = newPayment();
    await store.claim(dead, leaseAt(T0));
    await store.takeForSettling(paid, lease);
    await store.settled(paid, lease.leaseId, { transaction: null, atMs: T0, answerEndsMs: T0 + 6_000 });
    await store.sweep(T0 + 999);
    assert.deepEqual([(await store.find(unpaid))?.status, (await store.find(dead))?.status], ['served', 'serving']);
    await store.sweep(T0 + 1_000);
    assert.deepEqual([(await store.find(unpaid))?.status, await store.find(dead)], ['lapsed', null]);
    const holds = async () => [unpaid, paid].map(async (key) => (await store.find(key))?.answer !== null);
    assert.deepEqual(await Promise.all(await holds()), [true, true]);
    await store.sweep(T0 + 5_000);
    assert.deepEqual(await Promise.all(await holds()), [false, true]);
    await store.sweep(T0 + 6_000);
    assert.deepEqual(await Promise.all(await holds()), [false, false]);
    assert.equal((await store.find(paid))?.status, 'settled');
  });

  checkBoth('the ledger lists newest first and sums amounts beyond what a number holds', async (store) => {
    const asset = hex(20);
    const [amount, fromMs] = ['90071992547409930000', T0 + 50_000_000];
    const payments = [0, 1].map((i) => newPayment({ asset, amount, createdAtMs: fromMs + i }));
    for (const payment of payments) await store.claim(payment, leaseAt(T0));
    const { payment } = await served(store, { asset, createdAtMs: fromMs + 2 });
    const own = (await store.list(3, true)).map(({ nonce, amount: each }) => [nonce, each]);
    assert.deepEqual(own, [
      [payment.nonce, '100000'],
      [payments[1]?.nonce, amount],
      [payments[0]?.nonce, amount],
    ]);
    const totals = (await store.totals(fromMs, fromMs + 3)).map(({ status, count, amount: sum }) => [
      status,
      count,
      sum,
    ]);
    assert.deepEqual(totals, [
      ['served', 1, '100000'],
      ['serving', 2, '180143985094819860000'],
    ]);
    assert.deepEqual(await store.totals(fromMs + 3, fromMs + 4), []);
    await store.releaseAll();
    assert.equal((await store.find(payment))?.leaseEndsMs, 0);
  });
});
