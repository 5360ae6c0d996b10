import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { derivedUuid } from '../../../../data/hashes/index.js';
import { recorded, UpstreamFault } from '../../../../data/upstreams/index.js';
import { AssetBook } from '../../../../service/crypto-assets/book.js';
import { SqlCryptoAssetStore } from '../../../../service/crypto-assets/store.js';
import { AssetUpdates, LEASE_MS, SqlAssetUpdates } from '../../../../service/crypto-assets/updates.js';
import type { State } from '../../../../service/state/index.js';
import { TestAssetSource } from '../../../support/asset-source.js';
import { deleteRows, sharedState } from '../../../support/shared-state.js';

let state: State;
test.before(async () => {
  state = await sharedState();
});

/** An empty store, a source of four assets and any number of processes that update them. */
async function world({ isLive = false, symbols = ['A', 'B', 'C', 'D'] } = {}) {
  await deleteRows(state.db);
  const time = { nowMs: 1_000_000 };
  const clock = () => time.nowMs;
  const source = new TestAssetSource(isLive, symbols);
  const assets = new SqlCryptoAssetStore(state.db);
  const store = new SqlAssetUpdates(state.db);
  const assetId = (symbol: string) => derivedUuid(symbol);
  const book = new AssetBook({ store: assets, source, holderShare: async () => recorded(10, 0), clock, assetId });
  const slept: number[] = [];
  const bugs: unknown[] = [];
  const added: number[] = [];
  const ended = new Set<string>();
  const process = (runner = randomUUID() as string) =>
    new AssetUpdates({
      store,
      source,
      book,
      clock,
      newId: randomUUID,
      runner,
      hasEnded: (name) => ended.has(name),
      sleep: async (ms) => {
        slept.push(ms);
        time.nowMs += ms;
      },
      onAdded: async () => {
        added.push(time.nowMs);
      },
      onInternalError: (error) => bugs.push(error),
    });
  return { time, source, assets, store, process, ended, slept, bugs, added };
}

const running = new AbortController().signal;
const never = new Promise<never>(() => {});

/** A process that asks for an update and never comes back from its third asset, C. */
async function dyingAtC({ source, process }: Awaited<ReturnType<typeof world>>, runner?: string) {
  const dying = process(runner);
  const { latest } = await dying.request();
  source.onProfile = async (symbol) => (symbol === 'C' ? never : undefined);
  void dying.takeNext(running);
  while (!source.asked.includes('C')) await new Promise((resolve) => setImmediate(resolve));
  source.onProfile = async () => {};
  return latest;
}

test('after the death of a process another one goes on, and a second request sees the progress', async () => {
  const own = await world();
  const { time, source, store, process } = own;
  const latest = await dyingAtC(own);
  const heir = process();
  const seen = await heir.request();
  assert.deepEqual([seen.isAdded, seen.latest.update_id, seen.latest.done], [false, latest.update_id, 2]);
  await heir.takeNext(running);
  assert.equal((await heir.request()).latest.done, 2, 'the lease of the dead process lasts');
  time.nowMs += LEASE_MS;
  await heir.takeNext(running);
  assert.deepEqual(source.asked, ['A', 'B', 'C', 'C', 'D'], 'only the asset that was under way comes twice');
  const [row] = await store.newest(1);
  assert.deepEqual([row?.id, row?.place, row?.failures], [latest.update_id, 4, []]);
});

test('a process that stops lets another one go on at once', async () => {
  const { source, process } = await world();
  const stopping = new AbortController();
  source.onProfile = async (symbol) => {
    if (symbol === 'B') stopping.abort();
  };
  const [first, second] = [process(), process()];
  await first.request();
  await first.takeNext(stopping.signal);
  assert.deepEqual(source.asked, ['A', 'B']);
  await second.takeNext(running);
  assert.deepEqual(source.asked, ['A', 'B', 'C', 'D']);
});

test('a limit of the provider is waited for, other faults are noted and the rest goes on', async () => {
  const { source, store, process, slept, bugs } = await world({ isLive: true });
  let tries = 0;
  source.onProfile = async (symbol) => {
    if (symbol === 'A' && tries++ === 0) throw new UpstreamFault('coingecko', 'rate limit', 'HTTP 429', 20_000);
    if (symbol === 'B') throw new UpstreamFault('coingecko', 'shape', 'an answer whose root is not as documented');
    if (symbol === 'C') throw new Error('a bug');
    if (symbol === 'D') throw new UpstreamFault('coingecko', 'own rate', 'more than 30 requests a minute', 5_000);
  };
  const worker = process();
  await worker.request();
  await worker.takeNext(running);
  const [row] = await store.newest(1);
  assert.deepEqual(row?.failures, [
    { symbol: 'B', error: 'coingecko: an answer whose root is not as documented' },
    { symbol: 'C', error: 'an unexpected error occurred' },
    { symbol: 'D', error: 'coingecko: more than 30 requests a minute' },
  ]);
  assert.equal(bugs.length, 1);
  assert.ok(row?.finished_at_ms !== null);
  assert.deepEqual(slept, [20_000, 6_000, 6_000, 6_000, 5_000, 5_000, 5_000], 'with the pace between assets');
});

test('the daily update is for live sources only, and comes once a day', async () => {
  const local = await world();
  await local.process().requestDue();
  assert.deepEqual(await local.store.newest(1), []);
  const { time, store, process } = await world({ isLive: true });
  const worker = process();
  const HOUR = 3_600_000;
  for (let hour = 0; hour < 48; hour++) {
    await worker.requestDue();
    await worker.takeNext(running);
    time.nowMs = 1_000_000 + (hour + 1) * HOUR;
  }
  const starts = (await store.newest(9)).map((row) => Math.round((row.started_at_ms - 1_000_000) / HOUR));
  assert.deepEqual(starts, [46, 23, 0]);
});
