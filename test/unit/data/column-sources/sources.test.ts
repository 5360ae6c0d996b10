import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { type ColumnPorts, type ColumnSource, openColumnSources } from '../../../../data/column-sources/index.js';
import type { PublishedRows } from '../../../../data/columns/index.js';
import { Nansen } from '../../../../data/upstreams/flows/index.js';
import { WhaleAlert, type WhalesPort, type WhaleTransfer } from '../../../../data/upstreams/whales/index.js';
import { DAY_MS, HOUR_MS } from '../../../../engine/series/index.js';
import { DEFILLAMA_NOW, openDefiLlama, openDefiLlamaPro, startDefiLlama } from '../../../support/defillama-server.js';
import { LUNARCRUSH_NOW, openLunarCrush, startLunarCrush } from '../../../support/lunarcrush-server.js';
import { nansenAnswers } from '../../../support/nansen-server.js';
import { onChainWorld, tokenOf } from '../../../support/onchain-world.js';
import { root } from '../../../support/tree.js';
import { startUpstream } from '../../../support/upstream-server.js';
import { whaleAlertAnswers } from '../../../support/whale-alert-server.js';

const recordings = join(root, 'sample/recordings');
const world = onChainWorld();
const off: ColumnPorts = {
  recordings,
  nansen: null,
  whaleAlert: null,
  lunarCrush: null,
  defiLlama: null,
  defiLlamaPro: null,
  generated: world.flows,
  clock: () => DEFILLAMA_NOW,
};

function opened(name: string, ports: Partial<ColumnPorts>): ColumnSource {
  const source = openColumnSources({ ...off, ...ports }).get(name);
  assert.ok(source, `${name} is on`);
  assert.equal(source.name, name);
  return source;
}

const whole = (source: ColumnSource, asset: string, column: string) => source.fetch(asset, column, -Infinity, Infinity);

/** What every source promises of a column. */
async function keepsTheContract(source: ColumnSource, asset: string, column: string): Promise<PublishedRows> {
  const all = await whole(source, asset, column);
  const { period, published, value } = all;
  assert.ok(value.length > 0 && period.length === value.length && published.length === value.length, column);
  assert.ok(value.every(Number.isFinite), column);
  assert.ok(
    published.every((ms, i) => ms >= period[i]!),
    `${column}: published no earlier than its period begins`,
  );
  const sorted = published.toSorted();
  const [from, to] = [sorted[Math.floor(sorted.length / 3)]!, sorted[Math.floor((2 * sorted.length) / 3)]!];
  const part = await source.fetch(asset, column, from, to);
  const isWanted = (_: number, i: number) => published[i]! >= from && published[i]! < to;
  assert.deepEqual(part.published, published.filter(isWanted), 'the start is inclusive, the end is not');
  assert.deepEqual(part.value, value.filter(isWanted));
  for (const unknown of ['NO-SUCH', `${asset}-PERP`, 'USDC']) assert.deepEqual(source.columnsFor(unknown), []);
  return all;
}

const delays = ({ period, published }: PublishedRows) => new Set(published.map((ms, i) => ms - period[i]!));

test('recorded: a figure of a day is published when the day has ended, a rate at its settlement', async () => {
  const source = opened('recorded', {});
  const known = { BTC: ['PerpFundingRate', 'FearGreed'], ETH: ['PerpFundingRate', 'FearGreed', 'ActiveAddresses'] };
  for (const [asset, columns] of Object.entries(known)) {
    assert.deepEqual(source.columnsFor(asset), columns);
    for (const column of columns) {
      const rows = await keepsTheContract(source, asset, column);
      assert.deepEqual(delays(rows), new Set([column === 'PerpFundingRate' ? 0 : DAY_MS]));
    }
  }
});

const flowColumns = [
  'SmartMoneyNetflow',
  'SmartMoneyHoldings',
  'ExchangeNetflow',
  'WhaleNetInflow',
  'HolderConcentration',
];

test('generated: every hour of the bars, known when it has ended, and only where it is named', async () => {
  const source = opened('generated', {});
  assert.equal(source.isOnRequest, true);
  assert.deepEqual(source.columnsFor('ETH'), flowColumns);
  const nowMs = await world.flows.nowMs(tokenOf('ETH'));
  for (const column of ['SmartMoneyNetflow', 'HolderConcentration']) {
    const rows = await keepsTheContract(source, 'ETH', column);
    assert.deepEqual(delays(rows), new Set([HOUR_MS]));
    assert.equal(rows.published.at(-1), nowMs, 'nothing is known later than the last close');
    assert.ok(rows.value.length > 10_000);
  }
});

test('nansen: hours of flows some minutes after their end, holders as of now', async (t) => {
  const nowMs = (await world.flows.nowMs(tokenOf('ETH'))) + 5 * 60_000; // five minutes into an hour
  const server = await startUpstream(t, nansenAnswers(world.flows));
  const nansen = new Nansen({ baseUrl: server.url, key: 'k', clock: () => nowMs });
  const source = opened('nansen', { nansen });
  assert.deepEqual(source.columnsFor('ETH'), flowColumns);
  assert.deepEqual(source.columnsFor('XRP'), flowColumns, 'its contract on another chain');
  const rows = await source.fetch('ETH', 'ExchangeNetflow', nowMs - 10 * DAY_MS, Infinity);
  assert.deepEqual(delays(rows), new Set([HOUR_MS + 600_000]));
  assert.ok(
    rows.published.every((ms) => ms >= nowMs - 10 * DAY_MS && ms <= nowMs),
    'the hour that ended five minutes ago is not yet known',
  );
  assert.equal(rows.value.length, 240);
  const window = { fromMs: rows.period[0]!, toMs: rows.period.at(-1)! + HOUR_MS };
  const { value } = await world.flows.balances({
    token: tokenOf('ETH'),
    chain: 'ethereum',
    group: 'exchange',
    ...window,
  });
  assert.deepEqual(
    Array.from(rows.value, (usd) => usd.toFixed(2)),
    value!.map(({ netUsd }) => netUsd.toFixed(2)),
  );
  const holders = await whole(source, 'ETH', 'HolderConcentration');
  assert.deepEqual([...holders.published], [nowMs]);
  assert.ok(holders.value[0]! > 0 && holders.value[0]! < 1);
  await assert.rejects(whole(source, 'NO-SUCH', 'ExchangeNetflow'), /nansen has no ExchangeNetflow of NO-SUCH/);
});

test('whale-alert: sums of whole hours, a flow into exchanges and its opposite', async (t) => {
  const token = tokenOf('UNI');
  const nowMs = (await world.whales.nowMs(token)) + 20 * 60_000;
  const server = await startUpstream(t, whaleAlertAnswers(world.whales));
  const whaleAlert = new WhaleAlert({ baseUrl: server.url, key: 'k', clock: () => nowMs, limits: { perMinute: null } });
  const source = opened('whale-alert', { whaleAlert });
  const into = await keepsTheContract(source, 'UNI', 'ExchangeNetflow');
  const out = await whole(source, 'UNI', 'WhaleNetInflow');
  assert.deepEqual(delays(into), new Set([HOUR_MS + 600_000]));
  assert.deepEqual(
    out.value,
    into.value.map((usd) => -usd),
  );
});

const transferAt = (timeMs: number, usd: number, isInto: boolean): WhaleTransfer => {
  const party = (isExchange: boolean) => ({ address: 'a', owner: null, isExchange });
  const ends = { from: party(!isInto), to: party(isInto) };
  return { hash: 'h', blockchain: 'ethereum', symbol: 'ETH', amount: 1, amountUsd: usd, timeMs, ...ends };
};

test('whale-alert: an answer that is not complete has no value for the hours that it does not cover', async () => {
  const nowMs = 1_000 * HOUR_MS;
  const transfers = [
    transferAt(nowMs - 1.5 * HOUR_MS, 7, true),
    transferAt(nowMs - 2.5 * HOUR_MS, 5, false),
    transferAt(nowMs - 2.7 * HOUR_MS, 1, true),
    transferAt(nowMs - 4.5 * HOUR_MS, 3, true),
  ];
  const port = (isComplete: boolean): WhalesPort => ({
    nowMs: async () => nowMs,
    transfers: async () => ({
      value: { transfers, isComplete },
      ...{ source: 'whale-alert', asOfMs: null, ageMs: 0, maxAgeMs: 0, isStale: false },
    }),
  });
  const hoursOf = async (isComplete: boolean) => {
    const source = opened('whale-alert', { whaleAlert: port(isComplete) });
    const { period, value } = await source.fetch('ETH', 'ExchangeNetflow', nowMs - 5 * HOUR_MS, Infinity);
    return Array.from(period, (ms, i) => [(ms - nowMs) / HOUR_MS, value[i]]);
  };
  const inner = [
    [-4, 0],
    [-3, -4],
  ];
  assert.deepEqual(await hoursOf(false), inner);
  assert.deepEqual(await hoursOf(true), [[-6, 0], [-5, 3], ...inner, [-2, 7]]);
});

test('lunarcrush: what was said in an hour some minutes after its end, a year back', async (t) => {
  const server = await startLunarCrush(t);
  const source = opened('lunarcrush', { lunarCrush: openLunarCrush(server), clock: () => LUNARCRUSH_NOW });
  const mood = await keepsTheContract(source, 'BTC', 'SocialSentiment');
  assert.deepEqual(delays(mood), new Set([HOUR_MS + 600_000]));
  assert.deepEqual(new Set(mood.value), new Set([60, 80]));
  assert.equal(mood.published.at(-1), LUNARCRUSH_NOW - 20 * 60_000, 'the hour that lasts is left out');
  assert.equal(mood.period[0], LUNARCRUSH_NOW - 365 * DAY_MS + 30 * 60_000);
  assert.deepEqual(new Set((await whole(source, 'BTC', 'SocialMentions')).value), new Set([10]));
  await assert.rejects(whole(source, 'UNI', 'SocialMentions'), /lunarcrush has no SocialMentions of UNI/);
  const before = server.requests.length;
  await source.fetch('BTC', 'SocialMentions', LUNARCRUSH_NOW - 3 * HOUR_MS, Infinity);
  const { query } = server.requests[before]!;
  assert.ok(Number(query.get('end')) - Number(query.get('start')) <= 5 * 3_600, 'only what is new is asked for');
});

test('defillama: amounts of days when the day has ended, flows of funds at noon of the next', async (t) => {
  const server = await startDefiLlama(t);
  const free = { defiLlama: openDefiLlama(server) };
  const paid = { ...free, defiLlamaPro: openDefiLlamaPro(server) };
  const source = opened('defillama', paid);
  assert.deepEqual(opened('defillama', free).columnsFor('ETH'), ['ChainTvl', 'StablecoinSupply']);
  assert.deepEqual(source.columnsFor('UNI').includes('EtfNetFlow'), false);
  const tvl = await keepsTheContract(source, 'ETH', 'ChainTvl');
  assert.deepEqual([...tvl.value], [90e9, 91e9], 'the day that lasts is left out');
  assert.deepEqual(delays(tvl), new Set([DAY_MS]));
  assert.deepEqual([...(await whole(source, 'ETH', 'StablecoinSupply')).value], [261.5e9]);
  const flows = await keepsTheContract(source, 'BTC', 'EtfNetFlow');
  assert.deepEqual([...flows.value], [-121e6, -14e6], 'the flows of yesterday are not yet known');
  assert.deepEqual(delays(flows), new Set([1.5 * DAY_MS]));
});

test('defillama: what it shows of now is known from now on', async (t) => {
  const server = await startDefiLlama(t);
  const source = opened('defillama', { defiLlama: openDefiLlama(server), defiLlamaPro: openDefiLlamaPro(server) });
  const nowOf = async (asset: string, column: string) => {
    const rows = await whole(source, asset, column);
    assert.deepEqual([[...rows.period], [...rows.published]], [[DEFILLAMA_NOW], [DEFILLAMA_NOW]], column);
    return rows.value[0];
  };
  assert.equal(await nowOf('BTC', 'PerpFundingRate'), 0.0001);
  assert.equal(await nowOf('ARB', 'TokenUnlockPressure'), 7 / 5e9, 'the unlock in two months is left out');
  assert.equal(await nowOf('UNI', 'TreasuryUsd'), 160);
  assert.ok((await nowOf('ETH', 'LendingRateSpread'))! > 0);
  await assert.rejects(whole(source, 'BTC', 'TreasuryUsd'), /defillama has no TreasuryUsd of BTC/);
});
