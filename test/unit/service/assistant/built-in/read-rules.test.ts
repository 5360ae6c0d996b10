import assert from 'node:assert/strict';
import test from 'node:test';
import { signals } from '../../../../../engine/index.js';
import { ruleWords } from '../../../../../service/assistant/built-in/propose.js';
import { readMessage } from '../../../../../service/assistant/built-in/read-message.js';
import type { PlannedRule } from '../../../../../service/assistant/candidate.js';

const known = { settings: {}, timeframe: '1d', language: 'en' } as const;
const bitcoin = { symbol: 'BTC', names: ['bitcoin'], isHeld: true };
const changeIn = (text: string) => readMessage(text, known, [bitcoin]).change;
const words = (rule: PlannedRule): string => ruleWords(rule);
const library = signals.filter(({ category }) => category !== 'user');

test('every signal of the library is found by its name, with underscores and with blanks, to buy and to sell', () => {
  for (const { name } of library) {
    for (const words of [name, name.replaceAll('_', ' ')]) {
      assert.equal(changeIn(`BTC daily: buy on ${words}`).entry?.[0]?.name, name, `buy on ${words}`);
      assert.equal(changeIn(`sell on ${words}`).exit?.[0]?.name, name, `sell on ${words}`);
    }
  }
});

/** How people say what the end of a name says, and which way it points. */
const endings: readonly (readonly [end: RegExp, words: string, isUp: boolean])[] = [
  [/_cross_up$/, ' crosses up', true],
  [/_cross_down$/, ' crosses down', false],
  [/_flip_up$/, ' flips up', true],
  [/_flip_down$/, ' flips down', false],
  [/_bullish_cross$/, ' crosses bullish', true],
  [/_bearish_cross$/, ' crosses bearish', false],
  [/_upper_breakout$/, ' breaks out above the upper band', true],
  [/_lower_breakout$/, ' breaks the lower band', false],
  [/_above_upper$/, ' is above its upper band', true],
  [/_below_lower$/, ' is below its lower band', false],
  [/_overbought$/, ' is overbought', true],
  [/_oversold$/, ' is oversold', false],
  [/_bullish$/, ' is bullish', true],
  [/_bearish$/, ' is bearish', false],
  [/_positive$/, ' is positive', true],
  [/_negative$/, ' is negative', false],
  [/_up_trend$/, ' is up', true],
  [/_down_trend$/, ' is down', false],
  [/_above$/, ' is above', true],
  [/_below$/, ' is below', false],
];
const spoken: Readonly<Record<string, string>> = { bb: 'bollinger', kc: 'keltner', dc: 'donchian' };
const POINTS_UP = /up|bull|upper|above|overbought|positive|>|long/;
const POINTS_DOWN = /down|bear|lower|below|oversold|negative|<|short/;

test('in prose every signal of the library keeps its direction, to buy and to sell, or is named as not read', () => {
  let said = 0;
  let read = 0;
  for (const { name } of library) {
    const ending = endings.find(([end]) => end.test(name));
    if (ending === undefined) continue;
    const [end, ends, isUp] = ending;
    const stem = name.replace(end, '');
    const prose = `${(spoken[stem] ?? stem).replaceAll('_', ' ')}${ends}`;
    for (const [verb, role] of [
      ['buy', 'entry'],
      ['sell', 'exit'],
    ] as const) {
      said += 1;
      const message = readMessage(`${verb} when ${prose}`, known, [bitcoin]);
      const rule = message.change[role]?.[0];
      if (rule === undefined) {
        assert.ok(message.notUnderstood.length > 0, `${prose} is dropped`);
        continue;
      }
      read += 1;
      const text = [rule.name, rule.params.when, rule.params.direction].join(' ');
      assert.match(text, isUp ? POINTS_UP : POINTS_DOWN, `${verb} when ${prose}`);
      assert.doesNotMatch(text.replace('upper', isUp ? 'upper' : ''), isUp ? POINTS_DOWN : /up_|_up\b|bull/, prose);
    }
  }
  assert.ok(read >= 0.9 * said, `${read} of ${said} were read`);
});

test('a signal that has both directions takes the one that is said', () => {
  const both = library.filter(({ bias }) => bias === 'by_direction');
  assert.ok(both.length > 5);
  for (const { name } of both) {
    for (const direction of ['bullish', 'bearish']) {
      for (const words of [`${name} ${direction}`, `${name.replaceAll('_', ' ')} is ${direction}`]) {
        const [rule] = changeIn(`buy on ${words}`).entry ?? [];
        assert.deepEqual([rule?.name, rule?.params.direction], [name, direction], words);
      }
    }
  }
});

const directions: readonly (readonly [string, string, string])[] = [
  ['the close breaks the lower Bollinger band', 'bb_lower_breakout', 'window 20'],
  ['the close breaks the upper Bollinger band', 'bb_upper_breakout', 'window 20'],
  ['the close crosses back above the lower Bollinger band', 'formula', 'crosses_above(close, bollinger_lower(20, 2))'],
  ['price is below the lower Keltner channel', 'kc_below_lower', 'window 20'],
  ['price breaks the lower Donchian channel', 'dc_lower_breakout', 'window 20'],
  ['RSI(14) crosses up through 30', 'rsi_cross_up', 'threshold 30'],
  ['RSI(14) crosses down through 70', 'rsi_cross_down', 'threshold 70'],
  ['RSI(7) is above 25', 'formula', 'rsi(close, 7) > 25'],
  ['RSI(7) is below 25', 'formula', 'rsi(close, 7) < 25'],
  ['the 20 EMA crosses below the 50 EMA', 'ema_cross_down', 'window_fast 20, window_slow 50'],
  ['the 50 SMA crosses above the 20 SMA', 'sma_cross_down', 'window_fast 20, window_slow 50'],
  ['price falls below the 100 SMA', 'formula', 'crosses_below(close, sma(close, 100))'],
  ['MACD crosses below its signal', 'macd_bearish_cross', 'window_fast 12'],
  ['MACD crosses above zero', 'formula', 'crosses_above(macd_line(12, 26, 9), 0)'],
  ['Supertrend(7, 2) flips down', 'supertrend_flip_down', 'window 7, multiplier 2'],
  ['bearish engulfing', 'bearish_engulfing_trigger', ''],
  ['CCI crosses below 100', 'formula', 'crosses_below(cci(20, 0.015), 100)'],
  ['Aroon crosses down', 'aroon_crossover', 'direction "bearish"'],
  ['the close makes a 20 day high', 'formula', 'close > highest(high, 20)[1]'],
];

for (const [words, name, params] of directions) {
  test(`"${words}" is ${name} ${params}, to buy and to sell`, () => {
    for (const rule of [changeIn(`buy when ${words}`).entry, changeIn(`sell when ${words}`).exit]) {
      assert.equal(rule?.length, 1);
      assert.equal(rule[0]?.name, name);
      assert.ok(ruleWords(rule[0]).includes(params), ruleWords(rule[0]));
    }
  });
}

test('numbers outside the bounds of a parameter are refused as a whole', () => {
  const { change, refused } = readMessage('BTC daily: ema 10 and 99999 cross, risk 2 %', known, [bitcoin]);
  assert.deepEqual(change, {});
  assert.match(refused.join(), /window_slow of ema_cross_up must be a whole number from \d+ to 200, was 99999/);
});

test('a verb may stand behind its condition, and "it" is what was spoken of', () => {
  const { entry, exit } = changeIn('RSI below 30 buy, RSI above 70 sell');
  assert.deepEqual(
    [entry?.map(words), exit?.map(words)],
    [['the formula rsi(close, 14) < 30'], ['the formula rsi(close, 14) > 70']],
  );
  const back = changeIn('buy when price crosses above the 50 day EMA and sell when it falls back below it');
  assert.deepEqual(back.exit?.map(words), ['the formula crosses_below(close, ema(close, 50))']);
});
