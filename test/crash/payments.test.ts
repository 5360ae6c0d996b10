import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { jsonOf, runCli } from '../support/cli.js';
import { type FacilitatorStep, startFacilitator } from '../support/facilitator.js';
import { paymentSettings } from '../support/payment-settings.js';
import { runs } from '../support/scale.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';
import { newWallet, paymentHeader } from '../support/wallets.js';

/**
 * Each is the time of one kill: the facilitator is asked, acts, and has answered. Outside of a soak,
 * the two at which money moves.
 */
const steps: readonly FacilitatorStep[] = ['settle', 'settled', 'answered', 'verify', 'verified'];

const body = JSON.stringify({
  table: 'ohlcv',
  select: ['timestamp', 'close'],
  filters: [
    { col: 'asset', op: '=', value: 'BTC' },
    { col: 'timeframe', op: '=', value: '1d' },
  ],
  limit: 2,
});

const ask = (service: ServiceProcess, header: string) =>
  fetch(`${service.origin}/api/v1/oracle/data/query`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'PAYMENT-SIGNATURE': header },
    body,
  });

/** The answer, as a client gets it that waits as it is told while the payment is being settled. */
async function fetched(service: ServiceProcess, header: string): Promise<Response> {
  for (;;) {
    const answer = await ask(service, header);
    if (answer.status !== 409) return answer;
    assert.equal(answer.headers.get('Retry-After'), '1');
    await answer.text();
    await delay(100);
  }
}

test('whenever the process is killed, a payment is charged once and its answer can be fetched', async () => {
  const facilitator = await startFacilitator();
  const home = await newHome();
  const settings = { ...paymentSettings(facilitator.url), BARLINE_X402_TIMEOUT_MS: '5000' };
  let service = await startServiceProcess(home, settings);
  try {
    const wallet = newWallet();
    const count = runs(2, 50);
    for (let i = 0; i < count; i++) {
      const header = await paymentHeader(wallet, '100000');
      // After a whole round, the kill comes later and later after its step, into the work between.
      const delayMs = Math.floor(i / steps.length) * 3;
      let killed: Promise<void> | null = null;
      facilitator.onStep = async (step) => {
        if (step !== steps[i % steps.length] || killed !== null) return;
        let resolve = (): void => {};
        const promise = new Promise<void>((done) => {
          resolve = done;
        });
        killed = promise;
        setTimeout(() => service.kill().then(resolve), delayMs);
        if (delayMs === 0) await promise;
      };
      await ask(service, header).then(
        (response) => response.text(),
        () => null,
      );
      await killed;
      facilitator.onStep = () => {};
      service = await startServiceProcess(home, settings);
      const answer = await fetched(service, header);
      const text = await answer.text();
      assert.equal(answer.status, 200, `${steps[i % steps.length]}: ${text}`);
      assert.equal((JSON.parse(text) as { rows: unknown[] }).rows.length, 2);
      assert.equal(facilitator.ledger.size, i + 1, 'paid, and only once');
    }
    assert.equal(await service.terminate(), 0);
    const [total, ...others] = jsonOf(await runCli(['payments', '--totals', '--json'], { home })) as {
      status: string;
      count: number;
      amount: string;
    }[];
    assert.deepEqual(
      [total?.status, total?.count, total?.amount, others],
      ['settled', count, String(count * 100_000), []],
    );
    const listed = jsonOf(await runCli(['payments', '--json', '--top', '1000'], { home })) as {
      nonce: string;
      transaction: string | null;
    }[];
    const known = listed.filter(({ transaction }) => transaction !== null);
    for (const { nonce, transaction } of known) assert.equal(facilitator.ledger.get(nonce)?.transaction, transaction);
    assert.deepEqual(listed.map(({ nonce }) => nonce).sort(), [...facilitator.ledger.keys()].sort());
    assert.deepEqual(jsonOf(await runCli(['payments', '--unsettled', '--json'], { home })), []);
  } finally {
    facilitator.onStep = () => {};
    await service.kill();
    await facilitator.stop();
    await rm(home, { recursive: true, force: true });
  }
});
