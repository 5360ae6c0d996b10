import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyPlan } from '../../../../service/assistant/plan/plan.js';
import { readMessage } from '../../../../service/assistant/reading/read.js';

/** The longest message that the service takes. */
const LENGTH = 20_000;

const world = { held: ['BTC'], names: new Map([['BTC', ['bitcoin']]]) };
const rows = [
  '7',
  '777,',
  '1-',
  '5%',
  ' ',
  'a',
  'a_',
  'rsi ',
  'risk ',
  'from 2020 ',
  '(',
  '`',
  'x, ',
  'buy when rsi < 30 and ',
];

test('the longest messages are read, and what stands behind the first part is named', () => {
  for (const row of rows) {
    for (const text of [row.repeat(LENGTH / row.length), `rsi${row.repeat(LENGTH / row.length)}x`]) {
      const { unread, change } = readMessage(text.slice(0, LENGTH), emptyPlan, world);
      assert.match(unread.at(-1)?.reason ?? '', /a message is read to its first 4000 characters/, row);
      assert.deepEqual(change.settings, [], row);
    }
  }
});

test('a number of many digits stays what it is, and is refused by its bound', () => {
  const { change } = readMessage(`account ${'7'.repeat(20)}`, emptyPlan, world);
  assert.deepEqual(change.settings, [{ name: 'initial_balance', value: Number('7'.repeat(20)) }]);
});
