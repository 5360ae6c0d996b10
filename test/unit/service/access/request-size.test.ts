import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkJsonSize, JSON_LISTS_MAX, JSON_VALUES_MAX } from '../../../../service/access/index.js';
import { RateLimits } from '../../../../service/access/limits.js';

const sized = (text: string): void => checkJsonSize(Buffer.from(text));

test('JSON is refused by its number of values, lists and objects, and not for what its texts hold', () => {
  sized(`[${'0,'.repeat(JSON_VALUES_MAX - 1)}0]`);
  assert.throws(() => sized(`[${'0,'.repeat(JSON_VALUES_MAX)}0]`), /at most 500000 values, had 500001/);
  sized(`[${'[],'.repeat(JSON_LISTS_MAX - 2)}{}]`);
  assert.throws(() => sized(`[${'[],'.repeat(JSON_LISTS_MAX)}{}]`), { code: 'PAYLOAD_TOO_LARGE' });
  sized(JSON.stringify({ text: '",[{\\'.repeat(JSON_VALUES_MAX) }));
});

test('a look at the rate counts nothing and refuses whom the next call would be refused', async () => {
  const limits = new RateLimits({ requests: 2, windowS: 60 });
  for (let i = 0; i < 5; i++) await limits.peek('a');
  for (let i = 0; i < 2; i++) await limits.consume('a');
  await assert.rejects(limits.peek('a'), { code: 'RATE_LIMITED' });
});
