import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, isoTime } from '../../engine/series/index.js';
import { type Deployed, readDeployedSet } from '../../service/deployed/definition.js';
import type { DeployedProgress } from '../../service/deployed/stored.js';
import { bundledMarket, deployedFile, portfolioSet, wholeReplay } from '../support/deployed.js';
import { noPostgres, startPostgres } from '../support/postgres.js';
import { soak } from '../support/scale.js';
import { startTestService } from '../support/service.js';
import { succeed } from '../support/service-calls.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { openStream } from '../support/sse.js';
import { newHome } from '../support/state.js';

const set = readDeployedSet(portfolioSet);
const DAYS = 4;
const settings = { BARLINE_DEPLOYED: deployedFile(portfolioSet), BARLINE_REPLAY_DAYS: String(DAYS) };
const path = '/v1/oracle/deployed';

/** Waits until a strategy has evaluated this many bars. */
async function untilBars(service: ServiceProcess, key: string, id: string, bars: number): Promise<void> {
  for (;;) {
    const { strategies } = await succeed(service, key, 'GET', `${path}/strategies`);
    // Before the market was asked, it is the time of the clock.
    const { deployed_at } = strategies.find((one: { id: string }) => one.id === id);
    // It may begin within a bar.
    const until = Date.parse(deployed_at) + (bars - 1) * set.strategies.get(id)!.intervalMs;
    const { as_of } = await succeed(service, key, 'GET', `${path}/${id}/state`);
    if (Date.parse(as_of) >= until) return;
    await sleep(50);
  }
}

async function untilLastBar(service: ServiceProcess, key: string): Promise<void> {
  for (const { id, intervalMs } of set.strategies.values()) {
    await untilBars(service, key, id, Math.floor((DAYS * DAY_MS) / intervalMs));
  }
}

const cashOf = ({ purse }: DeployedProgress['account']): number => purse.cash;

function positionsOf(account: DeployedProgress['account']): number {
  if ('positions' in account) return account.positions.length;
  return account.kind === 'members' ? account.held.length : account.assets.filter(({ units }) => units > 0).length;
}

/** In the form of REST, which leaves out what is not there. */
const withoutNulls = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (_, one) => (one === null ? undefined : one))) as T;

/** Asserts that every strategy holds and did the same as in a process that was never disturbed. */
async function assertAsUninterrupted(service: ServiceProcess, key: string): Promise<void> {
  const market = bundledMarket();
  const replay = { msPerHour: 1, days: DAYS };
  const { strategies } = await succeed(service, key, 'GET', `${path}/strategies`);
  const ids: number[] = [];
  for (const deployed of set.strategies.values() as Iterable<Deployed>) {
    const { id } = deployed;
    const whole = await wholeReplay(deployed, market, replay);
    const { progress } = whole;
    const state = await succeed(service, key, 'GET', `${path}/${id}/state`);
    assert.equal(state.as_of, isoTime(progress.account.lastBarTime! + deployed.intervalMs), id);
    assert.deepEqual(
      [state.cash_balance, state.account_value, state.total_trades, state.num_open_positions],
      [cashOf(progress.account), progress.accountValue, progress.totalTrades, positionsOf(progress.account)],
    );
    const { events } = await succeed(service, key, 'GET', `${path}/${id}/events?limit=500`);
    ids.push(...events.map((event: { id: string }) => Number(event.id)));
    const own = events.map(({ id: _, ...event }: { id: string }) => event).reverse();
    assert.deepEqual(own, withoutNulls(whole.events.filter(({ type }) => type !== 'milestone')).slice(-500));
    assert.ok(own.length > 5, `${id}: ${own.length} events`);
    const listed = strategies.find((one: { id: string }) => one.id === id);
    assert.deepEqual(listed.trades, whole.trades.slice(-20).reverse());
    assert.equal(listed.equity.at(-1).value, whole.equity.at(-1));
  }
  assert.equal(new Set(ids).size, ids.length);
}

test('two workers on one server evaluate every bar once', {
  skip: soak ? noPostgres : 'in the soak; stores are shared by many in test/unit/service/stores.test.ts',
}, async () => {
  const postgres = await startPostgres();
  const shared = { ...settings, BARLINE_REPLAY_MS: '1', DATABASE_URL: await postgres.newDatabase() };
  const first = await startServiceProcess(await newHome(), shared);
  const second = await startServiceProcess(await newHome(), shared);
  try {
    const key = first.firstKey ?? '';
    // Readers of both workers get an event, whichever of the two evaluates it.
    const streams = await Promise.all(
      [first, second].map(({ origin }) => openStream(`${origin}/api${path}/stream?last_event_id=0`, key)),
    );
    await untilLastBar(second, key);
    await assertAsUninterrupted(first, key);
    for (const stream of streams) {
      await stream.next();
      for (let id = 1; id <= 20; id++) assert.equal((await stream.next()).id, String(id));
    }
    assert.deepEqual(await Promise.all([first.terminate(), second.terminate()]), [0, 0]);
    for (const stream of streams) await stream.ended();
  } finally {
    await first.kill();
    await second.kill();
    await postgres.stop();
  }
});

const READERS = 200;

test('two hundred readers get every event, and a service that stops ends their streams at once', async () => {
  const service = await startTestService({
    ...settings,
    BARLINE_REPLAY_MS: '100',
    BARLINE_STREAMS_PER_CREDENTIAL: String(READERS + 1), // and one over gRPC
  });
  const agent = new Agent({ maxSockets: Infinity });
  try {
    const { token } = await service.login();
    const url = `${service.origin}/api${path}/stream?last_event_id=0`;
    const streams = await Promise.all(Array.from({ length: READERS }, () => openStream(url, token, { agent })));
    const read = await Promise.all(
      streams.map(async (stream) => {
        assert.equal((await stream.next()).event, 'ready');
        return [await stream.next(), await stream.next(), await stream.next()];
      }),
    );
    for (const events of read) {
      assert.deepEqual(events, read[0]);
      assert.deepEqual(
        events.map(({ id }) => id),
        ['1', '2', '3'],
      );
    }
    const [{ event, data }] = read[0]!;
    assert.equal(data.type, event);
    assert.ok(set.strategies.has(data.strategy_id));
    const watch = service.client.stream('Deployed.Stream', {}, { authorization: `Bearer ${token}`, deadlineMs: null });
    await watch.next();
    const ended = Promise.all([...streams.map((stream) => stream.ended()), rest(watch)]);
    await service.stop();
    await ended;
  } finally {
    agent.destroy();
  }
});

async function rest(parts: AsyncIterable<object>): Promise<void> {
  for await (const _ of parts);
}
