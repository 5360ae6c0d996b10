import assert from 'node:assert/strict';
import test from 'node:test';
import { HOUR_MS } from '../../../../../engine/series/index.js';
import { testFlowsPort } from '../../../../support/flows-port-contract.js';
import { onChainWorld, tokenOf } from '../../../../support/onchain-world.js';

const world = onChainWorld();
testFlowsPort('held', 'generated', () => world.flows);

const DAY_MS = 24 * HOUR_MS;

test('transfers change the balance of each group of wallets by exactly what flows and levels say', async () => {
  for (const name of ['BTC', 'ETH', 'PEPE']) {
    const token = tokenOf(name);
    const now = await world.flows.nowMs(token);
    const window = { token, chain: 'ethereum', fromMs: now - 5 * DAY_MS, toMs: now } as const;
    const rows = { filters: {}, orderBy: [], page: 1, perPage: 1_000 };
    for (const [group, category] of [
      ['exchange', 'exchanges'],
      ['whale', 'whales'],
      ['smart_money', 'smart_money'],
    ] as const) {
      const hours = (await world.flows.balances({ ...window, group })).value!;
      const flows = (await world.flows.tokenFlows({ ...window, ...rows, label: group })).value!.reverse();
      assert.equal(hours.length, flows.length);
      for (const [i, flow] of flows.entries()) {
        const { net_usd: net, inflow_usd: inflow, outflow_usd: outflow } = flow[category]!;
        // A transfer is valued when it happens, a balance at the end of the hour.
        const slack = 0.05 * (inflow + outflow) + 10;
        assert.ok(Math.abs(net - hours[i]!.netUsd) <= slack, `${name} ${group} ${flow.date}`);
      }
    }
  }
});

test('another ledger over the same bars draws the same bytes, in any order of questions', async () => {
  const token = tokenOf('LINK');
  const other = onChainWorld();
  const now = await other.flows.nowMs(token);
  const rows = { filters: {}, orderBy: [], page: 1, perPage: 1_000 };
  const read = (world: ReturnType<typeof onChainWorld>, days: number) =>
    world.flows.tokenDexTrades({ token, chain: 'ethereum', fromMs: now - days * DAY_MS, toMs: now, ...rows });
  await read(other, 30);
  const week = await read(other, 7);
  assert.deepEqual((await read(world, 7)).value, week.value);
  const day = (await read(world, 1)).value!;
  assert.deepEqual(day, week.value!.slice(0, day.length), 'a window changes nothing in the hours that it shares');
});

test('nothing happens after now or before the first bar', async () => {
  const token = tokenOf('BTC');
  const now = await world.flows.nowMs(token);
  const rows = { filters: {}, orderBy: [], page: 1, perPage: 1_000 };
  const later = { token, chain: 'ethereum', fromMs: now, toMs: now + DAY_MS } as const;
  const earlier = { token, chain: 'ethereum', fromMs: 0, toMs: DAY_MS } as const;
  for (const window of [later, earlier]) {
    assert.deepEqual((await world.flows.tokenDexTrades({ ...window, ...rows })).value, []);
    assert.deepEqual((await world.flows.tokenFlows({ ...window, ...rows, label: null })).value, []);
    assert.deepEqual((await world.flows.balances({ ...window, group: 'whale' })).value, []);
  }
});
