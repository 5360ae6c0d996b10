import assert from 'node:assert/strict';
import { HOUR_MS } from '../../../../engine/series/index.js';
import type { DeployedDefinition } from '../../../../service/deployed/definition.js';
import { deployAll } from '../../../../service/deployed/runner.js';
import { SqlDeployedStore } from '../../../../service/deployed/store.js';
import type { DeployedEvent, DeployedTick } from '../../../../service/deployed/stored.js';
import type { State } from '../../../../service/state/index.js';
import { onEachStore } from '../../../support/backends.js';
import { freshProgress, oneStrategy } from '../../../support/deployed.js';
import { deleteRows } from '../../../support/shared-state.js';

const [lively] = [...oneStrategy().strategies.values()] as [DeployedDefinition];

const event = (strategy_id: string, n: number, type: DeployedEvent['type'] = 'fill'): DeployedEvent => ({
  strategy_id,
  persona_id: 'ada',
  type,
  timestamp: new Date(n).toISOString(),
  account_value: n + 0.1,
});

/** Bar number `bar` of a strategy, with the given numbers of events and trades. */
function tick(id: string, bar: number, events: number, trades = 0): DeployedTick {
  const fresh = freshProgress(lively);
  const account = { ...fresh.account, lastBar: bar, lastBarTime: bar * HOUR_MS, cash: 1 / 3 };
  return {
    progress: {
      ...fresh,
      startMs: 0,
      account,
      accountValue: bar + 0.1,
      totalTrades: bar * trades + trades,
      tickedAtMs: 5,
    },
    equity: { timeMs: (bar + 1) * HOUR_MS, value: bar + 0.1 },
    trades: Array.from({ length: trades }, (_, k) => ({ bar, k })),
    events: Array.from({ length: events }, (_, k) => event(id, bar * 10 + k)),
  };
}

const before = (bar: number): number | null => (bar === 0 ? null : (bar - 1) * HOUR_MS);

/** A way to an empty store in which strategies of these ids are deployed. */
const storeIn =
  ({ db }: State) =>
  async (...ids: readonly string[]): Promise<SqlDeployedStore> => {
    await deleteRows(db);
    const store = new SqlDeployedStore(db);
    const definitions = ids.map((id) => ({ ...lively, id }));
    await deployAll(definitions, store, 7);
    return store;
  };

onEachStore('deployed strategies', storeIn, (check, checkBoth) => {
  check('a strategy is deployed once, and keeps what it holds', async (storeWith) => {
    const store = await storeWith('a');
    assert.ok(await store.advance('a', null, tick('a', 0, 1)));
    const [a, b] = await deployAll(
      [
        { ...lively, id: 'a' },
        { ...lively, id: 'b', hash: 'x' },
      ],
      store,
      9,
    );
    const { progress } = tick('a', 0, 1);
    assert.deepEqual(a, { ...progress, id: 'a', definitionHash: lively.hash, createdAtMs: 7, error: null });
    assert.deepEqual([b?.createdAtMs, b?.definitionHash, b?.account.lastBarTime], [9, 'x', null]);
    assert.equal(await store.begin('b', 70), 70);
    assert.equal(await store.begin('b', 80), 70, 'the first call counts');
    await store.note('b', 'no data');
    assert.equal((await store.list(['b']))[0]?.error, 'no data');
    await store.advance('b', null, tick('b', 0, 0));
    assert.equal((await store.list(['b']))[0]?.error, null);
  });

  checkBoth('of many workers with the same bar one is first, and nothing of the others is kept', async (storeWith) => {
    const store = await storeWith('a');
    for (let bar = 0; bar < 5; bar++) {
      const all = await Promise.all(
        Array.from({ length: 6 }, () => store.advance('a', before(bar), tick('a', bar, 2, 1))),
      );
      assert.equal(all.filter(Boolean).length, 1);
    }
    assert.equal(await store.advance('a', before(3), tick('a', 3, 2)), false, 'nor can a bar be taken again later');
    assert.deepEqual(
      (await store.newestEvents(100)).map(({ id }) => id),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
    assert.equal((await store.trades(['a'], 10)).get('a')?.length, 5);
    assert.equal((await store.equity(['a'], 10, 100)).get('a')?.length, 5);
  });

  checkBoth('a bar that cannot be stored whole is not stored at all', async (storeWith) => {
    const store = await storeWith('a');
    const broken = {
      ...tick('a', 0, 2),
      events: [event('a', 1), { ...event('a', 2), strategy_id: 'a', type: null as never }],
    };
    await assert.rejects(store.advance('a', null, broken));
    assert.deepEqual(await store.newestEvents(10), []);
    assert.equal((await store.list(['a']))[0]?.account.lastBar, -1);
    assert.ok(await store.advance('a', null, tick('a', 0, 1)));
    assert.deepEqual(
      (await store.newestEvents(10)).map(({ id }) => id),
      [1],
      'and left no gap in the ids',
    );
  });

  checkBoth('a reader that continues from id to id misses nothing, regardless of the writers', async (storeWith) => {
    const ids = Array.from({ length: 6 }, (_, k) => `s${k}`);
    const store = await storeWith(...ids);
    const BARS = 12;
    let isWriting = true;
    const writing = Promise.all(
      ids.map(async (id, s) => {
        for (let bar = 0; bar < BARS; bar++) await store.advance(id, before(bar), tick(id, bar, (bar + s) % 3));
      }),
    ).finally(() => {
      isWriting = false;
    });
    const read: number[] = [];
    for (let isLast = false; ; ) {
      const events = await store.eventsAfter(read.at(-1) ?? 0, 7);
      read.push(...events.map(({ id }) => id));
      if (events.length > 0) continue;
      if (isLast) break;
      isLast = !isWriting;
    }
    await writing;
    const total = ids.reduce(
      (sum, _, s) => sum + Array.from({ length: BARS }, (_, b) => (b + s) % 3).reduce((a, b) => a + b),
      0,
    );
    assert.deepEqual(
      read,
      Array.from({ length: total }, (_, k) => k + 1),
    );
  });

  check('the newest rows of each strategy survive the cleanup', async (storeWith) => {
    const store = await storeWith('a', 'b');
    for (let bar = 0; bar < 6; bar++) await store.advance('a', before(bar), tick('a', bar, 1, 1));
    await store.advance('b', null, tick('b', 0, 2, 1));
    await store.trim({ events: 3, trades: 2, equity: 4 });
    assert.deepEqual(
      (await store.newestEvents(100)).map(({ id }) => id),
      [4, 5, 6, 7, 8],
    );
    const trades = await store.trades(['a', 'b'], 100);
    assert.deepEqual([trades.get('a')?.length, trades.get('b')?.length], [2, 1]);
    assert.deepEqual((await store.trades(['a'], 1)).get('a'), [{ bar: 5, k: 0 }]);
    const equity = await store.equity(['a', 'b'], 100, 4);
    assert.deepEqual([equity.get('a')?.length, equity.get('b')?.length], [4, 1]);
  });
});
