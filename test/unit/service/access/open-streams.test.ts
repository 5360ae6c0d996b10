import assert from 'node:assert/strict';
import test from 'node:test';
import { OpenStreams } from '../../../../service/access/index.js';

test('a credential and an organization have as many streams as they may, and get back what has closed', () => {
  const streams = new OpenStreams({ perCredential: 2, perOrganization: 3 });
  const open = (credentialId: string, orgId = 'o') => streams.open({ credentialId, orgId });
  const [first] = [open('a'), open('a')];
  const refusal = { code: 'RATE_LIMITED', details: { limit: 2, retry_after: 30 } };
  assert.throws(() => open('a'), { ...refusal, message: /^This credential has 2 streams open, the most it may have/ });
  const third = open('b');
  assert.throws(() => open('b'), { code: 'RATE_LIMITED', message: /^The organization has 3 streams open/ });
  open('b', 'another');
  first?.();
  first?.(); // given back once
  open('a');
  assert.throws(() => open('c'), { details: { limit: 3, retry_after: 30 } });
  third();
  open('c');
});

test('callers whose streams have closed take no memory', () => {
  const streams = new OpenStreams({ perCredential: 1, perOrganization: 1 });
  for (let i = 0; i < 1_000; i++) streams.open({ credentialId: `c${i}`, orgId: `o${i}` })();
  assert.equal(streams.size, 0);
});
