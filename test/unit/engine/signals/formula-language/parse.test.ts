import assert from 'node:assert/strict';
import test from 'node:test';
import { readFormula } from '../../../../../engine/signals/formula-language/index.js';
import { FormulaProblem } from '../../../../../engine/signals/formula-language/problem.js';

const nested = (depth: number) => `${'('.repeat(depth)}close${')'.repeat(depth)} > 1`;
const chained = (parts: number) => `close > ${Array.from({ length: parts }, () => '1').join(' + ')}`;

const refused: Record<string, readonly [text: string, position: number, problem: RegExp]> = {
  'no text': ['', 1, /expected a column, a number or a function, found the end/],
  'a number alone': ['close', 1, /a condition is needed here/],
  'a condition in a calculation': ['close > (close > open) + 1', 9, /a number is needed here/],
  'a number in a conjunction': ['close > open and volume', 18, /a condition is needed here/],
  'a missing bracket': ['close > sma(close, 5', 21, /expected "\)", found the end/],
  'a second formula': ['close > open close', 14, /expected an operator or the end, found "close"/],
  'a chain of comparisons': ['1 < close < 2', 11, /a comparison has two sides/],
  'a strange character': ['close > open; 1', 13, /";" means nothing in a formula/],
  'a character of two units': ['close > 😀', 9, /"😀" means nothing/],
  'a number without end': ['close > 1e999', 9, /too large/],
  'an unknown function': ['close > smaa(close, 5)', 9, /unknown function smaa, did you mean sma\?/],
  'a function without arguments': ['close > sma', 9, /sma is a function: write sma\(\.\.\.\)/],
  'too few arguments': ['close > sma(close)', 18, /expected ","/],
  'too many arguments': ['close > sma(close, 5, 6)', 21, /expected "\)", found ","/],
  'a window of 0': ['close > sma(close, 0)', 20, /n of sma must be a whole number 1\.\.2000 or a parameter, was 0/],
  'a window of 2,001': ['close > sma(close, 2001)', 20, /1\.\.2000 or a parameter, was 2001/],
  'half a bar': ['close > sma(close, 2.5)', 20, /a whole number .*, was 2\.5/],
  'a window from a column': ['close > sma(close, volume)', 20, /a parameter, was a calculation/],
  'a calculated window': ['close > sma(close, 2 * n)', 20, /was a calculation/],
  'a later bar': ['close > close[-1]', 15, /a shift reads the past only, -1 bars would read the future/],
  'a later condition': ['(close > open)[-2]', 16, /would read the future/],
  'a shift by a column': ['close > close[volume]', 15, /was a calculation/],
  'a shift of 2,001 bars': ['close > close[2001]', 15, /0\.\.2000 or a parameter, was 2001/],
  'no bars to look back': ['recently(close > open, 0)', 24, /the number of bars of recently must be/],
  'a price as a column beside the bars': ['column(close) > 1', 8, /column takes the name of a column beside/],
  'a keyword as a name': ['close > and', 9, /expected a column.*found "and"/],
  'the formula as a parameter': ['close > when', 9, /when is the formula itself/],
  'a parameter that nothing can be': [
    'atr(k) > 0 and psar(k, 0.2) > 0 and bollinger_upper(20, k) > 0 and t3(close, 5, k) > 0 and cci(20, k) > 0 and alma(close, 5, k, 6) > 0 and adx(k) > 2',
    144,
    /k cannot be both 1\.\.1 and 2\.\.2000/,
  ],
  'brackets 33 deep': [nested(33), 34, /nests at most 32 levels deep/],
  'shifts 33 deep': [`close > ${'close['.repeat(33)}`, 207, /nests at most 32 levels deep/],
  '201 parts': [chained(101), 409, /at most 200 parts/],
  '2,001 characters': [`close > 1${' '.repeat(1_991)}1`, 2_001, /at most 2000 characters, has 2001/],
  'more bars than 20,000': [
    `close > ${'sma('.repeat(11)}close${', 2000)'.repeat(11)}`,
    1,
    /at most 20000 bars, this one needs 21990/,
  ],
  'parameters that need more bars': [
    'close > t3(t3(close, n, 0.7), n, 0.7)',
    1,
    /needs up to 23989 with its parameters/,
  ],
  'a chain that multiplies its columns': [
    `close > ${'t3('.repeat(9)}close${', 5, 0.7)'.repeat(9)}`,
    21,
    /too many indicators of indicators/,
  ],
};

for (const [what, [text, position, problem]] of Object.entries(refused)) {
  test(`${what} is refused at its place`, () => {
    assert.throws(
      () => readFormula(text),
      (error) => {
        assert.ok(error instanceof FormulaProblem);
        assert.match(error.problem, problem);
        assert.equal(error.position, position);
        return true;
      },
    );
  });
}

const accepted = [
  nested(32),
  chained(99),
  `close > 1${' '.repeat(1_991)}`,
  `close > ${'sma('.repeat(10)}close${', 2000)'.repeat(10)}`,
];

test('the largest formulas below the bounds are read', () => {
  for (const text of accepted) readFormula(text);
});

test('a parameter takes what all of its uses allow', () => {
  const { params } = readFormula('close > k and atr(n) > k and t3(close, n, k) > 0 and close[n] > sma(close, n)');
  assert.deepEqual(params, { k: { type: 'float', min: 0, max: 1 }, n: { type: 'int', min: 1, max: 2_000 } });
});

test('a formula names the columns that it reads', () => {
  const { sources } = readFormula('last(column(FearGreed)) < 20 and cmf(20) > 0 or column(Score)[3] > 1');
  assert.deepEqual([...sources].sort(), ['FearGreed', 'Score', 'close', 'high', 'low', 'volume']);
});
