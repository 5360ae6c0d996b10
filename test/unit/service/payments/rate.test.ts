import assert from 'node:assert/strict';
import test, { after, before, beforeEach } from 'node:test';
import { HttpFacilitator } from '../../../../data/facilitator/index.js';
import { Gate, RateLimits } from '../../../../service/access/index.js';
import { Payments, Seal, Terms } from '../../../../service/payments/index.js';
import { SqlPaymentStore } from '../../../../service/payments/store.js';
import type { State } from '../../../../service/state/index.js';
import { startFacilitator, type TestFacilitator } from '../../../support/facilitator.js';
import { NETWORK, PAY_TO } from '../../../support/payment-settings.js';
import { sharedState } from '../../../support/shared-state.js';
import { newWallet, type PaymentChanges, paymentHeader, type Wallet } from '../../../support/wallets.js';

/** The rate of callers who pay: each address and each wallet has its own. */

const REQUESTS = 3;
const PRICE = '100000';

let state: State;
let facilitator: TestFacilitator;
let gate: Gate;
before(async () => {
  [state, facilitator] = await Promise.all([sharedState(), startFacilitator()]);
});
beforeEach(() => {
  const rateLimits = new RateLimits({ requests: REQUESTS, windowS: 600 });
  const terms = new Terms({
    ...{ network: NETWORK, payTo: PAY_TO, priceUsd: () => 0.1 },
    soldResource: () => ({ url: 'http://127.0.0.1/', description: 'A call' }),
  });
  const payments = new Payments({
    store: new SqlPaymentStore(state.db),
    facilitator: new HttpFacilitator({ url: facilitator.url, key: undefined, timeoutMs: 5_000 }),
    terms,
    seal: new Seal('secret', 'answers to payments'),
    consume: (who) => rateLimits.consume(who),
    clock: Date.now,
  });
  const unused = null as never; // a call that is paid for has no credential, quota or key
  gate = new Gate({ authenticator: unused, rateLimits, quotas: unused, idempotency: unused, payments });
});
after(async () => {
  await facilitator.stop();
});

let served = 0;

async function call(wallet: Wallet, address: string, changes: PaymentChanges = {}) {
  const { payment } = await gate.admit('Corpus.Query', {
    payment: await paymentHeader(wallet, PRICE, changes),
    address,
  });
  assert.ok(payment !== null);
  const run = async () => ({ place: ++served });
  return gate.sell({ method: 'Corpus.Query', payment, request: {}, signal: new AbortController().signal, run });
}

const limited = { code: 'RATE_LIMITED', message: /Too many requests, try again in \d+ s/ };

test('a wallet has its rate wherever it calls from, and a refused call costs nothing', async () => {
  const wallet = newWallet();
  for (let i = 0; i < REQUESTS; i++) await call(wallet, `address ${i}`);
  const before = [served, facilitator.ledger.size];
  await assert.rejects(call(wallet, 'another address'), limited);
  assert.deepEqual([served, facilitator.ledger.size], before);
  await call(newWallet(), 'another address');
});

test('an address has its rate with any wallet, and is refused before the facilitator is asked', async () => {
  for (let i = 0; i < REQUESTS; i++) await call(newWallet(), 'one address');
  const before = [served, facilitator.asked.verify];
  await assert.rejects(call(newWallet(), 'one address'), limited);
  assert.deepEqual([served, facilitator.asked.verify], before);
  await call(newWallet(), 'another address');
});

test('payments that others forge do not use up the rate of a wallet', async () => {
  const [wallet, forger] = [newWallet(), newWallet()];
  for (let i = 0; i < 2 * REQUESTS; i++) {
    const forged = { from: wallet.account.address };
    await assert.rejects(call(forger, `address ${i}`, { forged }), { code: 'PAYMENT_REQUIRED' });
  }
  await call(wallet, 'its address');
});
