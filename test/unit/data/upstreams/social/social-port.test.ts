import assert from 'node:assert/strict';
import test from 'node:test';
import { generatePosts, HISTORY_BARS } from '../../../../../data/upstreams/social/generate-posts.js';
import { GeneratedSocial } from '../../../../../data/upstreams/social/index.js';
import { allocateBars, DAY_MS, HOUR_MS } from '../../../../../engine/series/index.js';
import {
  LUNARCRUSH_KEY,
  LUNARCRUSH_NOW,
  openLunarCrush,
  startLunarCrush,
} from '../../../../support/lunarcrush-server.js';
import { openSampleMarket } from '../../../../support/sample-market.js';
import { testUpstreamFaults } from '../../../../support/upstream-server.js';
import { socialPortContract } from './social-port-contract.js';

const market = openSampleMarket();

socialPortContract('held', async () => ({
  port: new GeneratedSocial({ market }),
  nowMs: await market.nowMs('BTC', HOUR_MS),
  source: 'generated',
  knownUser: 'block_captain',
}));

socialPortContract('LunarCrush', async (t) => ({
  port: openLunarCrush(await startLunarCrush(t)),
  nowMs: LUNARCRUSH_NOW,
  source: 'lunarcrush',
  knownUser: 'lunarcrush',
}));

testUpstreamFaults('LunarCrush mood', async (t, limits) => {
  const server = await startLunarCrush(t);
  const adapter = openLunarCrush(server, limits);
  return { server, ask: () => adapter.mood('bitcoin', 24), secret: LUNARCRUSH_KEY };
});

testUpstreamFaults('LunarCrush creator', async (t, limits) => {
  const server = await startLunarCrush(t);
  const adapter = openLunarCrush(server, limits);
  return { server, ask: () => adapter.creator('lunarcrush'), secret: LUNARCRUSH_KEY };
});

test('LunarCrush: the mood sums up the hours, and weighs each by its interactions', async (t) => {
  const server = await startLunarCrush(t);
  const { value } = await openLunarCrush(server).mood('bitcoin', 2);
  assert.deepEqual(value, {
    score: (80 * 3_001 + 60 * 1_001) / 4_002,
    mentions: 20,
    interactions: 4_000,
    fearGreed: null,
  });
  const [request] = server.requests;
  assert.deepEqual(Object.fromEntries(request?.query ?? []), {
    bucket: 'hour',
    start: String(Date.UTC(2025, 5, 22, 11) / 1_000),
    end: String(Date.UTC(2025, 5, 22, 13) / 1_000),
  });
});

test('LunarCrush: an hour without posts is no mood, and a topic is sent as it takes topics', async (t) => {
  const server = await startLunarCrush(t);
  assert.equal((await openLunarCrush(server).mood('Quiet-Topic', 1)).value, null);
  assert.equal(server.requests[0]?.path, '/api4/public/topic/quiet%20topic/time-series/v1');
});

test('LunarCrush: calls of the same hour ask once', async (t) => {
  const server = await startLunarCrush(t);
  const adapter = openLunarCrush(server);
  for (let i = 0; i < 3; i++) await adapter.mood('bitcoin', 24);
  assert.equal(server.requests.length, 1);
});

test('held: the same question has the same answer, in any instance and after any other question', async () => {
  const [one, other] = [new GeneratedSocial({ market }), new GeneratedSocial({ market })];
  await other.posts('ethereum', 720, 1_000);
  assert.deepEqual(await one.posts('BTC', 100, 1_000), await other.posts('$btc', 100, 1_000));
  assert.deepEqual(await one.creator('BLOCK_captain'), await other.creator('block_captain'));
});

test('held: mentions count the posts', async () => {
  const port = new GeneratedSocial({ market });
  assert.equal((await port.mood('ETH', 48)).value?.mentions, (await port.posts('ETH', 48, 1_000)).value.length);
});

test('held: the recorded index is that of the last complete day', async () => {
  const nowMs = await market.nowMs('BTC', HOUR_MS);
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const fearGreed = {
    time: Float64Array.of(today - 2 * DAY_MS, today - DAY_MS, today),
    value: Float64Array.of(10, 20, 30),
  };
  const indexOf = async (time = fearGreed.time) =>
    (await new GeneratedSocial({ market, fearGreed: async () => ({ ...fearGreed, time }) }).mood('BTC', 24)).value
      ?.fearGreed;
  assert.equal(await indexOf(), nowMs === today + DAY_MS ? 30 : 20);
  assert.equal(await indexOf(fearGreed.time.map((ms) => ms + 10 * DAY_MS)), null, 'nothing from the future');
  assert.equal(await indexOf(fearGreed.time.map((ms) => ms - 10 * DAY_MS)), null, 'nothing too old');
});

/** Hourly bars that change by a constant fraction. */
function steadyBars(change: number, count = 400) {
  const bars = allocateBars(count, HOUR_MS);
  for (let i = 0; i < count; i++) {
    bars.time[i] = i * HOUR_MS;
    for (const column of [bars.open, bars.high, bars.low, bars.close]) column[i] = 100 * (1 + change) ** i;
  }
  return bars;
}

test('held: posts are mostly positive after a rise, mostly negative after a fall, and balanced in between', () => {
  const balance = (change: number) => {
    const posts = generatePosts('BTC', steadyBars(change));
    return posts.reduce((sum, { mood }) => sum + mood, 0) / posts.length;
  };
  assert.ok(balance(0.01) > 0.5);
  assert.ok(balance(-0.01) < -0.5);
  assert.ok(Math.abs(balance(0)) < 0.1);
});

test('held: a post knows only bars that closed before its hour', () => {
  const bars = steadyBars(0.001);
  const before = generatePosts('BTC', bars);
  const from = 200;
  for (const column of [bars.open, bars.high, bars.low, bars.close]) column.fill(1, from);
  const after = generatePosts('BTC', bars);
  const known = ({ createdMs }: { createdMs: number }) => createdMs < (from + 1) * HOUR_MS;
  assert.deepEqual(after.filter(known), before.filter(known));
  assert.notDeepEqual(after, before);
  assert.ok(before.every(({ createdMs }) => createdMs >= (HISTORY_BARS + 1) * HOUR_MS));
});
