import assert from 'node:assert/strict';
import test from 'node:test';
import { z } from 'zod';
import { Upstream } from '../../../data/upstreams/index.js';
import { createObserver } from '../../../server/observe.js';
import { quickLimits, startUpstream } from '../../support/upstream-server.js';

const question = { path: 'x', schema: z.object({ n: z.number() }), maxAgeMs: 1_000 };

test('the metrics have breaker, questions and age of each provider, parts of one added up', async (t) => {
  let now = 0;
  const server = await startUpstream(t, () => ({ n: 1 }));
  const open = (name: string) =>
    new Upstream({ name, baseUrl: server.url, clock: () => now, limits: { ...quickLimits, failuresMax: 1 } });
  const [first, second, third] = [open('alpha'), open('alpha'), open('beta')] as const;
  const observer = createObserver('silent', 'test');
  observer.watch([first, second, third]);
  const shown = async () =>
    (await observer.metrics()).split('\n').filter((line) => line.startsWith('barline_upstream'));
  const questions = (provider: string, ...counts: readonly number[]) =>
    ['answered', 'kept', 'stale', 'failed'].map(
      (end, i) => `barline_upstream_questions_total{provider="${provider}",end="${end}"} ${counts[i]}`,
    );
  assert.deepEqual(await shown(), [
    'barline_upstream_breaker{provider="alpha"} 0',
    'barline_upstream_breaker{provider="beta"} 0',
    ...questions('alpha', 0, 0, 0, 0),
    ...questions('beta', 0, 0, 0, 0),
  ]);

  await first.ask(question);
  await first.ask(question);
  await second.ask(question);
  now = 2_500;
  server.faults.push('refused', 'server error', 'server error');
  assert.ok((await first.ask(question)).isStale);
  await assert.rejects(third.ask(question));
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(
      await shown(),
      [
        'barline_upstream_breaker{provider="alpha"} 0',
        'barline_upstream_breaker{provider="beta"} 2',
        ...questions('alpha', 2, 1, 1, 0),
        ...questions('beta', 0, 0, 0, 1),
        'barline_upstream_answer_age_seconds{provider="alpha"} 2.5',
      ],
      'reading them changes nothing',
    );
  }
});
