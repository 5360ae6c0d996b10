import assert from 'node:assert/strict';
import test from 'node:test';
import { readMessage } from '../../../../service/assistant/built-in/read-message.js';
import {
  numbersIn,
  plainSigns,
  spelledIn,
  withoutNames,
} from '../../../../service/assistant/language-model/read-numbers.js';

/** Ten times the longest message: a reader that takes the square of the length takes a minute. */
const LENGTH = 200_000;
const SECONDS_MAX = 5;

const bitcoin = { symbol: 'BTC', names: ['bitcoin'], isHeld: true };
const known = { settings: {}, timeframe: null, language: 'en' } as const;
const changeIn = (text: string) => readMessage(text, known, [bitcoin]).change;

const rows: Readonly<Record<string, string>> = {
  digits: '7',
  'digits in groups': '777,',
  dashes: '1-',
  points: '1.',
  percentages: '5%',
  spaces: ' ',
  letters: 'a',
  names: 'a_',
  words: 'rsi ',
  'risk words': 'risk ',
  ranges: 'from 2020 ',
};

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  readMessage: (text) => readMessage(text, known, [bitcoin]),
  plainSigns,
  numbersIn,
  spelledIn,
  withoutNames,
};

for (const [name, read] of Object.entries(readers)) {
  test(`${name} takes time in proportion to the length of a message`, () => {
    for (const [row, part] of Object.entries(rows)) {
      for (const text of [part.repeat(LENGTH / part.length), `rsi${part.repeat(LENGTH / part.length)}x`]) {
        const startedMs = performance.now();
        read(text);
        const seconds = (performance.now() - startedMs) / 1_000;
        assert.ok(seconds < SECONDS_MAX, `${row}: ${seconds.toFixed(1)} s`);
      }
    }
  });
}

test('a number of many digits states nothing, and others beside it do', () => {
  const long = '7'.repeat(20);
  const { max_risk_per_trade, reward_factor } = changeIn(`risk ${long}% and reward ${long}`);
  assert.deepEqual([max_risk_per_trade, reward_factor], [undefined, undefined]);
  const stated = changeIn(`${long} risk 2.5% per trade,   reward  3`);
  assert.deepEqual([stated.max_risk_per_trade, stated.reward_factor], [0.025, 3]);
});

test('what is too long to be read is named', () => {
  const { notUnderstood } = readMessage(`BTC daily trend ${'so '.repeat(2_000)}`, known, [bitcoin]);
  assert.match(notUnderstood.join(), /after the first 4000 characters/);
});
