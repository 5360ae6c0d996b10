import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { SocialPort } from '../../../../../data/upstreams/social/index.js';
import { HOUR_MS } from '../../../../../engine/series/index.js';

interface SocialWorld {
  readonly port: SocialPort;
  readonly nowMs: number;
  readonly source: string;
  readonly knownUser: string;
}

/** What every source of posts must do. All know the topic bitcoin. */
export function socialPortContract(name: string, open: (t: TestContext) => Promise<SocialWorld>): void {
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

  check('the case of a topic does not matter', async ({ port }) => {
    assert.deepEqual((await port.mood('BITCOIN', 24)).value, (await port.mood('bitcoin', 24)).value);
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
