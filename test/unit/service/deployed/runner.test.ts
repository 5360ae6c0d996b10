import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import { HOUR_MS, isoTime } from '../../../../engine/series/index.js';
import { readDeployedSet } from '../../../../service/deployed/definition.js';
import { DeployedFeed } from '../../../../service/deployed/feed.js';
import { getDeployedState, listDeployed, rankPersonas } from '../../../../service/deployed/read.js';
import { DeployedRunner, type RunnerDeps } from '../../../../service/deployed/runner.js';
import { SqlDeployedStore } from '../../../../service/deployed/store.js';
import type { State } from '../../../../service/state/index.js';
import { livelyStrategy, oneStrategy, wholeReplay } from '../../../support/deployed.js';
import { TestMarket } from '../../../support/execution-market.js';
import { randomBars } from '../../../support/random.js';
import { sharedState } from '../../../support/shared-state.js';

const series = { 'BTC 3600000': randomBars({ seed: 3, barCount: 1_200, volatility: 0.006 }) };
const lastClose = series['BTC 3600000'].time[1_199]! + HOUR_MS;
/** 120 bars. */
const replay = { msPerHour: 10, days: 5 };

let state: State;
test.before(async () => {
  state = await sharedState();
});

let strategies = 0;

/**
 * A strategy of its own, the market and what a runner needs. The clock stands until the runner
 * sleeps.
 */
function world(changes: Partial<RunnerDeps> = {}, id = `s${strategies++}`) {
  const market = new TestMarket(series, lastClose);
  const set = oneStrategy({ id });
  const deployed = set.strategies.get(id)!;
  const store = new SqlDeployedStore(state.db);
  const failures: unknown[] = [];
  const clock = { ms: 1_000_000 };
  const deps: RunnerDeps = {
    set,
    store,
    market,
    replay,
    nowMs: () => clock.ms,
    sleep: async (ms) => {
      clock.ms += ms;
    },
    onEvents: async () => {},
    onInternalError: (error) => failures.push(error),
    ...changes,
  };
  const feed = new DeployedFeed({ store, onInternalError: deps.onInternalError });
  const reading = { set, store, feed, market, replay: deps.replay, nowMs: deps.nowMs };
  return { market, deployed, id, store, failures, clock, deps, reading, runner: new DeployedRunner(deps) };
}

const eventsOf = async (store: SqlDeployedStore, id: string) =>
  (await store.eventsAfter(0, 10_000)).map(({ event }) => event).filter(({ strategy_id }) => strategy_id === id);

test('ticks of any process take a strategy to the last bar and store what a backtest would', async () => {
  const { market, deployed, id, store, deps, reading, failures } = world();
  const expected = await wholeReplay(deployed, market, replay);
  assert.ok(expected.events.length > 20 && expected.trades.length > 4, `${expected.trades.length} trades`);
  // Two processes at once, and after some bars two others in their place, which know only what is
  // stored.
  let advanced = 0;
  for (let waiting = 0; waiting < 2; ) {
    const runners = [new DeployedRunner(deps), new DeployedRunner(deps)];
    for (let i = 0; i < 7 && waiting < 2; i++) {
      const outcomes = await Promise.all(runners.map((runner) => runner.tick(deployed)));
      advanced += outcomes.filter((outcome) => outcome === 'advanced').length;
      waiting = outcomes.filter((outcome) => outcome === 'waiting').length;
    }
  }
  assert.equal(advanced, 120, 'each bar was evaluated once');
  const [record] = await store.list([id]);
  const { tickedAtMs: _, ...held } = expected.progress;
  assert.deepEqual({ ...record, ...held }, record, 'the account is the same to the last bit');
  assert.deepEqual(await eventsOf(store, id), expected.events);
  assert.deepEqual((await store.trades([id], 1_000)).get(id)?.reverse(), expected.trades);
  const equity = (await store.equity([id], 1_000, 1_000)).get(id);
  assert.deepEqual(
    equity?.map(({ value }) => value),
    expected.equity,
  );
  assert.equal(equity?.at(-1)?.timeMs, lastClose);

  const shown = await getDeployedState(id, reading);
  assert.equal(shown.as_of, isoTime(lastClose));
  assert.equal(shown.account_value, expected.equity.at(-1));
  assert.equal(shown.num_open_positions, shown.positions.length);
  const sum = shown.positions.reduce(
    (value, { position_size }) => value + position_size * shown.last_price!,
    shown.cash_balance,
  );
  assert.ok(Math.abs(sum - shown.account_value) < 1e-6);
  assert.deepEqual(failures, []);
});

test('no bar is evaluated before it has closed', async () => {
  const { market, deployed, runner, store, id } = world({ replay: { ...replay, msPerHour: 0 } });
  assert.equal(await runner.tick(deployed), 'waiting');
  market.now = lastClose - 10 * HOUR_MS;
  const live = world({ replay: { ...replay, msPerHour: 0 } }, 'live');
  live.market.now = lastClose - 10 * HOUR_MS;
  for (let hour = 9; hour >= 0; hour--) {
    assert.equal(await live.runner.tick(live.deployed), 'waiting');
    live.market.now = lastClose - hour * HOUR_MS - 1;
    assert.equal(await live.runner.tick(live.deployed), 'waiting');
    live.market.now++;
    assert.equal(await live.runner.tick(live.deployed), 'advanced');
    const [record] = await live.store.list(['live']);
    assert.equal(record?.account.lastBarTime, live.market.now - HOUR_MS);
  }
  const [strategy] = (await listDeployed(live.reading)).strategies;
  assert.equal(strategy?.deployed_at, isoTime(lastClose - 10 * HOUR_MS), 'it began with the bar that was forming');
  assert.equal((await store.list([id]))[0]?.account.lastBar, -1);
});

test('a replay keeps its pace, continues from the stored bar after a pause, then waits for new bars', async () => {
  const { market, clock, deps, store, id, failures } = world();
  const PACE_MS = 10;
  const stops: DeployedRunner[] = [];
  const run = async (untilMs: number) => {
    const done = new Promise<void>((resolve) => {
      const runner = new DeployedRunner({
        ...deps,
        sleep: async (ms) => {
          clock.ms += ms;
          if (clock.ms >= untilMs) resolve();
          await new Promise((next) => setImmediate(next));
        },
      });
      stops.push(runner);
      runner.start();
    });
    await done;
    await stops.at(-1)?.stop();
    return (await store.list([id]))[0]!;
  };
  const start = clock.ms;
  const first = await run(start + 20 * PACE_MS);
  assert.equal(first.account.lastBar + 1, 20, 'one bar at once and then one for every pace');
  clock.ms += 3_600_000;
  const pausedAt = clock.ms;
  const second = await run(pausedAt + 10 * PACE_MS);
  assert.equal(second.account.lastBar + 1, 30, 'missed bars are not made up for');
  const third = await run(pausedAt + 60_000);
  assert.equal(third.account.lastBarTime, lastClose - HOUR_MS);
  assert.equal(third.account.lastBar + 1, 120);
  assert.deepEqual(failures, []);
  assert.ok(market.fetched.length > 120);
});

test('a strategy without a market reports it, delays no other, and continues when there is one', async () => {
  const { market, deployed, runner, reading, failures } = world();
  const nowMs = market.nowMs;
  market.nowMs = async () => {
    throw new EngineError('NOT_FOUND', 'no bars of BTC are held');
  };
  const statusOf = async () => {
    const { status, health, last_tick_status, last_tick_at } = (await listDeployed(reading)).strategies[0]!;
    return [status, health, last_tick_status, last_tick_at];
  };
  assert.deepEqual(await statusOf(), ['active', 'ok', null, null]);
  assert.equal(await runner.tick(deployed), 'failed');
  assert.deepEqual(await statusOf(), ['error', 'error', 'no bars of BTC are held', null]);
  assert.equal((await rankPersonas(reading)).personas[0]?.return_pct, 0);
  market.nowMs = nowMs;
  assert.equal(await runner.tick(deployed), 'advanced');
  assert.deepEqual((await statusOf()).slice(0, 3), ['active', 'ok', 'ok']);
  market.bars = async () => {
    throw new Error('a bug');
  };
  assert.equal(await runner.tick(deployed), 'failed');
  assert.deepEqual((await statusOf()).slice(0, 3), ['error', 'error', 'an unexpected error occurred']);
  assert.equal(failures.length, 1);
});

test('a strategy whose definition has changed stays as it is', async () => {
  const { deployed, runner, id, store } = world();
  await runner.tick(deployed);
  const [before] = await store.list([id]);
  const set = oneStrategy({ id, reward_factor: 9 });
  const other = world({ set });
  assert.equal(await other.runner.tick(set.strategies.get(id)!), 'failed');
  assert.deepEqual((await store.list([id]))[0], before);
  const [strategy] = (await listDeployed({ ...other.reading, set })).strategies;
  assert.deepEqual([strategy?.status, strategy?.health], ['error', 'error']);
  assert.match(strategy?.last_tick_status ?? '', /give the new one a new id/);
});

test('paused and stopped strategies are listed and not evaluated', async () => {
  for (const status of ['paused', 'stopped'] as const) {
    const id = `is-${status}`;
    const { deps, reading } = world({ set: oneStrategy({ id, status }) }, id);
    const set = oneStrategy({ id, status });
    const runner = new DeployedRunner({ ...deps, set });
    runner.start();
    await runner.stop();
    const [strategy] = (await listDeployed({ ...reading, set })).strategies;
    assert.deepEqual([strategy?.status, strategy?.health, strategy?.last_tick_at], [status, 'ok', null]);
  }
});

test('a strategy without a bar for long is stale', async () => {
  const { deployed, runner, clock, reading } = world();
  await runner.tick(deployed);
  const health = async () => (await listDeployed(reading)).strategies[0]?.health;
  assert.equal(await health(), 'ok');
  clock.ms += 70_000;
  assert.equal(await health(), 'stale');
});

test('personas are ranked by the mean return of their strategies, equal ones by id', async () => {
  const { store, deps } = world();
  const each = (id: string, values: readonly number[]) => ({
    ...{ id, name: id },
    strategies: values.map((value, k) => ({
      ...{ ...livelyStrategy, id: `${id}-${k}` },
      execution_config: { initial_balance: 1_000 * (k + 1), max_hold_bars: value },
    })),
  });
  const set = readDeployedSet({ personas: [each('zoe', [1]), each('max', [2, 3]), each('amy', [4])] });
  const feed = new DeployedFeed({ store, onInternalError: () => {} });
  const reading = { ...{ set, store, feed, replay }, market: deps.market, nowMs: deps.nowMs };
  const ranks = async () => (await rankPersonas(reading)).personas.map(({ id, rank }) => `${rank} ${id}`);
  assert.deepEqual(await ranks(), ['1 amy', '2 max', '3 zoe']);
  const values: Readonly<Record<string, number>> = { 'max-0': 1_500, 'max-1': 1_500, 'zoe-0': 1_200 };
  for (const [id, accountValue] of Object.entries(values)) {
    await state.db
      .updateTable('deployed_strategies')
      .set({ account_value: accountValue })
      .where('id', '=', id)
      .execute();
  }
  assert.deepEqual(await ranks(), ['1 zoe', '2 max', '3 amy']);
  const { personas } = await rankPersonas(reading);
  assert.ok(Math.abs(personas[1]!.return_pct - (0.5 - 0.25) / 2) < 1e-12);
});
