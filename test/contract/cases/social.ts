import assert from 'node:assert/strict';
import { contract } from '../../support/contract.js';
import { ageless } from '../../support/provenance.js';

contract('an unknown topic is neutral and has no mentions', async ({ api }) => {
  for (const topic of ['a/b?c#d', '__proto__']) {
    const { body } = await api.call('Social.GetSentiment', { topic });
    assert.deepEqual([body.topic, body.sentiment, body.score, body.mentions], [topic, 'neutral', 50, 0]);
    const { body: list } = await api.call('Social.ListMentions', { topic });
    assert.deepEqual([list.count, list.posts], [0, []]);
  }
});

contract('the influence of an account blends its followers, engagement and reach', async ({ api }) => {
  const { body: page } = await api.call('Social.ListMentions', { topic: 'BTC', limit: 1_000, hours_back: 720 });
  const { author } = page.posts[0];
  const { body } = await api.call('Social.GetInfluence', { username: author });
  assert.equal(body.username, author);
  assert.ok(body.score > 0 && body.score <= 100 && Number.isInteger(body.followers));
  const { verified, engagement_rate_30d, posts_30d, interactions_30d } = body.data;
  assert.equal(typeof verified, 'boolean');
  assert.equal(engagement_rate_30d, interactions_30d / posts_30d / body.followers);
  const { body: same } = await api.call('Social.GetInfluence', { username: `@${author.toUpperCase()}` });
  assert.deepEqual(ageless(same), ageless(body));
});

contract('an unknown account is not found', async ({ api }) => {
  for (const username of ['@', 'a b']) {
    const { code, message } = await api.call('Social.GetInfluence', { username });
    assert.deepEqual([code, message], ['RESOURCE_NOT_FOUND', `user ${username.replace(/^@(?=.)/, '')} not found`]);
  }
});
