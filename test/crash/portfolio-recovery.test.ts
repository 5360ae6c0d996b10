import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openState } from '../../service/state/index.js';
import { longRun } from '../support/long-runs.js';
import { startReceiver } from '../support/receiver.js';
import { runs } from '../support/scale.js';
import { succeed } from '../support/service-calls.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';

const RUNS = runs(2, 3, 3);
const MEMBERS = runs(8, 12, 12);

const { asset, interval, start_date, end_date, strategy_json } = longRun;
const { asset: _, ...anywhere } = JSON.parse(strategy_json);

/** Strategies on a year of 5-minute bars. */
const request = {
  portfolio: {
    name: 'restless',
    interval,
    max_open_positions: 4,
    members: Array.from({ length: MEMBERS }, (__, m) => ({
      ...{ asset, weight: 1 / MEMBERS, execution_config: { fixed_stop_pct: 0.01 } },
      strategy: {
        ...anywhere,
        entry: [{ ...anywhere.entry[0], params: { window: 6 + m, threshold: 40 } }],
      },
    })),
  },
  start_date,
  end_date,
};

async function stateOf(service: ServiceProcess, key: string, id: string) {
  return succeed(service, key, 'GET', `/v1/portfolios/${id}`);
}

test('runs of portfolios that were submitted before a kill end once, with the same answers', async () => {
  const home = await newHome();
  const receiver = await startReceiver();
  const settings = { BARLINE_WEBHOOK_PRIVATE_HOSTS: 'allow' };
  let service = await startServiceProcess(home, settings);
  try {
    const key = service.firstKey ?? '';
    const used = async () => (await succeed(service, key, 'GET', '/v1/subscriptions/utilization')).backtests.used;
    await succeed(service, key, 'POST', '/v1/webhooks', { url: receiver.origin, events: ['portfolio.completed'] });
    const ids: string[] = [];
    for (let i = 0; i < RUNS; i++) {
      ids.push((await succeed(service, key, 'POST', '/v2/portfolios', request)).portfolio_id);
    }
    let running = 0;
    while (running === 0) {
      const states = await Promise.all(ids.map((id) => stateOf(service, key, id)));
      running = states.filter(({ status }) => status === 'running').length;
      assert.ok(
        states.some(({ status }) => status !== 'completed'),
        'the kill comes before they end',
      );
      await delay(20);
    }
    await service.kill();
    const state = await openState({ home });
    try {
      const rows = await state.db.selectFrom('backtests').select(['id', 'status']).execute();
      assert.deepEqual(rows.map(({ id }) => id).sort(), [...ids].sort(), 'acknowledged runs are stored');
      assert.ok(
        rows.some(({ status }) => status === 'running'),
        'one was killed while it ran',
      );
    } finally {
      await state.close();
    }
    service = await startServiceProcess(home, settings);
    for (const id of ids) {
      for (;;) {
        const { status } = await stateOf(service, key, id);
        if (status !== 'queued' && status !== 'running') break;
        await delay(250);
      }
    }
    assert.equal(await used(), RUNS * MEMBERS, 'what was counted is not counted again');
    const expected = await succeed(service, key, 'POST', '/v1/portfolios', request);
    for (const id of ids) {
      const ended = await stateOf(service, key, id);
      assert.equal(ended.status, 'completed');
      assert.ok(ended.trade_count > 100);
      assert.deepEqual(ended.metrics, expected.metrics);
      assert.deepEqual(ended.trade_history, expected.trade_history);
      assert.equal(ended.run_id, expected.run_id);
    }
    assert.equal((await succeed(service, key, 'GET', '/v1/portfolios')).total, RUNS + 1);
    await receiver.until(RUNS);
    const told = receiver.received.map(({ body }) => JSON.parse(body));
    // A delivery may come again after a kill; an event may not.
    assert.equal(new Set(told.map(({ id }) => id)).size, RUNS);
    assert.deepEqual([...new Set(told.map(({ data }) => data.portfolio_id))].sort(), [...ids].sort());
    assert.equal(await service.terminate(), 0);
    const ended = await openState({ home });
    try {
      const tried = await ended.db.selectFrom('tries').select('asset').execute();
      assert.deepEqual(tried, [{ asset }], 'the ledger counts the same portfolio once');
    } finally {
      await ended.close();
    }
  } finally {
    await service.kill();
    await receiver.stop();
    await rm(home, { recursive: true, force: true });
  }
});
