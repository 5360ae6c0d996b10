import assert from 'node:assert/strict';
import test from 'node:test';
import { withFineBars } from '../../../support/assistant.js';
import { check } from '../../../support/conversations.js';
import { runs } from '../../../support/scale.js';

test('conversations with rules of what a trader expects are wholly right', async () => {
  const { right, all, failed } = await check('seen');
  assert.equal(right, all, failed.join('\n'));
});

/** Looked at once, when the grammar was done: 9 of 10 were the aim. */
const HELD_OUT_RIGHT_MIN = 27;

test('conversations that were set aside are mostly wholly right', async () => {
  const { right, all, failed } = await check('held-out');
  assert.equal(all, 30);
  assert.ok(right >= HELD_OUT_RIGHT_MIN, `${right} of ${all}\n${failed.join('\n')}`);
});

/**
 * Written apart from the code and looked at once: 8 of 30 were wholly right, 17 but for the language
 * of the answers. Mended since, so they are seen.
 */
test('a second set of conversations, in four languages, is wholly right', async () => {
  const each = 30 / runs(10, 30, 30);
  const { right, all, failed } = await check('second-held-out', { each });
  assert.equal(all, 30 / each);
  assert.equal(right, all, failed.join('\n'));
});

/** Written before the grammar was mended for it: 2 of 20 were wholly right then. */
test('a third set of conversations is wholly right', async () => {
  const { right, all, failed } = await check('third-held-out');
  assert.equal(right, all, failed.join('\n'));
});

/** Looked at once, when the grammar was done for the third set: 9 of 20 were wholly right. Mended since. */
test('a fourth set of conversations is wholly right', async () => {
  const { right, all, failed } = await check('fourth-held-out');
  assert.equal(right, all, failed.join('\n'));
});

/** Looked at once, when the grammar was done for the fourth set: 11 of 20 were wholly right. Mended since. */
test('a fifth set of conversations is wholly right', async () => {
  const { right, all, failed } = await check('fifth-held-out');
  assert.equal(right, all, failed.join('\n'));
});

/** Written before the grammar was mended for it: 4 of 20 were wholly right then. */
test('a sixth set of conversations is wholly right', async () => {
  const { right, all, failed } = await check('sixth');
  assert.equal(right, all, failed.join('\n'));
});

/**
 * Written with the sixth set and run for the first time when that one was wholly right: 9 of 20 were
 * wholly right then. The grammar has been mended since.
 */
test('a seventh set of conversations is wholly right', async () => {
  const { right, all, failed } = await check('seventh-held-out');
  assert.equal(right, all, failed.join('\n'));
});

/**
 * Written by a stranger and run for the first time as they came: 5 of 30 were wholly right. The rules
 * of three first messages were changed: two ask for bars of 1 minute, which the service does not have,
 * one for 2 minutes, and such a wish is refused with the whole message. Mended since.
 */
test('an eighth set of conversations is wholly right', async () => {
  const { right, all, failed } = await check('eighth', { held: await withFineBars() });
  assert.equal(right, all, `${right} of ${all}\n${failed.join('\n')}`);
});

/** By another stranger: 1 of 30 was wholly right at first, and no rule was changed. Mended since. */
test('a ninth set of conversations is wholly right', async () => {
  const { right, all, failed } = await check('ninth', { held: await withFineBars() });
  assert.equal(right, all, `${right} of ${all}\n${failed.join('\n')}`);
});

/**
 * Written before anyone tried the code for shorts, leverage and moving stops on them: 5 of 10 were
 * wholly right at first. A property found the last one.
 */
test('conversations about both sides of the market are wholly right', async () => {
  const { right, all, failed } = await check('sides');
  assert.equal(right, all, failed.join('\n'));
});
