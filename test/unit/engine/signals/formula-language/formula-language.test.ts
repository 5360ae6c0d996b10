import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { indicatorFunctions } from '../../../../../engine/indicators/functions.js';
import { readFormula } from '../../../../../engine/signals/formula-language/index.js';
import { FormulaProblem } from '../../../../../engine/signals/formula-language/reader.js';
import { root } from '../../../../support/tree.js';

test('the guide lists every function with its arguments', () => {
  const guide = readFileSync(join(root, 'docs/formulas.md'), 'utf8');
  const listed = [...guide.matchAll(/^\| `(\w+\([^`]*\))` \| (.*) \|$/gm)].map(
    ([, call, value]) => `${call}: ${value}`,
  );
  const table = listed.slice(listed.findIndex((line) => line.startsWith('sma(')));
  const expected = [...indicatorFunctions].map(([name, { takesColumn, params, meaning }]) => {
    const names = params.map((param) => param.name);
    return `${name}(${(takesColumn ? ['x', ...names] : names).join(', ')}): ${meaning}`;
  });
  assert.deepEqual(table, expected);
});

const refused: Record<string, readonly [text: string, position: number, problem: RegExp]> = {
  'a condition in a calculation': ['close > (close > open) + 1', 9, /a number is needed here/],
  'a chain of comparisons': ['1 < close < 2', 11, /a comparison has two sides/],
  'an unknown function': ['close > smaa(close, 5)', 9, /unknown function smaa, did you mean sma\?/],
  'too few arguments': ['close > sma(close)', 18, /expected ","/],
  'a window of 0': ['close > sma(close, 0)', 20, /n of sma must be a whole number 1\.\.2000 or a parameter, was 0/],
  'a later bar': ['close > close[-1]', 15, /a shift reads the past only, -1 bars would read the future/],
  'a price as a column beside the bars': ['column(close) > 1', 8, /column takes the name of a column beside/],
  'a parameter that nothing can be': [
    'atr(k) > 0 and psar(k, 0.2) > 0 and bollinger_upper(20, k) > 0 and t3(close, 5, k) > 0 and cci(20, k) > 0 and alma(close, 5, k, 6) > 0 and adx(k) > 2',
    144,
    /k cannot be both 1\.\.1 and 2\.\.2000/,
  ],
  'more bars than 20,000': [
    `close > ${'sma('.repeat(11)}close${', 2000)'.repeat(11)}`,
    1,
    /at most 20000 bars, this one needs 21990/,
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

test('a parameter takes what all of its uses allow', () => {
  const { params } = readFormula('close > k and atr(n) > k and t3(close, n, k) > 0 and close[n] > sma(close, n)');
  assert.deepEqual(params, { k: { type: 'float', min: 0, max: 1 }, n: { type: 'int', min: 1, max: 2_000 } });
});

test('a formula names the columns that it reads', () => {
  const { sources } = readFormula('last(column(FearGreed)) < 20 and cmf(20) > 0 or column(Score)[3] > 1');
  assert.deepEqual([...sources].sort(), ['FearGreed', 'Score', 'close', 'high', 'low', 'volume']);
});
