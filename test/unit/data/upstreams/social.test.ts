import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { GeneratedSocial, type SocialPort } from '../../../../data/upstreams/social/index.js';
import { DAY_MS, HOUR_MS } from '../../../../engine/series/index.js';
import { LUNARCRUSH_NOW, openLunarCrush, startLunarCrush } from '../../../support/lunarcrush-server.js';
import { openSampleMarket } from '../../../support/sample-market.js';

interface SocialWorld {
  readonly port: SocialPort;
  readonly nowMs: number;
  readonly source: string;
  readonly knownUser: string;
}

/** What every source of posts must do. All know the topic bitcoin. */
function socialPortContract(name: string, open: (t: TestContext) => Promise<SocialWorld>): void {
  const check = (statement: string, act: (world: SocialWorld) => Promise<void>) =>
    test(`${name}: ${statement}`, async (t) => act(await open(t)));

  check('the mood of a topic has a score and counts, and longer windows hold more', async ({ port, source }) => {
    let mentions = 0;
    let interactions = 0;
    for (const hoursBack of [1, 24, 168, 720]) {
      const mood = await port.mood('bitcoin', hoursBack);
      assert.equal(mood.source, source);
      assert.ok(mood.value !== null && mood.value.score >= 0 && mood.value.score <= 100);
      assert.ok(mood.value.mentions > mentions && mood.value.interactions > interactions, `${hoursBack} hours`);
      ({ mentions, interactions } = mood.value);
    }
  });

  check('posts lie in the window, newest first, and no more than asked for', async ({ port, nowMs }) => {
    for (const [hoursBack, limit] of [
      [1, 1_000],
      [6, 10],
      [24, 1],
    ] as const) {
      const { value: posts } = await port.posts('bitcoin', hoursBack, limit);
      assert.ok(posts.length > 0 && posts.length <= limit);
      for (const [i, { createdMs, author, text, likes, reposts, id }] of posts.entries()) {
        assert.ok(createdMs <= nowMs && createdMs > nowMs - hoursBack * HOUR_MS, new Date(createdMs).toISOString());
        assert.ok(createdMs <= (posts[i - 1]?.createdMs ?? Infinity));
        assert.ok(author !== '' && text !== '' && id !== '');
        assert.ok(Number.isInteger(likes) && likes >= 0 && Number.isInteger(reposts) && reposts >= 0);
      }
      assert.equal(new Set(posts.map(({ id }) => id)).size, posts.length);
    }
  });

  check('a shorter list is the beginning of a longer one', async ({ port }) => {
    const [all, some] = [await port.posts('bitcoin', 24, 1_000), await port.posts('bitcoin', 24, 7)];
    assert.deepEqual(some.value, all.value.slice(0, 7));
  });

  check('an unknown topic has neither mood nor posts', async ({ port }) => {
    for (const topic of ['no such topic', '!?', '../nowhere', '__proto__']) {
      assert.equal((await port.mood(topic, 24)).value, null, topic);
      assert.deepEqual((await port.posts(topic, 24, 10)).value, [], topic);
    }
  });

  check('a creator has followers and figures of 30 days; an unknown one is null', async ({ port, knownUser }) => {
    const { value } = await port.creator(knownUser);
    assert.ok(value !== null);
    assert.equal(value.username, knownUser);
    assert.ok(value.followers > 0 && value.posts > 0 && value.interactions > 0);
    for (const unknown of ['nobody', 'nobody at all', '..', '../..']) {
      assert.equal((await port.creator(unknown)).value, null, unknown);
    }
  });
}

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
