import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http';
import { isPaymentRequiredV1, isPaymentRequiredV2 } from '@x402/core/schemas';
import { BODY_BYTES_MAX } from '../../http/body.js';
import { ApiError } from '../../rpc/index.js';
import { dipStrategy } from '../support/backtests.js';
import { startFacilitator, type TestFacilitator } from '../support/facilitator.js';
import { PAY_TO, paymentSettings } from '../support/payment-settings.js';
import { runs } from '../support/scale.js';
import { MANAGEMENT_KEY, startTestService, type TestService } from '../support/service.js';
import { newWallet, type PaymentChanges, paymentHeader, type Wallet } from '../support/wallets.js';

/**
 * Calls that wallets pay for, over a real service and a facilitator that checks real signatures.
 */

let facilitator: TestFacilitator;
let service: TestService;
test.before(async () => {
  facilitator = await startFacilitator();
  service = await startTestService(paymentSettings(facilitator.url));
});
test.after(async () => {
  await service.stop();
  await facilitator.stop();
});

const query = {
  table: 'ohlcv',
  select: ['timestamp', 'close'],
  filters: [
    { col: 'asset', op: '=', value: 'BTC' },
    { col: 'timeframe', op: '=', value: '1d' },
  ],
  limit: 2,
};
const QUERY = '/api/v1/oracle/data/query';
const QUERY_PRICE = '100000'; // 0.10 USD in units of a millionth
const RESULTS = '/api/v1/oracle/results';
const RESULTS_PRICE = '10000';
const backtest = {
  asset: 'BTC',
  interval: '1d',
  start_date: '2023-01-01',
  end_date: '2023-06-30',
  strategy_json: JSON.stringify(dipStrategy),
};

const posted = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const ask = (path: string, init: RequestInit = {}) => fetch(`${service.origin}${path}`, init);
const askQuery = (header: string, body: object = query) => ask(QUERY, posted(body, { 'PAYMENT-SIGNATURE': header }));

const paidBy = ({ address }: Wallet) =>
  [...facilitator.ledger.values()].filter(({ from }) => from.toLowerCase() === address);

// biome-ignore lint/suspicious/noExplicitAny: each test asserts the fields it expects
const json = async (response: Response): Promise<any> => response.json();

test('an unpaid call to a priced endpoint is told what it costs, in both versions of the protocol', async () => {
  const response = await ask(QUERY, posted(query));
  const body = await json(response);
  assert.deepEqual(
    [response.status, body.success, body.error, body.code],
    [402, false, 'payment_required', 'PAYMENT_REQUIRED'],
  );
  const required = decodePaymentRequiredHeader(response.headers.get('PAYMENT-REQUIRED') ?? '');
  assert.ok(isPaymentRequiredV2(required));
  assert.ok(isPaymentRequiredV1({ ...body }));
  const [v2] = required.accepts;
  const [v1] = body.accepts;
  assert.deepEqual(
    [v2?.network, v2?.amount, v2?.payTo, v2?.maxTimeoutSeconds],
    ['eip155:84532', QUERY_PRICE, PAY_TO, 300],
  );
  assert.deepEqual(
    [v1.network, v1.maxAmountRequired, v1.payTo, v1.asset],
    ['base-sepolia', QUERY_PRICE, PAY_TO, v2?.asset],
  );
  assert.match(required.resource.url, /\/api\/v1\/oracle\/data\/query$/);
  assert.equal(required.resource.description, 'One call of POST /oracle/data/query');
});

test('a call without a price, of an experiment and with a credential is as before', async () => {
  const experiment = await ask('/api/v1/oracle/experiments', posted({}));
  assert.deepEqual([experiment.status, (await ask('/api/v1/strategies')).status], [401, 401]);
  const { token } = await service.login();
  const header = await paymentHeader(newWallet(), QUERY_PRICE);
  const asked = facilitator.asked.verify;
  const paid = await ask(QUERY, posted(query, { Authorization: `Bearer ${token}`, 'PAYMENT-SIGNATURE': header }));
  assert.deepEqual([paid.status, paid.headers.get('X-Billed-Units')], [200, '1']);
  assert.equal(facilitator.asked.verify, asked, 'a credential comes before a payment');
  const bad = await ask(QUERY, posted(query, { Authorization: 'Bearer x', 'PAYMENT-SIGNATURE': header }));
  assert.equal(bad.status, 401);
});

test('computations of the knowledge base are sold, or counted for a caller with a credential', async () => {
  const path = '/kb/api/compute';
  const body = { name: 'SMA', data: { close: [1, 2, 3] }, params: { window: 2 } };
  const unpaid = await ask(path, posted(body));
  assert.deepEqual([unpaid.status, (await json(unpaid)).accepts[0].maxAmountRequired], [402, '10000']);
  const paid = await ask(path, posted(body, { 'PAYMENT-SIGNATURE': await paymentHeader(newWallet(), '10000') }));
  assert.deepEqual([paid.status, (await json(paid)).result], [200, { sma: [null, 1.5, 2.5] }]);
  const { token } = await service.login();
  const counted = await ask(path, posted(body, { Authorization: `Bearer ${token}` }));
  assert.deepEqual([counted.status, counted.headers.get('X-Billed-Units')], [200, '1']);
  assert.equal((await ask('/kb/api/search?q=rsi')).status, 200, 'reading stays free');
});

for (const version of [1, 2] as const) {
  test(`a client library of version ${version} pays and gets its answer and its receipt`, async () => {
    const wallet = newWallet(version);
    const response = await wallet.pay(`${service.origin}${QUERY}`, posted(query));
    assert.equal(response.status, 200, await response.clone().text());
    assert.equal((await json(response)).rows.length, 2);
    const [transfer] = paidBy(wallet);
    const header = version === 1 ? 'X-PAYMENT-RESPONSE' : 'PAYMENT-RESPONSE';
    const receipt = decodePaymentResponseHeader(response.headers.get(header) ?? '');
    assert.deepEqual(
      [receipt.success, receipt.transaction, receipt.network, transfer?.value],
      [true, transfer?.transaction, version === 1 ? 'base-sepolia' : 'eip155:84532', 100_000n],
    );
  });
}

test('the same payment sent 100 times at once buys one answer and is charged once', async () => {
  const wallet = newWallet();
  const header = await paymentHeader(wallet, QUERY_PRICE);
  const before = facilitator.asked.settle;
  const answers = await Promise.all(Array.from({ length: 100 }, () => askQuery(header)));
  const statuses = new Set(answers.map(({ status }) => status));
  // 503: a loaded machine is too busy for some of them, which changes nothing of what is bought.
  assert.deepEqual(
    [...statuses].filter((status) => ![200, 409, 503].includes(status)),
    [],
  );
  const served = answers.filter(({ status, headers }) => status === 200 && headers.get('Idempotent-Replayed') === null);
  assert.equal(served.length, 1);
  assert.deepEqual([paidBy(wallet).length, facilitator.asked.settle - before], [1, 1]);
  await Promise.all(answers.map((answer) => answer.text()));
});

test('a payment fetches its answer again, and buys nothing else', async () => {
  const wallet = newWallet();
  const header = await paymentHeader(wallet, QUERY_PRICE);
  const first = await askQuery(header);
  const again = await askQuery(header);
  assert.deepEqual([first.status, again.status, again.headers.get('Idempotent-Replayed')], [200, 200, 'true']);
  assert.equal(again.headers.get('PAYMENT-RESPONSE'), first.headers.get('PAYMENT-RESPONSE'));
  assert.deepEqual(await json(again), await json(first));
  const other = await askQuery(header, { ...query, limit: 3 });
  assert.deepEqual([other.status, reason(other)], [402, 'payment_used_for_another_request']);
  assert.equal(paidBy(wallet).length, 1);
});

test('a call that fails costs nothing, and its payment buys another one', async () => {
  const wallet = newWallet();
  const header = await paymentHeader(wallet, QUERY_PRICE);
  const refused = await askQuery(header, { ...query, table: 'secrets' });
  assert.deepEqual([refused.status, (await json(refused)).code, paidBy(wallet).length], [400, 'INVALID_FIELD', 0]);
  assert.equal((await askQuery(header)).status, 200);
  assert.equal(paidBy(wallet).length, 1);
});

test('a body is bounded before a payment is looked at', async () => {
  const header = await paymentHeader(newWallet(), QUERY_PRICE);
  const asked = facilitator.asked.verify;
  const large = await askQuery(header, { ...query, padding: 'x'.repeat(BODY_BYTES_MAX) });
  const broken = await ask(QUERY, { ...posted(query, { 'PAYMENT-SIGNATURE': header }), body: '{' });
  assert.deepEqual([large.status, broken.status, facilitator.asked.verify], [413, 400, asked]);
});

test('a wallet polls the backtest that it paid for, and no other wallet sees it', async () => {
  const [owner, other] = [newWallet(), newWallet()];
  const submitted = await owner.pay(`${service.origin}/api/v1/oracle/backtest/async`, posted(backtest));
  assert.ok(submitted.ok, await submitted.clone().text());
  const { backtest_id } = await json(submitted);
  const path = `${service.origin}/api/v1/oracle/backtest/async/${backtest_id}`;
  const polled = await owner.pay(path);
  assert.deepEqual([polled.status, (await json(polled)).backtest_id], [200, backtest_id]);
  const hidden = await other.pay(path);
  assert.deepEqual([hidden.status, paidBy(other).length], [404, 0]);
  assert.equal(paidBy(owner).length, 2);
});

test('gRPC callers pay through metadata, with the same records', async () => {
  const wallet = newWallet();
  const unpaid = await service.client.call('Corpus.Query', query).catch((error: unknown) => error);
  assert.ok(unpaid instanceof ApiError && unpaid.code === 'PAYMENT_REQUIRED');
  const [asked] = decodePaymentRequiredHeader(String(unpaid.details.payment_required)).accepts;
  const payment = await paymentHeader(wallet, asked?.amount ?? '');
  const { body, paymentResponse } = await service.client.call('Corpus.Query', query, { payment });
  assert.equal((body.rows as unknown[]).length, 2);
  assert.equal(decodePaymentResponseHeader(paymentResponse ?? '').transaction, paidBy(wallet)[0]?.transaction);
  const overRest = await askQuery(payment, query);
  assert.deepEqual([overRest.status, overRest.headers.get('Idempotent-Replayed')], [200, 'true']);
});

test('a settlement whose answer is lost is asked for again and charged once', async () => {
  const wallet = newWallet();
  const header = await paymentHeader(wallet, QUERY_PRICE);
  facilitator.faults.push('lost answer');
  const response = await askQuery(header);
  assert.equal(response.status, 200, await response.text());
  assert.equal(paidBy(wallet).length, 1);
  assert.equal((await askQuery(header)).status, 200);
  assert.equal(paidBy(wallet).length, 1);
});

test('while the facilitator is away, nothing is served or lost', async () => {
  const wallet = newWallet();
  const header = await paymentHeader(wallet, QUERY_PRICE);
  facilitator.isUp = false;
  const unverified = await askQuery(header);
  assert.deepEqual([unverified.status, unverified.headers.get('Retry-After')], [503, '2']);
  facilitator.isUp = true;
  facilitator.faults.push('lost answer', 'lost question');
  const unknown = await askQuery(header);
  assert.deepEqual([unknown.status, paidBy(wallet).length], [503, 1]);
  const known = await askQuery(header);
  assert.deepEqual([known.status, known.headers.get('Idempotent-Replayed'), paidBy(wallet).length], [200, 'true', 1]);
});

test('a refused settlement keeps the answer back until the payment is made', async () => {
  const wallet = newWallet();
  const header = await paymentHeader(wallet, QUERY_PRICE);
  facilitator.faults.push('no funds');
  const refused = await askQuery(header);
  assert.deepEqual(
    [refused.status, reason(refused), (await json(refused)).rows],
    [402, 'insufficient_funds', undefined],
  );
  const receipt = decodePaymentResponseHeader(refused.headers.get('PAYMENT-RESPONSE') ?? '');
  assert.deepEqual([receipt.success, receipt.errorReason], [false, 'insufficient_funds']);
  const paid = await askQuery(header);
  assert.deepEqual([paid.status, paidBy(wallet).length], [200, 1]);
});

test('no forged, stale, replayed, truncated or misdirected payment is served', async () => {
  const wallet = newWallet();
  const used = await paymentHeader(wallet, RESULTS_PRICE);
  const asked = (header: string, name = 'PAYMENT-SIGNATURE') => ask(RESULTS, { headers: { [name]: header } });
  assert.equal((await asked(used)).status, 200);
  const wrong: readonly ((i: number) => Promise<string> | string)[] = [
    () => paymentHeader(wallet, RESULTS_PRICE, { forged: { from: newWallet().account.address } }),
    () => paymentHeader(wallet, RESULTS_PRICE, { forged: { nonce: `0x${randomBytes(32).toString('hex')}` } }),
    () => paymentHeader(wallet, RESULTS_PRICE, { signature: `0x${randomBytes(65).toString('hex')}` }),
    () => paymentHeader(wallet, RESULTS_PRICE, { chainId: 8453 }),
    () => paymentHeader(wallet, RESULTS_PRICE, { asset: PAY_TO }),
    () => paymentHeader(wallet, RESULTS_PRICE, { signed: { validBefore: '1700000000' } }),
    () => paymentHeader(wallet, RESULTS_PRICE, { signed: { validAfter: '99999999999' } }),
    () => paymentHeader(wallet, RESULTS_PRICE, { signed: { to: wallet.account.address } }),
    (i) =>
      paymentHeader(wallet, RESULTS_PRICE, { signed: { value: String(10_000 + (i % 2 === 0 ? 1 : -1) * (1 + i)) } }),
    (i) => paymentHeader(wallet, String(10_001 + i)),
    ...['eip155:8453', 'base-sepolia', 'solana:x'].map(
      (network) => () => paymentHeader(wallet, RESULTS_PRICE, { accepted: { network } } satisfies PaymentChanges),
    ),
    () => paymentHeader(wallet, RESULTS_PRICE, { accepted: { asset: PAY_TO } }),
    () => paymentHeader(wallet, RESULTS_PRICE, { accepted: { scheme: 'upto' } }),
    async (i) => (await paymentHeader(wallet, RESULTS_PRICE)).slice(0, 4 * (1 + (i % 150))),
    async () =>
      Buffer.from(await paymentHeader(wallet, RESULTS_PRICE), 'base64')
        .toString('base64')
        .replace('e', '%'),
    () => 'x'.repeat(8_193),
    (i) => Buffer.from(JSON.stringify([null, 7, [], { x402Version: i }][i % 4])).toString('base64'),
    () => used.slice(0, -8),
  ];
  for (let i = 0; i < runs(3 * wrong.length, 10_000); i++) {
    const header = await wrong[i % wrong.length]?.(i);
    const response = await asked(header ?? '', i % 2 === 0 ? 'PAYMENT-SIGNATURE' : 'X-PAYMENT');
    assert.equal(response.status, 402, `${i % wrong.length}: ${await response.text()}`);
  }
  const verified = facilitator.asked.verify;
  for (const changes of [{ value: '1' }, { value: '10001' }, { to: wallet.account.address }]) {
    const response = await asked(await paymentHeader(wallet, RESULTS_PRICE, { signed: changes }));
    assert.equal(response.status, 402);
  }
  assert.equal(facilitator.asked.verify, verified, 'another amount or payee is refused without asking the facilitator');
  const forOther = await ask(`${RESULTS}?limit=7`, { headers: { 'PAYMENT-SIGNATURE': used } });
  assert.equal(forOther.status, 402);
  assert.equal(paidBy(wallet).length, 1);
});

test('the operator reads the ledger, which equals that of the facilitator', async () => {
  const { token } = await service.login();
  const usage = async (headers: Readonly<Record<string, string>>) =>
    json(await ask('/api/v1/usage', { headers: { Authorization: `Bearer ${token}`, ...headers } }));
  assert.equal((await usage({})).payments, null);
  const { payments } = await usage({ 'X-Management-Key': MANAGEMENT_KEY });
  const settled = payments.find(({ status }: { status: string }) => status === 'settled');
  const ledger = [...facilitator.ledger.values()];
  assert.deepEqual(
    [settled.count, settled.amount],
    [ledger.length, String(ledger.reduce((sum, { value }) => sum + value, 0n))],
  );
  assert.deepEqual(
    payments.map(({ status }: { status: string }) => status),
    ['settled'],
  );
});

const reason = (response: Response): string | undefined =>
  decodePaymentRequiredHeader(response.headers.get('PAYMENT-REQUIRED') ?? '').error;
