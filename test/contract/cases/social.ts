import assert from 'node:assert/strict';
import { contract } from '../../support/contract.js';
import { ageless, assertLocal } from '../../support/provenance.js';

contract('the sentiment of a topic is read over the hours asked for, by default a day', async ({ api }) => {
  const { body: day } = await api.call('Social.GetSentiment', { topic: 'BTC' });
  assert.deepEqual([day.topic, day.hours_back], ['BTC', 24]);
  assert.ok(day.mentions > 0 && day.score >= 0 && day.score <= 100);
  const expected = day.score >= 55 ? 'bullish' : day.score <= 45 ? 'bearish' : 'neutral';
  assert.equal(day.sentiment, expected);
  assert.deepEqual([day.data.source, typeof day.data.interactions], ['generated', 'number']);
  assert.ok(day.data.fear_greed_index >= 0 && day.data.fear_greed_index <= 100, 'recorded');
  assertLocal(day, 'generated');
  const { body: month } = await api.call('Social.GetSentiment', { topic: 'bitcoin', hours_back: 720 });
  assert.equal(month.hours_back, 720);
  assert.ok(month.mentions > day.mentions);
  const { body: same } = await api.call('Social.GetSentiment', { topic: '$btc', hours_back: 24 });
  assert.deepEqual(ageless(same), ageless({ ...day, topic: '$btc' }));
});

contract('mentions are posts, newest first, as many as asked for', async ({ api }) => {
  const { body: usual } = await api.call('Social.ListMentions', { topic: 'ethereum' });
  assert.deepEqual([usual.topic, usual.hours_back, usual.limit, usual.count], ['ethereum', 24, 20, 20]);
  assert.deepEqual(Object.keys(usual.posts[0]).sort(), ['author', 'created_at', 'id', 'likes', 'reposts', 'text']);
  const times = usual.posts.map(({ created_at }: { created_at: string }) => Date.parse(created_at));
  assert.deepEqual(
    times,
    [...times].sort((a, b) => b - a),
  );
  const { body: one } = await api.call('Social.ListMentions', { topic: 'ethereum', limit: 1 });
  assert.deepEqual(one.posts, usual.posts.slice(0, 1));
  const { body: many } = await api.call('Social.ListMentions', { topic: 'ethereum', limit: 1_000, hours_back: 720 });
  assert.deepEqual([many.count, many.posts.length], [1_000, 1_000]);
  const { body: sentiment } = await api.call('Social.GetSentiment', { topic: 'ethereum', hours_back: 1 });
  const { body: hour } = await api.call('Social.ListMentions', { topic: 'ethereum', limit: 1_000, hours_back: 1 });
  assert.equal(hour.count, sentiment.mentions, 'the window filters');
});

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
